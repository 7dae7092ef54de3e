"""`shapewright annotate`: written, run again, stable, and stale where the code moved on."""

import importlib.util
import runpy

import pytest

from shapewright.commands.annotate import main as annotate

SCRIPT = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(20, 3)

    def forward(self, x):
        hidden = torch.relu(
            self.body(x)
        )
        kept = hidden  # the author's own words
        return kept


loader = DataLoader(TensorDataset(torch.randn(70, 20), torch.randint(0, 3, (70,))), batch_size=16)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for inputs, labels in loader:
    logits = model(inputs)
    loss = nn.functional.cross_entropy(logits, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_comments_are_written_stay_and_become_stale(tmp_path, monkeypatch, capsys, resident):
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    assert annotate(["train.py"], resident) == 0
    patch = capsys.readouterr().out
    assert script.read_text() == SCRIPT and "+    logits = model(inputs)  # (batch, 3)" in patch
    assert annotate(["train.py", "--write"], resident) == 0
    text = script.read_text()
    assert "        )  # (batch, 3)\n" in text and "kept = hidden  # the author's own words\n" in text
    assert "for inputs, labels in loader:  # inputs (batch, 20) · labels (batch)\n" in text
    assert annotate(["train.py", "--check"], resident) == 0
    script.write_text(text.replace("20, 3)", "20, 5)", 1))
    capsys.readouterr()
    assert annotate(["train.py", "--check"], resident) == 1
    assert "train.py:23: # (batch, 3) -> # (batch, 5)" in capsys.readouterr().out


@pytest.mark.skipif(importlib.util.find_spec("jaxtyping") is None, reason="jaxtyping is not installed")
def test_signatures_get_jaxtyping_annotations_and_run(tmp_path, monkeypatch, resident):
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    assert annotate(["train.py", "--style", "jaxtyping", "--write"], resident) == 0
    text = script.read_text()
    assert 'def forward(self, x: Float[Tensor, "batch 20"]):' in text and "from jaxtyping import Float\n" in text
    assert "Net" in runpy.run_path("train.py")  # by Python alone, with the annotations that it now has
    assert annotate(["train.py", "--style", "jaxtyping", "--check"], resident) == 0
