"""The first edit that is proposed for a fault, before any is run: one run of the script, no candidate's."""

import pytest

from shapewright.repair.patch import edited
from shapewright.rules import all_rules

HEAD = (
    "import torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader, TensorDataset\ntorch.manual_seed(0)\n"
)
RULES = {  # code and number of the rule's own case: what its first edit writes
    ("SW216", 0): ".detach()",
    ("SW273", 0): "q.size(-1) ** 0.5",
    ("SW273", 4): "q.size(-1) ** -0.5",
    ("SW281", 0): "None",
    ("SW297", 0): "noise",
    ("SW299", 0): "y[order]",
    ("SW340", 0): "torch.enable_grad()",
    ("SW341", 1): "behind",
    ("SW341", 3): ".clone()",
}
SPREAD = """
class Spread(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter, self.leave = nn.Linear(9, 14), nn.Linear(14, 3)

    def forward(self, x, links):
        return self.leave(torch.relu(self.enter(x) @ links))


Spread()(torch.randn(30, 9), torch.rand(30, 30)).sum().backward()
"""
MAPS = """
channels = 4
net = nn.Sequential(nn.Conv2d(1, 2 * channels, 3, stride=2), nn.Flatten())
head = nn.Linear(2 * channels * 6 * 6, 3)
head(net(torch.randn(5, 1, 11, 11))).sum().backward()
"""
ORDER = """
x = torch.randn(60, 5)
y = (x.sum(1) > 0).long()
ORDERED
net = nn.Linear(5, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(0, 60, 20):
    loss = nn.functional.cross_entropy(net(x[i:i + 20]), y[i:i + 20])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
TEXTS = {
    "a product the other way round": (SPREAD, "links @ self.enter(x)"),
    "a product keeps its factors": (MAPS, "nn.Linear(2 * channels * 5 * 5, 3)"),
    "two sizes of a layer the other way round": (
        "nn.Sequential(nn.Linear(6, 40), nn.ReLU(), nn.Linear(16, 40))(torch.randn(4, 6)).sum().backward()\n",
        "nn.Linear(40, 16)",
    ),
    "one side in an order of its own": (
        ORDER.replace("ORDERED", "order = torch.randperm(60)\nx = x[order]"),
        "y = y[order]",
    ),
    "an order without a name": (
        ORDER.replace("ORDERED", "x = x[torch.randperm(60)]"),
        "order = torch.randperm(60)\nx = x[order]\ny = y[order]",
    ),
}


@pytest.mark.parametrize(("code", "number"), RULES, ids=lambda part: str(part))
def test_a_rules_own_case(code, number, proposed):
    (rule,) = (rule for rule in all_rules() if rule.code == code)
    _, _, found = proposed(rule.faulty[number][0], code)
    assert RULES[code, number] in "".join(edit.replacement for edit in found[0].edits)


@pytest.mark.parametrize("name", TEXTS)
def test_among_the_first_edits(name, proposed):
    text, wanted = TEXTS[name]
    trace, _, found = proposed(HEAD + text)
    assert any(wanted in "".join(edited(trace.sources, one.edits).values()) for one in found[:3])
