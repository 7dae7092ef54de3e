"""Faults of another hand: a call that names no axis, joined parts of one layer, windows that grow maps, a number per sample,
a mode that follows a flag, means that are weighed."""

from __future__ import annotations

from .planted import _faults

QUANTIZED = """
class Codes(nn.Module):
    def __init__(self, codes, width):
        super().__init__()
        self.book = nn.Embedding(codes, width)

    def forward(self, spots):
        spots = spots.permute(0, 2, 1).contiguous()
        flat = spots.view(-1, spots.size(2))
        far = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.book.weight.t() + self.book.weight.pow(2).sum(1)
        near = self.book(far.argmin(dim=1)).view_as(spots)
        loss = F.mse_loss(near, spots.detach()) + 0.25 * F.mse_loss(spots, near.detach())
        return (spots + (near - spots).detach()).permute(0, 2, 1), loss


enter, codes, leave = nn.Conv1d(2, 6, 3, padding=1), Codes(14, 6), nn.Conv1d(6, 2, 3, padding=1)
opt = torch.optim.SGD([*enter.parameters(), *codes.parameters(), *leave.parameters()], lr=0.05)
for (wave,) in DataLoader(TensorDataset(torch.randn(22, 2, 9)), batch_size=8):
    drawn, kept = codes(enter(wave))
    loss = F.mse_loss(leave(drawn), wave) + kept
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
NOISED = """
shares = torch.cumprod(1 - torch.linspace(0.01, 0.3, 10), dim=0)
clock = nn.Sequential(nn.Linear(8, 12), nn.SiLU(), nn.Linear(12, 6))
enter, shrink = nn.Conv2d(1, 6, 3, padding=1), nn.Conv2d(6, 12, 4, stride=2, padding=1)
grow, leave = nn.ConvTranspose2d(12, 6, 4, stride=2, padding=1), nn.Conv2d(12, 1, 3, padding=1)
parts = [clock, enter, shrink, grow, leave]
opt = torch.optim.SGD([weight for part in parts for weight in part.parameters()], lr=0.05)
for clean in torch.rand(30, 1, 8, 8).split(13):
    at, noise = torch.randint(0, 10, (len(clean),)), torch.randn_like(clean)
    share = shares[at].view(-1, 1, 1, 1)
    seen = share.sqrt() * clean + (1 - share).sqrt() * noise
    angles = at[:, None].float() * torch.tensor([0.1, 0.2, 0.4, 0.8])
    told = clock(torch.cat([angles.sin(), angles.cos()], dim=-1))
    first = F.silu(enter(seen) + told[:, :, None, None])
    loss = F.mse_loss(leave(torch.cat([first, F.silu(grow(F.silu(shrink(first))))], dim=1)), noise)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
FLAGGED = """
net = nn.Sequential(nn.Linear(7, 20), nn.BatchNorm1d(20), nn.ReLU(), nn.Dropout(0.2), nn.Linear(20, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
rows, tags = torch.randn(50, 7), (torch.rand(50, 3) < 0.3).float()
known, held = TensorDataset(rows[:38], tags[:38]), TensorDataset(rows[38:], tags[38:])


def turn(batches, learns):
    net.train(learns)
    total, seen = 0.0, 0
    with torch.set_grad_enabled(learns):
        for row, tag in batches:
            loss = F.binary_cross_entropy_with_logits(net(row), tag)
            if learns:
                opt.zero_grad()
                loss.backward()
                opt.step()
            total += loss.item() * len(row)
            seen += len(row)
    return total / seen


for epoch in range(2):
    learned = turn(DataLoader(known, batch_size=8, shuffle=True), True)
    judged = turn(DataLoader(held, batch_size=8), False)
"""
PAIRED = """
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 6))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
levels = (torch.arange(6) + 0.5) / 6
for seen, drawn in DataLoader(TensorDataset(torch.randn(40, 4), torch.randn(40, 6)), batch_size=12):
    apart = drawn.unsqueeze(1) - net(seen).unsqueeze(2)
    loss = ((levels.view(1, 6, 1) - (apart < 0).float()).abs() * apart.abs()).mean(dim=2).sum(dim=1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
SPREAD = """
read, out = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 16)), nn.Linear(32, 2)
opt = torch.optim.SGD([*read.parameters(), *out.parameters()], lr=0.1)
for spots, kind in DataLoader(TensorDataset(torch.randn(26, 9, 3), torch.randint(0, 2, (26,))), batch_size=7):
    told = read(spots)
    middle = told.mean(dim=1)
    wide = (told - middle.unsqueeze(1)).pow(2).mean(dim=1)
    loss = F.cross_entropy(out(torch.cat([middle, wide], dim=1)), kind)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
