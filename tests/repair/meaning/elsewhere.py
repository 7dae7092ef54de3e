"""Faults of values that the script reads at more than one place: what is turned over for one reader is turned over for
the others as well, and what is written twice is one fault."""

from __future__ import annotations

from .planted import _faults

PROTOTYPES = """
WAYS = SHOTS = 4
embed = nn.Sequential(nn.Linear(12, 10), nn.ReLU(), nn.Linear(10, 10))
opt = torch.optim.SGD(embed.parameters(), lr=0.05)
hits = 0
for game in range(4):
    centers = torch.randn(WAYS, 1, 12)
    shown, asked = centers + 0.3 * torch.randn(WAYS, SHOTS, 12), centers + 0.3 * torch.randn(WAYS, 3, 12)
    near, query = embed(shown).mean(dim=1), embed(asked).flatten(0, 1)
    far = torch.cdist(query, near).square()
    label = torch.arange(WAYS).repeat_interleave(3)
    loss = F.cross_entropy(-far, label)
    opt.zero_grad()
    loss.backward()
    opt.step()
    hits += (far.argmin(dim=1) == label).sum().item()
"""
ONE_MASK = """
def real(count, longest):
    return torch.arange(longest)[None, :] < count[:, None]


class Reader(nn.Module):
    def __init__(self, wide=16):
        super().__init__()
        self.words, self.out = nn.Embedding(20, wide, padding_idx=0), nn.Linear(wide, 1)
        self.mix = nn.MultiheadAttention(wide, 4, batch_first=True)

    def forward(self, ids, count):
        keep = real(count, ids.shape[1])
        h = self.words(ids)
        h = h + self.mix(h, h, h, key_padding_mask=~keep, need_weights=False)[0]
        return self.out((h * keep[..., None]).sum(dim=1) / count[:, None])[:, 0]


count = torch.randint(2, 7, (30,))
ids = torch.randint(1, 20, (30, 6)) * (torch.arange(6) < count.unsqueeze(1))
liked = torch.randint(0, 2, (30,)).float()
reader = Reader()
opt = torch.optim.SGD(reader.parameters(), lr=0.1)
for i, c, y in DataLoader(TensorDataset(ids, count, liked), batch_size=8):
    opt.zero_grad()
    F.binary_cross_entropy_with_logits(reader(i, c), y).backward()
    opt.step()
"""
TWO_PLACES = """
class Prices:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05)

    def told(self, rows):
        return self.net(rows)

    def learn(self, rows, price):
        residual = self.told(rows).squeeze(1) - price
        self.opt.zero_grad()
        residual.square().mean().backward()
        self.opt.step()

    @torch.no_grad()
    def ask(self, rows, price):
        residual = self.told(rows).squeeze(1) - price
        return residual.square().mean().item()


rows, price = torch.randn(50, 6), torch.randn(50)
prices, off = Prices(), 0.0
for turn in range(2):
    for r, p in DataLoader(TensorDataset(rows[:38], price[:38]), batch_size=9):
        prices.learn(r, p)
    off += prices.ask(rows[38:], price[38:])
"""
SHALLOW = """
class Pref(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(11, 8), nn.Linear(8, 11)

    def forward(self, ids):
        return self.out(self.words(ids))


def said(net, ids):
    return net(ids[:, :-1]).log_softmax(-1).gather(2, ids[:, 1:, None]).squeeze(2).sum(dim=1)


policy = Pref()
anchor = copy.deepcopy(policy)
opt = torch.optim.SGD(policy.parameters(), lr=0.5)
for step in range(3):
    win, lose = torch.randint(0, 11, (8, 6)), torch.randint(0, 11, (8, 6))
    with torch.no_grad():
        a, b = said(anchor, win), said(anchor, lose)
    gain = said(policy, win) - a - (said(policy, lose) - b)
    opt.zero_grad()
    (-F.logsigmoid(0.5 * gain).mean()).backward()
    opt.step()
"""
SPOTS = """
class Spot(nn.Module):
    def __init__(self):
        super().__init__()
        self.eyes = nn.Sequential(nn.Conv2d(3, 4, 3, 2, 1), nn.ReLU(), nn.Flatten())
        self.where, self.what = nn.Linear(64, 4), nn.Linear(64, 4)

    def forward(self, picture):
        seen = self.eyes(picture)
        return {"box": self.where(seen).sigmoid(), "kind": self.what(seen)}


pictures, boxes, kinds = torch.rand(20, 3, 8, 8), torch.rand(20, 4), torch.randint(0, 4, (20,))
spot = Spot()
opt = torch.optim.SGD(spot.parameters(), lr=0.1)
for p, b, k in DataLoader(TensorDataset(pictures, boxes, kinds), batch_size=5):
    told = spot(p)
    loss = F.smooth_l1_loss(told["box"], b) + F.cross_entropy(told["kind"], k)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
UNITS = """
UNITS = 10
waves = torch.sin(torch.arange(0, 60, 0.1)).view(UNITS, -1)


