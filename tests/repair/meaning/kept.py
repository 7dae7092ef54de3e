"""Faults that have had no repair: writes that are lost, lists that are never emptied, a layer that flattens left out of
a list, picks of the wrong extreme, steps in the wrong order."""

FLAT = """
x, y = torch.rand(26, 1, 8, 8), torch.randint(0, 3, (26,))


def build(maps=5):
    return nn.Sequential(
        nn.Conv2d(1, maps, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(4),
        nn.Flatten(),
        nn.Linear(maps * 2 * 2, 3),
    )


net = build()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for rows in torch.arange(26).split(8):
    opt.zero_grad()
    F.cross_entropy(net(x[rows]), y[rows]).backward()
    opt.step()
"""
BOTH = """
x, y = torch.randn(21, 6, 4), torch.randint(0, 3, (21,))


class Reader(nn.Module):
    def __init__(self, features=4, width=5, kinds=3):
        super().__init__()
        self.read = nn.GRU(features, width, batch_first=True, bidirectional=True)
        self.judge = nn.Linear(2 * width, kinds)

    def forward(self, rows):
        return self.judge(self.read(rows)[0].mean(dim=1))


net = Reader()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for rows in torch.arange(21).split(8):
    opt.zero_grad()
    F.cross_entropy(net(x[rows]), y[rows]).backward()
    opt.step()
"""
PLAYED = """
real = torch.randn(24, 4) + 2


class Game:
    def __init__(self):
        self.make = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 4))
        self.judge = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
        self.makes = torch.optim.SGD(self.make.parameters(), lr=0.1)
        self.judges = torch.optim.SGD(self.judge.parameters(), lr=0.1)
        self.loss = nn.BCEWithLogitsLoss()

    def step(self, rows):
        n = len(rows)
        fake = self.make(torch.randn(n, 3))
        self.judges.zero_grad()
        known = self.loss(self.judge(rows), torch.ones(n, 1))
        (known + self.loss(self.judge(fake.detach()), torch.zeros(n, 1))).backward()
        self.judges.step()
        self.makes.zero_grad()
        self.loss(self.judge(fake), torch.ones(n, 1)).backward()
        self.makes.step()


game = Game()
for rows in real.split(8):
    game.step(rows)
make, judge = game.make, game.judge
"""
PRUNED = """
x, y = torch.randn(24, 6), torch.randint(0, 4, (24,))
net = nn.Linear(6, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
small = (net.weight.detach().abs() < 0.2).nonzero(as_tuple=True)
losses = {}
for step in range(3):
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.setdefault(step % 2, []).append(loss.item())
    with torch.no_grad():
        net.weight[small] = net.weight[small].zero_()
        net.bias[net.bias > 0.3] = net.bias[net.bias > 0.3].clamp_(max=0.2)
total = sum(sum(one) for one in losses.values())
"""
EPISODES = """
from torch.distributions import Categorical


class Memory:
    def __init__(self):
        self.logs, self.gains = [], []


policy, memory = nn.Linear(4, 2), Memory()
opt = torch.optim.SGD(policy.parameters(), lr=0.1)


def update():
    total, loss = 0.0, 0.0
    for log, gain in reversed(list(zip(memory.logs, memory.gains))):
        total = gain + 0.9 * total
        loss = loss - log * total
    opt.zero_grad()
    loss.backward()
    opt.step()
    memory.logs.clear()
    memory.gains.clear()


for episode in range(4):
    for step in range(4 + episode):
        choice = Categorical(logits=policy(torch.randn(4)))
        action = choice.sample()
        memory.logs.append(choice.log_prob(action))
        memory.gains.append(float(action) - 0.3 * step)
    update()
"""
SUMMED = EPISODES.replace(
    """    total, loss = 0.0, 0.0
    for log, gain in reversed(list(zip(memory.logs, memory.gains))):
        total = gain + 0.9 * total
        loss = loss - log * total
""",
    """    total, sums = 0.0, []
    for gain in reversed(memory.gains):
        total = gain + 0.9 * total
        sums.insert(0, total)
    loss = -(torch.stack(memory.logs) * torch.tensor(sums)).sum()
""",
)
HARD = """
net = nn.Linear(6, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
rows, kinds = torch.randn(48, 6), torch.randint(0, 4, (48,))
for at in torch.arange(48).split(16):
    out = F.normalize(net(rows[at]), dim=1)
    apart = torch.cdist(out, out)
    same = kinds[at, None] == kinds[None, at]
    near = apart.masked_fill(~same, 0.0).max(dim=1).values
    far = apart.masked_fill(same, float("inf")).min(dim=1).values
    loss = F.relu(near - far + 0.2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
SPOKEN = """
x, y = torch.randn(6, 9, 5), torch.randint(1, 4, (6, 3))
net, top = nn.GRU(5, 8, batch_first=True), nn.Linear(8, 4)
opt = torch.optim.SGD([*net.parameters(), *top.parameters()], lr=0.1)


