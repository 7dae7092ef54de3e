"""Cases of SW276."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
x = torch.randn(90, 4)
price = (x.sum(1, keepdim=True) / 2 + 3).exp() + torch.rand(90, 1)
mean, std = price[:60].mean(), price[:60].std()
goal = {goal}
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    for rows in torch.randperm(60).split(20):
        loss = nn.functional.{loss}
        opt.zero_grad()
        loss.backward()
        opt.step()
with torch.no_grad():
    guess = {guess}
    print(nn.functional.l1_loss(guess, {asked}).item())
"""
_OWN = "mse_loss(net(x[rows]), goal[rows])"
_SCALED, _LOG = "(price - mean) / std", "price.log1p()"


_ARRAYS = """
import numpy as np
import torch
from torch import nn
rng = np.random.default_rng(0)
torch.manual_seed(0)
x = rng.normal(size=(90, 4)).astype("float32")
y = 70 + 9 * x @ rng.normal(size=4) + rng.normal(size=90)
low, high = y[:60].min(), y[:60].max()
share = torch.tensor((y - low) / (high - low), dtype=torch.float32)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(3):
    loss = (net(torch.from_numpy(x[:60])).squeeze(1) - share[:60]).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
guess = net(torch.from_numpy(x[60:])).detach().numpy().ravel()
print(np.sqrt(np.mean(({guess} - y[60:]) ** 2)))
"""


_HALVED = """
import torch
from torch import nn
torch.manual_seed(0)
x = torch.randn(40, 4)
y = (x[:, 0] > 0).float()
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(3):
    out = net(x).squeeze(1)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    guess = net(x).flatten()
    print((({guess}) == y.bool()).float().mean())
"""


_CLASSES = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(60, 4), torch.randint(0, 3, (60,))
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3), nn.LogSoftmax(dim=1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(3):
    loss = nn.functional.nll_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    {guess}
    print((guess == y).float().mean().item())
"""

_BOXES = """
import torch
from torch import nn
torch.manual_seed(0)
def corners(b):
    x, y, w, h = b.unbind(-1)
    return torch.stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2], -1)
def overlap(a, b):
    sides = (torch.min(a[:, 2:], b[:, 2:]) - torch.max(a[:, :2], b[:, :2])).clamp(min=0)
    areas = (a[:, 2:] - a[:, :2]).prod(1) + (b[:, 2:] - b[:, :2]).prod(1)
    return sides.prod(1) / (areas - sides.prod(1) + 1e-6)
net = nn.Sequential(nn.Linear(6, 4), nn.Sigmoid())
opt = torch.optim.Adam(net.parameters())
x, boxes = torch.randn(32, 6), torch.rand(32, 4)
for _ in range(3):
    guess = net(x)
    loss = (guess - boxes).abs().mean()
    loss = loss - overlap({one}, {other}).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_NEXT = """
import torch
from torch import nn
torch.manual_seed(0)
net, slow = nn.Linear(4, 3), nn.Linear(4, 3)
slow.load_state_dict(net.state_dict())
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(6):
    now, then, did = torch.randn(16, 4), torch.randn(16, 4), torch.randint(0, 3, (16, 1))
    gain, on = torch.randn(16, 1), (torch.rand(16, 1) > 0.1).float()
    with torch.no_grad():
        goal = gain + 0.9 * on * {best}
    loss = nn.functional.smooth_l1_loss(net(now).gather(1, did), goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 2 == 0:
        slow.load_state_dict(net.state_dict())
"""
_LOG_SCALED = "(price.log1p() - 2) / 0.7"
_LATER = "price[60:] + 0.3"

FAULTY = (
    (_SCRIPT.format(goal=_SCALED, guess="net(x[60:])", asked="price[60:]", loss=_OWN), 19),
    (_SCRIPT.format(goal=_LOG, guess="net(x[60:])", asked="price[60:]", loss=_OWN), 19),
    (_SCRIPT.format(goal=_SCALED, guess="net(x[60:]) * std + mean", asked="goal[60:]", loss=_OWN), 19),
    (_ARRAYS.replace("{guess}", "guess"), 20),
    (_HALVED.format(guess="guess > 0.5", loss="nn.functional.binary_cross_entropy_with_logits(out, y)"), 18),
    (_HALVED.format(guess="guess.round().bool()", loss="nn.functional.binary_cross_entropy_with_logits(out, y)"), 18),
    (_HALVED.format(guess="guess.cpu() >= 0.5", loss="nn.BCEWithLogitsLoss()(out, y)"), 18),
    (filled(_CLASSES, guess="guess = net(x).max(1, keepdim=True)[0].squeeze(1)"), 16),
    (filled(_CLASSES, guess="guess, _ = torch.topk(net(x).exp(), 1); guess = guess[:, 0]"), 16),
    (_BOXES.format(one="guess", other="corners(boxes)"), 18),
    (_BOXES.format(one="corners(guess)", other="boxes"), 18),
    (_SCRIPT.format(goal=_SCALED, guess="net(x[60:]) * mean + std", asked="price[60:]", loss=_OWN), 19),
    (_SCRIPT.format(goal=_LOG, guess="10 ** net(x[60:])", asked="price[60:]", loss=_OWN), 19),
    (_SCRIPT.format(goal=_LOG_SCALED, guess="((net(x[60:]) + 2) * 0.7).expm1()", asked="price[60:]", loss=_OWN), 19),
    (_SCRIPT.format(goal=_LOG_SCALED, guess="((net(x[60:]) + 2) * 0.7).expm1()", asked=_LATER, loss=_OWN), 19),
    (filled(_NEXT, best="slow(then).max(1)[1].unsqueeze(1)"), 12),
    (filled(_NEXT, best="slow(then).argmax(1, keepdim=True).float()"), 12),
)

