"""Cases of SW367."""

from . import filled

_SCRIPT = """
import random
import torch
from torch import nn
torch.manual_seed(0)
random.seed(0)
net, slow = nn.Linear(5, 3), nn.Linear(5, 3)
slow.load_state_dict(net.state_dict())
opt = torch.optim.SGD(net.parameters(), lr=0.05)
met = [(torch.rand(5), random.randrange(3), random.random(), torch.rand(5), i % 9 == 8) for i in range(90)]
for step in range(4):
    seen, did, got, then, over = zip(*random.sample(met, 16))
    did = torch.tensor(did)
    got, over = torch.tensor(got), torch.tensor(over).float()
    values = net(torch.stack(seen))
    {pick}
    with torch.no_grad():
        goal = got + 0.9 * (1 - over) * slow(torch.stack(then)).max(1).values
    loss = nn.functional.mse_loss(own, goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    slow.load_state_dict(net.state_dict())
"""

FAULTY = ((filled(_SCRIPT, pick="own = values.max(1)[0]"), 16),)

SOUND = (
    # the value of the action, told by a table of ones, and the largest value only shown or held down
    filled(
        _SCRIPT,
        pick="own = (values * nn.functional.one_hot(did, 3)).sum(1)\n    print(values.max(1).values.mean().item())",
    ),
    filled(
        _SCRIPT,
        pick="own = values[torch.arange(16), did] + 0 * (values.logsumexp(1) - values.max(1).values)",
    ),
)
