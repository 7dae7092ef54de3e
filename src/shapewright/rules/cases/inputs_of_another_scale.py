"""Cases of SW389."""

from . import filled

_TIMES = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
    def forward(self, x, t):
        return self.out(torch.cat([x, t[:, None].float()], 1))
net = Net()
opt = torch.optim.Adam(net.parameters())
x = torch.randn(64, 2)
for _ in range(4):
    t = torch.rand(64)
    noise = torch.randn_like(x)
    loss = (net((1 - t)[:, None] * x + t[:, None] * noise, t) - noise + x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    y = torch.randn(16, 2)
    for step in reversed(range(40)):
        y = y - net(y, {time}) / 40
"""

_PICTURES = """
import torch
from torch import nn
torch.manual_seed(0)
pictures = torch.randint(0, 256, (80, 64)).float()
classes = torch.randint(0, 3, (80,))
net = nn.Linear(64, 3)
opt = torch.optim.Adam(net.parameters())
for _ in range(4):
    loss = nn.functional.cross_entropy(net(pictures[:60] / 255), classes[:60])
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    print((net({given}).argmax(1) == classes[60:]).float().mean())
"""

FAULTY = (
    (filled(_TIMES, time="torch.full((16,), step)"), 24),
    (filled(_PICTURES, given="pictures[60:]"), 16),
)
SOUND = (
    filled(_TIMES, time="torch.full((16,), step / 40)"),
    filled(_PICTURES, given="pictures[60:] / 255"),
    filled(_PICTURES, given="pictures[60:] / 255 + 2 * torch.randn(20, 64)"),  # noisy on purpose
    filled(_PICTURES, given="pictures[60:] / 255 + torch.zeros(20, 64)").replace("net = nn", "net = step = nn"),
)
