"""Arithmetic with what is no tensor is a fault of the script only where one of its calls gave it."""

import pytest

from shapewright.run.process.request import RunRequest

SCRIPT = """
import os
import torch

class Layer(torch.nn.Linear):
    def forward(self, x):
        {forward}

x, scale, sizes = torch.randn(3, 4), os.environ.get("A_NAME_THAT_NOBODY_SETS"), (3, 4)
print(x.mean() + {other})
"""


@pytest.mark.parametrize(
    "forward, other, state",
    [
        ("y = super().forward(x)", "Layer(4, 4)(x)", "stopped"),
        ("return super().forward(x), x", "Layer(4, 4)(x)", "stopped"),
        ("return super().forward(x)", "scale", "incomplete"),
        ("return super().forward(x)", "sizes", "incomplete"),
    ],
)
def test_what_python_refuses(resident, tmp_path, forward, other, state):
    script = tmp_path / "train.py"
    script.write_text(SCRIPT.replace("{forward}", forward).replace("{other}", other))
    assert resident.run(RunRequest(str(script))).outcome.state == state
