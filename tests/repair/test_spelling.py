"""A size is written by the name at hand that has this value, where there is exactly one."""

import pytest

from shapewright.repair.invariants.sizes import KINDS
from shapewright.repair.patch import edited

HEAD = "import torch\nfrom torch import nn\ntorch.manual_seed(0)\n"
NET = """class Net(nn.Module):
    def __init__(self, hidden, num_classes=7):
        super().__init__()
        self.conv = nn.Conv2d(1, hidden, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.head = nn.Linear({size}, {out})

    def forward(self, x):
        return self.head(self.pool(torch.relu(self.conv(x))).flatten(1))


net = Net({given})
loss = nn.functional.cross_entropy(net(torch.randn(5, 1, 16, 16)), torch.arange(5) {labels})
loss.backward()
"""

CASES = {
    "a product keeps its name": (
        NET.format(size="hidden * 49", out="num_classes", given="12", labels=""),
        "nn.Linear(hidden * 64, num_classes)",
    ),
    "the caller's keyword tells": (
        NET.format(size="hidden * 49", out="num_classes", given="num_classes=9, hidden=6", labels=""),
        "nn.Linear(hidden * 64, num_classes)",
    ),
    "a name of the module": (
        "width = 24\nencoder = nn.Linear(9, width)\nhead = nn.Linear(20, 3)\nhead(torch.relu(encoder(torch.randn(6, 9)))).sum().backward()\n",
        "head = nn.Linear(width, 3)",
    ),
    "two names of one value": (
        "width, depth = 24, 24\nencoder = nn.Linear(9, width)\nhead = nn.Linear(20, 3)\nhead(torch.relu(encoder(torch.randn(6, 9)))).sum().backward()\n",
        "head = nn.Linear(width, 3)",  # as the layer before writes it
    ),
    "a name that counts something else": (
        "batch_size = 24\nencoder = nn.Linear(9, 24)\nhead = nn.Linear(20, 3)\nhead(torch.relu(encoder(torch.randn(6, 9)))).sum().backward()\n",
        "head = nn.Linear(24, 3)",
    ),
    "a table that misses one place": (
        "words = ['a', 'b', 'c']\ntable = nn.Embedding(len(words), 4)\ntable(torch.tensor([[1, 2, 3]])).sum().backward()\n",
        "nn.Embedding(len(words) + 1, 4)",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_size_is_written_as_a_person_would(name, proposed):
    faulty, wanted = CASES[name]
    trace, _, found = proposed(HEAD + faulty)
    sizes = [one for one in found if one.title in KINDS][:2]
    assert any(wanted in "".join(edited(trace.sources, one.edits).values()) for one in sizes)
