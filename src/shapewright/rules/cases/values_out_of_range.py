"""Cases of SW144."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
x = torch.randn(64, 6)
y = {labels}
{model}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(0, 64, 16):
    scores = net(x[i:i + 16]).squeeze(1)
    optimizer.zero_grad()
    loss = {loss}(scores, y[i:i + 16])
    loss.backward()
    optimizer.step()
"""
_LISTED = "net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))"
_OWN = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.outer = nn.Linear(6, 8), nn.Linear(8, 1)

    def forward(self, x):
        return {given}

net = Net()
"""
_SCORES, _CHANCES = "self.outer(self.inner(x).relu())", "self.outer(self.inner(x).relu()).sigmoid()"
_BITS, _FROM_ONE, _SIGNS = "(x[:, 0] > 0).float()", "(x[:, 0] > 0).float() + 1", "x[:, 0].sign()"
_ENDED = _LISTED[:-1] + ", nn.Sigmoid())"

_DRAWN = """
import torch
from torch import nn
from torch.distributions import Categorical
torch.manual_seed(0)
policy = nn.Linear(4, 3)
optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
for step in range(3):
    seen = torch.randn(8, 4)
    chances = {chances}
    action = chances.sample()
    loss = -(chances.log_prob(action) * seen[:, 0]).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""

FAULTY = (
    (filled(_SCRIPT, labels=_BITS, model=_LISTED, loss="nn.BCELoss()"), 13),
    (filled(_SCRIPT, labels=_BITS, model=filled(_OWN, given=_SCORES), loss="F.binary_cross_entropy"), 23),
    (filled(_SCRIPT, labels=_SIGNS, model=_ENDED, loss="F.binary_cross_entropy"), 13),
    (filled(_SCRIPT, labels=_FROM_ONE, model=filled(_OWN, given=_CHANCES), loss="nn.BCELoss()"), 23),
    (filled(_DRAWN, chances="Categorical(policy(seen))"), 10),
    (filled(_DRAWN, chances="Categorical(probs=policy(seen))"), 10),
)
SOUND = (
    filled(_SCRIPT, labels=_BITS, model=_ENDED, loss="nn.BCELoss()"),
    filled(_SCRIPT, labels=_BITS, model=filled(_OWN, given=_CHANCES), loss="F.binary_cross_entropy"),
    filled(_SCRIPT, labels="x[:, 0].sigmoid()", model=_ENDED, loss="nn.BCELoss()"),
    filled(_SCRIPT, labels=_BITS, model=_LISTED, loss="nn.BCEWithLogitsLoss()"),
    filled(_DRAWN, chances="Categorical(logits=policy(seen))"),
    filled(_DRAWN, chances="Categorical(policy(seen).softmax(-1))"),
)
