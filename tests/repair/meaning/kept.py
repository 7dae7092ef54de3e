"""Faults that have had no repair: lists that are never emptied, a layer that flattens left out of a list, one direction
of two counted, and what a class keeps of two networks confused."""

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
    ("summed", SUMMED, {"list_not_emptied": ("    memory.gains.clear()\n", "")}),
)
