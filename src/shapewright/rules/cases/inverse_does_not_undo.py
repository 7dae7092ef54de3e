"""Cases of SW317."""

from . import filled

_SCRIPT = """
import torch
from torch import nn


class Half(nn.Module):
    def __init__(self, even):
        super().__init__()
        self.register_buffer("kept", (torch.arange(4) % 2 == even).float())
        self.net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 8))

    def forward(self, x):
        s, t = self.net(x * self.kept).chunk(2, 1)
        s, free = torch.tanh(s), 1 - self.kept
        return x * self.kept + free * (x * s.exp() + t), (free * s).sum(1)

    def back(self, z):
        s, t = self.net(z * self.kept).chunk(2, 1)
        s, free = torch.tanh(s), 1 - self.kept
        return z * self.kept + free * (z - t) * (-s).exp()


class Turn(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("order", torch.tensor([1, 2, 3, 0]))

    def forward(self, x):
        return x[:, self.order], x.new_zeros(len(x))

    def back(self, z):
        {turned}


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([Half(0), Turn(), Half(1), Half(0), Turn()])

    def forward(self, x):
        total = 0
        for part in self.parts:
            x, volume = part(x)
            total = total + volume
        return x, total

    @torch.no_grad()
    def draw(self, count):
        z = torch.randn(count, 4)
        for part in {way}:
            z = part.back(z)
        return z


torch.manual_seed(0)
data = torch.randn(200, 4) @ torch.randn(4, 4)
flow = Flow()
opt = torch.optim.Adam(flow.parameters(), lr=0.01)
for step in range(4):
    z, volume = flow(data[torch.randperm(200)[:40]])
    loss = (0.5 * z.pow(2).sum(1) - volume).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(flow.draw(50).std(0))
"""
_SOUND = {"turned": "return z[:, self.order.argsort()]", "way": "reversed(self.parts)"}

FAULTY = (
    (filled(_SCRIPT, **_SOUND | {"way": "self.parts"}), 51),
    (filled(_SCRIPT, **_SOUND | {"turned": "return z[:, self.order]"}), 31),
)

SOUND = (
    filled(_SCRIPT, **_SOUND),
    filled(_SCRIPT, **_SOUND | {"way": "self.parts[::-1]"}),
    # a decoder's layers need not be inverses
    filled(_SCRIPT, **_SOUND).replace("free * (z - t) * (-s).exp()", "free * torch.tanh(z - t)"),
    # the order does not matter to shifts by a constant
    filled(_SCRIPT, **_SOUND | {"way": "self.parts"})
    .replace("(x * self.kept).chunk", "(0 * x).chunk")
    .replace("(z * self.kept).chunk", "(0 * z).chunk")
    .replace("torch.tensor([1, 2, 3, 0])", "torch.arange(4)")
    .replace("x * s.exp() + t", "x + t")
    .replace("(z - t) * (-s).exp()", "(z - t)"),
)
