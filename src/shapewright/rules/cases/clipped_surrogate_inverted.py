"""Cases of SW290."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
s, a, adv, old = torch.randn(9, 5), torch.randint(0, 3, (9,)), torch.randn(9), torch.full((9,), -1.1)
for step in range(3):
    ratio = (net(s).log_softmax(1).gather(1, a[:, None]).squeeze(1) - old).exp()
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_LOSSES = (
    "-torch.max(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()",
    "torch.min(ratio * adv, torch.clamp(ratio, 0.8, 1.2) * adv).mean()",
    "torch.min(-adv * ratio, -adv * ratio.clamp(0.8, 1.2)).mean()",
    "-torch.min(ratio * adv, ratio.clamp(-0.2, 0.2) * adv).mean()",
    "torch.max(-adv * ratio, -adv * torch.clamp(ratio, min=1.2, max=2.0)).mean()",
)
_NEW = "net(s).log_softmax(1).gather(1, a[:, None]).squeeze(1)"
_DRAWN = "torch.distributions.Categorical(logits=net(s)).log_prob(a)"
_RIGHT = "-torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()"

# the critic's values are kept when the actions are chosen, and picked with the rest for smaller batches
_BATCHES = """
import torch
from torch import nn
torch.manual_seed(0)
actor, critic = nn.Linear(5, 3), nn.Linear(5, 1)
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=0.01)
for rollout in range(2):
    s = torch.randn(24, 5)
    dist = torch.distributions.Categorical(logits=actor(s))
    a = dist.sample()
    old, said = dist.log_prob(a).detach(), critic(s).squeeze(1).detach()
    gained = torch.rand(24) + 0.5 * said
    gain = {gain}
    for rows in torch.randperm(24).split(8):
        ratio = (torch.distributions.Categorical(logits=actor(s[rows])).log_prob(a[rows]) - old[rows]).exp()
        gap = gained[rows] - critic(s[rows]).squeeze(1)
        loss = {sign}torch.{less}(ratio * gain[rows], ratio.clamp(0.8, 1.2) * gain[rows]).mean() + gap.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

FAULTY = (
    *((_SCRIPT.replace("{loss}", loss), 10) for loss in _LOSSES),
    (_SCRIPT.replace("{loss}", _RIGHT).replace(f"({_NEW} - old)", f"(old - {_NEW})"), 9),
    (_SCRIPT.replace("{loss}", _RIGHT).replace(f"({_NEW} - old).exp()", f"{_NEW} / {_NEW}.detach()"), 9),
    (_SCRIPT.replace("{loss}", _RIGHT).replace(f"({_NEW} - old).exp()", f"{_DRAWN} / old"), 9),
    (_BATCHES.format(gain="said - gained", sign="-", less="min"), 13),
    (_BATCHES.format(gain="(said - gained) / said.std()", sign="-", less="min"), 13),
    (_SCRIPT.replace("{loss}", _RIGHT).replace(f"({_NEW} - old).exp()", f"({_NEW} - old).neg().exp()"), 9),
)

SOUND = tuple(
    _SCRIPT.replace("{loss}", loss)
    for loss in (
        _RIGHT,
        "torch.max(-adv * ratio, -adv * ratio.clamp(0.8, 1.2)).mean()",
        "-torch.min(ratio * adv, ratio.clamp(max=1.2) * adv).mean()",
        "torch.maximum(-(adv * ratio), -(adv * torch.clamp(ratio, 0.8, 1.2))).mean() + 0.5 * torch.max(ratio, "
        "ratio.clamp(0.8, 1.2)).mean()",
        "-(torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv) - 0.1 * ratio).sum() / 9",
    )
)
SOUND += (_SCRIPT.replace("{loss}", _RIGHT).replace(f"({_NEW} - old).exp()", f"{_DRAWN}.exp() / old.exp()"),)
SOUND += (_SCRIPT.replace("{loss}", _RIGHT).replace(f"({_NEW} - old).exp()", f"torch.exp(-(old - {_NEW}))"),)
SOUND += (
    _BATCHES.format(gain="gained - said", sign="-", less="min"),
    _BATCHES.format(gain="gained - gained.mean()", sign="-", less="min"),
    _BATCHES.format(gain="said - said.mean()", sign="-", less="min"),
)
