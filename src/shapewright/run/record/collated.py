"""Asks the user's functions that make batches whether two parts of the samples come out in two orders.

The rows of a batch are known by the values of the samples that they begin with. Where the rows of one part are in
another order than the samples were given in, and those of another part are not, they no longer belong together. A batch
that tells the order, to be restored later, is left alone. It judges nothing beyond that.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import torch

from ...trace import Mispaired, Site, TableFact
from .stepping import stepped
from .turned import Collated, parts

SAMPLES, FEWEST, PARTS, LARGEST = 8, 4, 8, 1 << 16
Rows = list[torch.Tensor]


def apart(asked: Collated, display: Callable[[str], str]) -> Mispaired | None:
    """The first two parts of the samples that a batch holds in two orders."""
    code = getattr(asked.collate, "__code__", None)
    samples = [asked.dataset[index] for index in range(min(SAMPLES, len(asked.dataset)))]
    fields = list(zip(*(itertools.islice(parts(sample), PARTS) for sample in samples)))
    if code is None or len(samples) < FEWEST or len(fields) < 2:
        return None
    given = [list(field) for field in fields]
    made = [
        one for one in itertools.islice(parts(asked.collate(samples)), PARTS) if one.dim() and one.numel() <= LARGEST
    ]
    held = [_rows(one, len(samples)) for one in made]
    identity = list(range(len(samples)))
    for moved, order in ((which, _order(given[which], rows)) for which, rows in _pairs(given, held)):
        if order is None or order == identity or any(_tells(one, order) for one in made):
            continue
        for kept, others in _pairs(given, held):
            fits = kept != moved and _agree(given[kept], others, identity) and not _agree(given[kept], others, order)
            both = any(_agree(given[which], more, order) for which, more in _pairs(given, held) if which == kept)
            if fits and not both and not any(_agree(given[moved], more, identity) for more in held):
                names, lines = _where(asked, samples, code, (given[moved], given[kept]), order)
                sites = [Site(display(code.co_filename), line, 1, line, 1) for line in lines]
                one, two = (TableFact(name, site, len(samples)) for name, site in zip(names, sites[1:]))
                same = sum(at == place for at, place in zip(order, identity))
                return Mispaired(one, two, TableFact(one.name, sites[0], len(samples)), None, len(samples), same)
    return None


def _pairs(given: list[Rows], held: list[Rows]) -> Iterator[tuple[int, Rows]]:
    return itertools.product(range(len(given)), (rows for rows in held if rows))


def _rows(value: torch.Tensor, count: int) -> Rows:
    """The rows of a part of a batch, along the first axis that counts the samples."""
    axis = next((place for place, size in enumerate(value.shape[:2]) if size == count), None)
    return list(value.movedim(axis, 0)) if axis is not None else []


def _begins(row: torch.Tensor, sample: torch.Tensor) -> bool:
    """Whether a row holds a sample, and padding at its end perhaps."""
    if row.dim() == 1 and sample.dim() == 0:
        return len(row) == 1 and bool(row[0] == sample)
    if row.dim() != sample.dim() or row.shape[1:] != sample.shape[1:] or (row.dim() and len(row) < len(sample)):
        return False
    return torch.equal(row[: len(sample)] if row.dim() else row, sample)


def _order(samples: Rows, rows: Rows) -> list[int] | None:
    """Which sample every row holds, where each holds exactly one."""
    found = [[at for at, one in enumerate(samples) if _begins(row, one)] for row in rows]
    order = [places[0] for places in found if len(places) == 1]
    return order if len(order) == len(rows) and sorted(order) == list(range(len(samples))) else None


def _agree(samples: Rows, rows: Rows, order: list[int]) -> bool:
    return len(rows) == len(order) and all(_begins(row, samples[at]) for row, at in zip(rows, order))


def _tells(value: torch.Tensor, order: list[int]) -> bool:
    """Whether a part of a batch is the order itself, or its inverse."""
    inverse = sorted(range(len(order)), key=order.__getitem__)
    return value.dim() == 1 and value.tolist() in (order, inverse)


def _where(
    asked: Collated, samples: list[object], code: Any, fields: tuple[Rows, Rows], order: list[int]
) -> tuple[list[str], list[int]]:
    """What the function calls the two parts; the line after which the first has its new order, and the lines that bound
    both."""
    names, lines, running = ["", ""], [0, 0, 0], [code.co_firstlineno]
    identity = list(range(len(order)))

    def look(frame: FrameType, event: str) -> None:
        for name, value in list(frame.f_locals.items()) if frame.f_code is code else ():
            rows = _listed(value, len(order))
            for place, field in enumerate(fields):
                if not names[place] and _agree(field, rows, identity):
                    names[place], lines[1 + place] = name, running[-1]
            if not lines[0] and _agree(fields[0], rows, order):
                lines[0] = running[-1]
        if frame.f_code is code:
            running.append(frame.f_lineno)

    with stepped(code, look):
        asked.collate(samples)
    return [name or word for name, word in zip(names, "xy")], [line or code.co_firstlineno for line in lines]


def _listed(value: Any, count: int) -> Rows:
    """The samples' parts in a variable: a list of them, or their rows."""
    if isinstance(value, torch.Tensor):
        return _rows(value, count) if value.dim() and value.numel() <= LARGEST else []
    if type(value) in (list, tuple) and len(value) == count:
        rows = [list(itertools.islice(parts([one]), 2)) for one in value]
        return [row[0] for row in rows] if all(len(row) == 1 for row in rows) else []
    return []
