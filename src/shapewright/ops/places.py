"""Where each axis of a result comes from: the form of an answer, read forwards by `run` and backwards by `graph`."""

from __future__ import annotations

from typing import Any, NamedTuple

Tensor = Any  # a live tensor in a run, a `TensorFact` in a trace: whatever has a `shape`
Source = tuple[Tensor, int]


class Place(NamedTuple):
    """One axis of a result.

    `how` is `kept` (the same axis), `cut` (a part of it; equal cuts have equal `key`), `resized` (another size by
    padding or pooling), `taken` (some of it by rank), `padded` (as long as the longest of several), `windowed` (another
    size by a layer's kernel), `copied` (`key` times, the copies outer if `outer`), `folded` (the sources merged or
    split), `set` (its size is a layer's or a parameter's), `joined` (the sources one after another), `picked` (`key`
    picked from the source), `new` (made by the call), `alike` (the same new axis as the one before).

    `sources` are the operands' axes it comes from, most telling first; `factor` is the axis of a weight that decides
    its size; `role` and `note` name a new axis.
    """

    how: str
    sources: tuple[Source, ...] = ()
    factor: Source | None = None
    role: str = ""
    note: str = ""
    key: object = None
    outer: bool = True


Layout = tuple[Any, ...]  # of `Place`s for one tensor; of such layouts where a call gives several


def kept(*sources: Source) -> Place:
    """An axis that goes through unchanged."""
    return Place("kept", sources)


def new(note: str = "", role: str = "") -> Place:
    """An axis that the call makes."""
    return Place("new", note=note, role=role)
