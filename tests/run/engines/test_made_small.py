"""A script that outgrows the live engine is made small and still run with numbers."""

import dataclasses
from pathlib import Path

import pytest

from shapewright.checking import examine
from shapewright.run.engines.smaller import at_once, made_small, of_fewer_samples, shortened
from shapewright.run.process.request import RunRequest, Size, Small
from shapewright.run.script.instrument import instrument
from shapewright.run.script.smaller import numbers
from shapewright.trace import (
    Assumption,
    Event,
    Failure,
    LoopFact,
    ModuleFact,
    Outcome,
    Seen,
    Site,
    StepFact,
    TensorFact,
    Trace,
)

CALLED = StepFact(0, "given", Site("a.py", 9), data={"args": (TensorFact((512, 3, 32, 32), "float32"),), "kwargs": {}})
GPT = (Path(__file__).parents[1] / "scripts" / "gpt_124m.py").read_text()
PICTURES = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 128, 4, stride=4), nn.Conv2d(128, 128, 11, padding=5))
        self.head = nn.Linear(128, 10)

    def forward(self, x):
        h = self.body(x).mean((2, 3))
        {line}
        return self.head(h)

images, labels = torch.randn(40, 3, 448, 448), torch.randint(0, 10, (40,))
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(images, labels), batch_size=32, shuffle=True)
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
"""


@pytest.fixture
def checked(tmp_path, resident):
    def check(text):
        (tmp_path / "train.py").write_text(text)
        return examine(str(tmp_path / "train.py"), lang="en", resident=resident, timeout=600.0)

    return check


def test_a_gpt_of_124_million_parameters_is_checked_live(checked):
    trace, diagnosis = checked(GPT.replace("is_causal=True", "is_causal=False"))
    assert trace.engine == "live" and trace.outcome.state == "complete"
    assert {"made-small", "fewer-layers"} <= {item.kind for item in trace.assumptions}
    assert {(size.old, size.new) for size in trace.data.small.sizes} == {(1024, 16), (12, 4)}
    line = next(i for i, text in enumerate(GPT.split("\n"), 1) if "is_causal" in text)
    assert [(one.code, one.site.line) for one in diagnosis.findings if one.severity != "remark"] == [("SW259", line)]


def test_large_pictures_are_made_small(checked):
    trace, diagnosis = checked(PICTURES.format(line="h = h.softmax(0)"))
    assert trace.engine == "live" and "made-small" in {item.kind for item in trace.assumptions}
    assert [(found.code, found.site.line) for found in diagnosis.findings] == [("SW202", 13)]


COUNTED = """
import torch
from torch import nn
images, labels = torch.randn({rows}, 3, {side}, {side}), torch.randint(0, 10, ({rows},))
model = nn.Sequential(nn.Conv2d(3, 144, 5, padding=2), nn.ReLU(), nn.Conv2d(144, 144, 5, padding=2), nn.Flatten(2))
head = nn.Linear(144, 10)
optimizer = torch.optim.SGD([*model.parameters(), *head.parameters()], lr=0.01)
data, seen = torch.utils.data.TensorDataset(images, labels), []
for x, y in torch.utils.data.DataLoader(data, batch_size=4 * {share}, shuffle=True):
    optimizer.zero_grad()
    h = model(x).mean(2)
    {line}
    nn.functional.cross_entropy(head(h), y).backward()
    optimizer.step()
    seen.append(len(x))
print(*seen)
"""


def test_batches_whose_size_no_line_tells_are_smaller(checked):
    trace, diagnosis = checked(COUNTED.format(rows=1028, side=32, share=64, line="h = h.softmax(0)"))
    assert trace.engine == "live" and trace.outcome.state == "complete" and trace.data.small.share == 64
    sizes = [*map(int, trace.output.split())]
    assert sizes[0] > sizes[-1] > 1  # 1028 samples have a smaller last batch of 256, and still have one
    assert [(found.code, found.site.line) for found in diagnosis.findings] == [("SW202", 12)]


def test_a_size_that_the_script_counts_by_itself_is_no_fault_of_smaller_batches(checked):
    line = "h = h.view(4, -1, 144)[:, :16].reshape(-1, 144) if len(h) > 4 else h"
    trace, diagnosis = checked(COUNTED.format(rows=260, side=64, share=16, line=line))
    assert not diagnosis.findings and trace.failure is None


BY_PLACES = """
import numpy
import torch
from torch import nn
images, labels = torch.randn(600, 3, {side}, {side}), torch.randint(0, 10, (600,))
model = nn.Sequential(nn.Conv2d(3, {width}, 5, padding=2), nn.ReLU(), nn.Conv2d({width}, {width}, 5, padding=2), nn.Flatten(2))
head = nn.Linear({width}, 10)
optimizer = torch.optim.SGD([*model.parameters(), *head.parameters()], lr=0.01)
count = 4 * 16
for step in range(40):
    places = {draw}
    optimizer.zero_grad()
    h = model(images[places]).mean(2)
    h = h.softmax(0)
    nn.functional.cross_entropy(head(h), labels[places]).backward()
    optimizer.step()
