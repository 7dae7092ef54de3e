"""What a repair breaks of the author's meaning: one run of the script, one of the edited script, no search."""

import pytest

from shapewright.diagnosis.model import Edit
from shapewright.repair.candidate import Candidate, Case
from shapewright.repair.invariants import invariants, sizes, texts
from shapewright.repair.patch import edited
from shapewright.repair.readings import readings
from shapewright.trace import Outcome, Trace

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
CRITIC = """
seen, due = torch.randn(9, 4), torch.randn(9)
values = nn.Linear(4, 2)(seen).squeeze(-1)
gained = due - values.detach()
nn.functional.mse_loss(values, due).backward()
"""
DRAWN = """
seen = torch.stack([torch.randn(4) for _ in range(9)])
net, choice = nn.Linear(4, 3), torch.randint(0, 3, (9,))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = nn.functional.mse_loss(net(seen).gather(1, choice.unsqueeze(1)), torch.rand(9))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
PADDED = """
two, beside = nn.Conv1d(4, 4, 5, padding=1), nn.Conv1d(4, 4, 1)
x = torch.randn(6, 4, 9)
(two(x) + beside(x)).sum().backward()
"""
CASES = {  # script, what the edit writes, the invariant that it breaks
    "cut beside an idle follower": (FOLLOWER, ".detach()", "idle"),
    "every step against every sample": (STEPS_FIRST, "keepdim=True", "repeated"),
    "the data, not what reads them": (READ, "torch.randn(9, 7)", "data"),
    "each target against every output": (CRITIC, "squeeze(-1).transpose(0, 1)", "repeated"),
    "samples drawn one by one": (DRAWN, ".squeeze(-1), torch.rand(9)", ""),
    "the same size for two heads": (HEADS, "mean, spread = nn.Linear(8 * 5 * 5, 3)", ""),
}
CHOSEN = """
a, b = torch.rand(4, 4) < 0.5, torch.rand(4, 4) < 0.5
links = a & b + 0.5 * torch.eye(4)
print(links.sum())
"""
MIXER = """
first, tokens, channels = nn.Linear(7, 6), nn.Linear(5, 5), nn.Linear(6, 6)
for (x,) in DataLoader(TensorDataset(torch.randn(9, 5, 8)), batch_size=4):
    h = first(x)
    h = h + tokens(h.transpose(1, 2)).transpose(1, 2)
    channels(h).sum().backward()
"""
KERNEL = """
net = nn.Linear(7, 3)
for (x,) in DataLoader(TensorDataset(torch.randn(9, 6)), batch_size=4):
    z = net(x)
    nn.functional.mse_loss(z @ z.T, x @ x.T).backward()
"""
STATE = """
embed, read, out = nn.Embedding(9, 6), nn.LSTM(6, 6, num_layers=4, batch_first=True), nn.Linear(6, 3)
for (x,) in DataLoader(TensorDataset(torch.randint(0, 9, (10, 7))), batch_size=5):
    _, (h, c) = read(embed(x))
    out(h.view(2, x.size(0), -1)[-1]).sum().backward()
"""
SHARED = """
z, centres = nn.Linear(4, 2)(torch.randn(32, 4)), nn.Parameter(torch.randn(6, 2))
q = 1 / (1 + (z[:, None] - centres).pow(2).sum(-1))
q = q / q.sum(dim=1, keepdim=True)
p = q**2 / q.sum(dim=1)
p.sum().backward()
"""
CENTRED = """
h = nn.functional.layer_norm(nn.Linear(4, 6)(torch.randn(32, 4)), (6,))
off = h - h.mean(dim=1)
off.pow(2).sum().backward()
"""
CARRIED = """
first, then = nn.GRU(2, 6), nn.GRU(2, 6, batch_first=True)
x, out = torch.rand(16, 5, 2), nn.Linear(6, 6)
memory, state = first(x)
made = out(then(x, state)[0])
torch.bmm(made, memory.transpose(1, 2)).sum().backward()
"""
VIEWS = """
x = torch.randn(12, 10)
z = nn.Linear(10, 8)(torch.cat([x, x + 0.1])).view(-1, x.size(0), -1)
(z[0] - z[1]).pow(2).mean().backward()
"""
POOLED = """
body = nn.Sequential(nn.Conv2d(1, 4, 3), nn.AdaptiveAvgPool2d(3))
h = torch.cat([torch.randn(5, 6), body(torch.randn(5, 1, 9, 9)).flatten(1)], dim=1)
nn.Linear(10, 2)(h).sum().backward()
"""
CASES |= {
    "a joined part that may have been meant to be pooled": (POOLED, "nn.Linear(42, 2)", "guessed"),
    "a joined part of which no axes fit": (POOLED.replace("10, 2", "11, 2"), "nn.Linear(42, 2)", ""),
    "two views left on one axis": (VIEWS, ".flatten(1)", "fewer-axes"),
    "both layers step through samples": (CARRIED, "nn.GRU(2, 6, batch_first=False)", "stepped"),
    "the layer that made the state": (CARRIED, "first, then = nn.GRU(2, 6, batch_first=True)", ""),
    "rows divided by their sums, which are ones": (SHARED, "q.sum(dim=1)[:, None]", "no-effect"),
    "columns divided by their sums": (SHARED, "q.sum(dim=0)", ""),
    "rows whose sums are not yet ones": (SHARED.replace("q = q / q.sum", "r = q / q.sum"), "q.sum(dim=1)[:, None]", ""),
    "averages that are zeros": (CENTRED, "keepdim=True", "no-effect"),
    "averages over the samples": (CENTRED, "h.mean(dim=0)", ""),
    "samples cut by a view of the state": (STATE, "nn.Linear(12, 3)", "torn"),
    "pairs that the author makes beside a size": (KERNEL, "nn.Linear(6, 3)", ""),
    "fractions cut off for a bit operator": (CHOSEN, ".long()", "fractions"),
    "axes that the author turned beside a size": (MIXER, "nn.Linear(8, 6)", ""),
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
TWICE = """
class Tagger(nn.Module):
    def __init__(self, width=6, hidden=7):
        super().__init__()
        self.read = nn.LSTM(width, 3, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, 4)

    def forward(self, x):
        return self.out(self.read(x)[0])


