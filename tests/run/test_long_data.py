"""Loops that build data run whole; what they say over and over is not written down each time."""

from types import SimpleNamespace

import pytest
import torch

from shapewright.checking import examine
from shapewright.probes.metrics import _truth
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest, Small
from shapewright.run.record.assume import Assumptions
from shapewright.run.record.tape import Entry, Slot

WALK = """
import torch
from torchvision import datasets, transforms
data = datasets.MNIST("nowhere", download=True, transform=transforms.Compose([
    transforms.ToTensor(), transforms.RandomRotation(5), transforms.Normalize((0.1,), (0.3,))]))
few = [(picture, label) for picture, label in data if label in (0, 2)]
pictures = torch.stack([picture for picture, _ in few])
model = torch.nn.Linear(784, 3)
out = model(pictures.view(len(few), -1))
print(len(data), sorted({label for _, label in few}))
"""
TABLE = """
import torch
from torch import nn
N, T = 6000, 40
numbers, marks, sums = torch.rand(N, 1, T), torch.zeros(N, 1, T), torch.zeros(N, 1)
for i in range(N):
    marks[i, 0, i % T] = 1
    sums[i, 0] = numbers[i, 0, i % T] + numbers[i, 0, 0]
x = torch.cat((numbers, marks), 1)
net = nn.Sequential(nn.Flatten(), nn.Linear(2 * T, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(net.parameters())
for i in range(0, N, 32):
    loss = nn.functional.mse_loss(net(x[i : i + 32]), sums[i : i + 32])
    optimizer.zero_grad(); loss.backward(); optimizer.step()
"""


def test_made_up_pictures_are_not_all_gone_through(resident, tmp_path):
    pytest.importorskip("torchvision")
    (tmp_path / "a.py").write_text(WALK, encoding="utf-8")
    trace, diagnosis = examine(str(tmp_path / "a.py"), resident=resident, repair=False)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis
    assert "rows-left-out" in [one.kind for one in diagnosis.assumptions]
    assert "60000 [0, 2]" in trace.output


def test_numbers_read_one_by_one_are_noted_until_they_say_nothing_new(monkeypatch):
    import torch

    from shapewright.run.process.child import Run
    from shapewright.run.process.request import RunRequest
    from shapewright.run.record import recorder
    from shapewright.run.record.assume import Assumptions

    monkeypatch.setattr(recorder, "MANY", 50)
    table, weight = torch.rand(200), torch.rand(200, requires_grad=True)

    def noted(read):
        seen = []
        held = Run(RunRequest(script=__file__, probe=False), Assumptions()).recorder
        held.before = [lambda op, args, kwargs: seen.append(op)]
        with held:
            for at in range(200):
                read(at)
        return len(seen)

    assert noted(lambda at: table[at]) == 51
    assert noted(lambda at: weight[at]) == 200  # it learns
    assert noted(lambda at: table[at:]) == 200  # it has axes


def test_a_table_that_is_filled_number_by_number_is_checked_whole(resident, tmp_path):
    (tmp_path / "a.py").write_text(TABLE, encoding="utf-8")
    _, diagnosis = examine(str(tmp_path / "a.py"), resident=resident, repair=False)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis


ANSWERING = """
import torch

class Any:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Any()

    def __len__(self):
        return 8

    def __getitem__(self, at):
        return torch.ones(3) * at

print(sum(len(rows) for rows in torch.utils.data.DataLoader(Any(), batch_size=4)))
"""


def test_a_data_set_that_has_any_attribute_is_no_part_of_another(tmp_path):
    (tmp_path / "script.py").write_text(ANSWERING, encoding="utf-8")
    trace = execute(RunRequest(script=str(tmp_path / "script.py"), engine="live"), tmp_path, Assumptions())
    assert trace.output == "8\n"


def test_a_call_that_gives_back_its_operand_has_a_beginning():
    given = torch.tensor([0.0, 1.0, 1.0])
    entry = Entry(torch.Tensor.float, "float", (Slot(1),), {}, {(): 1}, (), -1)
    tape = SimpleNamespace(hot=set(), value=lambda slot: given)
    reading = SimpleNamespace(entries=[entry])
    assert _truth(tape, reading, [entry], torch.rand(3)) is given


def test_parts_of_a_made_up_set_keep_their_shares_where_it_has_fewer_rows(tmp_path, resident):
    text = "import torch\nfrom torchvision.datasets import CIFAR10\n"
    text += "print(*[len(CIFAR10('nowhere', train=part, download=True)) for part in (True, False)])\n"
    (tmp_path / "script.py").write_text(text, encoding="utf-8")
    request = RunRequest(script=str(tmp_path / "script.py"), engine="live", small=Small((), False, 4096))
    assert resident.result(resident.submit(request)).output == "4096 819\n"
