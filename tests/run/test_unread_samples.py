"""Data sets of the script's own that need what is not here: the rest of the script is checked all the same."""

import pytest
import torch

from shapewright.checking import examine
from shapewright.run.stand_ins.context import Context
from shapewright.run.stand_ins.pending import Pending, Root, Unfit, settled

ABSENT = """
import surely_absent
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

class Volumes(Dataset):
    def __init__(self, path):
        with open(path, "rb") as raw:
            self.held = surely_absent.decode(raw.read())
    def __len__(self):
        return len(self.held)
    def __getitem__(self, index):"""
SCRIPT = (
    ABSENT
    + """
        return torch.from_numpy(self.held[index, :, :]).float(), self.held.mark(index)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.head = nn.Linear(4, 3)
    def forward(self, volumes):
        return self.head(self.layers(volumes.unsqueeze(1)){after})

net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for volumes, marks in DataLoader(Volumes("scans.vol"), batch_size=8, shuffle=True):
    loss = nn.functional.cross_entropy(net(volumes), marks.long())
    optimizer.zero_grad()
    loss.backward()
    {step}
"""
)


@pytest.mark.parametrize(("step", "code"), [("optimizer.step()", set()), ("", {"SW303"})])
def test_a_script_is_checked_without_the_samples_that_cannot_be_read(step, code, resident, tmp_path):
    (tmp_path / "train.py").write_text(SCRIPT.format(after="", step=step))
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete", diagnosis.reason
    assert bool(diagnosis.findings) == bool(code), diagnosis.findings
    assert [item.fields["name"] for item in trace.assumptions if item.kind == "samples-made-up"] == ["Volumes"]


def test_what_no_samples_would_mend_is_not_passed_over(resident, tmp_path):
    (tmp_path / "train.py").write_text(SCRIPT.format(after="[:, :2]", step="optimizer.step()"))
    _, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "incomplete" and not diagnosis.findings


@pytest.fixture
def part():
    context = Context(assumptions=None)
    return lambda: Pending(Root("part", 6, context))


def given(function, *values):
    args, options, kept = settled(function, values, {})
    return function(*args, **options) if kept is None else kept


def test_a_part_takes_the_shape_that_comes_after_its_views(part):
    assert given(torch.nn.functional.linear, part().view(-1, 12), torch.ones(5, 12)).shape == (6, 5)
    pictures = part().permute(0, 3, 1, 2)
    assert given(torch.nn.functional.conv2d, pictures, torch.ones(4, 3, 1, 1)).shape[:2] == (6, 4)
    assert pictures._root.tensor.shape[-1] == 3
    marks = part().squeeze(1)
    assert given(torch.nn.functional.cross_entropy, torch.randn(6, 4), marks).dim() == 0
    assert marks._root.tensor.shape == (6, 1) and not marks._root.tensor.is_floating_point()
    words = part()
    assert given(torch.nn.functional.embedding, words, torch.ones(9, 2)).shape[-1] == 2
    assert int(words.max()) < 9


def test_axes_that_were_asked_for_keep_the_sizes_told(part):
    steps = part()
    batch, time, _ = steps.shape
    assert given(torch.nn.functional.linear, steps, torch.ones(5, steps.size(2))).shape == (batch, time, 5)
    other = part()
    assert other.size(1) == time
    with pytest.raises(Unfit):
        given(torch.nn.functional.linear, other, torch.ones(5, 7))
    assert other._root.context.learnt["part"] == ((7,), 0)


SCALED = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

class Windows(Dataset):
    def __len__(self):
        return 40
    def __getitem__(self, at):
        x, y = open("measured.db").between(at, at + 24), open("measured.db").between(at + 24, at + 30)
        return x, y

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.out = nn.Conv1d(7, 16, 3, padding=1), nn.Linear(16, 7)
    def forward(self, x):
        mean = x.mean(1, keepdim=True)
        x = x - mean
        scale = torch.sqrt(torch.var(x, dim=1, keepdim=True, unbiased=False) + 1e-5)
        x = x / scale
        return self.out(self.embed(x.permute(0, 2, 1)).transpose(1, 2)) * scale + mean

net = Net()
opt = torch.optim.Adam(net.parameters())
for x, y in DataLoader(Windows(), batch_size=8, shuffle=True):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x.float() / 255.0 * 2 - 1), y.float())
    loss.backward()
    opt.step()
"""


def test_samples_that_are_scaled_before_a_layer_expects_them(tmp_path, resident):
    script = tmp_path / "train.py"
    script.write_text(SCALED)
    trace, diagnosis = examine(str(script), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason
    assert any(event.op == "conv1d" and event.args[0].shape[1] == 7 for event in trace.events)


GRAPH = """
import pickle
import torch
from torch import nn

def load(folder):
    parts = []
    for name in ("rows", "more", "links"):
        with open(f"{{folder}}/nodes.{{name}}", "rb") as held:
            parts.append(pickle.load(held))
    rows, more, links = parts
    table = torch.cat([torch.FloatTensor(rows), torch.FloatTensor(more)])
    near = torch.FloatTensor(links) @ torch.FloatTensor(links).t()
    return near, table, torch.arange(len(table)) % 3

def main():
    near, table, kinds = load("graph")
    net = nn.Linear(table.shape[1], 3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        loss = nn.functional.cross_entropy(net(torch.mm(near, table)), kinds)
        optimizer.zero_grad()
        loss.backward()
        {step}

main()
"""


@pytest.mark.parametrize(("step", "code"), [("optimizer.step()", set()), ("pass", {"SW304"})])
def test_what_a_function_read_need_not_go_together_where_it_was_made_up(step, code, resident, tmp_path):
    (tmp_path / "train.py").write_text(GRAPH.format(step=step))
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete", diagnosis.reason
    assert {finding.code for finding in diagnosis.findings} == code
    assert "load()" in [item.fields["name"] for item in trace.assumptions if item.kind == "samples-made-up"]


MEASURED = (
    ABSENT
    + """
        return torch.from_numpy(self.held[index]).float(), torch.from_numpy(self.held.mark(index)).float()

def overlap(out, target):
    if {asked}:
        target = target.data.cpu().numpy()
    out, target = torch.sigmoid(out).data.cpu().numpy() > 0.5, target > 0.5
    return (out & target).sum() / max((out | target).sum(), 1)

net = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 1, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for slides, marks in DataLoader(Volumes("slides.bin"), batch_size=8, shuffle=True):
    out = net(slides)
    loss = nn.functional.binary_cross_entropy_with_logits(out, marks)
    score = overlap(out, marks)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
)


@pytest.mark.parametrize("asked", ["torch.is_tensor(target)", "isinstance(target, torch.Tensor)"])
def test_a_part_is_a_tensor_to_a_script_that_asks(asked, resident, tmp_path):
    (tmp_path / "train.py").write_text(MEASURED.format(asked=asked))
    _, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason
