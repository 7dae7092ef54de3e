"""Cases of SW346."""

PAIRS = """
import copy
import torch
from torch import nn
import torch.nn.functional as F
net = nn.Sequential(nn.Embedding(20, 8), nn.Flatten(), nn.Linear(32, 1))
frozen = copy.deepcopy(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    good, bad = torch.randint(0, 20, (6, 4)), torch.randint(0, 20, (6, 4))
    with torch.no_grad():
        before = frozen(good) - frozen(bad)
    gain = net(good) - net(bad)
    loss = -F.logsigmoid(gain - before).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
SLOW = """
import copy
import torch
from torch import nn
critic = nn.Linear(5, 1)
slow = copy.deepcopy(critic)
opt = torch.optim.SGD(critic.parameters(), lr=0.1)
for step in range(4):
    x, y, r = torch.randn(8, 5), torch.randn(8, 5), torch.randn(8, 1)
    with torch.no_grad():
        goal = r + 0.9 * slow(y)
    loss = (critic(x) - goal).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for p, q in zip(critic.parameters(), slow.parameters()):
            q.lerp_(p, 0.05)
"""

FAULTY = (
    (PAIRS.replace("copy.deepcopy(net)", "net"), 7),
    (PAIRS.replace("net(good) - net(bad)", "net(good) - net(good)"), 13),
    (SLOW.replace("copy.deepcopy(critic)", "critic"), 6),
)

SOUND = (
    PAIRS,
    SLOW,
    # the ratio of the first epoch is one, and a value stands beside its own copy without a graph
    """
import torch
from torch import nn
net = nn.Linear(5, 3)
agent = net
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    x, gain = torch.randn(8, 5), torch.randn(8)
    with torch.no_grad():
        old = torch.distributions.Categorical(logits=agent(x)).log_prob(torch.zeros(8))
    new = torch.distributions.Categorical(logits=net(x)).log_prob(torch.zeros(8))
    loss = -((new - old).exp() * gain).mean() - ((new - new.detach()).exp() * gain).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
