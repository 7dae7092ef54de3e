"""Statements that need what is not here, outside of any data set: the rest of the script is checked without them."""

import pytest
import torch

from shapewright.checking import examine
from shapewright.run.stand_ins.holes import installed

SCRIPT = """
import surely_absent as sa
import torch
from torch import nn

def load(path):
    table = sa.read(path)
    groups = {{}}
    for row in sa.rows(table):
        groups.setdefault(row.key.lower(), []).append(row.value ** 2)
    frame = sa.merge(table, groups)
    x = sa.scale(frame[frame.kind != 3].drop())
    if sa.check(x) > 3:
        x = x.clip()
    return x, frame.target

x, y = load("a.bin")
net = nn.Sequential(nn.Linear(7, 16), nn.ReLU(), nn.Linear(16, {outputs}))
inputs = torch.tensor(x, dtype=torch.float32)
targets = torch.LongTensor(y)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(20):
    {clear}
    loss = nn.functional.cross_entropy({scores}, targets)
    loss.backward()
    optimizer.step()
print(sa.report(net(inputs).argmax(1).numpy(), y))
"""
SOUND = {"outputs": 3, "clear": "optimizer.zero_grad()", "scores": "net(inputs)"}
SIZED = """
import surely_absent
import torch
from torch import nn

table = surely_absent.group("rows.bin")
width = table.first(1).shape[1] - 3
net = nn.LSTM(width, 8, batch_first=True)
head = nn.Linear(8, 1)
optimizer = torch.optim.Adam([*net.parameters(), *head.parameters()])
for steps, wanted in surely_absent.batches(table, 4):
    steps = torch.tensor(steps).float()
    outputs, _ = net(steps)
    loss = nn.functional.mse_loss(head(outputs[:, -1]), torch.tensor(wanted).float().view(-1, 1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
LENT = """
import surely_absent
import torch
from torch import nn

net = nn.Linear(4, 2)
loss = surely_absent.trained(net, torch.rand(8, 4))
loss.backward()
"""


@pytest.mark.parametrize(("change", "codes"), [({}, set()), ({"clear": "pass"}, {"SW301"})])
def test_the_rest_is_checked_without_what_a_statement_would_have_read(change, codes, resident, tmp_path):
    (tmp_path / "train.py").write_text(SCRIPT.format(**SOUND | change))
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete", diagnosis.reason
    assert {finding.code for finding in diagnosis.findings} == codes, diagnosis.findings
    told = [item for item in trace.assumptions if item.kind == "statement-passed-over"]
    assert told and all(item.site is not None and item.fields["line"] == str(item.site.line) for item in told)


def test_a_size_of_a_layer_is_a_number(resident, tmp_path):
    (tmp_path / "train.py").write_text(SIZED)
    _, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason


def test_what_learns_is_never_passed_over(resident, tmp_path):
    (tmp_path / "train.py").write_text(LENT)
    _, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "incomplete" and not diagnosis.findings


def test_torch_is_left_as_it_was():
    before, parts = (torch.tensor, torch.from_numpy, torch.Tensor.__dict__.get("__new__")), torch.Tensor([1.0])
    installed()()
    assert before == (torch.tensor, torch.from_numpy, torch.Tensor.__dict__.get("__new__"))
    assert torch.equal(torch.Tensor([1.0]), parts)
