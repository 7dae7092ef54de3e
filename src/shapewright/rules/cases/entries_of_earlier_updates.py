"""Cases of SW286."""

_POLICY = """
import torch
from torch import nn
from torch.distributions import Categorical
torch.manual_seed(0)
class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net, self.logs, self.gains = nn.Linear(4, 2), [], []
    def forward(self, state):
        dist = Categorical(logits=self.net(state))
        action = dist.sample()
        self.logs.append(dist.log_prob(action))
        return action
policy = Policy()
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
def update():
    total, sums = 0.0, []
    for gain in reversed(policy.gains):
        total = gain + 0.9 * total
        sums.insert(0, total)
    sums = torch.tensor(sums)
    loss = 0
    for log, back in zip(policy.logs, sums):
        loss = loss - log * back
    opt.zero_grad()
    loss.backward()
    opt.step()
    CLEAR
for episode in range(4):
    for step in range(5 + episode):
        action = policy(torch.randn(4))
        policy.gains.append(float(torch.rand(())) * float(action))
    update()
"""

FAULTY = (
    (_POLICY.replace("CLEAR", "del policy.logs[:]"), 24),
    (_POLICY.replace("CLEAR", "policy.logs = []"), 24),
    (
        _POLICY.replace("CLEAR", "policy.logs.clear()")
        .replace("zip(policy.logs, sums)", "zip(sums.tolist(), policy.logs)")
        .replace("log, back in", "back, log in"),
        24,
    ),
)

# one number is kept for each episode, beside what learns; a table of names; the first few of many
_MEANS = _POLICY.replace("CLEAR", "del policy.logs[:], policy.gains[:]").replace(
    "for episode", "means, losses = [], []\nfor episode"
)

SOUND = (
    _POLICY.replace("CLEAR", "del policy.logs[:], policy.gains[:]"),
    _POLICY.replace("CLEAR", "policy.logs, policy.gains = [], []"),
    _MEANS + "    means.append(episode)\n    for name, one in zip('abcd', means):\n        str(name) + str(one)\n",
    _POLICY.replace("CLEAR", "del policy.logs[:], policy.gains[:]")
    .replace("zip(policy.logs, sums)", "zip(policy.logs, sums, torch.arange(100))")
    .replace("log, back in", "log, back, _ in"),
    _POLICY.replace("CLEAR", "del policy.logs[:], policy.gains[:]") + "    kept = [p for p in policy.parameters()]\n"
    "    for old, new in zip(kept, list(policy.parameters()) * 2):\n        old.shape == new.shape\n",
)