print(len(places), sum(len(torch.randint(0, 10, (64,))) for _ in range(2)))
"""


def test_batches_of_which_the_script_draws_the_places_are_smaller(checked):
    trace, diagnosis = checked(BY_PLACES.format(side=64, width=144, draw="torch.randint(len(images), (count,))"))
    assert trace.engine == "live" and trace.outcome.state == "complete"
    assert trace.output.split() == ["4", "128"]  # labels that are drawn are as many as before
    assert [(found.code, found.site.line) for found in diagnosis.findings] == [("SW202", 14)]


@pytest.mark.parametrize(
    "draw",
    [
        "torch.randint(0, len(images), size=(count,))",
        "numpy.random.randint(0, len(images), count)",
        "numpy.random.choice(len(images), size=count)",
    ],
)
def test_places_are_drawn_in_several_ways(draw, tmp_path, resident):
    (tmp_path / "train.py").write_text(BY_PLACES.format(side=4, width=2, draw=draw))
    request = RunRequest(str(tmp_path / "train.py"), probe=False)
    trace = resident.run(request)
    assert trace.outcome.state == "complete" and trace.data.places == (64,) and trace.output.split() == ["64", "128"]
    trace = resident.run(dataclasses.replace(request, small=Small((), False, share=16)))
    assert trace.outcome.state == "complete" and trace.output.split() == ["4", "128"]


EXECUTED = """
import torch
from torch import nn
side, count = 8, 4
exec(open("large.txt").read())
model = nn.Sequential(nn.Conv2d(3, 128, 4, stride=4), nn.Conv2d(128, 128, 11, padding=5), nn.Flatten(2))
head = nn.Linear(128, 10)
optimizer = torch.optim.SGD([*model.parameters(), *head.parameters()], lr=0.01)
for step in range(40):
    optimizer.zero_grad()
    h = model(torch.randn(count, 3, side, side)).mean(2)
    h = h.softmax({axis})
    nn.functional.cross_entropy(head(h), torch.randint(0, 10, (count,))).backward()
    optimizer.step()
print(side, count, name)
"""


@pytest.mark.parametrize("axis", [0, 1])
def test_numbers_of_settings_that_the_script_executes_are_smaller(axis, checked, tmp_path):
    (tmp_path / "large.txt").write_text("exec(open('sides.txt').read())\ncount = 32\nname = 'large'\n")
    (tmp_path / "sides.txt").write_text("side = 448\n")
    trace, diagnosis = checked(EXECUTED.format(axis=axis))
    assert trace.engine == "live" and trace.outcome.state == "complete" and trace.output.split()[2] == "large"
    assert {(size.old, size.new) for size in trace.data.small.sizes} >= {(448, 64)}
    assert [(found.code, found.site.line) for found in diagnosis.findings] == ([("SW202", 12)] if axis == 0 else [])


CROPS = """
class Crops(torch.utils.data.Dataset):
    def __len__(self):
        return 40

    def __getitem__(self, i):
        shown = images[i][:, :448, :448]
        wanted = images[i][:, 6:448 + 6, :448]
        return shown, wanted

