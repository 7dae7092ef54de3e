"""A run that waits, and runs that go on from it."""

import dataclasses
import os

import pytest

from shapewright.run.process.request import RunRequest

SCRIPT = """import os
import torch
from torch import nn
torch.manual_seed(0)
print("begun")
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 3)
    def forward(self, x):
        return self.head(x)
def used(x):
    return x + 1
x = used(torch.rand(6, 4))
net = Net()
for step in range(3):
    loss = net(x).pow(2).mean()
    loss.backward()
print(round(float(loss), 4))
"""
LOOP = 16  # the line of the statement `for step in range(3)`


@pytest.fixture
def parked(resident, tmp_path):
    """`go_on(text)` runs an edited text from the loop on."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    request = RunRequest(str(path), cwd=str(tmp_path), probe=False)
    ticket = resident.submit(dataclasses.replace(request, park=(LOOP,)))
    assert resident.result(ticket).outcome.reason == "parked"

    def go_on(text):
        return resident.result(resident.submit(dataclasses.replace(request, sources={str(path): text}), (ticket, 0)))

    go_on.request = request
    yield go_on
    resident.cancel(ticket)


def seen(trace):
    return (
        [(event.op, event.site, event.stack) for event in trace.events],
        trace.outcome,
        trace.output,
        trace.bindings,
        trace.sources,
    )


def test_a_run_that_goes_on_is_the_run_from_the_start(parked, resident):
    whole = resident.run(parked.request)
    assert whole.outcome.state == "complete" and len(whole.events) > 8
    assert seen(parked(SCRIPT)) == seen(whole) == seen(parked(SCRIPT))


def test_an_edit_below_the_place_and_in_a_function_not_entered_takes_effect(parked, resident):
    edited = SCRIPT.replace("self.head(x)", "self.head(x[:, :3])").replace("pow(2)", "abs()")
    trace = parked(edited)
    assert (
        trace.failure is not None
        and trace.failure.site.line == 11
        and trace.sources == {str(parked.request.script): edited}
    )
    assert (
        seen(parked(SCRIPT.replace("self.head(x)", "2 * self.head(x)")))[0]
        == seen(
            resident.run(
                dataclasses.replace(
                    parked.request, sources={parked.request.script: SCRIPT.replace("self.head(x)", "2 * self.head(x)")}
                )
            )
        )[0]
    )


@pytest.mark.parametrize(
    "old, new",
    [
        ("x + 1", "x + 2"),
        ("nn.Linear(4, 3)", "nn.Linear(4, 2)"),
        ('print("begun")', 'print("begun", 1)'),
        ("    def forward", "\n    def forward"),
        ("class Net(nn.Module)", "class Net(torch.nn.Module)"),
    ],
)
def test_an_edit_of_what_has_run_is_refused(parked, old, new):
    assert parked(SCRIPT.replace(old, new)).outcome.reason == "unresumable"


def test_a_run_that_waits_cannot_be_used_to_start_processes(parked):
    trace = parked(
        SCRIPT.replace(
            "    loss.backward()",
            "    loss.backward()\ntry:\n    print('forked', os.fork())\nexcept OSError as error:\n    print('refused')",
        )
    )
    assert "refused" in trace.output and "forked" not in trace.output
    assert "refused" not in parked(SCRIPT).output


def test_a_cancelled_place_is_gone(resident, tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    request = RunRequest(str(path), cwd=str(tmp_path), probe=False)
    ticket = resident.submit(dataclasses.replace(request, park=(LOOP,)))
    resident.result(ticket)
    resident.cancel(ticket)
    assert resident.result(resident.submit(request, (ticket, 0))).outcome.reason == "unresumable"
    assert resident.run(request).outcome.state == "complete"
    assert not [name for name in os.listdir(resident.folder) if name.startswith("run-")]


WITHIN = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.head = nn.Linear(width, 3)
    def forward(self, x):
        return self.head(x)
def rows(count):
    return torch.stack([torch.rand(4) for _ in range(count)])
def trained(net, data):
    for _ in range(2):
        loss = net(
            data
        ).pow(2).mean()
        loss.backward()
    return float(loss)
def main():
    torch.manual_seed(0)
    data = rows(6)
    net = Net()
    print(round(trained(net, data), 4))
if __name__ == "__main__":
    main()
    print("done")
"""


