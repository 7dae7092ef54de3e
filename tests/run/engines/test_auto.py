"""`auto`: a script that outgrows the live engine is run again dry, and the trace says so."""

import dataclasses

import pytest
import torch
from torch import nn

from shapewright.run.engines import make_engine, settle
from shapewright.run.engines.budget import Budget, Outgrown
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions
from shapewright.trace import Outcome, Trace


def test_parameters_over_the_budget_are_refused_before_they_are_initialised():
    with Budget(memory=1 << 20, seconds=0).watched():
        nn.Linear(100, 100)
        with pytest.raises(Outgrown) as caught:
            nn.Linear(100_000, 10_000)
    assert caught.value.why == "parameters"
    nn.Linear(1000, 1000)


def test_models_that_are_gone_are_not_counted():
    budget = Budget(memory=1 << 20, seconds=0)
    with budget.watched():
        for _ in range(20):
            nn.Linear(100, 100)
    assert budget.used < 1 << 17


def test_the_clock_ends_a_live_run():
    with pytest.raises(Outgrown) as caught, Budget(memory=1 << 30, seconds=0.2).watched():
        while True:
            pass
    assert caught.value.why == "seconds"


def test_an_outgrown_run_is_settled_dry():
    asked = []

    def run_once(request):
        asked.append(request)
        if request.engine == "auto":
            return Trace("a.py", Outcome("incomplete", "timeout-unplaced"))
        return Trace("a.py", Outcome("complete"), "dry")

    trace = settle(RunRequest("a.py", timeout=20), run_once)
    assert [(request.engine, request.first) for request in asked] == [("auto", False), ("dry", True), ("dry", False)]
    assert asked[2].timeout <= 20
    assert trace.engine == "dry" and trace.assumptions[0].fields == {"why": "seconds"}
    live = Trace("a.py", Outcome("stopped", "fault"))
    assert settle(RunRequest("a.py"), lambda request: live) is live
    assert (
        settle(RunRequest("a.py", engine="live"), lambda request: dataclasses.replace(trace, engine="live")).engine
        == "live"
    )


def test_the_live_engine_of_auto_has_a_budget_and_simulates_only_what_is_named():
    engine = make_engine(RunRequest("a.py", engine="auto"), Assumptions(), lambda: None, ("x = 1",))
    assert engine.name == "live" and engine.budget is not None and not engine.devices.kind
    engine = make_engine(RunRequest("a.py", engine="live"), Assumptions(), lambda: None, ("x.cuda()",))
    assert engine.budget is None and engine.devices.kind == "cuda"


SCRIPT = """
import torch
from torch import nn

model = nn.Sequential(nn.Linear(64, 200_000), nn.ReLU(), nn.Linear({width}, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(40, 64), torch.randint(0, 10, (40,))), batch_size=8):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
print(loss.item())
"""


@pytest.mark.parametrize("width, state", [("200_000", "complete"), ("100_000", "stopped")])
def test_a_script_whose_parameters_outgrow_the_memory_is_checked_dry(tmp_path, width, state):
    script = tmp_path / "train.py"
    script.write_text(SCRIPT.format(width=width))
    trace = execute(RunRequest(str(script), memory=100 << 20, probe=False), tmp_path, Assumptions())
    assert trace.engine == "dry" and trace.outcome.state == state
    assert trace.assumptions[0].kind == "engine-dry"
    if state == "stopped":
        assert trace.failure.site.line == 9 and "(8x200000 and 100000x10)" in trace.failure.message
    assert not torch.nn.Linear(2, 2).weight.is_meta
