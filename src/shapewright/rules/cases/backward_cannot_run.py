"""Cases of SW136."""

FAULTY = (
    (
        """
import torch
from torch import nn
net = nn.Linear(3, 1)
loss = (net(torch.randn(5, 3)) - 1) ** 2
loss.backward()
""",
        6,
    ),
    (
        """
import torch
from torch import nn
net = nn.Linear(3, 4)
guess = net(torch.randn(5, 3)).argmax(1).float()
loss = (guess - 1).abs().mean()
loss.backward()
""",
        7,
    ),
    (
        """
import torch
from torch import nn
rnn, head = nn.GRU(3, 4), nn.Linear(4, 1)
opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
hidden = torch.zeros(1, 2, 4)
for step in range(4):
    out, hidden = rnn(torch.randn(5, 2, 3), hidden)
    loss = head(out).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        11,
    ),
    (
        """
import torch
w = torch.ones(3, requires_grad=True)
y = torch.sigmoid(w)
y += 1
y.sum().backward()
""",
        6,
    ),
)

SOUND = (
    """
import torch
w = torch.ones(3, requires_grad=True)
(w * 2).backward(torch.ones(3))
loss = (w ** 2).sum()
loss.backward(retain_graph=True)
loss.backward()
""",
)