class Roll(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.read = nn.GRUCell(1, UNITS), nn.Linear(UNITS, 1)

    def forward(self, x, state):
        told = []
        for step in range(x.size(1)):
            state = self.cell(x[:, step : step + 1], state)
            told.append(self.read(state))
        return torch.cat(told, dim=1), state


roll, state = Roll(), torch.zeros(UNITS, UNITS)
opt = torch.optim.SGD(roll.parameters(), lr=0.05)
for k in range(0, 50, 10):
    guess, state = roll(waves[:, k : k + 10], state.detach())
    loss = F.mse_loss(guess, waves[:, k + 1 : k + 11])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
COLUMNS = """
class Block(nn.Module):
    def __init__(self, features, dim):
        super().__init__()
        self.col = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.row = nn.MultiheadAttention(dim * features, 2, batch_first=True)
        self.one, self.two = nn.LayerNorm(dim), nn.LayerNorm(dim * features)

    def forward(self, x):
        b, f, d = x.shape
        x = self.one(x + self.col(x, x, x, need_weights=False)[0])
        rows = x.reshape(1, b, f * d)
        return self.two(rows + self.row(rows, rows, rows, need_weights=False)[0]).reshape(b, f, d)


class Table(nn.Module):
    def __init__(self, features=5, dim=8):
        super().__init__()
        self.scale, self.first = nn.Parameter(torch.randn(features, dim)), nn.Parameter(torch.zeros(1, 1, dim))
        self.block, self.head = Block(features + 1, dim), nn.Linear(dim, 2)

    def forward(self, x):
        tokens = torch.cat([self.first.expand(len(x), -1, -1), x.unsqueeze(-1) * self.scale], dim=1)
        return self.head(self.block(tokens)[:, 0])


table = Table()
opt = torch.optim.SGD(table.parameters(), lr=0.1)
for x, y in DataLoader(TensorDataset(torch.randn(30, 5), torch.randint(0, 2, (30,))), batch_size=6):
    opt.zero_grad()
    F.cross_entropy(table(x), y).backward()
    opt.step()
"""
PRICES = """
class Price(nn.Module):
    def __init__(self, kinds, plain, width=3, hidden=16):
        super().__init__()
        self.books = nn.ModuleList([nn.Embedding(k, width) for k in kinds])
        inputs = plain + width * len(kinds)
        self.body = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, numbers, codes):
        looked = [book(codes[:, j]) for j, book in enumerate(self.books)]
        return self.body(torch.cat([numbers, *looked], dim=1)).squeeze(1)


numbers, codes, price = torch.randn(40, 4), torch.randint(0, 5, (40, 2)), torch.randn(40)
net = Price([5, 5], 4)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for n, c, p in DataLoader(TensorDataset(numbers, codes, price), batch_size=9):
    opt.zero_grad()
    F.mse_loss(net(n, c), p).backward()
    opt.step()
"""
# from a start, what comes of another text: its first token is foretold as well
TURNED = """
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
reads, words, writes = nn.GRU(8, 8, batch_first=True), nn.Embedding(7, 8), nn.GRU(8, 8, batch_first=True)
says = nn.Linear(8, 7)
net = nn.ModuleList([reads, words, writes, says])
opt = torch.optim.Adam(net.parameters())
for step in range(3):
    text = torch.randint(1, 7, (6, 5))
    told = text.flip(1)
    _, kept = reads(words(text))
    begin = torch.zeros(6, 1, dtype=torch.long)
    given = torch.cat([begin, told[:, :-1]], dim=1)
    scores = says(writes(words(given), kept)[0])
    loss = F.cross_entropy(scores.flatten(0, 1), told.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
NOT_SAFE = [
    *_faults("turned", TURNED, given_the_answer=("torch.cat([begin, told[:, :-1]], dim=1)", "told")),
    *_faults(
        "spots",
        SPOTS,
        outputs_exchanged=(
            'F.smooth_l1_loss(told["box"], b) + F.cross_entropy(told["kind"], k)',
            'F.smooth_l1_loss(told["kind"], b) + F.cross_entropy(told["box"], k)',
        ),
    ),
    *_faults("units", UNITS, rows_below_each_other=("torch.cat(told, dim=1)", "torch.cat(told, dim=0)")),
    *_faults("columns", COLUMNS, axes_not_merged=("x.reshape(1, b, f * d)", "x")),
]
ELSEWHERE = [
    *_faults("prototypes", PROTOTYPES, far_is_near=("cross_entropy(-far, label)", "cross_entropy(far, label)")),
    *_faults(
        "one_mask",
        ONE_MASK,
        attention_given_what_is_real=("key_padding_mask=~keep", "key_padding_mask=keep"),
        helper_turned=("[None, :] < count", "[None, :] >= count"),
    ),
    *_faults("prices", PRICES, each_table_counted_once=("width * len(kinds)", "len(kinds)")),
    *_faults("two_places", TWO_PLACES, axis_left_at_both=(".squeeze(1)", "")),
    *_faults("shallow", SHALLOW, shallow_copy=("copy.deepcopy(policy)", "copy.copy(policy)")),
]
