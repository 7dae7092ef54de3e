"""Cases of SW343."""

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

FAULTY = (
    (_MIXTURE.replace("{sum}", "chance"), 16),
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
)

SOUND = (
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
)
