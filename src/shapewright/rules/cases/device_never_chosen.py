"""Cases of SW393."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 1){place}
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    opt.zero_grad()
    loss = net(torch.randn(6, 4)).pow(2).mean()
    loss.backward()
    opt.step()
"""

FAULTY = ((_SCRIPT.replace("{place}", ""), 10),)

SOUND = (_SCRIPT.replace("{place}", ".to('cpu')"),)
