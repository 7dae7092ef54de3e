"""GPT-2's GELU (Hendrycks and Gimpel 2016, the tanh form), in half the time on a CPU.

½ (1 + tanh u) is σ(2u), and torch's CPU sigmoid is three times as fast as its tanh. On a GPU torch's own fused kernel is the faster one.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

_SLOPE = 2 * math.sqrt(2 / math.pi)
_CUBIC = 0.044715 * _SLOPE


class _Gelu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        share = (x * x).mul_(_CUBIC).add_(_SLOPE).mul_(x).sigmoid_()
        ctx.save_for_backward(x, share)
        return x * share

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient: Tensor) -> Tensor:
        x, share = ctx.saved_tensors
        slope = (x * x).mul_(3 * _CUBIC).add_(_SLOPE).mul_(x)
        return slope.mul_(torch.addcmul(share, share, share, value=-1)).add_(share).mul_(gradient)


def gelu(x: Tensor) -> Tensor:
    """x · Φ(x) in its tanh form, equal to `F.gelu(x, approximate="tanh")` to rounding. Any shape."""
    if x.device.type == "cpu" and x.dtype in (torch.float32, torch.float64):
        return _Gelu.apply(x)
    return F.gelu(x, approximate="tanh")
