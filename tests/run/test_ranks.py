"""Scripts of several processes end by themselves, and what two ranks do differently is found with its line."""

import pytest

from shapewright.checking import examine

DDP = """
import os, torch, torch.distributed as dist, torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

def main(rank, world_size, epochs):
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    data = TensorDataset(torch.randn(64, 5), torch.randn(64, 1))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    model = DDP(nn.Linear(5, 1))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for x, y in loader:
            opt.zero_grad(); loss = nn.functional.mse_loss(model(x), y); loss.backward(); opt.step()
        total = loss.detach().clone()
        dist.all_reduce(total)
        if rank == 0:
            torch.save(model.module.state_dict(), "model.pt")
        dist.barrier()
    dist.destroy_process_group()

if __name__ == "__main__":
    mp.spawn(main, args=(2, 3), nprocs=2, join=True)
"""
HEAD = "import os, torch, torch.distributed as dist, torch.multiprocessing as mp\nfrom torch import nn\n"
STEPS = """
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(5):
    x, y = torch.randn(16, 8), torch.randint(0, 8, (16,))
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
"""
WHOLE = {
    "ddp": DDP,
    "fsdp2": HEAD + "from torch.distributed.fsdp import fully_shard\n"
    "from torch.distributed.device_mesh import init_device_mesh\n"
    'mesh = init_device_mesh("cpu", (int(os.environ["WORLD_SIZE"]),))\n'
    "model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))\n"
    "fully_shard(model[0], mesh=mesh); fully_shard(model, mesh=mesh)" + STEPS,
    "tensor parallel": HEAD + "from torch.distributed.device_mesh import init_device_mesh\n"
    "from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module\n"
    'mesh = init_device_mesh("cpu", (int(os.environ["WORLD_SIZE"]),))\n'
    "model = parallelize_module(nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 8)), mesh, "
    '{"0": ColwiseParallel(), "2": RowwiseParallel()})' + STEPS,
    "rpc": HEAD + "import torch.distributed.rpc as rpc\n"
    "class Server:\n    def __init__(self): self.net = nn.Linear(4, 2)\n    def run(self, x): return self.net(x)\n"
    "def worker(rank, world):\n"
    '    rpc.init_rpc(f"worker{rank}", rank=rank, world_size=world)\n'
    '    if rank == 0:\n        out = rpc.remote("worker1", Server).rpc_sync().run(torch.randn(3, 4))\n'
    '        print(out.shape, rpc.rpc_async("worker1", torch.add, args=(torch.ones(2), 1)).wait())\n'
    "    rpc.shutdown()\nmp.spawn(worker, args=(2,), nprocs=2)\n",
    "hogwild": HEAD + "def train(rank, model):\n    opt = torch.optim.SGD(model.parameters(), lr=0.01)\n"
    "    for step in range(20):\n        x = torch.randn(16, 4)\n"
    "        loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()\n"
    "        opt.zero_grad(); loss.backward(); opt.step()\n"
    "model = nn.Linear(4, 1); model.share_memory()\n"
    "workers = [mp.Process(target=train, args=(rank, model)) for rank in range(3)]\n"
    "for worker in workers: worker.start()\nfor worker in workers: worker.join()\n",
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE.keys())
def test_a_script_of_several_processes_ends_and_is_clean(text, resident, tmp_path):
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    _, diagnosis = examine(str(tmp_path / "a.py"), resident=resident, repair=False)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason


PLANTED = {
    "only one rank": ("        dist.all_reduce(total)", "        if rank == 0: dist.all_reduce(total)", 23),
    "other shapes": ("        dist.all_reduce(total)", "        dist.all_reduce(torch.ones(2 + rank))", 20),
    "other order": (
        '            torch.save(model.module.state_dict(), "model.pt")',
        "            dist.broadcast(total, 0)",
        23,
    ),
}


@pytest.mark.parametrize("old, new, line", PLANTED.values(), ids=PLANTED.keys())
def test_ranks_that_part_are_found(old, new, line, resident, tmp_path):
    assert old in DDP
    (tmp_path / "a.py").write_text(DDP.replace(old, new), encoding="utf-8")
    _, diagnosis = examine(str(tmp_path / "a.py"), resident=resident, repair=False)
    assert [(finding.code, finding.site.line) for finding in diagnosis.findings] == [("SW244", line)]
