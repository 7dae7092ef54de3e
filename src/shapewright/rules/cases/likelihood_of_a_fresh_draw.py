"""Cases of SW365."""

_RATIO = """
import torch
from torch import nn
from torch.distributions import Categorical
torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))
opt = torch.optim.Adam(policy.parameters(), lr=1e-3)
S = torch.randn(64, 4)
with torch.no_grad():
    first = Categorical(logits=policy(S))
    A = first.sample()
    L = first.log_prob(A)
R = (A == S[:, :3].argmax(1)).float()
R = R - R.mean()
for epoch in range(2):
    for b in torch.randperm(64).split(16):
        d = Categorical(logits=policy(S[b]))
        new = d.log_prob({action})
        r = (new - L[b]).exp()
        loss = -torch.min(r * R[b], r.clamp(0.8, 1.2) * R[b]).mean() - 0.01 * d.entropy().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

_WEIGHTED = """
import torch
from torch import nn
torch.manual_seed(0)
policy = nn.Linear(4, 3)
opt = torch.optim.SGD(policy.parameters(), lr=0.1)
for step in range(3):
    states = torch.randn(16, 4)
    with torch.no_grad():
        taken = torch.multinomial(policy(states).softmax(1), 1)
    rewards = torch.tensor([float(s[int(a)]) for s, a in zip(states, taken)])
    logp = policy(states).log_softmax(1)
    {again}
    chosen = logp.gather(1, taken).squeeze(1)
    loss = -(chosen * (rewards - rewards.mean())).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_REWARDED_AT_ONCE = """
import torch
from torch import nn
from torch.distributions import Categorical
torch.manual_seed(0)
policy, first = nn.Linear(5, 5), nn.Linear(5, 5)
first.load_state_dict(policy.state_dict())
opt = torch.optim.SGD(policy.parameters(), lr=0.1)
mean = torch.zeros(16)
for step in range(3):
    x = torch.randn(16, 5)
    d = Categorical(logits=policy(x))
    a = d.sample()
    logp = d.log_prob(a)
    {rewards}
    with torch.no_grad():
        old = Categorical(logits=first(x)).log_prob(a)
    k3 = (logp - old).exp() - 1 - (logp - old)
    loss = -(logp * (r - mean)).mean() + 0.1 * k3.mean()
    mean = 0.9 * mean + 0.1 * r.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_RATIO.replace("{action}", "d.sample()"), 18),
    (_WEIGHTED.replace("{again}", "taken = torch.multinomial(logp.exp(), 1)"), 13),
)

SOUND = (
    _RATIO.replace("{action}", "A[b]"),
    _WEIGHTED.replace("    {again}\n", ""),
    _REWARDED_AT_ONCE.replace("{rewards}", "r = (a == x.argmax(1)).float()"),
    _REWARDED_AT_ONCE.replace("{rewards}", "r = torch.tensor([float(row[i]) for row, i in zip(x, a.tolist())])"),
)
