"""A sample compared with itself: what is asked, and how often."""

from shapewright.probes import twice
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions

UNROLLED = """
import torch
from torch import nn
cell = nn.GRUCell(16, 16)
opt = torch.optim.SGD(cell.parameters(), lr=0.1)
for step in range(2):
    x = torch.randn(8, 16)
    state, kept = torch.zeros(8, 16), []
    for t in range(60):
        state = cell(x, state)
        kept.append(state)
    loss = torch.stack(kept).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def test_the_steps_of_a_sequence_are_not_compared_in_pairs(tmp_path, monkeypatch):
    pairs, met = [], twice._met
    monkeypatch.setattr(twice, "_met", lambda *pair: pairs.append(pair) or met(*pair))
    script = tmp_path / "script.py"
    script.write_text(UNROLLED, encoding="utf-8")
    trace = execute(RunRequest(script=str(script), engine="live"), tmp_path, Assumptions())
    assert trace.outcome.state == "complete" and trace.probes and not pairs
