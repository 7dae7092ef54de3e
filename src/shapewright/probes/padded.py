"""Finds which entries of a batch are padding, and only where the data prove it.

Proof is: lengths or a mask among the inputs, or a `pad_sequence` behind them, with tails that hold one constant; or
integer sequences, not all in order, whose tails are one number that occurs nowhere else; or real-valued series without
any zero whose tails are exactly zero. Sequences that grow by a step from call to call are being generated: what fills a
finished row is no padding that anyone reads past.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

import torch

from ..dataclass import dataclass
from ..trace import Site, TensorFact
from .parts import leaves, rebuilt
from .subject import Batching, Subject, behind

THROUGH = frozenset(
    {"to", "float", "long", "transpose", "t", "permute", "cuda", "contiguous", "clone", "detach", "unsqueeze", "int"}
)
CUTTING = frozenset({"getitem", "narrow"})
NAMED = frozenset({"pad_sequence"})


@dataclass(frozen=True)
class Padding:
    """Sample `i` of the batch has `lengths[i]` real entries of `longest` along the time axis; the rest, at the end, is
    padding."""

    lengths: tuple[int, ...]
    longest: int
    how: str
    site: Site | None = None

    def tells(self, leaf: Any) -> bool:
        """Whether part of an input is the lengths themselves."""
        return _counts(leaf) and tuple(leaf.tolist() if isinstance(leaf, torch.Tensor) else leaf) == self.lengths

    def cut(self, inputs: tuple, batching: Batching, sample: int, length: int) -> tuple:
        """Two copies of one sample, of every tensor the first `length` entries of each axis that is as long as the
        padded time."""
        return self.shortened(batching.cut(inputs, [sample, sample]), batching, length)

    def shortened(self, inputs: tuple, batching: Batching, length: int, counts: Container[tuple] = ()) -> tuple:
        """Inputs with the first `length` steps only; the lengths that `counts` leads to are no larger."""
        axes = batching.axes

        def shorten(path: tuple, leaf: Any) -> Any:
            if path in counts:
                return leaf.clamp(max=length) if isinstance(leaf, torch.Tensor) else [min(n, length) for n in leaf]
            if not isinstance(leaf, torch.Tensor):
                return leaf
            for axis, n in enumerate(leaf.shape):
                if n == self.longest and axis != axes.get(path, -1):
                    leaf = leaf.narrow(axis, 0, length)
            return leaf

        return rebuilt(inputs, shorten)


def padding(subject: Subject, batching: Batching) -> Padding | None:
    """The padding of the subject's inputs, or `None` where there is none for certain."""
    return next(paddings(subject, batching), None)


def paddings(subject: Subject, batching: Batching) -> Iterator[Padding]:
    """The padding of each input, the one that is told best first: what is translated has other lengths than the
    translation."""
    inputs = dict(leaves(subject.inputs))
    series = [
        (path, _by_sample(leaf, batching.axes[path]))
        for path, leaf in inputs.items()
        if isinstance(leaf, torch.Tensor) and path in batching.axes and leaf.dim() >= 2
    ]
    series = [
        (path, leaf) for path, leaf in series if leaf.shape[1] >= 3 and not _grown(subject, path, batching.axes[path])
    ]
    counts = [
        list(map(int, leaf)) if not isinstance(leaf, torch.Tensor) else leaf.tolist()
        for path, leaf in inputs.items()
        if path in batching.axes and _counts(leaf)
    ]
    for path, leaf in series:
        longest = leaf.shape[1]
        for lengths in counts:
            if _fits(lengths, longest) and _constant_tails(leaf, lengths):
                yield Padding(tuple(lengths), longest, "lengths", _site(subject, path))
    for _, leaf in series:
        lengths = _mask_lengths(leaf)
        if (
            lengths is not None
            and _fits(lengths, leaf.shape[1])
            and any(
                other.shape[1] == leaf.shape[1] and other is not leaf and _constant_tails(other, lengths)
                for _, other in series
            )
        ):
            yield Padding(
                tuple(lengths), leaf.shape[1], "mask", next((s for p, _ in series if (s := _site(subject, p))), None)
            )
    for path, leaf in series:
        rows, wide = _sequence_lengths(subject, path), leaf.shape[1]
        if rows is None or len(rows) != leaf.shape[0] or not 0 <= max(rows) - wide <= 1:
            continue
        for less in (1, 0) if max(rows) > wide else (0,):  # its first or its last step may have been cut off
            told = [min(n - less, wide) for n in rows]
            if _fits(told, wide) and _constant_tails(leaf, told):
                yield Padding(tuple(told), wide, "pad_sequence", _site(subject, path))
    for path, leaf in series:
        lengths = _integer_tails(leaf) if not leaf.is_floating_point() else _zero_tails(leaf)
        if lengths is not None and _fits(lengths, leaf.shape[1]):
            yield Padding(tuple(lengths), leaf.shape[1], "tails", _site(subject, path))