images = torch.randn(40, 3, 454, 454)
wide = nn.Conv2d(128, 128, 11, padding=5)
model = nn.Sequential(nn.Conv2d(3, 128, 4, stride=4), wide, nn.ConvTranspose2d(128, 3, 4, stride=4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for shown, wanted in torch.utils.data.DataLoader(Crops(), batch_size=32, shuffle=True):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(shown), wanted).backward()
    optimizer.step()
"""


def test_a_side_that_several_lines_tell_is_smaller_in_all_of_them_where_one_is_not_enough(checked):
    trace, diagnosis = checked("import torch\nfrom torch import nn\n" + CROPS)
    assert trace.engine == "live" and trace.outcome.state == "complete" and not diagnosis.findings
    assert len([size for size in trace.data.small.sizes if size.old == 448]) == 2


def test_what_most_is_computed_for_and_no_layer_has_is_made_small():
    sums, rows = (
        Event(at, "mul", None, result=TensorFact(sizes)) for at, sizes in enumerate([(5000, 784), (784, 784)])
    )
    layer = ModuleFact(1, "Linear", parameters=(("weight", (784, 16)),))
    outgrown = Trace(
        "a.py",
        Outcome("complete"),
        events=(sums, rows, rows),
        modules={1: layer},
        sources={"a.py": "N = 5000\nD = 784\n"},
    )
    outgrown = dataclasses.replace(outgrown, outcome=Outcome("incomplete", "outgrown", {"why": "work"}))
    done = Trace("a.py", Outcome("complete"))
    small, slow = made_small(RunRequest("a.py"), lambda request: done, done, outgrown)
    assert small.data.small.sizes == (Size("N = 5000", 5000, 16),) and not slow
    failed = dataclasses.replace(done, outcome=Outcome("stopped", "fault"))
    assert made_small(RunRequest("a.py"), lambda request: failed, done, outgrown)[0] is None


def test_what_a_model_was_given_is_made_small_without_a_look():
    given = {"args": (TensorFact((64, 3, 128, 128), "float32"),), "kwargs": {}}
    layer = ModuleFact(1, "Conv2d", parameters=(("weight", (128, 3, 3, 3)),))
    outgrown = Trace(
        "a.py",
        Outcome("incomplete", "outgrown", {"why": "work"}),
        steps=(StepFact(0, "given", Site("a.py", 9), data=given),),
        modules={1: layer},
        sources={"a.py": "B = 64\nS = 128\nE = 64\nC = 128\n"},
    )
    asked = []

    def run_once(request):
        asked.append(request.small)
        return Trace("a.py", Outcome("complete"))

    small, slow = at_once(RunRequest("a.py"), run_once, outgrown)
    assert small.data.small.sizes == (Size("B = 64", 64, 4), Size("E = 64", 64, 4)) and not slow and len(asked) == 1
    failing = Trace("a.py", Outcome("stopped", "fault"))
    assert at_once(RunRequest("a.py"), lambda request: failing, outgrown) == (None, False)


@pytest.mark.parametrize("alike", [True, False])
def test_a_failure_of_small_sizes_is_told_where_others_fail_alike(alike):
    def run_once(request):
        side = next((size.new for size in request.small.sizes), 128)
        given = {"args": (TensorFact((2, 3, side, side), "float32"),), "kwargs": {}}
        looked = Trace(
            "a.py", Outcome("incomplete", "first-call"), steps=(StepFact(0, "given", Site("a.py", 9), data=given),)
        )
        if request.first:
            return dataclasses.replace(looked, sources={"a.py": "S = 128\n"})
        width = 7 if alike else side
        return Trace(
            "a.py", Outcome("stopped", "fault", {"message": f"{width} is not 9"}), failure=Failure("Error", "", None)
        )

    look = run_once(dataclasses.replace(RunRequest("a.py"), small=Small(), first=True))
    small, slow = made_small(RunRequest("a.py"), run_once, look, Trace("a.py", Outcome("incomplete", "outgrown")))
    assert (small is not None) == alike and not slow


def test_numbers_are_told_by_their_lines():
    text = "a = 12\nb = 12\nc = 1.5 if 12 else 'x12'\n"
    assert list(numbers(text, 12)) == ["a = 12", "b = 12", "c = 1.5 if 12 else 'x12'"]
    tree = instrument(text, "a.py", (Size("b = 12", 12, 4),))
    space = {"__shapewright__": type("Hooks", (), {"bound": staticmethod(lambda *_: None)})}
    exec(compile(tree, "a.py", "exec"), space)
    assert (space["a"], space["b"], space["c"]) == (12, 4, 1.5)


MADE = """
import torch
from torch import nn

ROWS = 40_000_000
marks, sums = [], []
for at in range(ROWS):
    marks.append([at % 5, at % 7, at % 3])
for mark in marks:
    sums.append(sorted(mark)[0] + sum(mark))
assert len(sums) == ROWS
rows = torch.utils.data.TensorDataset(torch.tensor(marks).float(), torch.tensor(sums).float())
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for x, y in torch.utils.data.DataLoader(rows, batch_size=32, shuffle=True):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
"""
SLOW = LoopFact(1, Site("a.py", 3), 40_000, False, False, length=800_000, pace=1e-4)
MANY = {"a.py": "N = 800_000\nprint(N)\nfor i in range(800000): pass\n"}


def test_loops_that_make_data_for_too_long_make_fewer():
    late = Trace("a.py", Outcome("incomplete", "outgrown", {"why": "seconds"}), loops=(SLOW,), sources=MANY)
    told, asked = {"line": "4"}, []

    def answering(*outcomes):
        left = list(outcomes)

        def run_once(request):
            asked.append([(size.line, size.new) for size in request.small.sizes])
            return Trace("a.py", left.pop(0))

        return run_once

    request, trace = shortened(RunRequest("a.py"), answering(Outcome("complete")), late)
    assert trace.outcome.state == "complete" and trace.data.small == request.small
    assert asked[0] == [("N = 800_000", 4096), ("for i in range(800000): pass", 4096)]
    same = Outcome("stopped", "fault", told | {"message": "2 and 3"})
    assert shortened(request, answering(same, same), late)[1].outcome == same
    other = Outcome("stopped", "fault", told | {"message": "4096 and 7"})
    assert shortened(RunRequest("a.py"), answering(other, same), late) == (RunRequest("a.py"), late)
    assert shortened(RunRequest("a.py"), answering(Outcome("incomplete", "exception", told)), late)[1] is late
    trained = dataclasses.replace(late, loops=(dataclasses.replace(SLOW, trained=True),))
    assert shortened(RunRequest("a.py"), answering(), trained)[1] is trained


def test_a_script_that_makes_millions_of_rows_is_checked_with_fewer(tmp_path, resident):
    (tmp_path / "train.py").write_text(MADE)
    # half of the limit is tried
    trace, diagnosis = examine(str(tmp_path / "train.py"), lang="en", resident=resident, timeout=12.0)
    assert trace.engine == "live" and trace.outcome.state == "complete", trace.outcome
    assert "made-short" in {item.kind for item in trace.assumptions}
    assert [one.code for one in diagnosis.findings if one.severity != "remark"] == ["SW201"]


def test_fewer_rows_of_made_up_data_sets_are_gone_through_before_anything_is_trained():
    made = (Assumption("stand-in-dataset", {}),)
    late = Trace("a.py", Outcome("incomplete", "outgrown", {"why": "seconds"}), assumptions=made)
    asked = []

    def run_once(request):
        asked.append(request.small.rows)
        return Trace("a.py", Outcome("stopped", "fault", {"message": f"{asked[0]} and 7"}))

    request, trace = shortened(RunRequest("a.py"), run_once, late)
    assert asked == [4096, 6145] and trace.data.small == request.small and request.small.rows == 4096
    trained = dataclasses.replace(late, loops=(dataclasses.replace(SLOW, trained=True),))
    assert shortened(RunRequest("a.py"), run_once, trained)[1] is trained


ENDLESS = """
import torch, torchvision
from torch.utils.data import DataLoader

class Again(torch.utils.data.Sampler):
    def __init__(self, data):
        self.data = data

    def __iter__(self):
        while True:
            yield from torch.randperm(len(self.data)).tolist()

    def __len__(self):
        return 2 ** 31

digits = torchvision.datasets.MNIST("nowhere", download=True)
rows = torch.stack([row.float().view(-1) / 255 for row in digits.data[:64]])
print(len(digits), digits.targets.shape)
digits.train_labels = digits.targets % 2
assert digits.targets.max() == 1
batches = iter(DataLoader(rows, 8, sampler=Again(rows)))
model = torch.nn.Linear(784, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(160000):
    optimizer.zero_grad()
    model(next(batches)).mean().backward()
    optimizer.step()
"""


def test_a_sampler_without_an_end_is_not_gone_through(tmp_path, resident):
    pytest.importorskip("torchvision")
    (tmp_path / "train.py").write_text(ENDLESS)
    request = RunRequest(str(tmp_path / "train.py"), timeout=20.0, probe=False, small=Small((), False, 4096))
    trace = resident.run(request)
    assert trace.outcome.state == "complete" and trace.output.startswith("4096 torch.Size([4096])")
    assert {"rows-left-out", "old-interface"} <= {item.kind for item in trace.assumptions}


FEW = Outcome("stopped", "fault", {"message": "selected index k out of range", "line": "40"}, Site("a.py", 40))


@pytest.mark.parametrize(
    ("larger", "told"),
    [
        (Outcome("incomplete", "outgrown", {"why": "work"}), ("incomplete", "few-samples")),  # nothing is known
        (Outcome("stopped", "fault", {"message": "no such file", "line": "41"}), ("incomplete", "few-samples")),
        (Outcome("complete"), ("complete", "")),
        (FEW, ("stopped", "fault")),
    ],
)
def test_what_a_run_of_fewer_samples_saw_before_it_failed_is_kept(larger, told):
    data = Seen(batch_sizes=(512,))
    outgrown = Trace("a.py", Outcome("incomplete", "outgrown", {"why": "work"}), data=data, steps=(CALLED,))
    asked = []

    def run_once(request):
        asked.append(request.small.share)
        outcome = FEW if request.small.share == 128 else larger
        failure = Failure("RuntimeError", "", None) if outcome.state == "stopped" else None
        loops = (LoopFact(1, Site("a.py", 3), 3, True, True),)
        return Trace("a.py", outcome, data=data, steps=(CALLED,), loops=loops, failure=failure)

    request, trace = of_fewer_samples(RunRequest("a.py"), run_once, outgrown)
    assert asked == [128, 2] and (trace.outcome.state, trace.outcome.reason) == told
    assert (trace.failure is None) == (told[0] != "stopped") and request.small.share in asked
    if trace.outcome.reason == "few-samples":
        assert trace.outcome.fields == {"old": "512", "new": "4", "line": "40"}
