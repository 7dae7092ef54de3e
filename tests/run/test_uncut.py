"""A failure that only a cut loop caused is not the script's; one that whole loops show too is."""

import dataclasses

from shapewright.checking import examine
from shapewright.run.ending.uncut import confirmed
from shapewright.run.process.request import RunRequest
from shapewright.trace import Assumption, Failure, LoopFact, Outcome, Site, Trace

GATHERED = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(90, 4), torch.randint(0, 2, (90,))
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
kept = []
for i in range(0, 90, 10):
    out = model(x[i:i + 10])
    loss = nn.functional.cross_entropy(out, y[i:i + 10])
    opt.zero_grad(); loss.backward(); opt.step()
    kept.append(out.argmax(1).detach())
print((torch.cat(kept) == y{cut}).float().mean())
"""


def test_what_only_the_cut_caused_is_not_reported(resident, tmp_path):
    (tmp_path / "a.py").write_text(GATHERED.format(cut=""))
    trace, diagnosis = examine(str(tmp_path / "a.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings
    assert trace.data.whole


def test_what_whole_loops_show_too_is_reported(resident, tmp_path):
    (tmp_path / "b.py").write_text(GATHERED.format(cut="[:80]"))
    _, diagnosis = examine(str(tmp_path / "b.py"), resident=resident)
    assert diagnosis.outcome == "stopped"
    assert [finding.site.line for finding in diagnosis.findings] == [14]


def test_a_whole_run_that_takes_too_long_settles_nothing():
    failed = Trace("a.py", Outcome("incomplete", "exception"), loops=(LoopFact(1, Site("a.py", 3), 3, True, True),))
    assert (
        confirmed(RunRequest("a.py"), failed, lambda request: Trace("a.py", Outcome("incomplete", "timeout"))) is failed
    )


EPOCHS = """
import torch
from torch import nn
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
kept = []
for epoch in range(11):
    for i in range(90):
        loss = nn.functional.cross_entropy(model(torch.randn(8, 4)), torch.ones(8, dtype=torch.long))
        opt.zero_grad(); loss.backward(); opt.step()
    kept.append(loss.item())
print([kept[epoch] for epoch in (0, 5, 10)])
"""


def test_where_whole_loops_take_too_long_every_epoch_is_run_with_a_few_batches(resident, tmp_path):
    (tmp_path / "a.py").write_text(EPOCHS)

    def run(request):
        return Trace("a.py", Outcome("incomplete", "timeout")) if request.whole else resident.run(request)

    request = RunRequest(str(tmp_path / "a.py"), probe=False)
    failed = resident.run(request)
    assert failed.outcome.reason == "exception"
    trace = confirmed(request, failed, run)
    assert trace.outcome.state == "complete" and {loop.iterations for loop in trace.loops} == {3, 11}


KEPT = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(9):
    x = torch.randn(8, 4)
    loss = nn.functional.cross_entropy(model(x), (x[:, 0] > 0).long())
    loss.backward()
    opt.step()
"""


def test_a_fault_of_the_loop_that_whole_loops_show_too_is_kept(resident, tmp_path):
    (tmp_path / "c.py").write_text(KEPT)
    trace, diagnosis = examine(str(tmp_path / "c.py"), resident=resident)
    assert any(loop.cut for loop in trace.loops)
    assert [finding.code for finding in diagnosis.findings] == ["SW301"]


LIBRARY = """
import torch, torch.nn as nn
from transformers import Trainer, TrainingArguments
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)
    def forward(self, x, labels=None):
        print(len(x), end=" ")
        logits = self.layer(x)
        return {"loss": nn.functional.cross_entropy(logits, labels), "logits": logits}
data = [{"x": torch.randn(4), "labels": n % 2} for n in range(50)]
Trainer(model=Net(), args=TrainingArguments("out", per_device_train_batch_size=8, disable_tqdm=True), train_dataset=data).train()
"""


def test_a_library_s_loop_is_two_batches_and_the_ragged_one(run):
    trace = run(LIBRARY, timeout=60.0)
    assert (trace.outcome.state, trace.output.split("{")[0].split()) == ("complete", ["8", "8", "2"])


def test_a_failure_after_a_slow_evaluation_that_every_run_leaves_short_is_no_fault():
    place = Site("a.py", 9)
    loops = (
        LoopFact(1, Site("a.py", 3), 2, True, True, length=50, pace=1.0),
        LoopFact(2, Site("a.py", 4), 5, True, True, parent=1, length=5, pace=0.2),
    )
    short = (Assumption("loop-shortened", {"line": "6", "count": "7"}, place),)
    failed = Trace("a.py", Outcome("stopped", "fault", {}, place), loops=loops, assumptions=short,
                   failure=Failure("RuntimeError", "", place))  # fmt: skip
    late = Trace("a.py", Outcome("incomplete", "timeout"))
    found = confirmed(RunRequest("a.py"), failed, lambda request: failed if request.epochs else late)
    assert found.outcome.reason == "timeout" and found.failure is None


