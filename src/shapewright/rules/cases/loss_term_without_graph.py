"""Cases of SW342."""

from . import filled

PENALTY = """
import torch
from torch import nn
critic = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
maker = nn.Linear(3, 6)
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
for step in range(3):
    real = torch.randn(8, 6)
    made = maker(torch.randn(8, 3)).detach()
    mixed = (real * 0.5 + made * 0.5).requires_grad_(True)
    slope = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)[0]
    penalty = 10 * ((slope.norm(2, dim=1) - 1) ** 2).mean()
    loss = critic(made).mean() - critic(real).mean() + penalty
    opt_c.zero_grad()
    loss.backward()
    opt_c.step()
    opt_m.zero_grad()
    (-critic(maker(torch.randn(8, 3))).mean()).backward()
    opt_m.step()
"""

TWO = """
import torch
from torch import nn
maker, judge = nn.Linear(4, 6), nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
opt_m = torch.optim.SGD(maker.parameters(), lr=0.1)
opt_j = torch.optim.SGD(judge.parameters(), lr=0.1)
for step in range(4):
    x, y = torch.randn(8, 4), torch.randn(8, 6)
    made = maker(x)
    apart = judge(y).mean() - judge(made.detach()).mean()
    opt_j.zero_grad()
    apart.backward()
    opt_j.step()
    fooled = judge(made).mean()
    loss = fooled + (made - y).pow(2).mean()
    opt_m.zero_grad()
    loss.backward()
    opt_m.step()
"""

_NUMBER = """
import torch
from torch import nn
torch.manual_seed(0)
body, one, two = nn.Linear(6, 8), nn.Linear(8, 1), nn.Linear(8, 1)
opt = torch.optim.SGD([*body.parameters(), *one.parameters(), *two.parameters()], lr=0.1)
for step in range(3):
    x = torch.randn(8, 6)
    h = torch.relu(body(x))
    a, b = one(h).pow(2).mean(), (two(h) - x).pow(2).mean()
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(a.item() + b.item())
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

FAULTY = (
    (TWO.replace("fooled = judge(made)", "fooled = judge(made.detach())"), 14),
    (PENALTY.replace(", create_graph=True", ""), 12),
    (PENALTY.replace("create_graph=True", "retain_graph=True"), 12),
    (
        """
import torch
from torch import nn
net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x = torch.randn(8, 6)
    size = sum((p.data ** 2).sum() for p in net.parameters())
    loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean() + 1e-4 * size
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        8,
    ),
    (_NUMBER.replace("{loss}", "a + 0.5 * b.item()"), 11),
    (filled(_TASKS, heard="size(h)", loss="one + 0.5 * one"), 10),
    (filled(_MOVES, second="moves"), 16),
)

SOUND = (
    PENALTY,
    # a factor without a graph is a weight, not a term; neither are baselines of single numbers
    """
import torch
from torch import nn
net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
aid = nn.Linear(6, 1)
opt = torch.optim.SGD([*net.parameters(), *aid.parameters()], lr=0.1)
for step in range(3):
    x = torch.randn(8, 6)
    one, other = (net(x) - x.sum(1, keepdim=True)).pow(2).mean(), aid(x).pow(2).mean()
    size = torch.autograd.grad(one, net[2].weight, retain_graph=True)[0].norm()
    weight = (size / (other.detach() + 1e-4)).clamp(0, 10).detach()
    loss = one + weight * other
    gain = torch.randn(()) - aid(x[0])[0].detach()
    loss = loss - gain * torch.log(torch.sigmoid(net(x[0])[0]))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    TWO,
    # both optimizers step after one backward
    TWO.replace("judge(made).mean()\n", "judge(made.detach()).mean()\n").replace(
        "opt_m.zero_grad()", "opt_m.zero_grad(); opt_j.zero_grad()"
    )
    + "    opt_j.step()\n",
    _NUMBER.replace("{loss}", "a / a.item() + b / b.item()"),
    _NUMBER.replace("{loss}", "a + b + 0.0 * b.item()"),
    # a loss that joins later, a head that reads without teaching the body, one that is watched alone
    filled(_TASKS, heard="size(h)", loss="one + (two if epoch > 2 else 0)"),
    filled(_TASKS, heard="size(h.detach())", loss="one + two"),
    filled(_TASKS, heard="kind(h)[:, :1] + 0 * size(h).detach()", loss="one"),
    filled(_MOVES, second="worths"),
)
