"""Branches that a cut loop takes before their time, and what a script needs that is told by how it ends."""

from dataclasses import replace

import pytest

from shapewright.checking import examine
from shapewright.run.process.known import Known
from shapewright.run.process.request import RunRequest, Size, Small
from shapewright.run.stand_ins.absent.datasets.tables import Dataset
from shapewright.trace import Event, Failure, Outcome, Seen, Site, Trace

EARLY = """
import torch
model = torch.nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
frame, totals = 0, []

def shown(totals):
    print("mean %.2f" % {read})

while frame < 200000:
    for _ in range(30):
        loss = (model(torch.ones(4)) - 1).pow(2).sum()
        opt.zero_grad(); loss.backward(); opt.step()
        frame += 1
        if frame % 1000 == 0:
            shown(totals)
    totals.append(loss.item())
"""
AGAIN = """
import torch

def train(net, lr, batches):
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    kept, seen = None, 0
    for _ in range(2):
        for x, y in batches:
            loss = torch.nn.functional.mse_loss(net(x), y)
            opt.zero_grad(); loss.backward(); opt.step()
            seen += len(x)
            if seen % 200 == 0:
                kept = [*(kept or []), loss.item()]
    print(lr, kept[-1])

batches = [(torch.randn(10, 4), torch.randn(10, 1)) for _ in range(150)]
train(torch.nn.Linear(4, 1), 0.1, batches)
for lr in (0.01, 0.001):
    train(torch.nn.Linear(4, 1), lr, batches)
"""
MARKS = """
import torch
table = {}
with open("words.txt") as file:
    for line in file:
        if line.split():
            table.setdefault(line.split()[0], len(table))
rows = [table.get(word, table.get("[UNK]")) for word in ("[BOS]", "xyzzy", "[EOS]")]
x = torch.tensor(rows + [table.get("[PAD]")] * 5)
net = torch.nn.Embedding(len(table), 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net(x).sum().backward()
opt.step()
"""
SHARDED = """
import torch
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import Shard
torch.distributed.init_process_group("gloo")
net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
for layer in net:
    if isinstance(layer, torch.nn.Linear):
        fully_shard(layer)
fully_shard(net)
assert all(one.placements == (Shard(0),) for one in net.parameters())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.randn(4, 8)).square().mean()
loss.backward()
opt.step()
whole = {name: one.full_tensor() for name, one in net.state_dict().items()}
print(sum(one.numel() for one in whole.values()), next(net.parameters()).to_local().shape)
"""


def checked(resident, tmp_path, text):
    (tmp_path / "a.py").write_text(text)
    return examine(str(tmp_path / "a.py"), resident=resident)


def test_a_branch_taken_before_its_time_ends_alone(resident, tmp_path):
    trace, diagnosis = checked(resident, tmp_path, EARLY.format(read="totals[-1]"))
    assert diagnosis.outcome == "complete" and not diagnosis.findings
    assert [one.kind for one in trace.assumptions] == ["passed-over"] and not trace.data.whole


def test_what_torch_refuses_in_it_is_told(resident, tmp_path):
    _, diagnosis = checked(resident, tmp_path, EARLY.format(read="torch.ones(2).view(3)[0]"))
    assert diagnosis.outcome == "stopped" and [one.site.line for one in diagnosis.findings] == [8]


def test_a_branch_is_taken_in_each_training(resident, tmp_path):
    trace, diagnosis = checked(resident, tmp_path, AGAIN)
    assert diagnosis.outcome == "complete" and not diagnosis.findings and not trace.data.whole


@pytest.mark.parametrize("text", [MARKS, SHARDED], ids=["marks", "sharded"])
def test_complete(resident, tmp_path, text):
    _, diagnosis = checked(resident, tmp_path, text)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason


def test_a_handler_that_asserts_false_does_not_do_without(resident, tmp_path):
    trace, diagnosis = checked(
        resident,
        tmp_path,
        "import numpy, torch\ntry:\n    kept = numpy.load('kept.npy')\nexcept OSError:\n    print('none')\n"
        "    assert False\nprint(torch.nn.Linear(4, 2)(torch.from_numpy(kept).float()[:, :4]).shape)\n",
    )
    assert diagnosis.outcome == "complete", diagnosis.reason
    assert any(one.kind == "stand-in-file" for one in trace.assumptions)


def test_a_part_that_a_library_lacks_is_named_as_such(resident, tmp_path):
    text = "import torch\nfrom torch.distributed.pipes import Pipe\nmodel = Pipe(torch.nn.Linear(4, 2), chunks=8)\n"
    text += "loss = model(torch.randn(8, 4)).local_value().sum()\nloss.backward()\n"
    _, diagnosis = checked(resident, tmp_path, text)
    assert "installed version of torch does not have" in diagnosis.reason


def test_an_undefined_name_makes_no_excerpt_of_a_script_that_ran(resident, tmp_path):
    text = "import torch\nnet = torch.nn.Linear(3, 1)\nout = net(torch.randn(8, 3))\nloss = out.mean() + penalty\n"
    _, diagnosis = checked(resident, tmp_path, text)
    assert diagnosis.outcome == "incomplete" and "penalty" in diagnosis.reason and "excerpt" not in diagnosis.reason


class Runs:
    """A run that is given up after the line that a smaller one fails at."""

    def __init__(self, line):
        self.asked, self.line = [], line

    def submit(self, request, parked=None, early=None):
        self.asked.append(request)
        return len(self.asked) - 1

    def result(self, ticket):
        site = Site("a.py", 5)
        made = Seen(made=("pictures", "3"), consulted=("side", "many", "masks", "first", "channels"))
        if self.asked[ticket].small is None:
            ran = Event(0, "stack", replace(site, line=self.line), (), (), {}, None)
            return Trace("a.py", Outcome("incomplete", "outgrown", {"why": "work"}), events=(ran,), data=made)
        failure = Failure("ValueError", "no room", site=site, stack=(site,))
        return Trace("a.py", Outcome("incomplete", "exception"), failure=failure, data=made)


@pytest.mark.parametrize("line, others", [(5, False), (4, True)])
def test_other_data_do_not_mend_sizes_that_do_not_fit(line, others):
    runs, known = Runs(line), Known()
    known.run(runs, RunRequest("a.py"))
    before = len(runs.asked)
    known.run(runs, RunRequest("a.py", small=Small(sizes=(Size("side = 512", 512, 64),))))
    assert (len(runs.asked) > before + 1) is others


def test_columns_that_are_not_formatted_come_as_they_are():
    rows = Dataset.from_dict({"text": ["a b", "c"], "ids": [[1, 2], [3]]})
    rows = rows.with_format(type="torch", columns=["ids"], output_all_columns=True)
    assert rows[0]["text"] == "a b" and rows[0]["ids"].tolist() == [1, 2] and [*rows[:2]] == ["text", "ids"]
    assert [*rows.with_format("torch", columns=["ids"])[0]] == ["ids"]


def test_no_made_up_picture_is_in_two_parts_of_a_set(resident, tmp_path):
    text = """
import torch
from torchvision.datasets import CIFAR10, MNIST
for kind in (CIFAR10, MNIST):
    one, other = (kind("data", train=train).data[:500] for train in (True, False))
    rows = {bytes(memoryview(row.tobytes() if hasattr(row, "tobytes") else row.numpy())) for row in one}
    assert not any((row.tobytes() if hasattr(row, "tobytes") else row.numpy().tobytes()) in rows for row in other)
print(torch.zeros(2).sum())
"""
    _, diagnosis = checked(resident, tmp_path, text)
    assert diagnosis.outcome == "complete", diagnosis.reason