RISKS = """
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for seen, ended in DataLoader(TensorDataset(torch.randn(40, 5), (torch.rand(40) < 0.7).float()), batch_size=10):
    risk = net(seen).squeeze(1)
    loss = -((risk - risk.logcumsumexp(0)) * ended).sum() / ended.sum().clamp(min=1)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
GATHERED = """
from torch.distributions import Categorical

torch.manual_seed(1)
body, picks, worth = nn.Linear(3, 10), nn.Linear(10, 4), nn.Linear(10, 1)
opt = torch.optim.SGD([*body.parameters(), *picks.parameters(), *worth.parameters()], lr=0.05)
for turn in range(3):
    seen, done, gained = [], [], []
    place = torch.randn(5, 3)
    for _ in range(7):
        act = Categorical(logits=picks(torch.tanh(body(place)))).sample()
        seen.append(place)
        done.append(act)
        gained.append((act == 2).float())
        place = 0.9 * place + 0.1 * torch.randn(5, 3)
    places, acts, gains = torch.stack(seen), torch.stack(done), torch.stack(gained)
    hidden = torch.tanh(body(places))
    told = worth(hidden).squeeze(-1)
    better = (gains - told).detach()
    chosen = Categorical(logits=picks(hidden)).log_prob(acts)
    loss = (gains - told).pow(2).mean() - (chosen * better).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
ROADS = """
torch.manual_seed(2)
pairs = [(a, (3 * a + 1) % 12) for a in range(12)] + [(a, (5 * a + 2) % 12) for a in range(12)]
roads = torch.tensor(pairs).t()
towns, kinds = torch.randn(12, 6), torch.randint(0, 3, (12,))


class Spread(nn.Module):
    def __init__(self):
        super().__init__()
        self.own, self.near = nn.Linear(6, 3), nn.Linear(6, 3)

    def forward(self, rows, lines):
        begin, end = lines
        summed = torch.zeros_like(rows).index_add(0, end, rows[begin])
        return self.own(rows) + self.near(summed)


net = Spread()
every = torch.cat([roads, roads.flip(0)[:, ::4]], dim=1)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(4):
    loss = F.cross_entropy(net(towns, every), kinds)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
WORDED = """
torch.manual_seed(3)


class Tinted(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.slide, self.tint = nn.Conv1d(3, width, 3, padding=1), nn.Linear(5, width)
        self.head = nn.Conv1d(width, 2, 1)

    def forward(self, waves, about):
        told = self.slide(waves) + self.tint(about).unsqueeze(-1)
        return self.head(torch.relu(told)).mean(dim=-1)


waves, about, kinds = torch.randn(20, 3, 12), torch.randn(20, 5), torch.randint(0, 2, (20,))
net = Tinted(12)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for first in range(0, 20, 10):
    loss = F.cross_entropy(net(waves[first : first + 10], about[first : first + 10]), kinds[first : first + 10])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
WIDER = [
    *_faults("gathered", GATHERED, steps_in_one_row=("torch.stack(seen)", "torch.cat(seen)")),
    *_faults("roads", ROADS, ends_in_columns=("torch.tensor(pairs).t()", "torch.tensor(pairs)")),
    *_faults(
        "codes",
        QUANTIZED,
        nearest_of_all=("far.argmin(dim=1)", "far.argmin()"),
        viewed_for_moved=(
            "spots.permute(0, 2, 1).contiguous()",
            "spots.reshape(spots.size(0), spots.size(2), spots.size(1))",
        ),
    ),
    *_faults(
        "noised",
        NOISED,
        number_per_sample=("shares[at].view(-1, 1, 1, 1)", "shares[at]"),
        joined_along_samples=("angles.cos()], dim=-1)", "angles.cos()])"),
    ),
    *_faults(
        "flagged",
        FLAGGED,
        never_evaluating=("net.train(learns)", "net.train()"),
        means_not_weighed=("loss.item() * len(row)", "loss.item()"),
    ),
]
OPEN = [
    *_faults("worded", WORDED, channels_as_long_as_the_series=("self.tint(about).unsqueeze(-1)", "self.tint(about)")),
    *_faults("noised", NOISED, grows_by_one=("ConvTranspose2d(12, 6, 4, stride=2", "ConvTranspose2d(12, 6, 4")),
    *_faults("paired", PAIRED, axes_at_one_place=("drawn.unsqueeze(1)", "drawn.unsqueeze(0)")),
    *_faults("spread", SPREAD, both_parts_too_wide=("nn.Linear(16, 16)", "nn.Linear(16, 19)")),
]
OTHER = _faults("risks", RISKS, divided_by_each=("ended.sum().clamp", "ended.clamp"))
