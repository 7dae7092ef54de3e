"""Cases of SW221."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=3e-3)
for update in range(4):
    states, returns = torch.randn(16, 4), torch.rand(16)
    chance = torch.distributions.Categorical(logits=actor(states))
    log_prob = chance.log_prob(chance.sample())
    value = critic(states).squeeze(-1)
    advantage = returns - value
    scaled = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    actor_loss = -({policy}).mean()
    critic_loss = {critic}
    loss = actor_loss + 0.5 * critic_loss - 0.01 * chance.entropy().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


_ONLINE = """
import torch
from torch import nn
torch.manual_seed(0)
actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
opts = [torch.optim.Adam(part.parameters(), lr=3e-3) for part in (actor, critic)]
state = torch.randn(4)
for step in range(6):
    chance = torch.distributions.Categorical(torch.softmax(actor(state), dim=-1))
    move, after = chance.sample(), torch.randn(4)
    surprise = 0.5 + 0.95 * critic(after) - critic(state)
    for opt in opts:
        opt.zero_grad()
    loss = -chance.log_prob(move) * {weight} + surprise.pow(2)
    loss.sum().backward()
    for opt in opts:
        opt.step()
    state = after
"""

_EXPECTED = """
import torch
from torch import nn
torch.manual_seed(0)
body, scores, worths = nn.Linear(4, 8), nn.Linear(8, 3), nn.Linear(8, 3)
opt = torch.optim.Adam([*body.parameters(), *scores.parameters(), *worths.parameters()], lr=3e-3)
for update in range(4):
    states, moves, returns = torch.randn(16, 4), torch.randint(3, (16, 1)), torch.rand(16, 1)
    hidden = body(states).relu()
    worth, chance = worths(hidden), scores(hidden).softmax(1)
    value = (worth * chance).sum(1).unsqueeze(1){cut}
    loss = -chance.gather(1, moves).log() * (returns - value)
    loss = loss + nn.functional.smooth_l1_loss(worth.gather(1, moves), returns)
    opt.zero_grad()
    loss.mean().backward()
    opt.step()
"""

FAULTY = (
    (_ONLINE.replace("{weight}", "surprise"), 14),
    (filled(_SCRIPT, policy="log_prob * advantage", critic="advantage.pow(2).mean()"), 14),
    (filled(_SCRIPT, policy="log_prob * scaled", critic="nn.functional.mse_loss(value, returns)"), 14),
    (_EXPECTED.replace("{cut}", ""), 12),
)

SOUND = (
    _EXPECTED.replace("{cut}", ".detach()"),
    _ONLINE.replace("{weight}", "surprise.detach()").replace("critic(after)", "critic(after).detach()"),
    filled(_SCRIPT, policy="log_prob * advantage.detach()", critic="advantage.pow(2).mean()"),
    filled(_SCRIPT, policy="log_prob * scaled.detach()", critic="nn.functional.smooth_l1_loss(value, returns)"),
    filled(
        _SCRIPT,
        policy="log_prob.exp().detach() * advantage + log_prob * returns",
        critic="value.sub(returns).square().mean()",
    ),
    filled(_SCRIPT, policy="log_prob * (returns - returns.mean())", critic="advantage.pow(2).mean()"),
)
