"""Cases of SW360."""

_ONE = """
import torch
from torch import nn

class Made(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        {forward}

    @staticmethod
    def backward(ctx, grad):
        {backward}

torch.manual_seed(0)
first, last = nn.Linear(6, 12), nn.Linear(12, 1)
opt = torch.optim.SGD([*first.parameters(), *last.parameters()], lr=0.1)
for _ in range(3):
    x, y = torch.randn(16, 6), torch.randn(16, 1)
    loss = nn.functional.mse_loss(last(Made.apply(first(x))), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_TWO = """
import numpy as np
import torch
from torch.autograd import Function

class Scaled(Function):
    @staticmethod
    def forward(ctx, rows, weight):
        ctx.save_for_backward(rows, weight)
        return torch.as_tensor(rows.detach().numpy() @ weight.detach().numpy().T)

    @staticmethod
    def backward(ctx, grad):
        rows, weight = ctx.saved_tensors
        return {backward}

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(5, 5) * 0.3)
        self.first, self.out = torch.nn.Linear(5, 5), torch.nn.Linear(5, 1)

    def forward(self, x):
        return self.out(torch.tanh(Scaled.apply(self.first(x), self.w)))

net = Net()
opt = torch.optim.Adam(net.parameters())
for step in range(3):
    loss = (net(torch.randn(20, 5)) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def _one(forward: str, backward: str) -> str:
    return _ONE.format(forward=forward, backward=backward)


_KEPT = "ctx.save_for_backward(x); return "
_READ = "(x,) = ctx.saved_tensors; return "

FAULTY = (
    (_one(_KEPT + "x.clamp(min=0)", "x, = ctx.saved_tensors; return grad.clone()"), 12),
    (_one(_KEPT + "x.clamp(min=0)", _READ + "grad * (x < 0)"), 12),
    (
        _one("y = x.sigmoid(); ctx.save_for_backward(y); return y", "(y,) = ctx.saved_tensors; return grad * (1 - y)"),
        12,
    ),
    (_one(_KEPT + "x * x", _READ + "grad * x"), 12),
    (_TWO.format(backward="grad @ weight, rows.t() @ grad"), 15),
    (_TWO.format(backward="grad @ weight.t(), grad.t() @ rows"), 15),
    (_one(_KEPT + "x.clamp(min=0)", _READ + "grad * (grad > 0)"), 12),  # by the sign of the wrong tensor
)

SOUND = (
    _one(_KEPT + "x.clamp(min=0)", _READ + "grad * (x > 0)"),
    _one("y = x.exp(); ctx.save_for_backward(y); return y", "(y,) = ctx.saved_tensors; return grad * y"),
    _TWO.format(backward="grad @ weight, grad.t() @ rows"),
    _one(_KEPT + "x.sign()", _READ + "grad * (x.abs() <= 1)"),  # straight through
    _one("return (x * 8).round() / 8", "return grad"),
    _one("return x.clamp(-1, 1)", "return grad"),
    _one("return x.view_as(x)", "return -0.5 * grad"),  # reversed
    _one(_KEPT + "x.clamp(min=0)", _READ + "grad.clamp(min=0) * (x > 0)"),  # guided
    _one(_KEPT + "x.clamp(min=0.1)", _READ + "grad * ((x >= 0.1) | (grad < 0))"),  # a lower bound
    _one(_KEPT + "x.clamp(-0.5, 0.5)", _READ + "grad * (grad * (x - x.clamp(-0.5, 0.5)) >= 0)"),  # led back in
    _one(_KEPT + "x * x", _READ + "(2 * grad * x).clamp(-1, 1)"),  # clipped
    _one(
        "keep = (torch.rand_like(x) > 0.3).to(x.dtype); ctx.save_for_backward(keep); return x * keep / 0.7",
        "(keep,) = ctx.saved_tensors; return grad * keep / 0.7",
    ),
    _one("return x * x.detach().sigmoid()", "return grad.clamp(-0.1, 0.1)"),  # clipped, and nothing is kept
)
