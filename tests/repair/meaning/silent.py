"""Silent faults of data, masks, states and samplers whose repair the script itself decides."""

from __future__ import annotations

from dataclasses import replace

from .planted import _faults

SAMPLED = """
lost = torch.linspace(0.02, 0.3, 24)
kept = torch.cumprod(1 - lost, 0)


class Told(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 16), nn.SiLU(), nn.Linear(16, 2))

    def forward(self, x, at):
        return self.layers(torch.cat([x, at[:, None] / 24.0], 1))


told = Told()
opt = torch.optim.SGD(told.parameters(), lr=0.05)


@torch.no_grad()
def drawn(count):
    x = torch.randn(count, 2)
    for at in reversed(range(24)):
        guess = told(x, torch.full((count,), at))
        x = (x - lost[at] / (1 - kept[at]).sqrt() * guess) / (1 - lost[at]).sqrt()
        x = x + lost[at].sqrt() * torch.randn_like(x) if at > 0 else x
    return x


for clean in (torch.randn(96, 2) * 0.3 + 2).split(24):
    at, noise = torch.randint(0, 24, (len(clean),)), torch.randn_like(clean)
    share = kept[at][:, None]
    loss = (told(share.sqrt() * clean + (1 - share).sqrt() * noise, at) - noise).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
middle = drawn(40).mean().item()
"""
WINDOWED = """
class Ahead(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.out = nn.GRU(1, 8, batch_first=True), nn.Linear(8, 1)

    def forward(self, x, state):
        told, state = self.cell(x[..., None], state)
        return self.out(told)[..., 0], state


waves = torch.sin(torch.arange(61.0) / 5 + 6 * torch.rand(32, 1))
ahead = Ahead()
opt = torch.optim.SGD(ahead.parameters(), lr=0.05)
for epoch in range(2):
    for rows in torch.randperm(32).split(8):
        wave = waves[rows]
        state = None
        for start in range(0, 60, 24):
            seen = wave[:, start:start + 24][:, :60 - start]
            goal = wave[:, start + 1:start + 25][:, :60 - start]
            guess, state = ahead(seen, state)
            state = state.detach()
            loss = (guess - goal).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
    with torch.no_grad():
        error = (ahead(waves[:, :-1], None)[0] - waves[:, 1:]).abs().mean().item()
"""
SIAMESE = """
class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(144, 5))

    def forward(self, one, other):
        first, second = self.body(torch.cat([one, other], dim=0)).chunk(2, dim=0)
        return F.pairwise_distance(first, second)


both = Both()
opt = torch.optim.SGD(both.parameters(), lr=0.05)
one, other, same = torch.randn(40, 1, 6, 6), torch.randn(40, 1, 6, 6), torch.randint(0, 2, (40,)).float()
for at in range(0, 40, 10):
    far = both(one[at:at + 10], other[at:at + 10])
    loss = (same[at:at + 10] * far.pow(2) + (1 - same[at:at + 10]) * F.relu(2 - far).pow(2)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
SCALED = """
whole = torch.sin(torch.arange(300.0) / 9) * 4 + torch.arange(300.0) / 40 + torch.randn(300)
known, later = whole[:240], whole[240:]


def windows(part):
    cut = part.unfold(0, 9, 1)
    return cut[:, :8], cut[:, 8:]


middle, spread = known.mean(), known.std()
seen, goal = windows((known - middle) / spread)
asked, wanted = windows((later - middle) / spread)
net = nn.Sequential(nn.Linear(8, 12), nn.Tanh(), nn.Linear(12, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(2):
    for at in torch.randperm(len(seen)).split(32):
        loss = F.mse_loss(net(seen[at]), goal[at])
        opt.zero_grad()
        loss.backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        error = F.l1_loss(net(asked), wanted).item()
    net.train()
"""
SORTED = """
from torch.nn.utils.rnn import pad_sequence, pack_padded_sequence, pad_packed_sequence

texts = [torch.randint(1, 20, (int(n),)) for n in torch.randint(3, 9, (24,))]
pairs = [(words, words % 4) for words in texts]


def batched(items):
    words, tags = zip(*items)
    lengths = torch.tensor([len(one) for one in words])
    x = pad_sequence(words, batch_first=True)
    y = pad_sequence(tags, batch_first=True, padding_value=-100)
    order = lengths.argsort(descending=True)
    x, y, lengths = x[order], y[order], lengths[order]
    return x, y, lengths


class Tagged(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.cell = nn.Embedding(20, 6, padding_idx=0), nn.LSTM(6, 7, batch_first=True)
        self.out = nn.Linear(7, 4)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.table(x), lengths, batch_first=True)
        return self.out(pad_packed_sequence(self.cell(packed)[0], batch_first=True)[0])


net = Tagged()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y, lengths in DataLoader(pairs, batch_size=8, shuffle=True, collate_fn=batched):
    loss = F.cross_entropy(net(x, lengths).flatten(0, 1), y.flatten(), ignore_index=-100)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
VIEWED = """
net = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 8))
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def alike(a, b):
    a, b = F.normalize(a, dim=1), F.normalize(b, dim=1)
    return F.cross_entropy(a @ b.t() / 0.2, torch.arange(len(a)))


for x in torch.randn(60, 12).split(15):
    one, other = x + 0.1 * torch.randn_like(x), x * (torch.rand_like(x) > 0.2)
    loss = alike(net(one), net(other))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
SILENT = [
    *_faults(
        "sampled",
        SAMPLED,
        without_the_root=("(1 - share).sqrt() * noise", "(1 - share) * noise"),
        from_the_first_step=("reversed(range(24))", "range(24)"),
    ),
    *(
        replace(one, faulty=one.faulty.replace("for epoch", "state = None\nfor epoch"))
        for one in _faults("windowed", WINDOWED, state_begun_once=("        state = None\n", ""))
    ),
    *_faults(
        "windowed",
        WINDOWED,
        not_shifted=("wave[:, start + 1:start + 25]", "wave[:, start:start + 24]"),
    ),
    *_faults("scaled", SCALED, by_all=("known.mean(), known.std()", "whole.mean(), whole.std()")),
    *_faults("sorted", SORTED, inputs_alone=("x, y, lengths = x[order], y[order],", "x, lengths = x[order],")),
    *_faults("viewed", VIEWED, one_view=("net(other)", "net(one)")),
    *_faults("siamese", SIAMESE, stacked=("torch.cat([one, other]", "torch.stack([one, other]")),
]
