"""A failure that comes of a number which an absent library would have told is no fault of the script; one that comes
without it is."""

import pytest

from shapewright.run.process.request import RunRequest

SCRIPT = """
import torch
from torch import nn
from vision_parts_nobody_has import Patches

class Net(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.patches = Patches(32, 4, 3, width)
        places = self.patches.num_patches
        self.table = nn.Parameter(torch.zeros(1, places, width))
        side = int(places ** 0.5)
        {line}
        self.head = nn.Linear(width, 5)

    def forward(self, x):
        return self.head(self.table.mean(1).expand(len(x), -1))

net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(8, 3, 32, 32)), torch.randint(0, 5, (8,))).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("line", "state", "reason"),
    [
        ("self.table.data.copy_(torch.rand(side * side, width)[None])", "incomplete", "missing-module"),
        ("torch.rand(7, places) @ torch.rand(64, 3)", "incomplete", "missing-module"),
        ("torch.rand(7, width) @ torch.rand(width + 1, 3)", "stopped", "fault"),  # no such number has a part in it
        ("self.table.data.copy_(torch.rand(places, width)[None])", "complete", ""),
    ],
)
def test_a_number_that_an_absent_library_would_tell_is_no_evidence(line, state, reason, resident, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(SCRIPT.replace("{line}", line))
    trace = resident.run(RunRequest(str(script)))
    assert (trace.outcome.state, trace.outcome.reason) == (state, reason), trace.outcome
    if reason == "missing-module":
        assert trace.outcome.fields["module"] == "vision_parts_nobody_has" and trace.failure is None
