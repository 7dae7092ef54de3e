"""Layers that apply a pattern to what they are given."""

from __future__ import annotations

from typing import Any

from torch import nn

from .. import rearrange, reduce


class Rearrange(nn.Module):
    """`rearrange` as a layer."""

    def __init__(self, pattern: str, **axes_lengths: int) -> None:
        super().__init__()
        self.pattern, self.axes_lengths = pattern, axes_lengths

    def forward(self, input: Any) -> Any:
        """The tensor in axes of another order and grouping."""
        return rearrange(input, self.pattern, **self.axes_lengths)


class Reduce(nn.Module):
    """`reduce` as a layer."""

    def __init__(self, pattern: str, reduction: Any, **axes_lengths: int) -> None:
        super().__init__()
        self.pattern, self.reduction, self.axes_lengths = pattern, reduction, axes_lengths

    def forward(self, input: Any) -> Any:
        """The tensor with some axes reduced."""
        return reduce(input, self.pattern, self.reduction, **self.axes_lengths)