@pytest.mark.parametrize(
    "line, old, new, sound",
    [
        (21, "nn.Linear(width, 3)", "nn.Linear(width, 2)", True),
        (21, "self.head(x)", "self.head(x) + 1", True),
        (13, "self.head(x)", "self.head(x) + 1", True),
        (22, "        ).pow(2).mean()", "        ).abs().mean()", True),
        (13, "        ).pow(2).mean()", "        ).abs().mean()", False),
        (22, "nn.Linear(width, 3)", "nn.Linear(width, 2)", False),
        (21, "net = Net()", "net = Net(4)", False),
        (21, 'print("done")', 'print("end")', False),
    ],
)
def test_a_run_waits_within_functions(resident, tmp_path, line, old, new, sound):
    path = tmp_path / "script.py"
    path.write_text(WITHIN)
    request = RunRequest(str(path), cwd=str(tmp_path), probe=False)
    ticket = resident.submit(dataclasses.replace(request, park=(line,)))
    assert resident.result(ticket).outcome.reason == "parked"
    edited = dataclasses.replace(request, sources={str(path): WITHIN.replace(old, new)})
    trace = resident.result(resident.submit(edited, (ticket, 0)))
    if sound:
        assert seen(trace) == seen(resident.run(edited)) and "done" in trace.output
    else:
        assert trace.outcome.reason == "unresumable"
    assert seen(resident.result(resident.submit(request, (ticket, 0)))) == seen(resident.run(request))
    resident.cancel(ticket)


def test_a_place_that_is_never_reached_is_none(resident, tmp_path):
    path = tmp_path / "script.py"
    path.write_text(WITHIN.replace("    print(round(trained(net, data), 4))\n", ""))
    request = RunRequest(str(path), cwd=str(tmp_path), probe=False, park=(13,))
    assert resident.run(request).outcome.reason == "unresumable"


EDITS = (
    ("nn.Linear(width, 3)", "nn.Linear(width, 2)"),
    ("self.head(x)", "self.head([x][0]) + 1"),
    ("        ).pow(2).mean()", "        ).abs().mean()"),
    ("        loss.backward()", "        loss.sum().backward()"),
    ("net = Net()", "net = Net(4)"),
    ('print("done")', 'print("end")'),
    ("data = rows(6)", "data = rows(7)"),
    ("range(2)", "range(3)"),  # the head of a loop
    ("return float(loss)", "left = 1; return float(loss)"),  # a new name
)


def test_versions_that_are_known_go_on_in_the_middle_of_functions(resident, tmp_path):
    path = tmp_path / "script.py"
    path.write_text(WITHIN)
    texts = tuple(WITHIN.replace(old, new) for old, new in EDITS)
    request = RunRequest(str(path), cwd=str(tmp_path), probe=False)
    ticket = resident.submit(dataclasses.replace(request, park=(21, 13, 16), versions=texts))
    assert resident.result(ticket).outcome.reason == "parked"
    went_on = []
    for number, text in enumerate(texts):
        edited = dataclasses.replace(request, sources={str(path): text})
        for place in range(3):
            trace = resident.result(resident.submit(edited, (ticket, place)))
            if trace.outcome.reason != "unresumable":
                assert seen(trace) == seen(resident.run(edited))
                went_on.append((number, place))
    resident.cancel(ticket)
    later = [(number, place) for number in (3, 5) for place in range(3)]
    assert went_on == sorted([(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (4, 0), *later, (7, 0), (8, 0)])


def test_one_run_waits_for_full_and_brief_runs_and_for_those_at_batch_one(resident, tmp_path):
    text = (
        "import random\nimport torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader, TensorDataset\n"
        "torch.manual_seed(0)\nrandom.seed(0)\nnet = nn.Linear(4, 1)\ndata = TensorDataset(torch.rand(20, 4))\n"
        "loader = DataLoader(data, 8)\noptimizer = torch.optim.SGD(net.parameters(), 0.1)\n"
        "for epoch in range(2):\n    for (x,) in loader:\n        loss = random.random() * net(x).pow(2).mean()\n"
        "        optimizer.zero_grad()\n        loss.backward()\n        optimizer.step()\n"
    )
    path = tmp_path / "script.py"
    path.write_text(text)
    request = RunRequest(str(path), cwd=str(tmp_path))
    edited = dataclasses.replace(request, sources={str(path): text.replace("pow(2)", "abs()")})
    ticket = resident.submit(dataclasses.replace(request, park=(8,), versions=(edited.sources[str(path)],)))
    assert resident.result(ticket).outcome.reason == "parked"
    for manner in ({}, {"brief": True, "probe": False}, {"brief": True, "probe": False, "batch_size": 1}):
        asked = dataclasses.replace(edited, **manner)
        trace, whole = resident.result(resident.submit(asked, (ticket, 0))), resident.run(asked)
        assert seen(trace) == seen(whole) and trace.probes == whole.probes
        assert trace.data.batch_sizes == whole.data.batch_sizes
        ended = [[fact.sums for fact in one.parameters.values()] for one in (trace, whole)]
        assert ended[0] == ended[1]
    resident.cancel(ticket)
