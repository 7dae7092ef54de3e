"""Faults of mixed scripts: a table of kinds and numbers, a translator, two views of each row, a gate; another tensor or
another axis where one is read, one draw for two, an order of layers."""

from __future__ import annotations

from .planted import _faults

TABLE = """
class Mixed(nn.Module):
    def __init__(self, kinds, plain, wide=5):
        super().__init__()
        self.books = nn.ModuleList([nn.Embedding(k, wide) for k in kinds])
        self.norm = nn.BatchNorm1d(plain)
        self.body = nn.Sequential(nn.Linear(len(kinds) * wide + plain, 24), nn.ReLU(), nn.Dropout(0.1), nn.Linear(24, 1))

    def forward(self, kinds, plain):
        looked = [book(kinds[:, at]) for at, book in enumerate(self.books)]
        return self.body(torch.cat([*looked, self.norm(plain)], dim=1)).squeeze(1)


rows = 90
kinds = torch.stack([torch.randint(0, k, (rows,)) for k in (7, 3, 11)], dim=1)
plain = torch.randn(rows, 4) * torch.tensor([1.0, 20.0, 300.0, 0.1]) + 5
cost = plain[:, 0] + 0.01 * plain[:, 2] + torch.randn(rows)
order = torch.randperm(rows)
known, held = order[:70], order[70:]
middle, spread = plain[known].mean(dim=0), plain[known].std(dim=0)
plain = (plain - middle) / spread
net = Mixed((7, 3, 11), 4)
rule = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
best = float("inf")
for turn in range(3):
    net.train()
    for k, p, c in DataLoader(TensorDataset(kinds[known], plain[known], cost[known]), batch_size=16, shuffle=True):
        loss = F.smooth_l1_loss(net(k, p), c)
        rule.zero_grad()
        loss.backward()
        rule.step()
    net.eval()
    with torch.no_grad():
        off = (net(kinds[held], plain[held]) - cost[held]).abs().mean().item()
    if off < best:
        best, kept = off, copy.deepcopy(net.state_dict())
net.load_state_dict(kept)
"""
TRANSLATE = """
PAD, BOS = 0, 1


class Turner(nn.Module):
    def __init__(self, here, there, wide=16, heads=4):
        super().__init__()
        self.here, self.there = nn.Embedding(here, wide, padding_idx=PAD), nn.Embedding(there, wide, padding_idx=PAD)
        self.place = nn.Embedding(20, wide)
        self.core = nn.Transformer(wide, heads, 1, 1, 32, 0.0, batch_first=True)
        self.out = nn.Linear(wide, there)

    def put(self, book, codes):
        return book(codes) + self.place(torch.arange(codes.size(1)))

    def forward(self, here, there):
        ahead = torch.triu(torch.ones(there.size(1), there.size(1), dtype=torch.bool), diagonal=1)
        made = self.core(
            self.put(self.here, here),
            self.put(self.there, there),
            tgt_mask=ahead,
            src_key_padding_mask=here == PAD,
            tgt_key_padding_mask=there == PAD,
            memory_key_padding_mask=here == PAD,
        )
        return self.out(made)


def pairs(items):
    here, there = zip(*items)
    pad = nn.utils.rnn.pad_sequence
    return pad(here, batch_first=True, padding_value=PAD), pad(there, batch_first=True, padding_value=PAD)


def sentence(words):
    return torch.cat([torch.tensor([BOS]), torch.randint(2, words, (int(torch.randint(4, 12, ())),))])


data = [(sentence(30), sentence(26)) for _ in range(34)]
net = Turner(30, 26)
rule = torch.optim.Adam(net.parameters(), lr=1e-3)
for turn in range(2):
    for here, there in DataLoader(data, batch_size=8, collate_fn=pairs, shuffle=True):
        scores = net(here, there[:, :-1])
        loss = F.cross_entropy(scores.transpose(1, 2), there[:, 1:], ignore_index=PAD)
        rule.zero_grad()
        loss.backward()
        rule.step()
"""
VIEWS = """
class Near(nn.Module):
    def __init__(self, seen, wide, warmth=0.2):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(seen, 40), nn.ReLU(), nn.Linear(40, wide))
        self.head = nn.Sequential(nn.Linear(wide, wide), nn.ReLU(), nn.Linear(wide, 8))
        self.warmth = warmth

    def forward(self, rows):
        return F.normalize(self.head(self.body(rows)), dim=1)

    def loss(self, one, two):
        all_ = torch.cat([one, two])
        table = all_ @ all_.T / self.warmth
        table = table.masked_fill(torch.eye(len(all_), dtype=torch.bool), float("-inf"))
        match = torch.arange(len(all_)).roll(len(one))
        return F.cross_entropy(table, match)


def shaken(rows):
    return rows * (torch.rand_like(rows) > 0.2) + 0.1 * torch.randn_like(rows)


near = Near(12, 10)
rule = torch.optim.Adam(near.parameters(), lr=1e-3)
for turn in range(2):
    for (rows,) in DataLoader(TensorDataset(torch.randn(45, 12)), batch_size=16, shuffle=True):
        one, two = near(shaken(rows)), near(shaken(rows))
        loss = near.loss(one, two)
        rule.zero_grad()
        loss.backward()
        rule.step()
"""
GATED = """
class Gate(nn.Module):
    def __init__(self, wide):
        super().__init__()
        self.enter = nn.Linear(6, wide)
        self.body = nn.Sequential(nn.Linear(wide, wide), nn.ReLU(inplace=True))
        self.leave = nn.Linear(wide, 3)

    def forward(self, rows):
        seen = self.enter(rows).sigmoid()
        return self.leave(seen * self.body(seen))


net = Gate(10)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for rows, kinds in DataLoader(TensorDataset(torch.randn(30, 6), torch.randint(0, 3, (30,))), batch_size=8):
    loss = F.cross_entropy(net(rows), kinds)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
STRIPES = """
wide = 6
net = nn.Sequential(
    nn.Conv1d(2, wide, 3, padding=1), nn.BatchNorm1d(wide), nn.ReLU(), nn.MaxPool1d(2),
    nn.Conv1d(wide, 2 * wide, 3, padding=1), nn.BatchNorm1d(2 * wide), nn.ReLU(),
    nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(2 * wide, 3),
)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for rows, kinds in DataLoader(TensorDataset(torch.randn(30, 2, 10), torch.randint(0, 3, (30,))), batch_size=8):
    loss = F.cross_entropy(net(rows), kinds)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
