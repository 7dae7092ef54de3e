"""Compares two results that should agree but for the length of one axis."""

from __future__ import annotations

import itertools

import torch

from ..dataclass import dataclass

RELATIVE = {torch.float64: 1e-6, torch.float32: 5e-5, torch.bfloat16: 5e-2, torch.float16: 2e-2}
MERGED = 4096


@dataclass(frozen=True)
class Change:
    """An axis of `before` entries was cut to the entries `kept`; entry `i` of the cut axis is entry `kept[i]` of the
    whole one. Where it was `filled` nothing was cut: the other entries hold something else. Of an axis of as many
    entries as there are `copies` of a sample, only the middle one counts: where a model sorts them, another stands
    first or last."""

    before: int
    kept: tuple[int, ...]
    filled: bool = False
    copies: int = 0

    @property
    def after(self) -> int:
        return self.before if self.filled else len(self.kept)

    def ways(self, axis: int, n: int, m: int) -> list[torch.Tensor | None]:
        """The ways in which an axis of `n` entries and one of `m` hold the same; `None` is all of both."""
        if n == m and not (self.filled and (n == self.before or (axis == 0 and n % self.before == 0))):
            return [None]
        return [*(self.selections(n, m) or [torch.arange(self.shared(n, m))])]

    def selections(self, n: int, m: int) -> list[torch.Tensor] | None:
        """The ways in which `m` entries may stand among `n`: several where the axis is merged with others, `None` where
        it is another axis."""
        kept = torch.tensor(self.kept)
        if (n, m) == (self.before, self.after):
            return [kept]
        if n % self.before or m % self.after or n // self.before != m // self.after or n // self.before > MERGED:
            return None
        factor = n // self.before
        ways = []
        for outer in (d for d in range(1, factor + 1) if factor % d == 0):
            inner = factor // outer
            index = (torch.arange(outer)[:, None, None] * self.before + kept[None, :, None]) * inner + torch.arange(
                inner
            )[None, None, :]
            ways.append(index.flatten())
        return ways

    def shared(self, n: int, m: int) -> int:
        """How many entries at the front stand for the same steps: of an axis that was padded, as many as were kept."""
        front = self.kept == tuple(range(self.after)) and n - m == self.before - self.after
        return min(n, m, self.after) if front else min(n, m)

    def axes(self, whole: torch.Tensor, cut: torch.Tensor) -> tuple[int, ...]:
        """The axes along which `cut` is shorter in the way of this change."""
        if whole.dim() != cut.dim():
            return ()
        sizes = enumerate(zip(whole.shape, cut.shape))
        return tuple(i for i, (n, m) in sizes if self.ways(i, n, m)[0] is not None and self.selections(n, m))


def difference(whole: torch.Tensor, cut: torch.Tensor, change: Change) -> tuple[float, float, torch.Tensor | None]:
    """The largest difference among what both hold, the size of the values, and the difference itself along the cut; the
    alignment that agrees best counts. Infinite where the two cannot be laid beside each other."""
    if whole.dim() != cut.dim():
        return float("inf"), 1.0, None
    for axis, n in enumerate(whole.shape if change.copies else ()):
        if n == cut.shape[axis] == change.copies:
            whole, cut = whole.narrow(axis, n // 2, 1), cut.narrow(axis, n // 2, 1)
    choices = [change.ways(axis, n, m) for axis, (n, m) in enumerate(zip(whole.shape, cut.shape))]
    best: tuple[float, float, torch.Tensor | None] = (float("inf"), 1.0, None)
    for ways in itertools.islice(itertools.product(*choices), 256):
        left, right = whole, cut
        for axis, index in enumerate(ways):
            if index is not None:
                left = left.index_select(axis, index)
                right = right.index_select(axis, index) if change.filled else right.narrow(axis, 0, len(index))
        gap, scale = _gap(left, right)
        largest = float(gap.max()) if gap.numel() else 0.0
        if largest < best[0]:
            best = (largest, scale, gap)
    return best


def differs(whole: torch.Tensor, cut: torch.Tensor, change: Change) -> bool:
    """Whether the two disagree by more than the arithmetic explains."""
    largest, scale, _ = difference(whole, cut, change)
    return largest > tolerance(whole.dtype, scale)


def tolerance(dtype: torch.dtype, scale: float) -> float:
    """The difference that the arithmetic of `dtype` explains for values of size `scale`."""
    return RELATIVE.get(dtype, 0.0) * scale + (1e-7 if dtype.is_floating_point else 0.0)


def _gap(left: torch.Tensor, right: torch.Tensor) -> tuple[torch.Tensor, float]:
    if left.dtype == torch.bool or not (left.is_floating_point() or left.is_complex()):
        return (left != right).float(), 1.0
    left, right = (
        left.nan_to_num(nan=1e30, posinf=1e30, neginf=-1e30),
        right.nan_to_num(nan=1e30, posinf=1e30, neginf=-1e30),
    )
    finite = left.abs()[left.abs() < 1e29]
    return (left - right).abs().float(), float(finite.max()) if finite.numel() else 1.0