def test_a_failure_in_the_last_iteration_of_a_loop_that_may_be_left_before_is_no_fault_where_it_cannot_run_whole():
    place = Site("a.py", 2)
    loop = LoopFact(1, Site("a.py", 1, end_line=3), 4, False, True, length=60, pace=1.0)
    failed = Trace("a.py", Outcome("stopped", "fault", {}, place), loops=(loop,),
                   failure=Failure("RuntimeError", "", place, (place,)))  # fmt: skip
    late = Trace("a.py", Outcome("incomplete", "timeout"))
    for text, reason in (
        ("for i in range(60):\n    f(i)\n    if g(i): break", "timeout"),
        ("for i in r:\n    f(i)\n    g()", "fault"),
    ):
        asked = dataclasses.replace(failed, sources={"a.py": text})
        ended = confirmed(RunRequest("a.py"), asked, lambda request: failed if request.longer else late)
        assert ended.outcome.reason == reason


NEAREST = """
import torch
from torch import nn
model = nn.Linear(4, 6)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
bank = []
with torch.no_grad():
    for part in torch.utils.data.DataLoader(torch.randn(1000, 4), batch_size=8):
        bank.append(model(part))
bank = torch.cat(bank).t()
for _ in range(3):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
print((torch.randn(2, {width}) @ bank).topk({k}, dim=-1))
"""


def test_more_than_a_loop_that_was_left_short_gathered_is_no_fault_where_it_cannot_run_whole(resident, tmp_path):
    def ended(**sizes):
        (tmp_path / "a.py").write_text(NEAREST.format(**sizes))
        request = RunRequest(str(tmp_path / "a.py"), probe=False)

        def run(request):
            return Trace("a.py", Outcome("incomplete", "timeout")) if request.whole else resident.run(request)

        return confirmed(request, resident.run(request), run)

    assert ended(k=200, width=6).failure is None and ended(k=200, width=6).outcome.state == "incomplete"
    assert ended(k=5, width=7).failure is not None


BEST = """
import copy
import torch
from torch import nn

def fit(model, rounds):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    top, losses = 99.0, []
    for _ in range(rounds):
        loss = (model(torch.randn(256, 64)) - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if len(losses) > 500 and losses[-1] < top:
            top, best = losses[-1], copy.deepcopy(model)
    print(sum(losses[100:]) / len(losses[100:]))
    return best

best = fit(nn.Sequential(nn.Linear(64, 256), nn.Linear(256, 1)), 30_000_000)
torch.save(best.state_dict(), "best.pt")
print(nn.Linear(4, 3)(torch.randn(5, 4)))
"""


def test_what_fails_for_want_of_what_was_cut_is_passed_over_where_it_cannot_run_whole(resident, tmp_path):
    (tmp_path / "fit.py").write_text(BEST, encoding="utf-8")
    trace, diagnosis = examine(str(tmp_path / "fit.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason
    told = [(one.fields["type"], one.site.line) for one in trace.assumptions if one.kind == "passed-over"]
    assert told == [("ZeroDivisionError", 17), ("UnboundLocalError", 18), ("AttributeError", 21)]


ENDLESS = """
import torch
from torch import nn
torch.manual_seed(0)
def endless(batches):
    while True:
        for one in batches:
            yield one
batches = endless(torch.randn(6, 8, 3).unbind(0))
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(4):
    for step in range(5):
        loss = model(next(batches)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""


def test_a_generator_that_waits_is_not_the_loop_in_which_steps_are_made(resident, tmp_path):
    (tmp_path / "c.py").write_text(ENDLESS)
    trace, diagnosis = examine(str(tmp_path / "c.py"), resident=resident)
    places = {loop.uid: loop.site.line for loop in trace.loops}
    assert diagnosis.outcome == "complete" and not diagnosis.findings
    assert {places[step.loop] for step in trace.steps if step.kind == "step"} == {13}


WAYPOINTS = """
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(1, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
route, noise = [], np.zeros((3, {rows}))
for _ in range(400):
    loss = model(torch.ones(8, 1)).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    route.append(model.bias.detach().numpy().copy())
route = np.array(route)
print({read})
"""


def test_an_array_that_a_cut_loop_left_short_is_no_fault_where_it_cannot_run_whole(resident, tmp_path):
    def ended(read, rows=2):
        (tmp_path / "a.py").write_text(WAYPOINTS.format(read=read, rows=rows))
        request = RunRequest(str(tmp_path / "a.py"), probe=False)

        def run(request):
            whole = request.whole or request.passing
            return Trace("a.py", Outcome("incomplete", "timeout")) if whole else resident.run(request)

        return confirmed(request, resident.run(request), run)

    for read in ("route[10, 0]", "route.reshape(20, 20, 2)", "route + np.zeros((400, 2))"):
        assert ended(read).outcome.state == "incomplete", read
    assert ended("route[:3] + noise").outcome.state == "complete"
    assert ended("route[0] + noise", rows=4).outcome.state == "stopped"
