"""Cases of SW201."""

from . import filled

_TRAINING = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(30, 5), torch.randn(30{target})
for i in range(0, 30, 12):
    pred = net(x[i:i + 12]){pred}
    goal = y[i:i + 12]
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


_MEMORY = """
import torch
from torch import nn
torch.manual_seed(0)
value = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(value.parameters(), 1e-3)
for update in range(3):
    memory = [(torch.rand(3).tolist(), torch.rand(()).item(), torch.rand(3).tolist()) for _ in range(60)]
    s = torch.tensor([one[0] for one in memory])
    r = torch.tensor([one[1] for one in memory])
    ahead = torch.tensor([one[2] for one in memory])
    r = (r - r.mean()) / (r.std() + 1e-5)
    with torch.no_grad():
        target = {target}
    for rows in torch.randperm(60).split(20):
        rows = rows.tolist()
        loss = nn.functional.smooth_l1_loss(value(s[rows]){flat}, target[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

FAULTY = (
    (filled(_TRAINING, target="", pred="", loss="((pred - goal) ** 2).mean()"), 11),
    (filled(_MEMORY, target="r + 0.9 * value(ahead)", flat=""), 14),
    (filled(_TRAINING, target=", 1", pred=".squeeze(1)", loss="nn.functional.mse_loss(pred, goal)"), 11),
    (filled(_TRAINING, target=", 1", pred=".squeeze(-1)", loss="(goal - pred).abs().mean()"), 11),
    (
        """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 3)
x, y = torch.randn(10, 4), torch.randint(0, 3, (10, 1))
with torch.no_grad():
    guess = net(x).argmax(dim=1)
    accuracy = (guess == y).float().mean()
print(accuracy.item())
""",
        9,
    ),
    (
        """
import torch
from torch import nn
torch.manual_seed(0)
policy, critic = nn.Linear(4, 3), nn.Linear(4, 1)
for step in range(3):
    obs, acts, returns = torch.randn(12, 4), torch.randint(0, 3, (12,)), torch.randn(12)
    with torch.no_grad():
        adv = returns - critic(obs)
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    logp = policy(obs).log_softmax(-1)[torch.arange(12), acts]
    (-logp * adv).mean().backward()
""",
        9,
    ),
    (
        """
import torch
from torch import nn
torch.manual_seed(0)
q, old = nn.Linear(4, 3), nn.Linear(4, 3)
for step in range(3):
    s, a, r, s2 = torch.randn(12, 4), torch.randint(0, 3, (12, 1)), torch.randn(12), torch.randn(12, 4)
    done = torch.zeros(12)
    with torch.no_grad():
        best = old(s2).max(dim=1, keepdim=True).values
    goal = r + 0.9 * (1 - done) * best
    nn.functional.smooth_l1_loss(q(s).gather(1, a), goal).backward()
""",
        11,
    ),
    (
        """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 1)
x, y, kept = torch.randn(12, 4), torch.randn(12), []
with torch.no_grad():
    for i in range(0, 12, 4):
        kept.append(net(x[i:i + 4]))
    error = (torch.cat(kept) - y).abs().mean()
print(error.item())
""",
        10,
    ),
    (
        """
import torch
from torch import nn
torch.manual_seed(0)
net, old = nn.Linear(4, 2), nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    state, move, reward, after = torch.randn(9, 4), torch.randint(0, 2, (9, 1)), torch.rand(9, 1), torch.randn(9, 4)
    with torch.no_grad():
        goal = reward + 0.9 * old(after).max(dim=1).values
    gap = net(state).gather(1, move).squeeze(1) - goal
    loss = gap.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        10,
    ),
    (
        """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x, y, keep_mask = torch.randn(14, 5), torch.randint(0, 2, (14,)).float(), torch.rand(14, 1).gt(0.3).float()
    each = nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y, reduction="none")
    loss = (each * keep_mask).sum() / keep_mask.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        10,
    ),
    (
        """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x, y = torch.randn(13, 5), torch.randn(13)
    under = y - net(x)
    loss = torch.maximum(0.8 * under, -0.2 * under).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        9,
    ),
)

SOUND = (
    """
import torch
from torch import nn
torch.manual_seed(0)
net, weight = nn.Linear(4, 6), torch.rand(10)
a, b = torch.randn(10, 4), torch.randn(10, 6)
norm = net(a).pow(2).sum(dim=1, keepdim=True)
other = b.pow(2).sum(dim=1)
dist = norm.detach() + other - 2 * net(a) @ b.t()
(dist.diag() * weight - dist.mean(dim=1)).mean().backward()
""",
    """
import torch
from torch import nn
torch.manual_seed(0)
net, old = nn.Linear(4, 2), nn.Linear(4, 1)
x, y, kept = torch.randn(12, 4), torch.randn(12), []
with torch.no_grad():
    kept = torch.cat([old(x[i:i + 4]) for i in range(0, 12, 4)])
    print((kept.squeeze(1) - y).abs().mean(), (kept.view(-1) == y).float().mean(), (kept - y[:, None]).abs().mean())
    goal = torch.rand(12, 1) + 0.9 * old(x)
    weight = torch.rand(12, 1)
gap = weight * (net(x).gather(1, torch.randint(0, 2, (12, 1))) - goal)
gap.pow(2).mean().backward()
""",
    filled(_TRAINING, target=", 1", pred="", loss="((pred - goal) ** 2).mean()"),
    filled(_TRAINING, target="", pred=".squeeze(1)", loss="nn.functional.mse_loss(pred, goal)"),
    """
import torch
x = torch.randn(12, requires_grad=True)
gap = x.unsqueeze(1) - x
torch.relu(1 - gap).mean().backward()
""",
    """
import torch
labels = torch.randint(0, 3, (16,))
features = torch.nn.functional.normalize(torch.randn(16, 8, requires_grad=True), dim=1)
column = labels.contiguous().view(-1, 1)
mask = torch.eq(column, column.T).float()
logits = features @ features.T
(logits * mask).mean().backward()
""",
    """
import torch
pos, neg = torch.randn(9, requires_grad=True), torch.randn(9, requires_grad=True)
torch.clamp(1 - pos[:, None] + neg[None, :], min=0).mean().backward()
""",
    """
import torch
lengths = torch.tensor([3, 5, 2, 4, 5])
keep_mask = torch.arange(5) < lengths.unsqueeze(1)
x = torch.randn(5, 5, requires_grad=True)
((x * keep_mask).sum(1) / lengths).mean().backward()
""",
    filled(_MEMORY, target="r.unsqueeze(1) + 0.9 * value(ahead)", flat=""),
    filled(_MEMORY, target="r + 0.9 * value(ahead).squeeze(1)", flat=".squeeze(1)"),
    filled(_MEMORY, target="(r - value(ahead)).abs().mean(1)", flat=".squeeze(1)"),
    # the average over all pairs of a sum is the sum of both averages
    filled(_TRAINING, target="", pred="", loss="((pred - goal[:, None]) ** 2 + 0.1 * pred.squeeze(1).abs()).mean()"),
)
