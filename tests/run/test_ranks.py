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
PROCESSES = (
    HEAD
    + """
def average(model):
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad.data, op=dist.ReduceOp.SUM)
        parameter.grad.data /= float(dist.get_world_size())

def run(rank, size):
    torch.manual_seed(0)
    x = torch.randn(120, 6)
    y = x[:, :1] * 2
    mine, goal = x.chunk(size)[rank], y.chunk(size)[rank]
    model = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1))
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(3):
        for a, b in zip(mine.split(20), goal.split(20)):
            opt.zero_grad(); loss = nn.functional.mse_loss(model(a), b); loss.backward()
            average(model)
            opt.step()
        places = [torch.zeros(1) for _ in range(size)]
        dist.all_gather(places, loss.detach().reshape(1))

def begin(rank, size, job):
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "127.0.0.1", "29500"
    dist.init_process_group("gloo", rank=rank, world_size=size)
    job(rank, size)

if __name__ == "__main__":
    workers = [mp.Process(target=begin, args=(rank, 2, run)) for rank in range(2)]
    for worker in workers: worker.start()
    for worker in workers: worker.join()
"""
)
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
    "remote optimizer": HEAD + "import torch.distributed.rpc as rpc, torch.distributed.autograd as remote\n"
    "from torch.distributed.optim import DistributedOptimizer\n"
    "class Far(nn.Module):\n    def __init__(self):\n        super().__init__(); self.net = nn.Linear(4, 6)\n"
    "    def forward(self, x): return self.net(x)\n"
    "    def references(self): return [rpc.RRef(parameter) for parameter in self.parameters()]\n"
    "def worker(rank, world):\n"
    '    rpc.init_rpc(f"worker{rank}", rank=rank, world_size=world)\n'
    '    if rank == 0:\n        far, near = rpc.remote("worker1", Far), nn.Linear(6, 3)\n'
    "        held = far.rpc_sync().references() + [rpc.RRef(parameter) for parameter in near.parameters()]\n"
    "        opt = DistributedOptimizer(torch.optim.SGD, held, lr=0.05)\n        for step in range(5):\n"
    "            with remote.context() as number:\n"
    "                out = near(far.rpc_sync().forward(torch.randn(8, 4)))\n"
    "                loss = nn.functional.cross_entropy(out, torch.randint(0, 3, (8,)))\n"
    "                remote.backward(number, [loss]); opt.step(number)\n"
    "    rpc.shutdown()\nmp.spawn(worker, args=(2,), nprocs=2)\n",
    "processes": PROCESSES,
    "sharded optimizer": DDP.replace(
        "torch.optim.SGD(model.parameters(), lr=0.1)",
        "optim.ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, lr=0.1)",
    ).replace("from torch import nn", "from torch import nn\nfrom torch.distributed import optim"),
    "a layer that DDP is told not to wait for": DDP.replace(
        "DDP(nn.Linear(5, 1))", "DDP(Two(), find_unused_parameters=True)"
    ).replace(
        "def main",
        "class Two(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.one, self.other = nn.Linear(5, 1), nn.Linear(5, 2)\n"
        "    def forward(self, x):\n        return self.one(x)\n\ndef main",
        1,
    ),
    "parts of a stated number": HEAD + "from torch.distributed.tensor import distribute_tensor, Shard\n"
    "from torch.distributed.device_mesh import init_device_mesh\n"
    'dist.init_process_group("gloo", rank=0, world_size=2)\n'
    'mesh = init_device_mesh("cpu", (dist.get_world_size(),))\n'
    "whole = torch.arange(12.0).reshape(4, 3)\n"
    "assert torch.equal(distribute_tensor(whole, mesh, [Shard(0)]).full_tensor(), whole)\n",
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

IN_PROCESSES = {
    "never divided": ("        parameter.grad.data /= float(dist.get_world_size())\n", "", "SW246", 6),
    "gathered of other sizes": ("reshape(1))", "repeat(rank + 1))", "SW244", 22),
    "gradients kept": ("opt.zero_grad(); ", "", "SW301", 18),
}
FSDP2 = {
    "the optimizer before": (
        "fully_shard(model[0]",
        "opt = torch.optim.SGD(model.parameters(), lr=0.1)\nfully_shard(model[0]",
        "SW302",
    ),
    "another width": ("nn.Linear(16, 8)", "nn.Linear(12, 8)", "SW102"),
}


@pytest.mark.parametrize("old, new, code, line", IN_PROCESSES.values(), ids=IN_PROCESSES.keys())
def test_what_processes_of_their_own_do_is_recorded(old, new, code, line, resident, tmp_path):
    assert old in PROCESSES
    (tmp_path / "a.py").write_text(PROCESSES.replace(old, new), encoding="utf-8")
    _, diagnosis = examine(str(tmp_path / "a.py"), resident=resident, repair=False)
    assert (code, line) in [(finding.code, finding.site.line) for finding in diagnosis.findings], diagnosis


@pytest.mark.parametrize("old, new, code", FSDP2.values(), ids=FSDP2.keys())
def test_faults_of_a_sharded_model_are_found(old, new, code, resident, tmp_path):
    text = WHOLE["fsdp2"].replace(
        "opt = torch.optim.AdamW(model.parameters(), lr=1e-3)\n",
        "" if code == "SW302" else "opt = torch.optim.AdamW(model.parameters(), lr=1e-3)\n",
    )
    assert old in text
    (tmp_path / "a.py").write_text(text.replace(old, new), encoding="utf-8")
    _, diagnosis = examine(str(tmp_path / "a.py"), resident=resident, repair=False)
    assert [finding.code for finding in diagnosis.findings] == [code], diagnosis


def test_a_layer_that_came_after_the_wrapper_is_not_averaged(resident, tmp_path):
    text = DDP.replace("DDP(nn.Linear(5, 1))", "DDP(nn.Sequential(nn.Linear(5, 5), nn.Linear(5, 1)))")
    late = text.replace("    opt =", "    model.module[1] = nn.Linear(5, 1)\n    opt =")
    (tmp_path / "a.py").write_text(late, encoding="utf-8")
    _, diagnosis = examine(str(tmp_path / "a.py"), resident=resident, repair=False)
    assert [finding.code for finding in diagnosis.findings] == ["SW246"], diagnosis


@pytest.mark.parametrize("old, new, line", PLANTED.values(), ids=PLANTED.keys())
def test_ranks_that_part_are_found(old, new, line, resident, tmp_path):
    assert old in DDP
    (tmp_path / "a.py").write_text(DDP.replace(old, new), encoding="utf-8")
    _, diagnosis = examine(str(tmp_path / "a.py"), resident=resident, repair=False)
    assert [(finding.code, finding.site.line) for finding in diagnosis.findings] == [("SW244", line)]
