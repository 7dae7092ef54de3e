"""Cases of SW137."""

_HEAD = """
import torch
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w.t()
    @staticmethod
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
"""

_TAIL = """
w = torch.randn(3, 5, requires_grad=True)
Scale.apply(torch.randn(4, 5, requires_grad=True), w).sum().backward()
"""

FAULTY = (
    (_HEAD + "        grad_w = x.t() @ grad\n        return grad @ w, grad_w" + _TAIL, 14),
    (_HEAD + "        return grad @ w" + _TAIL, 13),
)

SOUND = (
    _HEAD + "        return grad @ w, grad.t() @ x" + _TAIL,
    _HEAD.replace("x, w)", "x, w, scale=2.0)", 1) + "        return grad @ w, grad.t() @ x" + _TAIL,
)
