"""What a repair breaks of the author's meaning: one run of the script, one of the edited script, no search."""

import pytest

from shapewright.repair.invariants import sizes
from shapewright.repair.patch import edited
from shapewright.repair.search import RIVALS

HEAD = (
    "import torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader, TensorDataset\ntorch.manual_seed(0)\n"
)
FOLLOWER = """
net, slow = nn.Linear(4, 3), nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    slow.load_state_dict(net.state_dict())
    s, after, reward = torch.randn(8, 4), torch.randn(8, 4), torch.randn(8)
    goal = reward + 0.9 * net(after).max(1).values
    loss = nn.functional.mse_loss(net(s).max(1).values, goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
STEPS_FIRST = """
words, marks = torch.randint(0, 9, (12, 7)), torch.randint(0, 3, (12, 7))
embed, read, out = nn.Embedding(9, 5), nn.GRU(5, 6, batch_first=True), nn.Linear(6, 3)
for ids, given in DataLoader(TensorDataset(words, marks), batch_size=5):
    scores = out(read(embed(ids))[0].transpose(0, 1))
    nn.functional.cross_entropy(scores.reshape(-1, 3), given.reshape(-1)).backward()
    print((scores.argmax(-1) == given).float().mean().item())
"""
READ = """
net = nn.Sequential(nn.Linear(7, 8), nn.ReLU(), nn.Linear(8, 3))
for (x,) in DataLoader(TensorDataset(torch.randn(9, 6)), batch_size=4):
    net(x).sum().backward()
"""
HEADS = """
body = nn.Sequential(nn.Conv2d(1, 8, 3, stride=2), nn.Flatten())
mean, spread = nn.Linear(8 * 6 * 6, 3), nn.Linear(8 * 6 * 6, 3)
h = body(torch.randn(5, 1, 11, 11))
(mean(h) + spread(h)).sum().backward()
"""
CASES = {  # script, what the edit writes, the invariant that it breaks
    "cut beside an idle follower": (FOLLOWER, ".detach()", "idle"),
    "every step against every sample": (STEPS_FIRST, "keepdim=True", "repeated"),
    "the data, not what reads them": (READ, "torch.randn(9, 7)", "data"),
    "the same size for two heads": (HEADS, "mean, spread = nn.Linear(8 * 5 * 5, 3)", ""),
}

BLOCKS = """
class Block(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.body, self.side = nn.Linear(inputs, outputs), nn.Linear(inputs, outputs)

    def forward(self, x):
        return self.body(x) + self.side(x)


nn.Sequential(Block(4, 8), Block(6, 8))(torch.randn(5, 4)).sum().backward()
"""
DECODER = """
encoder, decoder = nn.Linear(8, 6), nn.Linear(6, 8)
mean, spread = encoder(torch.randn(5, 8)).chunk(2, dim=-1)
decoder(mean + spread).sum().backward()
"""


@pytest.mark.parametrize(("text", "rival"), [(BLOCKS, "Block(4, 6)"), (DECODER, "nn.Linear(8, 12)")])
def test_the_sizes_that_are_asked_about_are_those_of_other_calls(text, rival, proposed):
    trace, finding, found = proposed(HEAD + text)
    asked = sizes.elsewhere(trace, finding, [c for c in found if c.title in sizes.RIVALS], False)[:RIVALS]
    assert any(rival in "".join(edited(trace.sources, one.edits).values()) for one in asked)


@pytest.mark.parametrize("name", CASES)
def test_the_invariant_that_an_edit_breaks(name, broken_by):
    text, written, kind = CASES[name]
    assert broken_by(HEAD + text, written) == kind
