"""Cases of SW292."""

_SCRIPT = """
import torch
from torch import nn
from torch.distributions import Categorical
torch.manual_seed(0)
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
s, reward = torch.randn(9, 5), torch.randn(9)
for step in range(3):
    dist = Categorical(logits=net(s))
    loss = -(dist.log_prob(dist.sample()) * reward).mean()
    loss = loss {sign} 0.01 * dist.entropy().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_WRITTEN = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
s, reward = torch.randn(9, 5), torch.randn(9, 1)
for step in range(3):
    logs = net(s).log_softmax(-1)
    probs = logs.exp()
    action = torch.multinomial(probs, 1)
    entropy = -(probs * logs).sum(-1).mean()
    loss = -(logs.gather(1, action) * reward).mean() {sign} 0.01 * entropy
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_TOKENS = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 7)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    s, reward = torch.randn(9, 4, 5), torch.randn(9, 1)
    with torch.no_grad():
        said = torch.stack([torch.multinomial(net(s[:, t]).softmax(-1), 1)[:, 0] for t in range(4)], 1)
    told = net(s)
    logs = nn.functional.log_softmax(told, -1).gather(2, said.unsqueeze(2))[..., 0]
    spread = torch.distributions.Categorical(logits=told).entropy().mean()
    loss = -(logs * reward).mean() {sign} 0.02 * spread
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_SOFT = """
import torch
from torch import nn
torch.manual_seed(0)
pi, q = nn.Linear(3, 2), nn.Linear(4, 1)
log_alpha = torch.zeros(1, requires_grad=True)
opt = torch.optim.SGD([*pi.parameters(), *q.parameters()], lr=0.01)
cool = torch.optim.SGD([log_alpha], lr=0.01)

def act(s):
    mean, spread = pi(s).chunk(2, -1)
    normal = torch.distributions.Normal(mean, spread.exp())
    u = normal.rsample()
    return u.tanh(), (normal.log_prob(u) - torch.log(1 - u.tanh() ** 2 + 1e-6)).sum(-1, keepdim=True)

for step in range(3):
    s, a, r, s2 = torch.randn(9, 3), torch.randn(9, 1), torch.randn(9, 1), torch.randn(9, 3)
    over = (torch.rand(9, 1) < 0.1).float()
    alpha = log_alpha.exp().detach()
    with torch.no_grad():
        a2, told = act(s2)
        y = r + 0.9 * (1 - over) * (q(torch.cat([s2, a2], 1)) {ahead} alpha * told)
    new, said = act(s)
    gain = alpha * said - q(torch.cat([s, new], 1))
    loss = (q(torch.cat([s, a], 1)) - y).pow(2).mean() + gain.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    heat = {heat}(log_alpha * (said.detach() - 1.0)).mean()
    cool.zero_grad()
    heat.backward()
    cool.step()
"""

_VALUED = _SOFT.replace("{heat}", "-").replace("{ahead}", "-")
_VALUED = _VALUED.replace("nn.Linear(4, 1)\n", "nn.Linear(4, 1)\nv = nn.Linear(3, 1)\n").replace(
    "[*pi.parameters(),", "[*pi.parameters(), *v.parameters(),"
)
_VALUED = _VALUED.replace(
    "+ gain.mean()",
    "+ gain.mean()\n    goal = (q(torch.cat([s, new], 1)) {valued} alpha * said).detach()\n"
    "    loss = loss + nn.functional.mse_loss(v(s), goal)",
)
FAULTY = (
    (_SCRIPT.replace("{sign}", "+"), 12),
    (_WRITTEN.replace("{sign}", "+"), 12),
    (_TOKENS.replace("{sign}", "+"), 13),
    (_SOFT.replace("{ahead}", "+").replace("{heat}", "-"), 22),
    (_SOFT.replace("{ahead}", "-").replace("{heat}", ""), 29),
    (_SOFT.replace("{ahead} alpha * told", "- (-log_alpha.exp() * told)").replace("{heat}", "-"), 22),
    (_VALUED.replace("{valued}", "+"), 27),
)

SOUND = (
    _SOFT.replace("{ahead} alpha * told", "+ -alpha * told").replace("{heat}", "-"),
    _SOFT.replace("{ahead}", "-").replace("{heat}", "-"),
    _SOFT.replace("{ahead} alpha * told", "+ -log_alpha.exp() * told").replace("{heat}", "-"),
    _SOFT.replace("{ahead}", "-").replace("{heat}", "").replace("said.detach() - 1.0", "-said.detach() + 1.0"),
    _SOFT.replace("{ahead} alpha * told", "+ (-log_alpha.exp() * told)").replace("{heat}", "-"),
    _SOFT.replace("{ahead} alpha * told", "+ told * (-2 * alpha)").replace("{heat}", "-"),
    _SCRIPT.replace("{sign}", "-"),
    _WRITTEN.replace("{sign}", "-"),
    _TOKENS.replace("{sign}", "-"),
    _SCRIPT.replace("{sign}", "+ -1 *"),
    _SCRIPT.replace("{sign}", "+").replace(
        "-(dist.log_prob(dist.sample()) * reward).mean()", "net.weight.pow(2).mean()"
    ),
    _SOFT.replace("{ahead}", "-").replace("{heat}", "").replace("(log_alpha *", "(-log_alpha.exp() *"),
    """
import torch
from torch import nn
from torch.distributions import Normal
torch.manual_seed(0)
actor, critic, slow = nn.Linear(3, 2), nn.Linear(4, 1), nn.Linear(4, 1)
heat = torch.tensor(-1.0, requires_grad=True)
ours, theirs = torch.optim.Adam(actor.parameters(), 1e-3), torch.optim.Adam(critic.parameters(), 1e-3)
def act(seen):
    mean, spread = actor(seen).chunk(2, -1)
    dist = Normal(mean, nn.functional.softplus(spread))
    drawn = dist.rsample()
    return torch.tanh(drawn), dist.log_prob(drawn) - torch.log(1 - torch.tanh(drawn).pow(2) + 1e-6)
for step in range(4):
    seen, done, reward, ahead = torch.randn(8, 3), torch.rand(8, 1), torch.randn(8, 1), torch.randn(8, 3)
    with torch.no_grad():
        following, said = act(ahead)
        spread = -heat.exp() * said
        goal = reward + 0.9 * (slow(torch.cat([ahead, following], 1)) + spread)
    loss = nn.functional.mse_loss(critic(torch.cat([seen, done], 1)), goal)
    theirs.zero_grad()
    loss.backward()
    theirs.step()
    mine, said = act(seen)
    loss = (heat.exp().detach() * said - critic(torch.cat([seen, mine], 1))).mean()
    ours.zero_grad()
    loss.backward()
    ours.step()
    for far, near in zip(slow.parameters(), critic.parameters()):
        far.data.lerp_(near.data, 0.01)
""",
    _VALUED.replace("{valued}", "-"),
    _VALUED.replace("(q(torch.cat([s, new], 1)) {valued} alpha * said)", "(v(s2) + said)"),  # a flow between states
)
