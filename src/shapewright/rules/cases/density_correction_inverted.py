"""Cases of SW284."""

_ACTOR = """
import torch
from torch import nn
from torch.distributions import Normal
torch.manual_seed(0)
class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.mean, self.spread = nn.Linear(5, 16), nn.Linear(16, 2), nn.Linear(16, 2)
    def forward(self, state):
        hidden = torch.relu(self.body(state))
        dist = Normal(self.mean(hidden), nn.functional.softplus(self.spread(hidden)))
        u = dist.rsample()
        action = torch.tanh(u)
        LOGP
        return 2 * action, logp
actor, critic = Actor(), nn.Linear(7, 1).requires_grad_(False)
opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
for _ in range(3):
    state = torch.randn(16, 5)
    action, logp = actor(state)
    loss = (0.2 * logp - critic(torch.cat([state, action], 1))).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_LOG = "logp = (dist.log_prob(u) SIGN torch.log(1 - action.pow(2) + 1e-6)).sum(1, keepdim=True)"
_SUM = "logp = dist.log_prob(u).sum(1, keepdim=True); logp SIGN= torch.log(1 - action ** 2 + 1e-6).sum(1, keepdim=True)"
_SOFT = (
    "logp = dist.log_prob(u).sum(1, keepdim=True); "
    "logp = logp SIGN (2 * (0.6931472 - u - nn.functional.softplus(-2 * u))).sum(1, keepdim=True)"
)
_HAND = (
    "z = (u - dist.mean) / dist.stddev; "
    "logp = (-0.5 * z.pow(2) - dist.stddev.log() - 0.919 SIGN torch.log(1 - action.pow(2) + 1e-6)).sum(1, keepdim=True)"
)


def _with(line: str, sign: str) -> str:
    return _ACTOR.replace("LOGP", line.replace("SIGN", sign))


FAULTY = (
    (_with(_LOG, "+"), 15),
    (_with(_SUM, "+"), 15),
    (_with(_SOFT, "+"), 15),
    (_with(_HAND, "+"), 15),
    (
        _with(_LOG, "+")
        .replace("torch.tanh(u)", "torch.sigmoid(u)")
        .replace("1 - action.pow(2)", "action * (1 - action)"),
        15,
    ),
)

# a log-density of what was squashed before, of logits, and a slope that is a penalty of its own
_DENSITY = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(3, 3)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for _ in range(3):
    x = torch.randn(16, 3)
    u = net(x)
    z = torch.tanh(u)
    logp = -0.5 * (z - 0.1).pow(2) + torch.log(1 - z.pow(2) + 1e-6)
    loss = -logp.sum(1).mean() - torch.linalg.slogdet(net.weight)[1]
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

SOUND = (
    *(_with(line, "-") for line in (_LOG, _SUM, _SOFT, _HAND)),
    _with("logp = -(torch.log(1 - action.pow(2) + 1e-6) - dist.log_prob(u)).sum(1, keepdim=True)", ""),
    _with(
        "entropy = -dist.log_prob(u) + torch.log(1 - action.pow(2) + 1e-6); logp = -entropy.sum(1, keepdim=True)", ""
    ),
    _with(_LOG, "-").replace("torch.tanh(u)", "torch.sigmoid(u)").replace("1 - action.pow(2)", "action * (1 - action)"),
    _DENSITY,
)
