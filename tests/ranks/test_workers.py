"""Processes that a script starts itself, and calls of another process: what is sent arrives as it was."""

import pytest

from shapewright.checking import examine

HEAD = "import torch\nimport torch.multiprocessing as mp\nfrom torch import nn\n"
WHOLE = {
    "tensors through a pipe": HEAD
    + """
def answer(pipe):
    while (got := pipe.recv()) is not None:
        pipe.send(((got * 2).detach(), {"first": got[0].detach()}))

ours, theirs = mp.Pipe()
other = mp.Process(target=answer, args=(theirs,))
other.start()
ours.send(torch.arange(3.0))
doubled, named = ours.recv()
assert doubled.tolist() == [0.0, 2.0, 4.0] and named["first"] == 0
ours.send(nn.Parameter(torch.ones(2)))
assert isinstance(ours.recv()[0], torch.Tensor)
ours.send(None)
other.join()
print(nn.Linear(3, 1)(doubled))
""",
    "calls that answer later": HEAD
    + """
import torch.distributed.rpc as rpc

class Server:
    def __init__(self): self.net = nn.Linear(4, 2)

    @staticmethod
    @rpc.functions.async_execution
    def weights(reference, scale):
        future = torch.futures.Future()
        future.set_result({name: value * scale for name, value in reference.local_value().net.state_dict().items()})
        return future

rpc.init_rpc("worker0", rank=0, world_size=1)
server = rpc.RRef(Server())
net = nn.Linear(4, 2)
net.load_state_dict(rpc.rpc_sync("worker0", Server.weights, args=(server, 0.5)))
net.load_state_dict(rpc.rpc_async("worker0", Server.weights, args=(server, 0.5)).wait())
print(net(torch.ones(3, 4)))
rpc.shutdown()
""",
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE.keys())
def test_what_is_sent_arrives(text, resident, tmp_path):
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    _, diagnosis = examine(str(tmp_path / "a.py"), resident=resident, repair=False)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, (diagnosis.reason, diagnosis.findings)


ACTORS = (
    HEAD
    + """
class Actor(mp.Process):
    def __init__(self, net, asked, told):
        super().__init__()
        self.net, self.asked, self.told = net, asked, told
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def run(self):
        for _ in range({rounds}):
            self.learn()
            self.told.put(1.0)
        self.told.put(None)

    def learn(self):
        rows, aims = torch.randn(6, 3), torch.randn(6)
        loss = (self.net(rows) - aims{column}).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

if __name__ == "__main__":
    asked, told, net = mp.Queue(), mp.Queue(), nn.Linear(3, 1)
    actors = [Actor(net, asked, told) for _ in range(2)]
    for actor in actors:
        actor.start()
    for actor in actors:
        asked.put(3)
    while told.get() is not None:
        pass
    for actor in actors:
        actor.join()
"""
)


@pytest.mark.parametrize(
    ("rounds", "column", "codes"), [("3", "", ["SW201"]), ("3", "[:, None]", []), ("self.asked.get()", "[:, None]", [])]
)
def test_a_worker_that_waits_for_nobody_is_recorded(rounds, column, codes, resident, tmp_path):
    text = ACTORS.replace("{rounds}", rounds).replace("{column}", column)
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    _, diagnosis = examine(str(tmp_path / "a.py"), resident=resident, repair=False)
    assert diagnosis.outcome == "complete", diagnosis.reason
    assert [found.code for found in diagnosis.findings] == codes


def test_what_is_received_is_a_leaf_of_its_own():
    import torch

    from shapewright.run.sandbox.workers import _received, _sent

    _sent[-1] = torch.ones(2, requires_grad=True)
    got = _received(-1)
    assert got.requires_grad and got.is_leaf and not _sent.get(-1)


SEVERAL = (
    HEAD
    + """
import os, sys
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

if not torch.accelerator.is_available() or torch.accelerator.device_count() < 2:
    print("two accelerators are needed")
    sys.exit()
rank = int(os.environ["LOCAL_RANK"])
dist.init_process_group("nccl")
net = DistributedDataParallel(nn.Linear(10, 5).to(rank), device_ids=[rank])
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(torch.randn(20, 10)), torch.randn(20, 5{there})).backward()
    optimizer.step()
dist.destroy_process_group()
"""
)


@pytest.mark.parametrize(("there", "code"), [(", device=rank", set()), ("", {"SW132"})])
def test_a_script_that_leaves_where_there_are_few_accelerators_gets_more(there, code, resident, tmp_path):
    (tmp_path / "a.py").write_text(SEVERAL.format(there=there), encoding="utf-8")
    _, diagnosis = examine(str(tmp_path / "a.py"), resident=resident, repair=False)
    assert diagnosis.outcome == ("stopped" if code else "complete"), diagnosis.reason
    assert {finding.code for finding in diagnosis.findings} == code, diagnosis.findings
