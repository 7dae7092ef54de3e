"""Cases of SW322."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
forger = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 8))
judge = nn.Sequential(nn.Linear(8, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
forger_opt = torch.optim.Adam(forger.parameters(), lr=2e-4)
judge_opt = torch.optim.Adam(judge.parameters(), lr=2e-4)
bce = nn.BCEWithLogitsLoss()
for epoch in range(2):
    for (real,) in DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=16):
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        judge_opt.zero_grad()
        {early}
        fake = forger(torch.randn(len(real), 6))
        real_loss = bce(judge(real), ones)
        fake_loss = bce(judge({fake}), zeros)
        (real_loss + fake_loss).backward()
        judge_opt.step()
        {late}
        score = judge(forger(torch.randn(len(real), 6)))
        bce(score, ones).backward()
        forger_opt.step()
"""

_SHARED = """
import torch
from torch import nn
torch.manual_seed(0)
body, left, right = nn.Linear(5, 8), nn.Linear(8, 1), nn.Linear(8, 3)
opts = [torch.optim.Adam(part.parameters()) for part in (body, left, right)]
for step in range(6):
    x = torch.randn(12, 5)
    for opt in opts:
        opt.zero_grad()
    (left(body(x)).squeeze(1) - x.sum(1)).square().mean().backward()
    opts[1].step()
    nn.functional.cross_entropy(right(body(x)), x[:, :3].argmax(1)).backward()
    opts[2].step()
    opts[0].step()
"""


FAULTY = ((filled(_SCRIPT, early="forger_opt.zero_grad()", fake="fake", late="pass"), 19),)

SOUND = (
    filled(_SCRIPT, early="forger_opt.zero_grad()", fake="fake.detach()", late="pass"),
    filled(_SCRIPT, early="pass", fake="fake", late="forger_opt.zero_grad()"),
    filled(_SCRIPT, early="pass", fake="fake", late="forger.zero_grad()"),
    _SHARED,
)
