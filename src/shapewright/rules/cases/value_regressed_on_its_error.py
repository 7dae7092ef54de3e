"""Cases of SW366."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(critic.parameters(), lr=1e-3)
for episode in range(3):
    states, rewards = torch.randn(12, 4), torch.randn(12)
    with torch.no_grad():
        values = critic(states).squeeze(1)
    returns = rewards.flip(0).cumsum(0).flip(0)
    {advantages}
    now = critic(states).squeeze(1)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_LEFT = "rest = returns - values"
_GAE = """rest, last = torch.zeros(12), 0.0
    for t in reversed(range(12)):
        ahead = values[t + 1] if t < 11 else 0.0
        last = rewards[t] + 0.9 * ahead - values[t] + 0.8 * last
        rest[t] = last"""
_SCALED = """rest = returns - values
    rest = (rest - rest.mean()) / (rest.std() + 1e-6)"""
_SINGLE = "nn.functional.smooth_l1_loss(now[0], torch.tensor(returns[0] - now[0].item()))"

FAULTY = (
    (filled(_SCRIPT, advantages=_LEFT, loss="nn.functional.mse_loss(now, rest)"), 14),
    (filled(_SCRIPT, advantages=_GAE, loss="(rest - now).pow(2).mean()"), 18),
    (filled(_SCRIPT, advantages="pass", loss=_SINGLE), 14),
    (filled(_SCRIPT, advantages=_SCALED, loss="(rest + values - now).pow(2).mean()"), 15),
    (filled(_SCRIPT, advantages=_SCALED + "\n    goal = values + rest", loss="nn.functional.mse_loss(now, goal)"), 14),
    (
        filled(
            _SCRIPT,
            advantages="rest = returns - critic(states).squeeze(1)",
            loss="nn.functional.mse_loss(now, rest.detach())",
        ),
        14,
    ),
)

SOUND = (
    filled(_SCRIPT, advantages=_LEFT, loss="nn.functional.mse_loss(now, returns)"),
    filled(_SCRIPT, advantages=_GAE, loss="(rest + values - now).pow(2).mean()"),
    filled(_SCRIPT, advantages="pass", loss="(returns - now).pow(2).mean()"),
    filled(
        _SCRIPT,
        advantages="rest = returns - values\n    goal = values + rest\n    rest = rest / rest.std()",
        loss="(goal - now).pow(2).mean()",
    ),
    filled(
        _SCRIPT,
        advantages="other = nn.Linear(4, 1)(states).squeeze(1).detach()",
        loss="(returns - other - now).pow(2).mean()",
    ),
)
