"""The first edit that is proposed for a fault, before any is run: one run of the script, no candidate's."""

import pytest

from shapewright.repair.patch import edited
from shapewright.rules import find_rule

HEAD = (
    "import torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader, TensorDataset\ntorch.manual_seed(0)\n"
)
RULES = {  # code and number of the rule's own case: what its first edit writes
    ("SW231", 1): "(1 - mask)",
    ("SW237", 0): "share[y]",
    ("SW239", 0): "self.rows[i].copy()",
    ("SW272", 1): "-1",
    ("SW276", 4): "torch.sigmoid(guess)",
    ("SW277", 2): "x_test = (x_test - mean) / std",
    ("SW335", 0): "[nn.Linear(5, 5) for _ in range(3)]",
    ("SW337", 0): 'float("inf")',
    ("SW338", 0): '"max"',
    ("SW347", 1): "h = h.clamp(max=0.5)",
    ("SW354", 6): 'fill_diagonal_(float("-inf"))',
    ("SW376", 0): "torch.randn_like(x)",
    ("SW379", 1): "torch.mm(a, b.T) / 0.1",
    ("SW380", 0): "hits, seen = 0, 0",
    ("SW216", 0): ".detach()",
    ("SW249", 0): "loader.sampler.set_epoch(epoch)",
    ("SW273", 0): "q.size(-1) ** 0.5",
    ("SW273", 4): "q.size(-1) ** -0.5",
    ("SW281", 0): "None",
    ("SW297", 0): "noise",
    ("SW299", 0): "y[order]",
    ("SW329", 2): "right, seen = 0, 0\n",
    ("SW339", 0): "batches = itertools.cycle(loader)",
    ("SW343", 1): "loss + bce(d(fake.detach()), zeros)",
    ("SW340", 0): "torch.enable_grad()",
    ("SW341", 2): "behind",
    ("SW341", 4): ".clone()",
    ("SW345", 1): '"batchmean"',
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
CAUSAL = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.conv, self.out = nn.Embedding(20, 8), nn.Conv1d(8, 8, 3, padding=PADDING), nn.Linear(8, 20)

    def forward(self, ids):
        h = self.conv(self.table(ids).transpose(1, 2))CUT
        return self.out(torch.relu(h).transpose(1, 2))


net = Net()
opt = torch.optim.Adam(net.parameters())
ids = torch.randint(0, 20, (12, 15))
for part in ids.split(6):
    loss = nn.functional.cross_entropy(net(part[:, :-1]).transpose(1, 2), part[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
TURNED = """
rows = torch.randn(9, 26)


def draw():
    return rows[torch.arange(4)].T


net = nn.Linear(26, 3)
net(draw()).sum().backward()
"""
TWINS = """
class Twins(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean, self.spread = nn.Linear(5, 3), nn.Linear(5, 3)

    def forward(self, x):
        return self.mean(x) + torch.randn(3) * self.mean(x)


net = Twins()
opt = torch.optim.Adam(net.parameters())
for step in range(3):
    loss = net(torch.randn(8, 5)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
MASK = """
words, look, judge = nn.Embedding(30, 8, padding_idx=0), nn.MultiheadAttention(8, 2, batch_first=True), nn.Linear(8, 2)
opt = torch.optim.Adam([*words.parameters(), *look.parameters(), *judge.parameters()])
for step in range(3):
    ids = nn.utils.rnn.pad_sequence([torch.randint(1, 30, (n,)) for n in (4, 7, 9)], batch_first=True)
    blank = ids == 0
    h = words(ids)
    h = look(h, h, h, key_padding_mask=~blank, need_weights=False)[0]
    keep = (~blank).unsqueeze(-1).float()
    loss = nn.functional.cross_entropy(judge((h * keep).sum(1) / keep.sum(1)), torch.tensor([0, 1, 0]))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
CROSSED = """
look = nn.MultiheadAttention(8, 2, batch_first=True)


def later(count):
    return torch.triu(torch.ones(count, count, dtype=torch.bool), diagonal=1)


def read(queries, keys, query_pad, key_pad):
    across = look(queries, keys, keys, key_padding_mask=HIDE)[0]
    mask = MASK
    return look(across, across, across, attn_mask=mask, key_padding_mask=query_pad)[0]


read(torch.randn(3, 7, 8), torch.randn(3, 5, 8), torch.rand(3, 7) < 0.1, torch.rand(3, 5) < 0.1)
"""
RETURNS = """
def summed(rewards, ends, gamma=0.95):
    out, total = [], 0.0
    for LOOP:
        total = r + gamma * total
        out.insert(0, total)
    return torch.tensor(out)


net = nn.Linear(4, 2)
opt = torch.optim.Adam(net.parameters())
for update in range(3):
    seen = torch.randn(40, 4)
    choice = torch.distributions.Categorical(logits=net(seen))
    moves = choice.sample()
    gained = summed(seen[:, 0].tolist(), [i % 10 == 9 for i in range(40)])
    loss = -(choice.log_prob(moves) * gained).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
PACKED = """
words, read, out = nn.Embedding(30, 8), nn.GRU(8, 6, batch_first=True), nn.Linear(6, 4)
rnn = nn.utils.rnn
lengths = torch.tensor([7, 4, 5])
ids = rnn.pad_sequence([torch.randint(1, 30, (int(n),)) for n in lengths], batch_first=True)
packed = rnn.pack_padded_sequence(words(ids), lengths, batch_first=True, enforce_sorted=False)
states, _ = rnn.pad_packed_sequence(read(packed)[0])
(out(states).argmax(-1) == ids % 4).float().mean()
"""
JOINED = """
d = 6
left, right, judge = nn.Linear(9, d), nn.Linear(8, d), nn.Linear(2 * d, 1)
facts = torch.randn(5, 3)
judge(torch.cat([left(torch.randn(5, 9)), right(torch.randn(5, 8)), facts], 1)).sum().backward()
"""
GROWN = """
shrink, grow = nn.MaxPool1d(2), nn.ConvTranspose1d(4, 4, 2)
x = torch.randn(5, 4, 32)
torch.cat([grow(shrink(x)), x], 1).sum().backward()
"""
WINDOWS = """
windows = torch.randn(90, 3).unfold(0, 12, 1)
net = nn.LSTM(3, 5, batch_first=True)
net(windows[:40])
"""
LATER = """
text = torch.randint(0, 20, (200,))
words, read, out = nn.Embedding(20, 8), nn.GRU(8, 8, batch_first=True), nn.Linear(8, 20)
opt = torch.optim.SGD([*words.parameters(), *read.parameters(), *out.parameters()], lr=0.1)
for i in range(0, 120, 24):
    seen, due = text[i:i + 24].view(1, -1), text[i:i + 24].view(1, -1)
    loss = nn.functional.cross_entropy(out(read(words(seen))[0]).flatten(0, 1), due.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
COUNTED = """
class Reader(nn.Module):
    def __init__(self, layers=2):
        super().__init__()
        self.layers, self.read = layers, nn.GRU(3, 6, 5, batch_first=True)

    def forward(self, x):
        return self.read(x, torch.zeros(self.layers, x.size(0), 6))[0]


Reader()(torch.randn(4, 7, 3)).sum().backward()
"""
CELL = """
read, tell = nn.LSTM(3, 6, batch_first=True), nn.LSTMCell(3, 6)
x = torch.randn(4, 7, 3)
_, (h, c) = read(x)
for step in range(3):
    h, c = tell(x[:, step], (h, c))
"""
HEADS = """
def heads(x):
    q, k, v = x.split(8, dim=2)
    q = q.view(5, 7, 2, 4).transpose(1, 2)
    k = k.view(5, 7, 2, 4).transpose(1, 2)
    v = v.view(5, 14, 4)
    return (q @ k.transpose(-2, -1)).softmax(-1) @ v


heads(nn.Linear(8, 24)(torch.randn(5, 7, 8)))
"""
TABLES = """
class Both(nn.Module):
    def __init__(self, one, other):
        super().__init__()
        self.one, self.other = nn.Embedding(one, 4), nn.Embedding(other, 4)

    def forward(self, a, b):
        return self.one(a).sum(1) + self.other(b).sum(1)


many, few = 30, 9
Both(few, many)(torch.arange(30).view(5, 6), torch.arange(5).view(5, 1)).sum().backward()
"""
TURNED_MASK = """
table, look, judge = nn.Embedding(30, 8, padding_idx=0), nn.MultiheadAttention(8, 2, batch_first=True), nn.Linear(8, 2)
opt = torch.optim.Adam([*table.parameters(), *look.parameters(), *judge.parameters()])
for step in range(3):
    ids = nn.utils.rnn.pad_sequence([torch.randint(1, 30, (n,)) for n in (4, 7, 9)], batch_first=True)
    blank = ids.ne(0)
    h = look(table(ids), table(ids), table(ids), key_padding_mask=blank, need_weights=False)[0]
    keep = (~blank).unsqueeze(-1).float()
    loss = nn.functional.cross_entropy(judge((h * keep).sum(1) / keep.sum(1).clamp(min=1)), torch.tensor([0, 1, 0]))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
HALF = """
x = torch.randn(5, 9, 8)
allowed = torch.triu(torch.ones(9, 9)).bool()
q = nn.Linear(8, 8)(x)
((q @ x.transpose(1, 2)).masked_fill(~allowed, float("-inf")).softmax(-1) @ x).sum().backward()
"""
TEXTS = {
    "what two statements beside it do": (HEADS, "v = v.view(5, 7, 2, 4).transpose(1, 2)"),
    "sizes exchanged where a model is made": (TABLES, "Both(many, few)"),
    "a mask that all take the same way": (TURNED_MASK, "ids.eq(0)"),
    "the other half of the steps": (HALF, "torch.tril(torch.ones(9, 9))"),
    "targets cut one step later": (LATER, "text[i + 1:i + 24 + 1].view(1, -1)\n"),
    "as many layers as the state counts": (COUNTED, "nn.GRU(3, 6, layers, batch_first=True)"),
    "the state of a layer for a cell": (CELL, "h, c = h[-1], c[-1]\nfor step"),
    "an axis taken away by name that has a size": (
        "nn.functional.mse_loss(nn.Linear(6, 4)(torch.randn(9, 6)).squeeze(-1), torch.randn(9))\n",
        "nn.Linear(6, 1)",
    ),
    "an axis taken away by name, on another's behalf": (
        "values = nn.Linear(6, 4)(torch.randn(9, 6)).squeeze(-1)\ngained = torch.randn(9) - values.detach()\n",
        "nn.Linear(6, 1)",
    ),
    "a norm listed above its convolution": (
        "nn.Sequential(nn.Conv1d(3, 8, 3), nn.ReLU(), nn.BatchNorm1d(16), nn.Conv1d(8, 16, 3))(torch.randn(4, 3, 9))\n",
        "nn.ReLU(), nn.Conv1d(8, 16, 3), nn.BatchNorm1d(16))",
    ),
    "an argument behind one in brackets": (
        "x = nn.Conv2d(1, 5, 3)(torch.randn(2, 1, 8, 8))\nx - x.mean((2, 3))\n",
        "x.mean((2, 3), keepdim=True)",
    ),
    "a sum that goes on at the flags": (
        RETURNS.replace("LOOP", "r, end in zip(reversed(rewards), reversed(ends))"),
        "r + gamma * total * (1 - end)",
    ),
    "a sum without its flags": (
        RETURNS.replace("LOOP", "r in reversed(rewards)"),
        "for r, ended in zip(reversed(rewards), reversed(ends)):",
    ),
    "a mask without the axis of the features": (
        "hole, x, hidden = nn.Parameter(torch.zeros(8)), torch.randn(5, 6, 8), torch.rand(5, 6) < 0.5\n"
        "torch.where(hidden, hole, x).sum().backward()\n",
        "torch.where(hidden.unsqueeze(-1), hole, x)",
    ),
    "one token for every sample": (
        "token, x = nn.Parameter(torch.zeros(1, 1, 8)), torch.randn(5, 6, 8)\ntorch.cat([token, x], 1).sum().backward()\n",
        "token.expand(x.size(0), -1, -1)",
    ),
    "a mask for the queries made of the keys": (
        CROSSED.replace("MASK", "later(keys.shape[1])").replace("HIDE", "None"),
        "later(queries.shape[1])",
    ),
    "the other mask": (CROSSED.replace("MASK", "None").replace("HIDE", "query_pad"), "key_padding_mask=key_pad"),
    "a flag that the counterpart is given": (PACKED, "pad_packed_sequence(read(packed)[0], batch_first=True)"),
    "data forgotten in a joined size": (JOINED, "nn.Linear(2 * d + 3, 1)"),
    "windows laid one beside the other": (GROWN, "nn.ConvTranspose1d(4, 4, 2, stride=2)"),
    "two sizes of a view the other way round": (
        "y = nn.Linear(5, 12)(torch.randn(7, 5)).view(-1, 3, 4)\nnn.functional.mse_loss(y, torch.randn(7, 4, 3))\n",
        ".view(-1, 4, 3)",
    ),
    "a mask inverted where it is handed over": (MASK, "key_padding_mask=blank,"),
    "a convolution that looks ahead": (
        CAUSAL.replace("PADDING", "1").replace("CUT", ""),
        "[..., :-self.conv.padding[0]]",
    ),
    "cut off at the wrong end": (CAUSAL.replace("PADDING", "2").replace("CUT", "[..., 2:]"), "[..., :-2]"),
    "turned far above the call": (TURNED, "return rows[torch.arange(4)]\n"),
    "a layer called in its twin's place": (TWINS, "* self.spread(x)"),
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
    rule = find_rule(code)
    _, _, found = proposed(rule.faulty[number][0], code)
    assert RULES[code, number] in "".join(edit.replacement for edit in found[0].edits)


@pytest.mark.parametrize("name", TEXTS)
def test_among_the_first_edits(name, proposed):
    text, wanted = TEXTS[name]
    trace, _, found = proposed(HEAD + text)
    assert any(wanted in "".join(edited(trace.sources, one.edits).values()) for one in found[:4])


def test_data_may_be_turned_where_their_axes_were_put_in_order(proposed):
    trace, _, found = proposed(HEAD + WINDOWS)
    texts = ["".join(edited(trace.sources, one.edits).values()) for one in found]
    direct = next(at for at, text in enumerate(texts) if "windows[:40].transpose(1, 2)" in text)
    assert any("unfold(0, 12, 1).transpose(1, 2)" in text for text in texts[direct:])


CTC = """
import torch
from torch import nn
logs = nn.Linear(4, 5)(torch.randn(3, 12, 4)).log_softmax(-1)
nn.CTCLoss()(logs, torch.randint(1, 5, (3, 4)), torch.full((3,), 12), torch.full((3,), 4))
"""


def test_a_move_of_axes_gives_ctc_its_samples_on_the_second_one(proposed):
    wrapped = [one.fields["code"] for one in proposed(CTC)[2] if one.title == "wrap"]
    assert wrapped and set(wrapped) == {".transpose(0, 1)"}
