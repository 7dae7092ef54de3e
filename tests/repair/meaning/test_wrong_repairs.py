"""Five repairs that ran clean at every batch size and trained nonsense: they are not safe, and the right one is found."""

import pytest

from .behaviour import outcome
from .planted import HEAD

KEEPDIM = """
states, nexts = torch.randn(24, 4), torch.randn(24, 4)
actions, rewards = torch.randint(0, 3, (24, 1)), torch.randn(24, 1)
q = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
frozen = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
opt = torch.optim.SGD(q.parameters(), lr=0.1)
for s, n, a, r in DataLoader(TensorDataset(states, nexts, actions, rewards), batch_size=7):
    with torch.no_grad():
        best = frozen(n).max(dim=1, keepdim=True).values
        target = r + 0.9 * best
    opt.zero_grad()
    loss = F.smooth_l1_loss(q(s).gather(1, a), target)
    loss.backward()
    opt.step()
"""
STRIDE = """
x, y = torch.randn(13, 3, 8, 8), torch.randint(0, 4, (13,))


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1), nn.ReLU(), nn.Conv2d(outputs, outputs, 3, 1, 1))
        self.skip = nn.Conv2d(inputs, outputs, 1, stride)

    def forward(self, maps):
        return F.relu(self.body(maps) + self.skip(maps))


net = nn.Sequential(Block(3, 6, 1), Block(6, 8, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 4))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for images, labels in DataLoader(TensorDataset(x, y), batch_size=5):
    opt.zero_grad()
    F.cross_entropy(net(images), labels).backward()
    opt.step()
"""
ROWS = """
years = torch.linspace(0, 1, 19).unsqueeze(1)
prices = 3 * years + 0.1 * torch.randn(19, 1)
model = nn.Linear(1, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(4):
    opt.zero_grad()
    loss = F.mse_loss(model(years), prices)
    loss.backward()
    opt.step()
"""
MODE = """
x, y = torch.randn(28, 4), torch.randint(0, 3, (28,))
train = DataLoader(TensorDataset(x[:20], y[:20]), batch_size=5)
held = DataLoader(TensorDataset(x[20:], y[20:]), batch_size=4)
net = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Dropout(0.4), nn.Linear(10, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    net.train()
    for inputs, labels in train:
        opt.zero_grad()
        F.cross_entropy(net(inputs), labels).backward()
        opt.step()
    net.eval()
    right = 0
    for inputs, labels in held:
        with torch.no_grad():
            right += (net(inputs).argmax(dim=1) == labels).sum().item()
"""
CLEARED = """
real = torch.randn(20, 4)
G, D = nn.Linear(2, 4), nn.Linear(4, 1)
g_opt = torch.optim.SGD(G.parameters(), lr=0.1)
d_opt = torch.optim.SGD(D.parameters(), lr=0.1)
for (batch,) in DataLoader(TensorDataset(real), batch_size=6):
    fake = G(torch.randn(len(batch), 2))
    d_opt.zero_grad()
    d_loss = F.softplus(-D(batch)).mean() + F.softplus(D(fake.detach())).mean()
    d_loss.backward()
    d_opt.step()
    g_opt.zero_grad()
    g_loss = F.softplus(-D(fake)).mean()
    g_loss.backward()
    g_opt.step()
"""
WHOLE = """
net, place = nn.Linear(2, 3), torch.randint(0, 5, (8, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    there = (place == 4).all(dim=1)
    place = torch.where(there[:, None], torch.randint(0, 5, (8, 2)), (place + 1).clamp(max=4))
    loss = net(place.float()).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
NOT_TOLD = """
score = nn.Linear(6, 4)
opt = torch.optim.SGD(score.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(torch.randn(18, 6)), batch_size=5):
    a, b = score(x).log_softmax(dim=-1), score(x.flip(0)).softmax(dim=-1).detach()
    loss = -(b * a).sum(dim=-1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
PARTS = """
net, sure = nn.Linear(6, 4), nn.Parameter(torch.zeros(3))
opt = torch.optim.SGD([*net.parameters(), sure], lr=0.1)
for x, y in DataLoader(TensorDataset(torch.randn(18, 6), torch.randint(0, 4, (18,))), batch_size=5):
    made = net(x)
    parts = torch.stack([F.cross_entropy(made, y), made.pow(2).mean(), made.abs().mean()])
    loss = (torch.exp(-sure) * parts + sure).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
GROUPS = """
net = nn.Sequential(nn.Conv1d(3, 16, 3), nn.GroupNorm(2, 16), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(torch.randn(18, 3, 12)), batch_size=5):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
ORDER = """
net = nn.Linear(6, 6)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(torch.randn(20, 4, 6)), batch_size=5):
    q = net(x)
    loss = ((q @ x.transpose(-2, -1)).softmax(dim=-1) @ x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
OTHER_SIDE = """
net = nn.Linear(6, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, s in DataLoader(TensorDataset(torch.randn(20, 4, 6), torch.randn(20, 4, 6)), batch_size=5):
    made = net(x)
    loss = (made.mean(1) - net(s).mean(1).detach()).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
PAIRS = """
net = nn.Linear(3, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(TensorDataset(torch.randn(40, 3), torch.randn(40)), batch_size=8, shuffle=True):
    made = net(x)
    spread = (made.unsqueeze(2) - made.unsqueeze(1)).abs().mean()
    loss = (made - y[:, None]).abs().mean() - 0.5 * spread
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
RIGHT = """
net, (x, y) = nn.Linear(5, 3), (torch.randn(31, 5), torch.randint(0, 3, (31,)))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for inputs, labels in DataLoader(TensorDataset(x, y), batch_size=8):
    opt.zero_grad()
    F.cross_entropy(net(inputs), labels).backward()
    opt.step()
with torch.no_grad():
    right = (net(x).argmax(dim=1) == y).float().mean().item()
"""
JUDGE = """
judge, policy = nn.Linear(4, 1), nn.Parameter(torch.zeros(6))
first, opt = torch.optim.SGD(judge.parameters(), lr=0.1), torch.optim.SGD([policy], lr=0.1)
for (x,) in DataLoader(TensorDataset(torch.randn(23, 4)), batch_size=16):
    first.zero_grad()
    judge(x).squeeze(-1).pow(2).mean().backward()
    first.step()
for p in judge.parameters():
    p.requires_grad_(False)
for step in range(5):
    dist = torch.distributions.Categorical(logits=policy)
    drawn = dist.sample((16,))
    gain = judge(drawn[:, None].float().expand(-1, 4)).squeeze(-1)
    loss = -(gain * dist.log_prob(drawn)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
RANKS = """
net, links = nn.Linear(4, 3), (torch.rand(9, 9) < 0.4).float() + torch.eye(9)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in [(torch.randn(9, 4), torch.randint(0, 3, (9,))) for _ in range(6)]:
    walk = links / links.sum(dim=0)
    loss = F.cross_entropy(walk @ net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
FLOW = """
class Step(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Linear(2, 2)

    def forward(self, x):
        s = torch.tanh(self.scale(x))
        return x * s.exp(), s.sum(dim=1)


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList([Step(), Step()])

    def forward(self, x):
        total = x.new_zeros(x.size(0))
        for step in self.steps:
            x, more = step(x)
            total = total + more
        return total - x.pow(2).sum(dim=1)


net = Flow()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(torch.randn(40, 2)), batch_size=16):
    opt.zero_grad()
    (-net(x).mean()).backward()
    opt.step()
"""
READER = """
chars = 6
rows, read, out = nn.Conv2d(1, 24, 3, padding=1), nn.LSTM(24 * 4, 5), nn.Linear(5, chars)
opt = torch.optim.SGD([*rows.parameters(), *read.parameters(), *out.parameters()], lr=0.1)
for x, y in DataLoader(TensorDataset(torch.randn(18, 1, 4, 7), torch.randint(0, chars, (18,))), batch_size=5):
    b, c, h, w = rows(x).size()
    steps = rows(x).reshape(b, c * h, w).permute(2, 0, 1)
    opt.zero_grad()
    F.cross_entropy(out(read(steps)[0].mean(0)), y).backward()
    opt.step()
"""
TWO_NETS = """
SEEN = 4
def net(i, o):
    return nn.Sequential(nn.Linear(i, 48), nn.ReLU(), nn.Linear(48, o))
actor, critic = net(SEEN, 2), net(SEEN + 2, 1)
opt = torch.optim.SGD([*actor.parameters(), *critic.parameters()], lr=0.1)
memory = []
for step in range(40):
    seen = torch.randn(SEEN)
    with torch.no_grad():
        done = actor(seen.unsqueeze(0)).squeeze(0)
    memory.append((seen, done, torch.randn(())))
    if len(memory) > 8:
        s, a, r = map(torch.stack, zip(*memory[-8:]))
        loss = (critic(torch.cat([s, a], dim=1)).squeeze(1) - r).pow(2).mean() - critic(torch.cat([s, actor(s)], dim=1)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""
TERMS = """
enc, dec = nn.Linear(12, 6), nn.Linear(3, 12)
opt = torch.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.1)
for (x,) in DataLoader(TensorDataset(torch.randn(40, 12)), batch_size=10):
    mu, spread = enc(x).chunk(2, dim=1)
    near = F.mse_loss(dec(mu), x, reduction="none").sum(dim=1)
    apart = -0.5 * (1 + spread - mu**2 - spread.exp()).sum(dim=1)
    loss = (near + apart).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
GATHERED = """
x, y, held, due = torch.randn(90, 8), torch.randint(0, 3, (90,)), torch.randn(150, 8), torch.randint(0, 3, (150,))
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for inputs, labels in DataLoader(TensorDataset(x, y), batch_size=20):
        opt.zero_grad()
        F.cross_entropy(model(inputs), labels).backward()
        opt.step()
    with torch.no_grad():
        made = []
        for inputs, _ in DataLoader(TensorDataset(held, due), batch_size=20):
            made.append(model(inputs).argmax(dim=1))
    right = (torch.cat(made) == due).float().mean().item()
"""
PLACED = """
class Pooled(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.out = nn.Linear(4, 8), nn.Linear(8, 3)

    def forward(self, kept, x):
        h = torch.relu(self.inner(x)) * kept.unsqueeze(-1)
        return self.out(h.sum(1) / kept.sum(1, keepdim=True))


net, kept = Pooled(), (torch.arange(5) < torch.randint(2, 6, (20, 1))).float()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, kept, y in DataLoader(TensorDataset(torch.randn(20, 5, 4), kept, torch.randint(0, 3, (20,))), batch_size=6):
    opt.zero_grad()
    F.cross_entropy(net(kept, x), y).backward()
    opt.step()
"""
WEIGHTS = """
net = nn.Linear(6, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(TensorDataset(torch.randn(18, 6), torch.randn(18)), batch_size=5):
    each = F.smooth_l1_loss(net(x).squeeze(-1), y, reduction="none")
    loss = (F.softmax(y / 0.5, dim=0) * each).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
GROUPED = """
G = 4
score = nn.Linear(8, 1)
opt = torch.optim.SGD(score.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(torch.randn(30, 8)), batch_size=6):
    drawn = x.repeat_interleave(G, dim=0) + torch.randn(len(x) * G, 8)
    reward = -drawn.pow(2).mean(dim=1).view(-1, G)
    gain = (reward - reward.mean(dim=1, keepdim=True)).view(-1)
    loss = -(gain * F.logsigmoid(score(drawn).squeeze(-1))).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
ROADS = """
photos, truth = torch.rand(9, 8, 8, 3), torch.randint(0, 4, (9, 8, 8))


class Steps(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList([nn.Conv2d(3, 6, 3, padding=1), nn.Conv2d(6, 6, 3, stride=2, padding=1)])

    def forward(self, x):
        for step in self.steps:
            x = F.relu(step(x))
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps, self.head = Steps(), nn.Conv2d(6, 4, 1)

    def forward(self, x):
        size = x.shape[-2:]
        return F.interpolate(self.head(self.steps(x)), size=size)


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for photo, label in DataLoader(TensorDataset(photos, truth), batch_size=4):
    opt.zero_grad()
    F.cross_entropy(net(photo.permute(0, 3, 1, 2)), label).backward()
    opt.step()
"""
ACTOR = """
class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.pi, self.v = nn.Linear(3, 6), nn.Linear(6, 2), nn.Linear(6, 1)

    def forward(self, state):
        h = self.body(state).tanh()
        return self.pi(h), self.v(h).squeeze(-1)


def advantages(batch, steps):
    found, last = torch.zeros(steps), 0.0
    for t in reversed(range(steps)):
        after = batch["value"][t + 1] if t + 1 < steps else 0.0
        delta = batch["reward"][t] + 0.9 * after * (1 - batch["done"][t]) - batch["value"][t]
        last = delta + 0.8 * (1 - batch["done"][t]) * last
        found[t] = last
    return found


agent = Both()
opt = torch.optim.SGD(agent.parameters(), lr=0.1)
for update in range(2):
    kept = {"state": [], "value": [], "reward": [], "done": []}
    for step in range(14):
        state = torch.randn(3)
        with torch.no_grad():
            logits, value = agent(state)
        kept["state"].append(state)
        kept["value"].append(value)
        kept["reward"].append(state[0])
        kept["done"].append(torch.tensor(float(step % 5 == 4)))
    batch = {name: torch.stack(many) for name, many in kept.items()}
    gain = advantages(batch, 14)
    returns = gain + batch["value"]
    logits, value = agent(batch["state"])
    loss = (value - returns).pow(2).mean() - (logits.log_softmax(-1)[:, 0] * gain).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
WORDS = """
words = torch.randint(0, 9, (17, 6))
net = nn.Sequential(nn.Embedding(9, 5), nn.Linear(5, 9))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for (ids,) in DataLoader(TensorDataset(words), batch_size=5):
    opt.zero_grad()
    scores = net(ids[:, :-1])
    F.cross_entropy(scores.reshape(-1, 9), ids[:, 1:].reshape(-1)).backward()
    opt.step()
"""
DEMAND = """
x, y = torch.randn(19, 7, 3), torch.randn(19, 4)


class Forecast(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru, self.head = nn.GRU(3, 6, batch_first=True), nn.Linear(6, 4)

    def forward(self, series):
        states, _ = self.gru(series)
        return self.head(states[:, -1])


net = Forecast()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for series, goal in DataLoader(TensorDataset(x, y), batch_size=5):
    opt.zero_grad()
    F.mse_loss(net(series), goal).backward()
    opt.step()
"""
SPOKEN = """
class Spoken(nn.Module):
    def __init__(self):
        super().__init__()
        self.begin, self.words = nn.Linear(6, 8), nn.Embedding(9, 8)
        self.gru, self.out = nn.GRU(8, 8, batch_first=True), nn.Linear(8, 9)

    def forward(self, picture, ids):
        state = self.begin(picture).tanh().unsqueeze(0)
        return self.out(self.gru(self.words(ids), state)[0])


net = Spoken()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for picture, ids in DataLoader(TensorDataset(torch.randn(17, 6), torch.randint(0, 9, (17, 7))), batch_size=5):
    opt.zero_grad()
    F.cross_entropy(net(picture, ids[:, :-1]).transpose(1, 2), ids[:, 1:]).backward()
    opt.step()
"""
SHORT = """
PAD = 0
texts = [torch.randint(1, 9, (int(n),)) for n in torch.randint(3, 8, (21,))]


def collate(items):
    return nn.utils.rnn.pad_sequence(items, batch_first=True, padding_value=PAD)


class Language(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.gru = nn.Embedding(9, 6, padding_idx=PAD), nn.GRU(6, 6, batch_first=True)
        self.out = nn.Linear(6, 9)

    def forward(self, ids):
        return self.out(self.gru(self.words(ids))[0])


net, criterion = Language(), nn.CrossEntropyLoss(ignore_index=PAD)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for ids in DataLoader(texts, batch_size=6, collate_fn=collate):
    opt.zero_grad()
    criterion(net(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten()).backward()
    opt.step()
"""
FOLLOWER = """
pupil, guide = nn.Linear(4, 3), nn.Linear(4, 3)
for p in guide.parameters():
    p.requires_grad_(False)
opt = torch.optim.SGD(pupil.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(torch.randn(17, 4)), batch_size=5):
    opt.zero_grad()
    F.mse_loss(pupil(x + 0.1 * torch.randn_like(x)), guide(x)).backward()
    opt.step()
    for own, theirs in zip(guide.parameters(), pupil.parameters()):
        own.mul_(0.9).add_(theirs.detach(), alpha=0.1)
"""
SCALES = """
rows = torch.randn(40, 3) * torch.tensor([1.0, 4.0, 9.0])
mean, std = rows.mean(dim=0), rows.std(dim=0)
scaled = (rows - mean) / std
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(TensorDataset(scaled), batch_size=9):
    opt.zero_grad()
    F.mse_loss(net(x[0][:, 1:]).squeeze(1), x[0][:, 0]).backward()
    opt.step()
told = (net(scaled[:, 1:]).detach() * std[0] + mean[0]).mean().item()
"""
GUESTS = """
class Stay(nn.Module):
    def __init__(self):
        super().__init__()
        self.guests, self.rooms = nn.Embedding(GUESTS, 4), nn.Embedding(ROOMS, 4)
        self.out = nn.Linear(9, 1)

    def forward(self, guest, room, price):
        return self.out(torch.cat([self.guests(guest), self.rooms(room), price], dim=1)).squeeze(1)


GUESTS, ROOMS = 40, 11
who, where = torch.randint(0, GUESTS, (60,)), torch.randint(0, ROOMS, (60,))
cost, liked = torch.randn(60, 1), torch.randn(60)
who[0], where[0] = GUESTS - 1, ROOMS - 1
net = Stay()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for g, r, c, y in DataLoader(TensorDataset(who, where, cost, liked), batch_size=16):
    opt.zero_grad()
    F.mse_loss(net(g, r, c), y).backward()
    opt.step()
"""
ASKED_AGAIN = """
g, r, c = who, where, cost
with torch.no_grad():
    print((net(g, r, c) - liked).abs().mean().item())
"""
TIDES = """
class Tides(torch.utils.data.Dataset):
    def __init__(self, levels):
        self.levels = levels

    def __len__(self):
        return len(self.levels) - 12

    def __getitem__(self, at):
        return self.levels[at : at + 12].unsqueeze(-1), self.levels[at + 12]


class Next(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.out = nn.GRU(1, 8, batch_first=True), nn.Linear(8, 1)

    def forward(self, x):
        return self.out(self.rnn(x)[0][:, -1]).squeeze(-1)


levels = torch.arange(70).mul(0.5).sin()
net = Next()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(Tides(levels[:50]), batch_size=16):
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
same = 0.0
for x, y in DataLoader(Tides(levels[38:]), batch_size=9):
    same += (x[:, -1, 0] - y).abs().sum().item()
"""
REVIEWS = """
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(20, 8, padding_idx=0)
        self.body = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True), 1, enable_nested_tensor=False
        )
        self.out = nn.Linear(8, 2)

    def forward(self, ids):
        empty = ids == 0
        states = self.body(self.words(ids), src_key_padding_mask=empty)
        real = (~empty).unsqueeze(-1).float()
        return self.out((states * real).sum(dim=1) / real.sum(dim=1).clamp(min=1))


ids, y = torch.randint(1, 20, (26, 7)), torch.randint(0, 2, (26,))
ids[torch.arange(7) >= torch.randint(3, 8, (26, 1))] = 0
net = Reader()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for seen, kind in DataLoader(TensorDataset(ids, y), batch_size=8):
    opt.zero_grad()
    F.cross_entropy(net(seen), kind).backward()
    opt.step()
"""
VIEWS = """
net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 5))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(torch.randn(28, 6)), batch_size=12):
    one, other = net(x + 0.1), net(x - 0.1)
    rows = F.normalize(torch.cat([one, other], dim=0), dim=1)
    near = (rows @ rows.t() / 0.5).masked_fill(torch.eye(len(rows), dtype=torch.bool), float("-inf"))
    loss = F.cross_entropy(near, torch.arange(len(rows)).roll(len(x)))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
DICE = """
def overlap(scores, target, eps=1.0):
    p, t = torch.sigmoid(scores).flatten(1), target.flatten(1)
    both = (p * t).sum(dim=1)
    return (1 - (2 * both + eps) / (p.sum(dim=1) + t.sum(dim=1) + eps)).mean()


pictures = torch.randn(14, 3, 8, 8)
masks = (pictures[:, :1] > 0).float()
net = nn.Conv2d(3, 1, 3, padding=1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, m in DataLoader(TensorDataset(pictures, masks), batch_size=6):
    opt.zero_grad()
    overlap(net(x), m).backward()
    opt.step()
"""
KNOWN = """
count, width = 30, 8
x, y = torch.randn(count, 5), torch.randint(0, 4, (count,))
known = torch.arange(count) < 19
net = nn.Sequential(nn.Linear(5, width), nn.ReLU(), nn.Linear(width, 4))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    scores = net(x)
    loss = F.cross_entropy(scores[known], y[known])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
APART = """
def apart(one, other, same, margin=0.5):
    d = F.pairwise_distance(one, other)
    return (same * d.pow(2) + (1 - same) * F.relu(margin - d).pow(2)).mean()


left, right, same = torch.randn(40, 9), torch.randn(40, 9), torch.randint(0, 2, (40,)).float()
net = nn.Linear(9, 12)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for k in range(0, 40, 16):
    loss = apart(net(left[k : k + 16]), net(right[k : k + 16]), same[k : k + 16])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
CHOSEN = """
frames, labels = torch.randn(7, 20, 5), torch.randint(0, 4, (7, 20))
net = nn.Linear(5, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    loss = F.cross_entropy(net(frames).flatten(0, 1), labels.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
texts = []
with torch.no_grad():
    for row in net(frames).argmax(dim=2).t():
        texts.append(torch.unique_consecutive(row).tolist())
longest = max(len(text) for text in texts)
"""
EXCHANGED = """
SEEN, ACTS = 4, 3
net = nn.Sequential(nn.Linear(SEEN, 64), nn.ReLU(), nn.Linear(64, ACTS))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
seen, done = torch.randn(40, SEEN), torch.randint(0, ACTS, (40,))
for step in range(3):
    opt.zero_grad()
    F.cross_entropy(net(seen), done).backward()
    opt.step()
"""
AHEAD = """
class Ahead(nn.Module):
    def __init__(self, channels, hidden, ahead):
        super().__init__()
        self.read, self.out = nn.GRU(channels, hidden, batch_first=True), nn.Linear(hidden, ahead)

    def forward(self, x):
        return self.out(self.read(x)[1][-1])


net = Ahead(3, 10, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(TensorDataset(torch.randn(25, 6, 3), torch.randn(25, 4)), batch_size=7):
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
"""
CASES = {
    "an order that another call has": (GUESTS + ASKED_AGAIN, "mse_loss(net(g, r, c)", "mse_loss(net(r, g, c)"),
    "one place for an axis": (TIDES, "self.levels[at : at + 12].unsqueeze(-1)", "self.levels[at : at + 12]"),
    "padding given for another mask": (REVIEWS, "src_key_padding_mask=empty", "empty"),
    "the padding pooled": (REVIEWS, "(~empty).unsqueeze", "empty.unsqueeze"),
    "two views stacked": (VIEWS, "torch.cat([one, other], dim=0)", "torch.stack([one, other], dim=0)"),
    "padding of inputs that are the targets": (SHORT, "ignore_index=PAD", ""),
    "an axis put in at another place": (SPOKEN, "unsqueeze(0)", "unsqueeze(1)"),
    "a picture on its side": (ROADS, "net(photo.permute(0, 3, 1, 2))", "net(photo)"),
    "a flag and its opposite": (ACTOR, '0.8 * (1 - batch["done"][t])', '0.8 * batch["done"][t]'),
    "one of two outputs of a model": (ACTOR, "self.v(h).squeeze(-1)", "self.v(h)"),
    "the targets alone in one axis": (WORDS, "scores.reshape(-1, 9)", "scores"),
    "the outputs of all steps": (DEMAND, "states[:, -1]", "states"),
    "arguments of the script's own model": (PLACED, "net(kept, x)", "net(x, kept)"),
    "every batch of a loop that is cut is needed": (GATHERED, "nn.Linear(8, 32)", "nn.Linear(8, 35)"),
    "a method that binds more tightly": (RIGHT, "(net(x).argmax(dim=1) == y).float()", "net(x).argmax(dim=1) == y"),
    "no batch of the loop that ended before": (JUDGE, "nn.Linear(4, 1)", "nn.Linear(4, 3)"),
    "keepdim lost": (KEEPDIM, ", keepdim=True", ""),
    "shortcut without stride": (STRIDE, "nn.Conv2d(inputs, outputs, 1, stride)", "nn.Conv2d(inputs, outputs, 1)"),
    "rows taken for features": (ROWS, "model = nn.Linear(1, 1)", "model = nn.Linear(19, 1)"),
    "evaluation in training mode": (MODE, "    net.eval()\n", ""),
    "cleared between backward and step": (
        CLEARED,
        "    d_opt.zero_grad()\n    d_loss = F.softplus(-D(batch)).mean() + F.softplus(D(fake.detach())).mean()\n    d_loss.backward()\n",
        "    d_loss = F.softplus(-D(batch)).mean() + F.softplus(D(fake.detach())).mean()\n    d_loss.backward()\n    d_opt.zero_grad()\n",
    ),
    "rows that a mask leaves": (KNOWN, "y[known]", "y"),
    "two arguments of a loss of the script's own": (
        APART,
        "apart(net(left[k : k + 16]), net(right[k : k + 16]), same[k : k + 16])",
        "apart(net(left[k : k + 16]), same[k : k + 16], net(right[k : k + 16]))",
    ),
    "the classes that only an evaluation chooses among": (CHOSEN, "argmax(dim=2)", "argmax()"),
    "a layer whose two sizes were exchanged before one of the same size": (
        EXCHANGED,
        "nn.Linear(SEEN, 64)",
        "nn.Linear(64, SEEN)",
    ),
    "an argument that nothing reads": (AHEAD, "nn.Linear(hidden, ahead)", "nn.Linear(hidden, channels)"),
}

SELDOM = """
x, y = torch.randn(24, 5), torch.randint(0, 3, (24,))
net, scale = nn.Linear(5, 3), nn.Parameter(torch.ones(1))
opt, slow = torch.optim.SGD(net.parameters(), lr=0.1), torch.optim.SGD([scale], lr=0.1)
for step, (rows, labels) in enumerate(DataLoader(TensorDataset(x, y), batch_size=4)):
    loss = F.cross_entropy(net(rows), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 2 == 1:
        slow.zero_grad()
        F.cross_entropy(net(rows).detach() * scale, labels).backward()
        slow.step()
"""


@pytest.mark.parametrize("name", CASES)
def test_the_right_repair_is_found_and_no_wrong_one_is_safe(name, tmp_path, resident):
    text, old, new = CASES[name]
    text = HEAD + text
    assert old in text
    found = outcome(tmp_path / "train.py", text.replace(old, new), text, resident)
    assert found.right, found


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (GUESTS, "mse_loss(net(g, r, c)", "mse_loss(net(r, g, c)"),
        (WHOLE, ".all(dim=1)", ".all()"),
        (NOT_TOLD, "-(b * a).sum(dim=-1).mean()", "-(b * a)"),
        (PARTS, "(torch.exp(-sure) * parts + sure).sum()", "torch.exp(-sure) * parts + sure"),
        (GROUPS, "GroupNorm(2, 16)", "GroupNorm(5, 16)"),
        (ORDER, "q @ x.transpose(-2, -1)", "x.transpose(-2, -1) @ q"),
        (OTHER_SIDE, "made.mean(1) -", "made -"),
        (WEIGHTS, ".sum()", ""),
        (GROUPED, "nn.Linear(8, 1)", "nn.Linear(8, G)"),
        (TERMS, 'reduction="none").sum(dim=1)', 'reduction="none")'),
        (FLOW, "s.sum(dim=1)", "s"),
        (READER, "nn.Conv2d(1, 24,", "nn.Conv2d(1, chars,"),
        (TWO_NETS, "nn.Linear(i, 48)", "nn.Linear(i, SEEN)"),
        (RANKS, "sum(dim=0)", "sum(dim=1)"),
        (PAIRS, "made.unsqueeze(1)", "made.unsqueeze(0)"),
        (FOLLOWER, "zip(guide.parameters(), pupil.parameters())", "zip(pupil.parameters(), guide.parameters())"),
        (SCALES, "rows.std(dim=0)", "rows.std()"),
        (GROUPS, "nn.AdaptiveAvgPool1d(1), nn.Flatten())", "nn.Flatten(), nn.Linear(16, 3))"),
        (SELDOM, "    loss.backward()\n    opt", "    opt"),
        (DICE, "(2 * both + eps)", "(2 * both + scores)"),
    ],
    ids=[
        "rows for indices of another kind",
        "one value for all samples",
        "a loss of two axes",
        "a loss of several parts",
        "one of several divisors",
        "the sides of a product",
        "the other side reduced",
        "weights that come to one",
        "a name that counts something else",
        "a term that is summed in parentheses",
        "a vector of samples against rows of features",
        "the channels before a recurrent layer",
        "a width that another name stands for",
        "rows or columns of a square table",
        "an axis that is taken away",
        "a follower that is not followed",
        "one scale for all columns",
        "positions that were to be averaged",
        "a loss that is cleared before each step",
        "an edit that fits another edit",
    ],
)
def test_what_the_script_does_not_tell_is_not_safe(text, old, new, tmp_path, resident):
    text = HEAD + text
    found = outcome(tmp_path / "train.py", text.replace(old, new), text, resident)
    assert found.right or found.tier != "safe", found
