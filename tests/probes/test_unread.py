"""Functions of the user's are kept and played again: whatever they are called, and without leaving anything behind."""

import pytest

from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions
from shapewright.trace import UnreadFlags

SCRIPT = """
import numpy as np
import torch

calls = []

def zeta(q, w):
    calls.append(len(q))
    out, c = [], 0.0
    for a, b in zip(reversed(q), reversed(w)):
        c = a + 0.9 * c{heeds}
        out.insert(0, c)
    return {made}

def omega(q, w):
    return (np.asarray(q) * w).sum()

class Base:
    def hook(self, q, w):
        raise NotImplementedError

class Own(Base):
    def hook(self, q, w):
        return sum(q)

q, w = [0.5, 1.0, 0.25, 2.0, 1.5], [0, 0, 1, 0, 1]
print(zeta(q, w), omega(q, np.array(w)), Own().hook(q, w), calls)
assert len(calls) == 1
"""


@pytest.mark.parametrize("made", ["out", "np.array(out)", "torch.tensor(out)"])
@pytest.mark.parametrize("heeds, found", [(" * (1 - b)", []), ("", [("w", "zeta", "steps")])])
def test_flags_that_a_function_does_not_heed(tmp_path, heeds, found, made):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(heeds=heeds, made=made))
    trace = execute(RunRequest(script=str(script)), tmp_path, Assumptions())
    assert trace.outcome.state == "complete", trace.outcome
    told = [answer.data for answer in trace.answers(UnreadFlags)]
    assert [(data.name, data.function, data.kind) for data in told] == found
