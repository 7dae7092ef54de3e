"""Cases of SW343."""

from . import filled

SETUP = """
import torch
from torch import nn
d, g = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1)), nn.Linear(3, 6)
bce = nn.BCEWithLogitsLoss()
opt_d, opt_g = torch.optim.Adam(d.parameters()), torch.optim.Adam(g.parameters())
ones, zeros = torch.ones(8, 1), torch.zeros(8, 1)
for step in range(3):
    fake = g(torch.randn(8, 3))
    opt_d.zero_grad()
{body}
    opt_d.step()
    opt_g.zero_grad()
    bce(d(fake), ones).backward()
    opt_g.step()
"""

_MIXTURE = """
import torch
from torch import nn
torch.manual_seed(0)

class Mixture(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight, self.mean = nn.Linear(3, 4), nn.Linear(3, 4)

    def forward(self, x):
        return self.weight(x).log_softmax(1), self.mean(x)

def cost(weights, means, y):
    chance = -0.5 * (y[:, None] - means) ** 2
    return -torch.logsumexp({sum}, dim=1).mean()

net = Mixture()
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    x = torch.randn(16, 3)
    loss = cost(*net(x), x.sum(1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_TASKS = """
import torch
from torch import nn
torch.manual_seed(0)
body, kind, size = nn.Linear(10, 32), nn.Linear(32, 3), nn.Linear(32, 1)
opt = torch.optim.Adam([*body.parameters(), *kind.parameters(), *size.parameters()])
def both(x, k, s):
    h = torch.relu(body(x))
    named = nn.functional.cross_entropy(kind(h), k)
    return named, (({heard}).squeeze(1) - s).square().mean()
for epoch in range(4):
    for part in torch.randn(24, 10).split(8):
        one, two = both(part, torch.randint(0, 3, (8,)), torch.rand(8))
        opt.zero_grad()
        ({loss}).backward()
        opt.step()
    print(epoch, one.item(), two.item())
"""

_MOVES = """
import torch
from torch import nn
torch.manual_seed(0)
body, move, judge = nn.Linear(4, 16), nn.Linear(16, 2), nn.Linear(16, 1)
opt = torch.optim.Adam([*body.parameters(), *move.parameters(), *judge.parameters()])
for episode in range(6):
    moves, worths = [], []
    for t in range(8):
        h = torch.tanh(body(torch.randn(4)))
        chance = torch.distributions.Categorical(logits=move(h))
        a = chance.sample()
        gain = torch.tensor([float(a)])
        worth = judge(h)
        moves.append(-chance.log_prob(a) * (gain - worth.item()))
        worths.append(nn.functional.smooth_l1_loss(worth, gain))
    loss = torch.stack(moves).sum() + torch.stack({second}).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_FLOWS = """
import torch
from torch import nn
torch.manual_seed(0)

class Step(nn.Module):
    def __init__(self):
        super().__init__()
        self.size, self.shift = nn.Linear(1, 1), nn.Linear(1, 1)

    def forward(self, x):
        a, b = x.chunk(2, 1)
        s = self.size(a).tanh()
        return torch.cat([b * s.exp() + self.shift(a), a], 1), s.sum(1)

steps = nn.ModuleList(Step() for _ in range(3))
opt = torch.optim.Adam(steps.parameters(), lr=1e-2)
for turn in range(4):
    z, total = torch.randn(16, 2) * 2 + 1, torch.zeros(16)
    for step in steps:
        z, scale = step(z)
        {sum}
    loss = (0.5 * z.pow(2).sum(1) - total).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

BRANCHED = """    if opt_d.param_groups[0]["lr"] > 1:
        loss = bce(d(torch.randn(8, 6)), zeros)
    else:
        loss = bce(d(torch.randn(8, 6)), ones)
    {then}
    loss.backward()"""

FAULTY = (
    (_MIXTURE.replace("{sum}", "chance"), 16),
    (SETUP.format(body=BRANCHED.format(then="loss = bce(d(fake.detach()), zeros)")), 14),
    (
        SETUP.format(
            body="""    loss = bce(d(torch.randn(8, 6)), ones)
    loss = bce(d(fake.detach()), zeros)
    loss.backward()"""
        ),
        11,
    ),
    (
        SETUP.format(
            body="""    real = bce(d(torch.randn(8, 6)), ones)
    other = bce(d(fake.detach()), zeros)
    other.backward()"""
        ),
        11,
    ),
    (filled(_TASKS, heard="size(h)", loss="one + 0.5 * one"), 10),
    (filled(_MOVES, second="moves"), 16),
    (filled(_FLOWS, sum="total = scale"), 22),
)

SOUND = (
    SETUP.format(body=BRANCHED.format(then="loss = loss + bce(d(fake.detach()), zeros)")),
    SETUP.format(body=BRANCHED.format(then="loss += bce(d(fake.detach()), zeros)")),
    SETUP.format(body=BRANCHED.format(then="if step > 9:\n        loss = bce(d(fake.detach()), zeros)")),
    filled(_FLOWS, sum="total = total + scale"),
    # one layer over the steps of a sequence: the last answer counts
    """
import torch
from torch import nn
cell, head = nn.GRUCell(3, 5), nn.Linear(5, 1)
opt = torch.optim.Adam([*cell.parameters(), *head.parameters()])
for turn in range(4):
    x, h = torch.randn(8, 6, 3), torch.zeros(8, 5)
    for t in range(6):
        h = cell(x[:, t], h)
        said = head(h).squeeze(1)
    loss = (said - x.sum((1, 2))).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    _MIXTURE.replace("{sum}", "weights + chance"),
    SETUP.format(
        body="""    loss = bce(d(torch.randn(8, 6)), ones)
    loss.backward()
    loss = bce(d(fake.detach()), zeros)
    loss.backward()"""
    ),
    SETUP.format(
        body="""    loss = bce(d(torch.randn(8, 6)), ones)
    loss = loss + bce(d(fake.detach()), zeros)
    shown = d(fake).mean()
    loss.backward()
    print(shown)"""
    ),
    # a loss that joins later, a head that reads without teaching the body, one that is watched alone
    filled(_TASKS, heard="size(h)", loss="one + (two if epoch > 2 else 0)"),
    filled(_TASKS, heard="size(h.detach())", loss="one + two"),
    filled(_TASKS, heard="kind(h)[:, :1] + 0 * size(h).detach()", loss="one"),
    filled(_MOVES, second="worths"),
    # losses of other models that are looked at before the training
    _MIXTURE.replace("{sum}", "weights + chance").replace(
        "opt =", "for one in (Mixture(), Mixture()):\n    print(cost(*one(torch.randn(5, 3)), torch.ones(5)))\nopt ="
    ),
)
