"""Patterns as layers of torch."""

from __future__ import annotations

from typing import Any

import torch

import einops


class Rearrange(torch.nn.Module):
    """`rearrange` with a pattern."""

    def __init__(self, pattern: str, **axes_lengths: int) -> None:
        super().__init__()
        self.pattern, self.axes_lengths = pattern, axes_lengths

    def forward(self, input: Any) -> Any:
        return einops.rearrange(input, self.pattern, **self.axes_lengths)


class Reduce(torch.nn.Module):
    """`reduce` with a pattern."""

    def __init__(self, pattern: str, reduction: Any, **axes_lengths: int) -> None:
        super().__init__()
        self.pattern, self.reduction, self.axes_lengths = pattern, reduction, axes_lengths

    def forward(self, input: Any) -> Any:
        return einops.reduce(input, self.pattern, self.reduction, **self.axes_lengths)
