"""Cases of SW289."""

_ACTOR_CRITIC = """
import copy

import torch
from torch import nn

torch.manual_seed(0)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, state, action):
        return self.body(torch.cat([state, action], -1)).squeeze(-1)


actor = nn.Sequential(nn.Linear(4, 2), nn.Tanh())
critic = Critic()
late = copy.deepcopy(critic)
opt = torch.optim.Adam(critic.parameters(), lr=0.01)
slow = torch.optim.Adam(actor.parameters(), lr=0.001)
for _ in range(4):
    s, a, r, n = torch.randn(32, 4), torch.rand(32, 2), torch.randn(32), torch.randn(32, 4)
    with torch.no_grad():
        target = r + 0.9 * late({late})
    loss = (critic(s, a) - target).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    value = -critic(s, actor(s)).mean()
    slow.zero_grad()
    value.backward()
    slow.step()
    with torch.no_grad():
        for one, other in zip(late.parameters(), critic.parameters()):
            one.lerp_(other, 0.05)
"""
_CONDITIONED = """
import torch
from torch import nn

torch.manual_seed(0)
decoder = nn.Sequential(nn.Linear(11, 24), nn.ReLU(), nn.Linear(24, 6))
encoder = nn.Linear(6, 8)
opt = torch.optim.Adam([*decoder.parameters(), *encoder.parameters()], lr=0.01)
for _ in range(4):
    x, kind = torch.randn(16, 6), nn.functional.one_hot(torch.randint(0, 3, (16,)), 3).float()
    loss = (decoder(torch.cat((encoder(x), kind), dim=1)) - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    kind = torch.eye(3)
    drawn = decoder(torch.cat({parts}, dim=1))
print(drawn.shape)
"""
_SHARED = """
import torch
from torch import nn


def tower(width, out):
    return nn.Sequential(nn.Linear(width, 16), nn.ReLU(), nn.Linear(16, out))


def joined(net, *parts):
    return net(torch.cat(parts, 1))


torch.manual_seed(0)
judge, guide = tower(5, 1), tower(5, 1)
opt = torch.optim.Adam([*judge.parameters(), *guide.parameters()], lr=0.01)
for _ in range(4):
    x, goal = torch.randn(16, 3), torch.randn(16, 2)
    loss = joined(judge, x, goal).pow(2).mean() + (joined(guide, {parts}) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), joined(judge, x[:1], goal[:1]).item())
"""

FAULTY = (
    (_ACTOR_CRITIC.format(late="actor(n), n"), 27),
    (_CONDITIONED.format(parts="(kind, torch.randn(3, 8))"), 17),
)
SOUND = (
    _ACTOR_CRITIC.format(late="n, actor(n)"),
    _CONDITIONED.format(parts="(torch.randn(3, 8), kind)"),
    _SHARED.format(parts="goal, x"),  # another network, which a helper joins the parts for
)
