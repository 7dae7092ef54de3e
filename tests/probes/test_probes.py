"""The answers of the probes themselves: numbers, honest refusals, and a run that no probe can hurt."""

import pytest
import torch

from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions

HEAD = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
"""
TAIL = """
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in DataLoader(TensorDataset(X, Y), batch_size=8, shuffle=True):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@pytest.fixture
def asked(tmp_path):
    def run(text, **options):
        script = tmp_path / "script.py"
        script.write_text(text)
        torch.set_num_threads(1)
        assumptions = Assumptions()
        trace = execute(RunRequest(script=str(script), **options), tmp_path, assumptions)
        assert trace.outcome.state == "complete", trace.outcome
        return {answer.question: answer for answer in trace.probes}, trace

    return run


def test_an_independent_model_holds(asked):
    answers, _ = asked(HEAD + "model = nn.Linear(5, 3)\nX, Y = torch.randn(20, 5), torch.randint(0, 3, (20,))" + TAIL)
    answer = answers["batch-independence"]
    assert answer.holds is True and answer.data.batch == 8 and answer.data.certain
    assert answers["gradient-reach"].holds is True
    assert answers["padding-invariance"].holds is None and answers["causality"].holds is None


def test_mixing_is_counted(asked):
    answers, _ = asked(
        HEAD
        + """
class Mix(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(5, 3)
    def forward(self, x):
        h = self.lin(x)
        return h + h.softmax(dim=0)
model = Mix()
X, Y = torch.randn(20, 5), torch.randint(0, 3, (20,))"""
        + TAIL
    )
    answer = answers["batch-independence"]
    assert answer.holds is False and answer.data.op == "softmax" and answer.site.line == 13
    assert answer.data.changed == (1, 2, 3, 4, 5, 6) and answer.data.of == 6 and answer.data.largest > 0


def test_a_random_model_is_not_judged(asked):
    answers, _ = asked(
        HEAD
        + """
class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(5, 3)
    def forward(self, x):
        return self.lin(x) * torch.bernoulli(torch.full((x.size(0), 1), 0.5))
model = Noisy()
X, Y = torch.randn(20, 5), torch.randint(0, 3, (20,))"""
        + TAIL
    )
    assert answers["batch-independence"].holds is None and "random" in answers["batch-independence"].data.why


def test_a_model_that_fails_when_played_again_hurts_nothing(asked):
    answers, _trace = asked(
        HEAD
        + """
class Once(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin, self.calls = nn.Linear(5, 3), 0
    def forward(self, x):
        if not self.training:
            raise KeyError("only in training")
        return self.lin(x)
model = Once()
X, Y = torch.randn(20, 5), torch.randint(0, 3, (20,))"""
        + TAIL
    )
    assert answers["batch-independence"].holds is None and "KeyError" in answers["batch-independence"].data.why


def test_nothing_is_asked_when_probing_is_off_and_nothing_is_printed(asked):
    text = (
        HEAD
        + """
class Loud(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(5, 3)
    def forward(self, x):
        print("called")
        return self.lin(x)
model = Loud()
X, Y = torch.randn(20, 5), torch.randint(0, 3, (20,))"""
        + TAIL
    )
    _, quiet = asked(text, probe=False)
    assert quiet.probes == ()
    _, probed = asked(text)
    assert probed.output.count("called") == quiet.output.count("called")
