"""A script that outgrows the live engine is made small and still run with numbers."""

from pathlib import Path

import pytest

from shapewright.checking import examine
from shapewright.run.process.request import Size
from shapewright.run.script.instrument import instrument
from shapewright.run.script.smaller import numbers

GPT = (Path(__file__).parents[1] / "scripts" / "gpt_124m.py").read_text()
PICTURES = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(*[nn.Conv2d(3 if i == 0 else 256, 256, 3, padding=1) for i in range(6)])
        self.head = nn.Linear(256, 10)

    def forward(self, x):
        h = self.body(x).mean((2, 3))
        {line}
        return self.head(h)

images, labels = torch.randn(80, 3, 224, 224), torch.randint(0, 10, (80,))
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(images, labels), batch_size=32, shuffle=True)
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
"""


@pytest.fixture
def checked(tmp_path, resident):
    def check(text):
        (tmp_path / "train.py").write_text(text)
        return examine(str(tmp_path / "train.py"), lang="en", resident=resident, timeout=600.0)

    return check


@pytest.mark.parametrize("causal", [True, False])
def test_a_gpt_of_124_million_parameters_is_checked_live(checked, causal):
    trace, diagnosis = checked(GPT.replace("is_causal=True", f"is_causal={causal}"))
    assert trace.engine == "live" and trace.outcome.state == "complete"
    assert {"made-small", "fewer-layers"} <= {item.kind for item in trace.assumptions}
    assert {(size.old, size.new) for size in trace.data.small.sizes} == {(1024, 16), (12, 4)}
    line = next(i for i, text in enumerate(GPT.split("\n"), 1) if "is_causal" in text)
    found = [(one.code, one.site.line) for one in diagnosis.findings if one.severity != "remark"]
    assert found == ([] if causal else [("SW259", line)])


def test_large_pictures_are_made_small(checked):
    trace, diagnosis = checked(PICTURES.format(line="h = h.softmax(0)"))
    assert trace.engine == "live" and "made-small" in {item.kind for item in trace.assumptions}
    assert [(found.code, found.site.line) for found in diagnosis.findings] == [("SW202", 13)]


def test_numbers_are_told_by_their_lines():
    text = "a = 12\nb = 12\nc = 1.5 if 12 else 'x12'\n"
    assert list(numbers(text, 12)) == ["a = 12", "b = 12", "c = 1.5 if 12 else 'x12'"]
    tree = instrument(text, "a.py", (Size("b = 12", 12, 4),))
    space = {"__shapewright__": type("Hooks", (), {"bound": staticmethod(lambda *_: None)})}
    exec(compile(tree, "a.py", "exec"), space)
    assert (space["a"], space["b"], space["c"]) == (12, 4, 1.5)
