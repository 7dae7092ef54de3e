"""Cases of SW291."""

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
    action = dist.sample()
    log_prob = dist.log_prob(action)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_ACTOR = """
import copy
import torch
from torch import nn
torch.manual_seed(0)


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(6, 16), nn.Linear(16, 1)

    def forward(self, at, does):
        return self.second(torch.relu(self.first(torch.cat([at, does], 1))))


pilot, judge = nn.Sequential(nn.Linear(4, 2), nn.Tanh()), Judge()
old_pilot, old_judge = copy.deepcopy(pilot), copy.deepcopy(judge)
one, two = torch.optim.Adam(judge.parameters()), torch.optim.Adam(pilot.parameters())
held = [torch.randn(200, n) for n in (4, 4, 2, 1)]
for step in range(5):
    s, s2, a, {paid} = (part[torch.randint(200, (32,))] for part in held)
    with torch.no_grad():
        goal = {paid} + 0.95 * old_judge(s2, old_pilot(s2))
    told = nn.functional.mse_loss(judge(s, a), goal)
    one.zero_grad()
    told.backward()
    one.step()
    loss = {loss}
    two.zero_grad()
    loss.backward()
    two.step()
    with torch.no_grad():
        for slow, fast in ((old_judge, judge), (old_pilot, pilot)):
            for p, q in zip(slow.parameters(), fast.parameters()):
                p.lerp_(q, 0.05)
"""
_BASELINE = """
import torch
from torch import nn

torch.manual_seed(0)
acts, judge = nn.Linear(4, 3), nn.Linear(4, 1)
opt = torch.optim.Adam([*acts.parameters(), *judge.parameters()])
for s, paid in zip(torch.randn(4, 12, 4), torch.randn(4, 12)):
    worth = judge(s).squeeze(1)
    surplus = {surplus}
    surplus = (surplus - surplus.mean()) / surplus.std()
    dist = torch.distributions.Categorical(logits=acts(s))
    log_prob = dist.log_prob(dist.sample())
    advantage = surplus.detach()
    loss = (paid - worth).pow(2).mean() - (log_prob * advantage).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_UNNAMED = _BASELINE.replace("log_prob = ", "b = ").replace("advantage", "g").replace("(log_prob *", "(b *")
_LOWERED = "judge(s, pilot(s)).mean()"

FAULTY = (
    (_ACTOR.replace("{loss}", _LOWERED).replace("{paid}", "reward"), 29),
    (_ACTOR.replace("{loss}", f"torch.min({_LOWERED[:-7]}, old_{_LOWERED[:-7]}).mean()").replace("{paid}", "r"), 29),
    *tuple(
        (_SCRIPT.replace("{loss}", loss), 13)
        for loss in (
            "(log_prob * reward).mean()",
            "(log_prob * ((reward - reward.mean()) / reward.std())).mean()",
            "torch.stack([log_p * reward[i] for i, log_p in enumerate(log_prob)]).sum()",
            "-(-reward.sign().abs() * log_prob * reward).mean()",
        )
    ),
    (_BASELINE.replace("{surplus}", "worth.detach() - paid"), 15),
    (_UNNAMED.replace("{surplus}", "worth.detach() - paid"), 15),
)

SOUND = (
    _UNNAMED.replace("{surplus}", "paid - worth.detach()"),
    _UNNAMED.replace("{surplus}", "worth.detach() - paid").replace("() - (b", "() + (b"),
    _BASELINE.replace("{surplus}", "paid - worth.detach()"),
    _ACTOR.replace("{loss}", "-" + _LOWERED).replace("{paid}", "reward"),
    _ACTOR.replace("{loss}", f"-torch.min({_LOWERED[:-7]}, old_{_LOWERED[:-7]}).mean()").replace("{paid}", "r"),
    _ACTOR.replace("{loss}", _LOWERED).replace("{paid}", "cost"),
    _ACTOR.replace("{loss}", _LOWERED)
    .replace("{paid}", "reward")
    .replace(
        "two = torch.optim.Adam(judge.parameters()), torch.optim.Adam(pilot.parameters()",
        "two = (\n    torch.optim.Adam(judge.parameters()), torch.optim.Adam(pilot.parameters(), maximize=True)",
    ),
    *tuple(
        _SCRIPT.replace("{loss}", loss)
        for loss in (
            "-(log_prob * reward).mean()",
            "-(log_prob * ((reward - reward.mean()) / reward.std())).mean()",
            "(log_prob * (0.5 - reward)).mean()",
            "(-log_prob * reward).mean()",
            "torch.stack([-log_p * reward[i] for i, log_p in enumerate(log_prob)]).sum()",
            "(log_prob * -reward).mean()",
            "(log_prob.exp().detach() * log_prob).mean()",
            "-1 * (reward * log_prob).sum() / 9",
            "(-reward.sign().abs() * torch.log(dist.probs[range(9), action]) * reward).mean()",
        )
    ),
    _SCRIPT.replace("{loss}", "(log_prob * reward).mean()").replace("lr=0.1", "lr=0.1, maximize=True"),
    # the log-probability of a coin is a negated cross-entropy
    _SCRIPT.replace("{loss}", "-(log_prob * reward).mean()")
    .replace("Categorical", "Bernoulli")
    .replace("nn.Linear(5, 3)", "nn.Sequential(nn.Linear(5, 1), nn.Flatten(0))"),
)