def _grown(subject: Subject, path: tuple, axis: int) -> bool:
    """Whether another call was given the same rows with one step more or one step less."""
    own = dict(leaves(subject.inputs)).get(path)
    own = _by_sample(own, axis)
    for capture, _ in subject.others:
        other = dict(leaves((capture.args, capture.kwargs))).get(path)
        if not isinstance(other, torch.Tensor) or other.dim() != own.dim():
            continue
        other = _by_sample(other, axis)
        short, long = sorted((own, other), key=lambda leaf: leaf.shape[1])
        if (
            long.shape[1] == short.shape[1] + 1
            and long.shape[0] == short.shape[0]
            and bool((long[:, :-1] == short).all())
        ):
            return True
    return False


def _by_sample(leaf: torch.Tensor, axis: int) -> torch.Tensor:
    return leaf.movedim(axis, 0) if axis else leaf


def _counts(leaf: Any) -> bool:
    if isinstance(leaf, torch.Tensor):
        return leaf.dim() == 1 and not leaf.is_floating_point() and leaf.dtype != torch.bool
    return all(isinstance(part, int) for part in leaf)


def _fits(lengths: list[int], longest: int) -> bool:
    return min(lengths) >= 1 and max(lengths) <= longest and min(lengths) < longest and len(set(lengths)) > 1


def _constant_tails(leaf: torch.Tensor, lengths: list[int]) -> bool:
    """Whether what lies beyond each length is one and the same number everywhere."""
    tails = [leaf[i, n:].flatten() for i, n in enumerate(lengths) if n < leaf.shape[1]]
    joined = torch.cat(tails) if tails else torch.empty(0)
    return joined.numel() > 0 and bool((joined == joined[0]).all()) and not bool((leaf == joined[0]).all())


def _mask_lengths(leaf: torch.Tensor) -> list[int] | None:
    """Lengths told by a mask of ones and then zeros, or of zeros (False) and then ones (True: padding)."""
    if leaf.dim() != 2 or leaf.shape[1] < 3:
        return None
    mask = leaf.float()
    if not bool(((mask == 0) | (mask == 1)).all()):
        return None
    steps = mask[:, 1:] - mask[:, :-1]
    if bool((steps <= 0).all()) and bool((mask[:, 0] == 1).all()):
        return mask.sum(dim=1).long().tolist()
    if bool((steps >= 0).all()) and bool((mask[:, 0] == 0).all()) and leaf.dtype == torch.bool:
        return (1 - mask).sum(dim=1).long().tolist()
    return None


def _integer_tails(leaf: torch.Tensor) -> list[int] | None:
    """Lengths of rows of numbers that end in runs of one number found nowhere else."""
    if leaf.dim() != 2 or leaf.dtype == torch.bool:
        return None
    steps = leaf[:, 1:] - leaf[:, :-1]
    if bool((steps >= 0).all()) or bool((steps <= 0).all()):
        return None  # numbers in order end in runs by themselves
    ends = [row[-1] for row in leaf.tolist()]
    value = max(set(ends), key=ends.count)
    lengths = []
    for row in leaf.tolist():
        n = len(row)
        while n and row[n - 1] == value:
            n -= 1
        if n == 0 or value in row[:n]:
            return None
        lengths.append(n)
    short = [n for n in lengths if n < leaf.shape[1]]
    return lengths if len(short) >= 2 and len(set(short)) >= 2 and len(set(leaf.flatten().tolist())) > 3 else None


def _zero_tails(leaf: torch.Tensor) -> list[int] | None:
    """Lengths of real-valued series without any zero whose tails are exactly zero."""
    if leaf.dim() > 3:
        return None
    rows = leaf.reshape(leaf.shape[0], leaf.shape[1], -1)
    zero = (rows == 0).all(dim=2)
    lengths = [int((~z).nonzero().max()) + 1 if bool((~z).any()) else 0 for z in zero]
    if min(lengths) < 1 or any(bool((rows[i, :n] == 0).any()) for i, n in enumerate(lengths)):
        return None
    short = [n for n in lengths if n < leaf.shape[1]]
    return lengths if len(short) >= 2 and len(set(short)) >= 2 else None


def _made_by(subject: Subject, path: tuple) -> Iterator[tuple]:
    """The raw events behind an input, nearest first."""
    fact = subject.facts().get(path)
    return laid_out(subject.run.recorder.raw, fact, THROUGH | CUTTING, 8)


def laid_out(raw: list[tuple], fact: object, through: Container[str], most: int) -> Iterator[tuple]:
    """The raw events that a tensor came from by first operands, as far as these operators go."""

    def follow(entry: tuple) -> list[TensorFact]:
        parts = (part for part in entry[2] if isinstance(part, TensorFact) and part.shape is not None)
        return list(parts)[:1] if entry[0] in through else []

    return behind(raw, fact.producer if isinstance(fact, TensorFact) else -1, follow, most)


def _sequence_lengths(subject: Subject, path: tuple) -> list[int] | None:
    for op, _, args, *_ in _made_by(subject, path):
        if (
            op in NAMED
            and args
            and isinstance(args[0], tuple)
            and all(isinstance(part, TensorFact) and part.shape for part in args[0])
        ):
            return [part.shape[0] for part in args[0]]
    return None


def _site(subject: Subject, path: tuple) -> Site | None:
    """Where the padding was done, as far as it is known."""
    for op, stack, *_ in _made_by(subject, path):
        if op in NAMED:
            sites = subject.run.sources.sites(stack)
            return sites[-1] if sites else None
    return None
