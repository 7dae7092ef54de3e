"""Cases of SW217."""

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
rnn, head = nn.GRU(3, 6), nn.Linear(6, 4)
for x, y in DataLoader(TensorDataset(torch.randn(24, 5, 3), torch.randint(0, 4, (24, 5))), batch_size=8):
    out = head(rnn(x.transpose(0, 1))[0])
    loss = nn.functional.cross_entropy({out}.reshape(-1, 4), {y}.reshape(-1))
    loss.backward()
"""

_ROLLOUT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(3, 2)
obs, actions, gains = torch.randn(6, 4, 3), torch.randint(0, 2, (6, 4)), torch.randn(6, 4)
flat_obs, flat_actions = obs.reshape(-1, 3), actions.reshape(-1)
flat_gains = {gains}
for rows in torch.randperm(24).split(8):
    logp = net(flat_obs[rows]).log_softmax(-1).gather(1, flat_actions[rows][:, None]).squeeze(1)
    (-(logp * flat_gains[rows]).mean()).backward()
"""

FAULTY = (
    (_SCRIPT.replace("{out}", "out").replace("{y}", "y"), 9),
    (_ROLLOUT.replace("{gains}", "gains.transpose(0, 1).reshape(-1)"), 8),
)

SOUND = (
    _ROLLOUT.replace("{gains}", "gains.reshape(-1)"),
    _ROLLOUT.replace("{gains}", "gains.t().reshape(4, 6).t().reshape(-1)"),
    _SCRIPT.replace("{out}", "out.transpose(0, 1)").replace("{y}", "y"),
    _SCRIPT.replace("{out}", "out").replace("{y}", "y.t()"),
)
