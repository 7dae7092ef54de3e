"""The patterns as modules."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from ..patterns import rearrange, reduce


class Rearrange(nn.Module):
    """`rearrange` as a module."""

    def __init__(self, pattern: str, **axes_lengths: Any) -> None:
        super().__init__()
        self.pattern, self.axes_lengths = pattern, axes_lengths

    def forward(self, input: Tensor) -> Tensor:
        """The pattern applied."""
        return rearrange(input, self.pattern, **self.axes_lengths)


class Reduce(nn.Module):
    """`reduce` as a module."""

    def __init__(self, pattern: str, reduction: Any, **axes_lengths: Any) -> None:
        super().__init__()
        self.pattern, self.reduction, self.axes_lengths = pattern, reduction, axes_lengths

    def forward(self, input: Tensor) -> Tensor:
        """The pattern applied."""
        return reduce(input, self.pattern, self.reduction, **self.axes_lengths)
