"""The order of samples: a pure function of seed and epoch, so that a resumed run needs nothing but its position.

One *step* takes `batch_size × accumulate × processes` samples. Its slices (`Batch`) tell how much each counts, so that
the ragged last step weighs every sample equally however it is divided among micro-batches and processes. Does not hold
data: it yields indices, for slicing tensors (in-memory data need no DataLoader; see benchmarks/).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Batch:
    """One process's part of one optimiser step.

    `whole` are the indices of the step in all processes, Shape: (total,); `pieces` are the index tensors of its
    micro-batches, Shape: (samples,) each, at least one of them; `share` is false where this process got a sample only
    to keep step with the others and its loss counts nothing.
    """

    pieces: tuple[Tensor, ...]
    whole: Tensor
    share: bool = True

    @property
    def total(self) -> int:
        """Samples of the whole step in all processes."""
        return len(self.whole)

    @property
    def index(self) -> Tensor:
        """The only piece, where nothing is accumulated. Shape: (samples,)"""
        assert len(self.pieces) == 1, "with accumulate > 1 go through pieces"
        return self.pieces[0]


@dataclass(frozen=True)
class Order:
    """Shuffled (or not) passes over `size` samples.

    `grouping`, when given, maps an epoch's permutation, Shape: (size,), to another one (length buckets, say); it must
    be deterministic.
    """

    size: int
    batch_size: int
    seed: int = 0
    shuffle: bool = True
    drop_last: bool = False
    accumulate: int = 1
    rank: int = 0
    processes: int = 1
    grouping: Callable[[Tensor, int], Tensor] | None = None

    @property
    def step_size(self) -> int:
        """Samples per optimiser step, over all processes and micro-batches."""
        return self.batch_size * self.accumulate * self.processes

    def __len__(self) -> int:
        """Optimiser steps per epoch."""
        full, rest = divmod(self.size, self.step_size)
        return full + bool(rest and not self.drop_last)

    def permutation(self, epoch: int) -> Tensor:
        """The samples in the order of one epoch. Shape: (size,)"""
        if self.shuffle:
            generator = torch.Generator().manual_seed((self.seed * 1_000_003 + epoch) % 2**63)
            indices = torch.randperm(self.size, generator=generator)
        else:
            indices = torch.arange(self.size)
        return indices if self.grouping is None else self.grouping(indices, epoch)

    def epoch(self, epoch: int, start: int = 0) -> Iterator[Batch]:
        """The steps of one epoch from step `start` on."""
        indices = self.permutation(epoch)
        for step in range(start, len(self)):
            yield self.split(indices[step * self.step_size : (step + 1) * self.step_size])

    def split(self, indices: Tensor) -> Batch:
        """This process's part of a step's samples: every `processes`-th one, in micro-batches of `batch_size`."""
        if self.processes == 1 and len(indices) <= self.batch_size:
            return Batch((indices,), indices)
        mine = indices[self.rank :: self.processes]
        if not len(mine):
            return Batch((indices[:1],), indices, share=False)
        return Batch(tuple(mine.split(self.batch_size)), indices)


@dataclass(frozen=True)
class Shares:
    """Passes over samples that each process has for itself: `sizes` of them, by rank. Processes make equally many
    steps; one that has nothing left computes its first sample, which counts nothing."""

    sizes: tuple[int, ...]
    batch_size: int
    seed: int = 0
    accumulate: int = 1
    rank: int = 0
    grouping: Callable[[Tensor, int], Tensor] | None = None

    def __len__(self) -> int:
        """Optimiser steps per epoch."""
        return -(-max(self.sizes) // (self.batch_size * self.accumulate))

    def epoch(self, epoch: int, start: int = 0) -> Iterator[Batch]:
        """The steps of one epoch from step `start` on. `whole` only counts: the indices belong to this process."""
        size, step_size = self.sizes[self.rank], self.batch_size * self.accumulate
        mine = Order(size, self.batch_size, self.seed, grouping=self.grouping).permutation(epoch)
        for first in range(start * step_size, len(self) * step_size, step_size):
            total = sum(min(max(other - first, 0), step_size) for other in self.sizes)
            part = mine[first : first + step_size]
            pieces = tuple(part.split(self.batch_size)) if len(part) else (torch.zeros(1, dtype=torch.long),)
            yield Batch(pieces, torch.arange(total), share=bool(len(part)))


def by_length(lengths: Tensor, step_size: int, seed: int = 0, pool: int = 50) -> Callable[[Tensor, int], Tensor]:
    """A `grouping` that puts samples of like length into one step, so that little is padded, and shuffles the steps.

    Args:
        lengths: of all samples. Shape: (size,)
        step_size: samples per step; see `Order.step_size`.
        pool: so many steps' samples are sorted together; more pads less and mixes less.
    """

    def grouped(indices: Tensor, epoch: int) -> Tensor:
        pools = [part[lengths[part].argsort(stable=True)] for part in indices.split(pool * step_size)]
        steps = torch.cat(pools).split(step_size)
        full = len(indices) // step_size
        generator = torch.Generator().manual_seed((seed * 1_000_003 + epoch + 1) % 2**63)
        return torch.cat(
            [steps[number] for number in torch.randperm(full, generator=generator).tolist()] + list(steps[full:])
        )

    return grouped
