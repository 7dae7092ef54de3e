"""Which modules answer otherwise in training than in evaluation: dropout, normalizations of the batch, and layers of
the user's own that ask for their mode and keep statistics.

A layer that asks for its mode and keeps nothing is not among them: it may return other things, or skip a loss.
"""

from __future__ import annotations

from types import FunctionType

from torch import nn


def stochastic(module: nn.Module) -> bool:
    """Whether the module's own numbers are others in training than in evaluation."""
    if isinstance(module, (nn.modules.dropout._DropoutNd, nn.AlphaDropout)):
        return module.p > 0
    several = isinstance(module, nn.RNNBase) and module.dropout > 0 and module.num_layers > 1
    return several or isinstance(module, nn.modules.batchnorm._BatchNorm) or _keeps_statistics(module)


def _keeps_statistics(module: nn.Module) -> bool:
    """Whether a layer that torch does not have asks for its mode and has numbers that no gradient moves."""
    kind = type(module)
    if kind.__module__.partition(".")[0] == "torch" or not any(
        buffer.is_floating_point() for buffer in nn.Module.buffers(module, recurse=False)
    ):
        return False
    forward = vars(kind).get("forward")
    return isinstance(forward, FunctionType) and "training" in forward.__code__.co_names
