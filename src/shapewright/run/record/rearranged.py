"""Asks the user's data sets, and functions that are given samples, whether two lists of one sample come out in two
orders.

What a sample lists (boxes and their classes, words and their tags) is known by the values of its rows. Where one list
comes out in another order and its partner, always as long and of another length in other samples, as it was, the two no
longer belong together. It judges nothing beyond that.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any

import torch

from ...trace import Mispaired, Site, TableFact
from .stepping import stepped
from .turned import Replayed, parts, reading

ITEMS, LEAST, LISTS, LARGEST = 32, 2, 12, 4096
SAME, TURNED, MOVED = 0, 1, 2


def rearranged(dataset: Any, display: Callable[[str], str]) -> Mispaired | None:
    """The first two lists of the samples of a data set, which may be asked once more, that come out in two orders."""
    count = min(ITEMS, len(dataset))
    held = [_lists(parts(_held(dataset, index))) for index in range(count)]
    made = [_lists(reading(dataset, index, index)) for index in range(count)]
    if count < LEAST or any(len({len(one) for one in lists}) != 1 for lists in (held, made)) or not held[0]:
        return None
    orders = {
        (out, own): found
        for out, own in itertools.product(range(len(made[0])), range(len(held[0])))
        if None not in (found := [_order(left[own], right[out]) for left, right in zip(held, made)])
    }
    for (out, own), moved in orders.items():
        if MOVED not in moved or sum(one != SAME for one in moved) < LEAST:
            continue
        if any(other == own and set(found) == {SAME} for (_, other), found in orders.items()):
            continue  # given out in its own order, too
        for (_, other), kept in orders.items():
            alone = other != own and set(kept) == {SAME} and _beside(held, own, other)
            again = any(which == other and set(found) != {SAME} for (_, which), found in orders.items())
            index = next((i for i, one in enumerate(moved) if one == MOVED and _varied(held[i][other])), None)
            if alone and not again and index is not None:
                names, site = _where(dataset, index, (held[index][own], held[index][other]), made[index][out], display)
                one, two = (TableFact(name, site, len(held[index][own])) for name in names)
                return Mispaired(one, two, one, None, count, sum(order == SAME for order in moved), within=True)
    return None


def _held(dataset: Any, index: int) -> Any:
    """What the data set holds of one sample, or the function is given."""
    if isinstance(dataset, Replayed):
        return list(dataset.calls[index].given.values())
    count = len(dataset)
    kept = (value for value in vars(dataset).values() if isinstance(value, (list, tuple)) or hasattr(value, "shape"))
    return [value[index] for value in kept if len(getattr(value, "shape", (1,))) and len(value) == count]


def _lists(numbers: Iterable[torch.Tensor]) -> list[torch.Tensor]:
    return [part for part in itertools.islice(numbers, LISTS) if part.dim() and len(part)]


def _order(one: torch.Tensor, other: torch.Tensor) -> int | None:
    """How the rows of `other` stand that are those of `one`; `None` where they are not."""
    if one.numel() != other.numel() or len(one) != len(other) or one.numel() > LARGEST:
        return None
    left, right = one.reshape(len(one), -1).float(), other.reshape(len(other), -1).float()
    if torch.equal(left, right):
        return SAME
    if sorted(left.tolist()) != sorted(right.tolist()):
        return None
    return TURNED if torch.equal(left.flip(0), right) else MOVED


def _beside(held: list[list[torch.Tensor]], own: int, other: int) -> bool:
    """Whether two lists are equally long in every sample, and samples differ."""
    lengths = [(len(lists[own]), len(lists[other])) for lists in held]
    return all(one == two for one, two in lengths) and len(set(lengths)) > 1


def _varied(values: torch.Tensor) -> bool:
    return len(values.reshape(len(values), -1).unique(dim=0)) > 1


def _where(
    dataset: Any, index: int, held: tuple[torch.Tensor, torch.Tensor], made: torch.Tensor, display: Callable[[str], str]
) -> tuple[tuple[str, str], Site]:
    """What the user calls the two lists, and the line after which the first stands in its new order."""
    code = dataset.calls[0].code if isinstance(dataset, Replayed) else type(dataset).__getitem__.__code__
    names, lines, found = ["", ""], [code.co_firstlineno], []

    def look(frame: FrameType, event: str) -> None:
        for name, value in list(frame.f_locals.items()):
            for part in _tables(value):
                for place, own in enumerate(held):
                    names[place] = names[place] or (name if _order(own, part) == SAME else "")
                if not found and _order(made, part) == SAME:
                    found.append(lines[-1])
        lines.append(frame.f_lineno)

    with stepped(code, look):
        reading(dataset, index, index)
    line = (found or lines[-1:])[0]
    return (names[0] or "x", names[1] or "y"), Site(display(code.co_filename), line, 1, line, 1)


def _tables(value: object) -> Iterator[torch.Tensor]:
    """A table that a variable is bound to by itself."""
    if isinstance(value, torch.Tensor) or type(value).__module__ == "numpy" or type(value) is list:
        held = list(itertools.islice(parts(value), 2))
        if len(held) == 1 and held[0].dim() and len(held[0]):
            yield held[0]