def spoken(path):
    left = [k for i, k in enumerate(path) if i == 0 or k != path[i - 1]]
    return [k for k in left if k != 0]


for epoch in range(2):
    logs = top(net(x)[0]).log_softmax(-1)
    loss = F.ctc_loss(logs.transpose(0, 1), y, torch.full((6,), 9), torch.full((6,), 3))
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    length = sum(len(spoken(row.argmax(-1).tolist())) for row in 9 * top(net(x)[0]))
"""
BOXES = """
def shared(a, b):
    low, high = torch.maximum(a[:, :2], b[:, :2]), torch.minimum(a[:, 2:], b[:, 2:])
    both = (high - low).clamp(min=0).prod(dim=1)
    areas = sum((x[:, 2:] - x[:, :2]).prod(1) for x in (a, b))
    return both / (areas - both)


rows = torch.randn(64, 6)
boxes = torch.cat([torch.rand(64, 2) * 20, torch.rand(64, 2) * 4 + 21], 1)
net = nn.Linear(6, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for at in torch.randperm(64).split(16):
    loss = (net(rows[at]) - boxes[at]).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    iou = shared(net(rows), boxes).mean().item()
"""
STANDARD = """
class Scale:
    def fit(self, x):
        self.middle, self.width = x.mean(0), x.std(0)
        return self

    def __call__(self, x):
        return (x - self.middle) / self.width


kinds = torch.randint(0, 3, (200,))
x = torch.stack([kinds * 2.0 + 20, 5 - kinds, 60 + 9 * torch.randn(200)], 1) + torch.randn(200, 3)
scale, held = Scale().fit(x[:160]), x[160:]
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for rows in torch.randperm(160).split(40):
    opt.zero_grad()
    F.cross_entropy(net(scale(x[rows])), kinds[rows]).backward()
    opt.step()
net.eval()
with torch.no_grad():
    right = (net(scale(held)).argmax(1) == kinds[160:]).float().mean().item()
"""
KEPT = (
    ("flat", FLAT, {"flatten_not_listed": ("        nn.Flatten(),\n", "")}),
    ("both ways", BOTH, {"one_direction": ("nn.Linear(2 * width", "nn.Linear(width")}),
    (
        "played",
        PLAYED,
        {
            "graph_kept": ("fake.detach()", "fake"),
            "other_target": ("self.judge(fake), torch.ones", "self.judge(fake), torch.zeros"),
            "other_network": ("SGD(self.make.parameters()", "SGD(self.judge.parameters()"),
        },
    ),
    (
        "pruned",
        PRUNED,
        {
            "copy_cleared": ("net.weight[small] = net.weight[small].zero_()", "net.weight[small].zero_()"),
            "default_lost": ("losses.setdefault(", "losses.get("),
        },
    ),
    ("episodes", EPISODES, {"list_not_emptied": ("    memory.gains.clear()\n", "")}),
    ("summed", SUMMED, {"list_not_emptied": ("    memory.gains.clear()\n", "")}),
    (
        "hard",
        HARD,
        {
            "easiest": ('masked_fill(same, float("inf")).min(', "masked_fill(same, 0.0).max("),
            "margin_turned": ("near - far + 0.2", "far - near + 0.2"),
        },
    ),
    (
        "spoken",
        SPOKEN,
        {
            "blanks_first": (
                "left = [k for i, k in enumerate(path) if i == 0 or k != path[i - 1]]\n    return [k for k in left if k != 0]",
                "left = [k for k in path if k != 0]\n    return [k for i, k in enumerate(left) if i == 0 or k != left[i - 1]]",
            )
        },
    ),
    ("boxes", BOXES, {"sides_below_zero": (".clamp(min=0).prod(dim=1)", ".prod(dim=1)")}),
    ("standard", STANDARD, {"asked_as_they_are": ("net(scale(held))", "net(held)")}),
)