Tagger()(torch.randn(5, 8, 6)).sum().backward()
"""
HALVES = DECODER.replace("nn.Linear(8, 6), nn.Linear(6, 8)", "nn.Linear(8, 8), nn.Linear(3, 8)")
CUTS = """
net, cuts = nn.Linear(6, 5), nn.Parameter(torch.zeros(4))
(net(torch.randn(9, 6)) + cuts).sum().backward()
"""
RIVAL = [
    (CUTS, "nn.Linear(6, 4)", "nn.Linear(6, 1)"),
    (BLOCKS, "Block(8, 8)", "Block(4, 6)"),
    (DECODER, "nn.Linear(3, 8)", "nn.Linear(8, 12)"),
    (HALVES, "nn.Linear(4, 8)", "nn.Linear(8, 6)"),
    (PADDED, "5, padding=2", "nn.Conv1d(4, 4, 3, padding=1)"),
    (TWICE, "nn.Linear(6, 4)", "nn.LSTM(width, 7,"),
]


@pytest.mark.parametrize(("text", "made", "rival"), RIVAL)
def test_what_else_fits_is_asked_about(text, made, rival, proposed):
    trace, finding, found = proposed(HEAD + text)
    winner = next(one for one in found if made in "".join(edited(trace.sources, one.edits).values()))
    asked = readings(Case(trace, finding), winner, found)
    assert any(rival in "".join(edited(trace.sources, one.edits).values()) for one in asked)


CLASSES = """
net = nn.Linear(6, 2)
nn.functional.cross_entropy(net(torch.randn(9, 6)), torch.arange(9) % 3).backward()
"""


def test_classes_are_not_as_many_as_samples(proposed):
    trace, _, found = proposed(HEAD + CLASSES)
    texts = ["".join(edited(trace.sources, one.edits).values()) for one in found]
    assert any("nn.Linear(6, 3)" in text for text in texts) and not any("nn.Linear(6, 9)" in text for text in texts)


@pytest.mark.parametrize("name", CASES)
def test_the_invariant_that_an_edit_breaks(name, broken_by):
    text, written, kind = CASES[name]
    assert broken_by(HEAD + text, written) == kind


def test_a_size_that_more_layers_have_speaks_against_the_edit():
    text = "net = nn.Sequential(nn.Linear(5, 11), nn.Tanh())\none, other = nn.Linear(9, 1), nn.Linear(9, 1)\n"
    trace = Trace("train.py", Outcome("complete"), sources={"train.py": text})
    begin = text.index("11") + 1
    wider = Candidate("number", (Edit("train.py", 1, begin, 1, begin + 2, "9"),), 8, {})
    start = text.splitlines()[1].index("9") + 1
    heads = Candidate("size", (Edit("train.py", 2, start, 2, start + 1, "11"),), 8, {})
    assert sizes.speaks_for(trace, wider, heads) and not sizes.speaks_for(trace, heads, wider)


CUT = """
import torch
from torch import nn
inputs, targets = torch.randn(24, 5), torch.rand(24, 3)
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(0, 24, 8):
    out = net(inputs[i : i + 8])
    loss = nn.functional.binary_cross_entropy_with_logits(out, targets)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def test_rows_cut_like_those_of_the_inputs_are_not_dropped(broken_by):
    assert broken_by(CUT, "(out, targets[i : i + 8])") == ""


def test_each_reason_has_a_name_of_its_own():
    kinds = [kind for module in invariants() for kind in module.TEXTS]
    assert len(kinds) == len(set(kinds)) == len(texts())