QUANTILES = """
net = nn.Linear(5, 7)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
levels = (torch.arange(7) + 0.5) / 7
for (rows,) in DataLoader(TensorDataset(torch.randn(36, 5)), batch_size=12):
    told, aim = net(rows), torch.randn(len(rows), 7)
    far = aim.unsqueeze(1) - told.unsqueeze(2)
    loss = (far.abs() * (levels.view(1, 7, 1) - (far.detach() < 0).float()).abs()).mean(dim=2).sum(dim=1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
MIXED = [
    *_faults("table", TABLE, rows_for_columns=("book(kinds[:, at])", "book(kinds[at])")),
    *_faults(
        "translate",
        TRANSLATE,
        mask_of_the_target=("src_key_padding_mask=here == PAD", "src_key_padding_mask=there == PAD"),
    ),
    *_faults(
        "views",
        VIEWS,
        one_draw=(
            "        one, two = near(shaken(rows)), near(shaken(rows))\n",
            "        view = shaken(rows)\n        one, two = near(view), near(view)\n",
        ),
        bound_at_once=(
            "        one, two = near(shaken(rows)), near(shaken(rows))\n",
            "        left = right = shaken(rows)\n        one, two = near(left), near(right)\n",
        ),
    ),
]
LEFT_OPEN = [
    *_faults("quantiles", QUANTILES, axis_of_the_aims_lost=("aim.unsqueeze(1)", "aim")),
    *_faults("views", VIEWS, half_the_labels=("torch.arange(len(all_)).roll(len(one))", "torch.arange(len(one))")),
    *_faults(
        "gated",
        GATED,
        activation_first=(
            "nn.Sequential(nn.Linear(wide, wide), nn.ReLU(inplace=True))",
            "nn.Sequential(nn.ReLU(inplace=True), nn.Linear(wide, wide))",
        ),
    ),
    *_faults(
        "stripes",
        STRIPES,
        norm_before_its_layer=(
            "nn.Conv1d(wide, 2 * wide, 3, padding=1), nn.BatchNorm1d(2 * wide)",
            "nn.BatchNorm1d(2 * wide), nn.Conv1d(wide, 2 * wide, 3, padding=1)",
        ),
    ),
]
