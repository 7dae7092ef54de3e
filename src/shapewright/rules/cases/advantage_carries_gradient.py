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

_STEPS = """
import torch
from torch import nn
torch.manual_seed(0)

class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.act, self.worth = nn.Linear(4, 8), nn.Linear(8, 3), nn.Linear(8, 1)
    def forward(self, x):
        h = torch.tanh(self.body(x))
        return self.act(h).log_softmax(-1), self.worth(h).squeeze(-1)

agent = Agent()
opt = torch.optim.Adam(agent.parameters(), lr=1e-3)
for update in range(3):
    seen, moves, gains = torch.randn(12, 4), torch.randint(3, (12,)), torch.rand(12)
    with torch.no_grad():
        before = agent(seen)[0].gather(1, moves[:, None]).squeeze(1)
    chances, worth = agent(seen)
    surprise = gains + 0.9 * torch.cat([worth[1:].detach(), torch.zeros(1)]) - worth{cut}
    total, weights = 0.0, []
    for step in reversed(range(12)):
        total = surprise[step] + 0.9 * 0.95 * total
        weights.insert(0, total)
    weights = torch.stack(weights)
    aims = (weights + worth).detach()
    ratio = torch.exp(chances.gather(1, moves[:, None]).squeeze(1) - before)
    policy = -torch.min(ratio * weights, ratio.clamp(0.8, 1.2) * weights).mean()
    loss = policy + 0.5 * (aims - worth).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_MIXED = """
import torch
from torch import nn
torch.manual_seed(0)
gate, experts = nn.Linear(4, 3), nn.ModuleList(nn.Linear(4, 1) for _ in range(3))
opt = torch.optim.Adam([*gate.parameters(), *experts.parameters()], lr=1e-3)
for update in range(4):
    x, y = torch.randn(16, 4), torch.randn(16, 1)
    share = gate(x).softmax(1)
    said = torch.cat([expert(x) for expert in experts], 1)
    {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_APART = """
import torch
from torch import nn
torch.manual_seed(0)
actor, critic = nn.Linear(4, 3), nn.Linear(4, 3)
act_opt, worth_opt = torch.optim.Adam(actor.parameters()), torch.optim.Adam(critic.parameters())
for update in range(4):
    x, moves, aims = torch.randn(16, 4), torch.randint(3, (16,)), torch.rand(16)
    worth = critic(x).gather(1, moves[:, None]).squeeze(1)
    worth_opt.zero_grad()
    (worth - aims).pow(2).mean().backward()
    worth_opt.step()
    chances, all_worth = actor(x).softmax(-1), critic(x)
    act_opt.zero_grad()
    (chances.gather(1, moves[:, None]).log().squeeze(1) * (all_worth.mean(1) - aims)).mean().backward()
    act_opt.step()
"""

FAULTY = (
    (_ONLINE.replace("{weight}", "surprise"), 14),
    (filled(_SCRIPT, policy="log_prob * advantage", critic="advantage.pow(2).mean()"), 14),
    (filled(_SCRIPT, policy="log_prob * scaled", critic="nn.functional.mse_loss(value, returns)"), 14),
    (_EXPECTED.replace("{cut}", ""), 12),
    (_STEPS.replace("{cut}", ""), 29),
)

SOUND = (
    _STEPS.replace("{cut}", ".detach()"),
    _MIXED.replace("{loss}", "loss = (share * (said - y).pow(2)).sum(1).mean()"),
    _MIXED.replace("{loss}", "loss = nn.functional.mse_loss((share * (said - y)).sum(1), torch.zeros(16))"),
    _MIXED.replace("{loss}", "loss = (share * (said - y).abs()).mean() + (said * 0).pow(2).mean()"),
    _APART,
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
