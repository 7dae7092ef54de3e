"""A model that trained before the script failed is probed all the same, whatever ended it; one that never made a step is
not."""

from pathlib import Path

import pytest
import torch

from shapewright.diagnosis import diagnose
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions
from shapewright.settings import Settings

SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(6, 16)
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        states, _ = self.rnn(x)
        return self.head(states.mean(dim=1))

data = TensorDataset(torch.randn(48, 9, 6), torch.randint(0, 3, (48,)))
model = Tagger()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(data, batch_size=12, shuffle=True):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    {step}
torch.stack([model(x), torch.zeros(5, 3)])
"""


def codes(text: str, folder: Path, state: str = "stopped") -> list[str]:
    torch.set_num_threads(1)
    script = folder / "script.py"
    script.write_text(text)
    trace = execute(RunRequest(script=str(script), engine="live"), folder, Assumptions())
    assert trace.outcome.state == state
    return sorted(finding.code for finding in diagnose(trace, Settings(lang="en", strict=True)).findings)


def test_a_trained_model_is_probed(tmp_path):
    assert codes(SCRIPT.replace("{step}", "opt.step()"), tmp_path) == ["SW105", "SW250"]


def test_an_untrained_model_is_not(tmp_path):
    assert "SW250" not in codes(SCRIPT.replace("{step}", "pass"), tmp_path)


@pytest.mark.parametrize(
    "end",
    [
        "raise ValueError('no such split')",
        "open('words.bin', 'rb').read()[0].decode().step()",
        "import sys; sys.exit(3)",
    ],
)
def test_a_trained_model_is_probed_where_the_script_ends_early(end, tmp_path):
    text = SCRIPT.replace("{step}", "opt.step()").replace("torch.stack([model(x), torch.zeros(5, 3)])", end)
    assert "SW250" in codes(text, tmp_path, "incomplete")


def test_a_parameter_that_a_later_step_may_train_is_not_told_of(tmp_path):
    text = SCRIPT.replace("{step}", "opt.step()").replace(
        "torch.optim.Adam(model.parameters())", "torch.optim.Adam(model.head.parameters())"
    )
    late = "raise ValueError('no such split')\nlater = torch.optim.Adam(model.rnn.parameters())"
    text = text.replace("torch.stack([model(x), torch.zeros(5, 3)])", late)
    assert codes(text, tmp_path, "incomplete") == ["SW250"]
