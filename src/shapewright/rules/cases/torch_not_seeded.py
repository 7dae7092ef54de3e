"""Cases of SW390."""

_SCRIPT = """
import numpy as np
import torch
from torch import nn
np.random.seed(3)
{seed}
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.tensor(np.random.rand(12, 4), dtype=torch.float32)
for step in range(3):
    opt.zero_grad()
    net(x).pow(2).mean().backward()
    opt.step()
"""

FAULTY = ((_SCRIPT.replace("{seed}", ""), 5),)

SOUND = (_SCRIPT.replace("{seed}", "torch.manual_seed(3)"),)
