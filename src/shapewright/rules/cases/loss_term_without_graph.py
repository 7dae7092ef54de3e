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

_RESIDUAL = """
import torch
from torch import nn
net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
def residual(t):
    u = net(t)
    du = torch.autograd.grad(u.sum(), t, {first})[0]
    ddu = torch.autograd.grad(du.sum(), t, {second})[0] if du.requires_grad else torch.zeros_like(t)
    return ddu + 0.5 * du + 4 * u
for step in range(4):
    t = torch.rand(16, 1, requires_grad=True)
    loss = residual(t).square().mean() + (net(torch.zeros(1, 1)) - 1).square().sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_NEARBY = """
import torch
from torch import nn
table, net = nn.Embedding(20, 6), nn.Linear(6, 3)
opt = torch.optim.Adam([*table.parameters(), *net.parameters()], lr=1e-3)
for step in range(4):
    words, labels = torch.randint(0, 20, (16,)), torch.randint(0, 3, (16,))
    rows = table(words)
    slope = torch.autograd.grad(nn.functional.cross_entropy(net(rows), labels), rows)[0]
    rows = table(words)
    loss = nn.functional.cross_entropy(net(rows + 0.1 * slope / slope.norm(dim=1, keepdim=True)), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_ACTOR = """
import torch
from torch import nn
torch.manual_seed(0)
actor, judge = nn.Linear(3, 2), nn.Linear(4, 1)
opt = torch.optim.SGD(actor.parameters(), lr=0.1)
other = torch.optim.SGD(judge.parameters(), lr=0.1)
for step in range(4):
    x, a = torch.randn(8, 3), torch.randn(8, 1)
    other.zero_grad()
    (judge(torch.cat([x, a], 1)) - x.sum(1, keepdim=True)).pow(2).mean().backward()
    other.step()
    mean, spread = actor(x).chunk(2, 1)
    drawn = torch.distributions.Normal(mean, spread.exp())
    a = drawn.{sample}()
    worth = judge(torch.cat([x, a], 1)).squeeze(1)
    loss = (0.1 * drawn.log_prob(a).squeeze(1) {less}).mean()
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
    (_RESIDUAL.replace("{first}", "retain_graph=True").replace("{second}", "create_graph=True"), 8),
    (_RESIDUAL.replace("{first}", "create_graph=True").replace("{second}", "retain_graph=True"), 9),
    (filled(_ACTOR, sample="sample", less="- worth"), 15),
    (filled(_ACTOR, sample="sample", less="- worth").replace(".squeeze(1)", ""), 15),
)

SOUND = (
    _RESIDUAL.replace("{first}", "create_graph=True").replace("{second}", "create_graph=True"),
    _NEARBY,  # an input moved along a gradient is data for the network
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
    filled(_ACTOR, sample="rsample", less="- worth"),
    filled(_ACTOR, sample="rsample", less="- worth").replace(".squeeze(1)", ""),
    filled(_ACTOR, sample="sample", less="* worth.detach()"),
    # what a sum over no parts begins with has the type and place of a tensor, and nothing of its values
    TWO.replace(
        "    opt_m.zero_grad()",
        "    loss = loss + sum([part.mean() for part in made[:0]], made.new_zeros(1).squeeze())\n    opt_m.zero_grad()",
    ),
    TWO.replace("    opt_m.zero_grad()", "    loss = loss + torch.full_like(fooled, 0.5)\n    opt_m.zero_grad()"),
)
