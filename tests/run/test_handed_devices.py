"""What an absent library would have put on the accelerator is there, and layers that need its kernels run."""

import pytest

SOUND = {
    "accelerate beside .cuda()": (
        "import torch\nfrom accelerate import Accelerator\nfrom torch.utils.data import DataLoader, TensorDataset\n"
        "accelerator = Accelerator()\nnet = torch.nn.Linear(4, 2).cuda()\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "data = TensorDataset(torch.randn(20, 4), torch.randint(0, 2, (20,)))\n"
        "loader = DataLoader(data, 5, shuffle=True, pin_memory=True)\n"
        "net, opt, loader = accelerator.prepare(net, opt, loader)\nfor x, y in loader:\n    opt.zero_grad()\n"
        "    loss = torch.nn.functional.cross_entropy(net(x), y)\n    accelerator.backward(loss)\n    opt.step()\n"
    ),
    "accelerate beside what a tokenizer gives": (
        "import torch\nfrom accelerate import Accelerator\nfrom transformers import BatchEncoding\n"
        "from torch.utils.data import DataLoader\naccelerator = Accelerator()\n"
        "class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.table = torch.nn.Embedding(9, 4)\n    def forward(self, ids):\n        return self.table(ids)\n"
        "net = Net().cuda()\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "def joined(parts):\n    return BatchEncoding({'ids': torch.stack(parts)})\n"
        "loader = DataLoader(list(torch.randint(0, 9, (20, 3))), 5, shuffle=True, collate_fn=joined)\n"
        "net, opt, loader = accelerator.prepare(net, opt, loader)\nfor batch in loader:\n    opt.zero_grad()\n"
        "    accelerator.backward(net(**batch).pow(2).mean())\n    opt.step()\n"
    ),
    "normalized over the ranks": (
        "import os\nimport torch\nimport torch.distributed as dist\ndist.init_process_group('nccl')\n"
        "torch.cuda.set_device(int(os.environ['LOCAL_RANK']))\n"
        "net = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.Flatten())\n"
        "net = torch.nn.SyncBatchNorm.convert_sync_batchnorm(net).cuda()\n"
        "net = torch.nn.parallel.DistributedDataParallel(net, device_ids=[int(os.environ['LOCAL_RANK'])])\n"
        "net(torch.randn(4, 3, 8, 8).cuda()).sum().backward()\n"
    ),
}


@pytest.mark.parametrize("name", SOUND)
def test_nothing_is_found(name, tmp_path):
    from shapewright.checking import examine

    (tmp_path / "fit.py").write_text(SOUND[name])
    trace, diagnosis = examine(str(tmp_path / "fit.py"), cwd=str(tmp_path), lang="en")
    assert trace.outcome.state == "complete" and not diagnosis.findings, (diagnosis.reason, diagnosis.findings)
