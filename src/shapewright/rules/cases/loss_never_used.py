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

FAULTY = (
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
