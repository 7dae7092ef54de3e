"""Cases of SW209."""

_NET = """
import torch
from torch import nn
torch.manual_seed(0)
qkv = nn.Linear(6, 18)
x = torch.randn(4, 7, 6)
q, k, v = qkv(x).chunk(3, dim=-1)
weights = torch.softmax(q @ k.transpose(1, 2) / 6 ** 0.5, dim=DIM)
out = weights @ v
out.mean().backward()
"""

_GRAPH = """
import torch
from torch import nn
torch.manual_seed(0)
lift, adj = nn.Linear(6, 4), torch.rand(9, 9) < 0.4
h = lift(torch.randn(9, 6))
weights = (h @ h.t()).masked_fill(~adj, -1e9).softmax(dim=DIM)
(torch.dropout(weights, 0.1, True) @ h).mean().backward()
"""

_EINSUM = """
import torch
from torch import nn
torch.manual_seed(0)
qkv = nn.Linear(6, 18)
q, k, v = qkv(torch.randn(4, 7, 6)).view(4, 7, 2, 9).chunk(3, dim=-1)
weights = torch.einsum("bqhd,bkhd->bqkh", q, k).softmax(dim=DIM)
torch.einsum("bqkh,bkhd->bqhd", weights, v).mean().backward()
"""

_WRITTEN = _NET.replace(
    "torch.softmax(q @ k.transpose(1, 2) / 6 ** 0.5, dim=DIM)",
    "torch.exp(q @ k.transpose(1, 2) / 6 ** 0.5)\nweights = weights / weights.sum(dim=DIM, keepdim=True)",
)


_LISTS = """
import torch
pages, worth = torch.randn(16, 9, 5), torch.rand(16, 9)
score = torch.nn.Linear(5, 1)
wanted = (4 * worth).softmax(dim=DIM)
loss = -(wanted * score(pages).squeeze(2).log_softmax(dim=1)).sum(dim=1).mean()
loss.backward()
"""

_EXPECTED = """
import torch
from torch import nn
torch.manual_seed(0)

class Returns(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 2 * 11)
        self.register_buffer("worth", torch.linspace(-1, 1, 11))

    def forward(self, x):
        chance = torch.softmax(self.net(x).view(len(x), 2, 11), dim=DIM)
        best = (chance * self.worth).sum(2)
        return best, chance[torch.arange(len(x)), best.argmax(1)]

best, chosen = Returns()(torch.randn(7, 4))
(best.mean() - chosen.clamp(min=1e-4).log().mean()).backward()
"""

_HEADS = """
import torch
q, k, v = (torch.randn(5, 2, 7, 6, requires_grad=True) for _ in range(3))
scores = (q @ k.transpose(-2, -1) / 6**0.5).masked_fill(~torch.ones(7, 7).tril().bool(), -1e9)
weights = scores.softmax(dim=DIM)
(torch.nn.functional.dropout(weights) @ v).mean().backward()
"""
_BY_PLACE = """
import torch
q, k, v = (torch.randn(5, 7, 2, 6, requires_grad=True) for _ in range(3))
scores = (q[:, :, None] * k[:, None]).sum(-1) / 6**0.5
weights = scores.softmax(dim=DIM)
(weights.unsqueeze(-1) * v[:, None]).sum(2).mean().backward()
"""
_ROUTED = """
import torch
said = torch.randn(5, 9, 3, 6, requires_grad=True)
wish = torch.zeros(5, 9, 3)
for turn in range(3):
    share = wish.softmax(dim=2)
    seen = (share[..., None] * said).sum(1, keepdim=True).tanh()
    wish = wish + (said * seen).sum(-1) if turn < 1 else (said * seen).sum(-1)
seen.mean().backward()
"""

FAULTY = (
    (_WRITTEN.replace("DIM", "1"), 9),
    (_NET.replace("DIM", "1"), 8),
    (_NET.replace("DIM", "-2"), 8),
    (_GRAPH.replace("DIM", "0"), 7),
    (_EINSUM.replace("DIM", "1"), 7),
    (_EXPECTED.replace("DIM", "1"), 13),
    (_LISTS.replace("DIM", "0"), 5),
    (_HEADS.replace("DIM", "1"), 5),
    (_BY_PLACE.replace("DIM", "3"), 5),
)

SOUND = (
    _HEADS.replace("DIM", "-1"),
    _BY_PLACE.replace("DIM", "2"),
    _ROUTED,
    _EXPECTED.replace("DIM", "-1"),
    _EXPECTED.replace("DIM", "1").replace(".sum(2)", ".sum(2) / chance.sum(2)"),  # a centre of mass
    _LISTS.replace("DIM", "1"),
    _LISTS.replace("DIM", "-1").replace(".sum(dim=1).mean()", ".mean()"),
    _WRITTEN.replace("DIM", "-1"),
    _WRITTEN.replace("torch.exp(", "torch.relu(").replace("DIM", "1"),
    _GRAPH.replace("DIM", "1"),
    _EINSUM.replace("DIM", "2"),
    """
import torch
x, adj = torch.randn(4, 12, 6, requires_grad=True), torch.rand(4, 12, 12)
assign = (x @ torch.randn(6, 5)).softmax(dim=-1)
pooled = assign.transpose(1, 2) @ x
coarse = assign.transpose(1, 2) @ adj @ assign
(torch.einsum("bnk,bnd->bkd", assign, x).mean() + pooled.mean() + coarse.mean()).backward()
""",
    _NET.replace("DIM", "-1"),
    _NET.replace("DIM", "1").replace("weights @ v", "weights.transpose(1, 2) @ v"),
    """
import torch
q, k, v = (torch.randn(4, 7, 6, requires_grad=True) for _ in range(3))
context = k.softmax(dim=1).transpose(1, 2) @ v
(q.softmax(dim=-1) @ context).mean().backward()
""",
    """
import torch
slots, keys, values = torch.randn(4, 3, 6, requires_grad=True), torch.randn(4, 9, 6), torch.randn(4, 9, 6)
attn = (slots @ keys.transpose(1, 2)).softmax(dim=1) + 1e-8
attn = attn / attn.sum(dim=-1, keepdim=True)
(attn @ values).mean().backward()
""",
)
