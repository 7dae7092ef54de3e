"""Cases of SW273."""

_NET = """
import math
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self, width=32, heads=4):
        super().__init__()
        self.heads, self.embed, self.qkv = heads, nn.Embedding(20, width), nn.Linear(width, 3 * width)
        self.head = nn.Linear(width, 2)
    def forward(self, ids):
        x = self.embed(ids)
        b, t, w = x.shape
        q, k, v = (part.view(b, t, self.heads, -1).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        QUERY
        s = q @ k.transpose(-2, -1)SCALE
        s = s.masked_fill(torch.ones(t, t).triu(1).bool(), float("-inf"))
        o = s.softmax(-1) @ v
        return self.head(o.transpose(1, 2).flatten(2)[:, -1])
net = Net()
opt = torch.optim.Adam(net.parameters())
x, y = torch.randint(0, 20, (6, 11)), torch.randint(0, 2, (6,))
for step in range(3):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def _net(scale: str = "", query: str = "pass") -> str:
    return _NET.replace("SCALE", scale).replace("QUERY", query)


_TURN = """u = torch.arange(t)[:, None] / 9
        q, k = (torch.stack((z[..., ::2] * u.cos() - z[..., 1::2] * u.sin(),
                             z[..., ::2] * u.sin() + z[..., 1::2] * u.cos()), -1).flatten(-2) for z in (q, k))"""
_HALVES = """u = torch.arange(t)[:, None].expand(t, q.size(-1)) / 9
        q, k = (z * u.cos() + torch.cat((-z[..., q.size(-1) // 2:], z[..., :q.size(-1) // 2]), -1) * u.sin()
                for z in (q, k))"""

FAULTY = (
    (_net(" / math.sqrt(w)"), 16),
    (_net(" / t ** 0.5"), 16),
    (_net(" / q.size(-1)"), 16),
    (_net(" * q.size(-1) ** 0.5"), 16),
    (_net("", "q = q * w ** -0.5"), 15),
    (_net(" / math.sqrt(w)", _TURN), 18),
    (_net(" / math.sqrt(w)", _HALVES), 18),
    (_net(" / math.sqrt(w) - (torch.arange(t)[:, None] - torch.arange(t)).abs() / 2"), 16),
    (_net(" / math.sqrt(w)", "q = q.detach() + 0.5 * q"), 16),
)

SOUND = (
    _net(" / math.sqrt(q.size(-1))"),
    _net("", "q = q * q.size(-1) ** -0.5"),
    _net("", "q, k = q * q.size(-1) ** -0.25, k * q.size(-1) ** -0.25"),
    _net(),
    _net(" / 0.07", "q, k = nn.functional.normalize(q, dim=-1), nn.functional.normalize(k, dim=-1)"),
    _net(" * q.size(-1) ** 0.5", "q, k = nn.functional.normalize(q, dim=-1), nn.functional.normalize(k, dim=-1)"),
    _net(" / (3 * math.sqrt(q.size(-1)))"),
    _net(" / math.sqrt(q.size(-1))", _TURN),
    _net(" / math.sqrt(q.size(-1))", _HALVES),
    _net(" / 8", "q = torch.cat((q, x.new_ones(b, self.heads, t, 1)), -1); k = torch.cat((k, k[..., :1]), -1)"),
    _net(" / math.sqrt(w) + q @ self.qkv.weight[:, :8].T[:, :t] / math.sqrt(w)"),
    _net(" / math.sqrt(q.size(-1))", "q = q.detach() + 0.5 * q"),
)
