"""Statements of several lines that an edit moves keep their lines; a body that they leave empty keeps a `pass`."""

from shapewright.repair.patch import edited
from shapewright.rules import find_rule

LISTED = """
import torch
from torch import nn

torch.manual_seed(0)
table = torch.randn(80, 5) * torch.arange(1, 6) + 3
goals = table.sum(1, keepdim=True)
train, test = table[:60], table[60:]
train = (train - train.mean(0)) / train.std(0)
test = (
    test - test.mean(0)  # of its own rows
) / test.std(0)
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    for pick in torch.randperm(60).split(20):
        loss = (net(train[pick]) - goals[:60][pick]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
with torch.no_grad():
    print((net(test) - goals[60:]).abs().mean())
"""


def texts(trace, found, title):
    return ["".join(edited(trace.sources, one.edits).values()) for one in found if one.title == title]


def test_a_statement_of_several_lines_goes_above_its_loop(proposed):
    text = find_rule("SW358").faulty[1][0]
    made = "h = torch.zeros(len(x), 12)\n"
    text = text.replace(f"        {made}        for", "        for")
    text = text.replace(
        f"            {made}", "            h = torch.zeros(\n                len(x), 12\n            )\n"
    )
    trace, _, found = proposed(text, "SW358")
    above = "        h = torch.zeros(\n                len(x), 12\n            )\n        for t in range(x.size(1)):\n"
    (text,) = texts(trace, found, "above-loop")
    assert above + "            h = self.step(x[:, t], h)\n" in text


def test_statistics_are_renamed_in_a_statement_of_several_lines(proposed):
    trace, _, found = proposed(LISTED, "SW247")
    moved = "test = (\n    test - train.mean(0)  # of its own rows\n) / train.std(0)\ntrain = (train -"
    assert any(moved in text for text in texts(trace, found, "known-rows"))