SOUND = (
    filled(_NEXT, best="slow(then).max(1)[0].unsqueeze(1)"),
    filled(_NEXT, best="slow(then).gather(1, net(then).argmax(1, keepdim=True))"),
    filled(_NEXT, best="(slow(then).argmax(1, keepdim=True) == 0).float() * slow(then).amax(1, keepdim=True)"),
    _SCRIPT.format(goal="price.log2()", guess="2 ** net(x[60:])", asked="price[60:]", loss=_OWN),
    _SCRIPT.format(goal=_SCALED, guess="(net(x[60:]) * std + mean).clamp(min=5)", asked="price[60:]", loss=_OWN),
    _SCRIPT.format(goal=_SCALED, guess="net(x[60:]) * std + mean", asked="price[60:]", loss=_OWN),
    _SCRIPT.format(goal=_SCALED, guess="net(x[60:])", asked="goal[60:]", loss=_OWN),
    _SCRIPT.format(goal=_LOG, guess="net(x[60:]).expm1()", asked="price[60:]", loss=_OWN),
    _SCRIPT.format(goal="price", guess="net(x[60:])", asked="price[60:]", loss=_OWN),
    _SCRIPT.format(goal=_LOG_SCALED, guess="(net(x[60:]) * 0.7 + 2).expm1()", asked="price[60:]", loss=_OWN),
    _SCRIPT.format(goal=_LOG_SCALED, guess="(net(x[60:]) * 0.7 + 2).expm1()", asked=_LATER, loss=_OWN),
    _SCRIPT.format(goal=_LOG_SCALED, guess="(net(x[60:]) * 0.7 + 2).exp()", asked="price[60:] + 1", loss=_OWN),
    _SCRIPT.format(
        goal=_SCALED,
        guess="net(x[60:]) * std + mean",
        asked="price[60:]",
        loss="mse_loss(net(x[rows]) * std + mean, price[rows])",
    ),
    _SCRIPT.format(
        goal="2 * price + 1", guess="net(x[60:])", asked="price[60:]", loss="mse_loss(net(x[rows]), price[rows])"
    ),
    _SCRIPT.format(goal=_SCALED, guess="mean.expand(30, 1)", asked="price[60:]", loss=_OWN),
    _ARRAYS.replace("{guess}", "guess * (high - low) + low"),
    _HALVED.format(guess="guess > 0", loss="nn.functional.binary_cross_entropy_with_logits(out, y)"),
    _HALVED.format(guess="guess.sigmoid() > 0.5", loss="nn.functional.binary_cross_entropy_with_logits(out, y)"),
    _HALVED.format(
        guess="guess.sigmoid().round().bool()", loss="nn.functional.binary_cross_entropy_with_logits(out, y)"
    ),
    _HALVED.format(guess="guess > 0.5", loss="nn.functional.binary_cross_entropy(out.sigmoid(), y)"),
    _HALVED.format(guess="guess > 0.5", loss="nn.functional.mse_loss(out, y)"),
    _HALVED.format(
        guess="torch.softmax(torch.stack([-guess, guess]), 0)[1] > 0.5",
        loss="nn.functional.binary_cross_entropy_with_logits(out, y)",
    ),
    filled(_CLASSES, guess="guess = net(x).max(1, keepdim=True)[1].squeeze(1).float()"),
    filled(_CLASSES, guess="guess = net(x).argmax(1)"),
    filled(
        _CLASSES, guess="sure, guess = net(x).max(1); print((sure > -1).float().mean(), (sure == sure.max()).sum())"
    ),
    _BOXES.format(one="corners(guess)", other="corners(boxes)"),
    _BOXES.format(one="guess", other="boxes"),
)
