"""In which order a tensor's numbers run through the samples, told from the tensor before and after the samples were
reordered."""

from __future__ import annotations

from typing import ClassVar

import torch

from ..dataclass import dataclass

LARGEST = 1 << 18


@dataclass(frozen=True)
class Order:
    """In memory order, `outer` blocks hold the `size` samples each, and every sample `inner` numbers at a time; an
    `outer` of 0 says that the samples' order does not show."""

    outer: int
    size: int
    inner: int

    FIXED: ClassVar[Order]

    def shown(self) -> str:
        """As data: `2 × 12 samples × 9`."""
        return f"({self.outer}, {self.size}*, {self.inner})"


Order.FIXED = Order(0, 0, 0)


def reordered(outer: int, size: int, inner: int, order: torch.Tensor) -> torch.Tensor:
    """The index that reorders the samples of an axis of `outer * size * inner` entries."""
    return (
        torch.arange(outer)[:, None, None] * size * inner
        + order[None, :, None] * inner
        + torch.arange(inner)[None, None, :]
    ).flatten()


def orders_of(before: torch.Tensor, after: torch.Tensor, size: int, order: torch.Tensor) -> tuple[Order, ...]:
    """Every order that explains `after`: `before` with its samples put in `order`. Empty where none does."""
    if before.shape != after.shape:
        return ()
    left, right = before.flatten(), after.flatten()
    if left.numel() > LARGEST:
        return ()
    if _agree(left, right):
        return (Order.FIXED,)
    if left.numel() % size:
        return ()
    rest = left.numel() // size
    found = []
    for outer in (n for n in range(1, rest + 1) if rest % n == 0):
        if _agree(left[reordered(outer, size, rest // outer, order)], right):
            found.append(Order(outer, size, rest // outer))
    return tuple(found)


def _agree(left: torch.Tensor, right: torch.Tensor) -> bool:
    if not left.is_floating_point():
        return bool((left == right).all())
    return torch.allclose(
        left,
        right,
        rtol=1e-3,
        atol=1e-5 * max(1.0, float(left.abs().nan_to_num(posinf=0.0).max()) if left.numel() else 1.0),
        equal_nan=True,
    )
