"""Asks functions that make batches of listed samples whether two parts of the samples come out in two orders, by what
moves: one part of one sample is changed a little, and a row of the batch changes with it.

So it does not matter what becomes of the values on the way. A change leaves lengths as they are, since these may tell
the order. It judges nothing beyond that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

import numpy
import torch

from ...trace import Mispaired, Site, TableFact
from .collated import FEWEST, LARGEST, PARTS, SAMPLES
from .seeds import seed_all
from .stepping import stepped
from .turned import parts

Order = dict[int, int]
LEARNING = frozenset({"backward", "zero_grad"})


class Batched:
    """A function that makes a batch, and samples that it was given."""

    def __init__(self, code: CodeType, make: Callable[[list], Any], samples: list) -> None:
        self.code, self.make, self.samples = code, make, samples[:SAMPLES]


def moved(asked: Batched, display: Callable[[str], str]) -> Mispaired | None:
    """The first two parts of the samples that a batch holds in two orders."""
    samples, orders = asked.samples, dict[tuple[Any, int], Order]()
    if LEARNING & set(asked.code.co_names):
        return None  # it trains on the samples: no batch is made
    whole = _made(asked, samples)
    if len(samples) < FEWEST or not whole or whole != _made(asked, samples):
        return None
    for field in _fields(samples):
        changed = [_changed(samples, field, at) for at in range(len(samples))]
        for at, other in enumerate(changed):
            made = _made(asked, other) if other is not None else []
            for part, (own, rows) in enumerate(zip(whole, made)):
                places = [place for place, (one, two) in enumerate(zip(own, rows)) if one != two]
                if len(own) == len(rows) and places:
                    orders.setdefault((field, part), {})[at] = places[0] if len(places) == 1 else -1
    orders = {key: _ranked(order, len(whole[key[1]]), len(samples)) for key, order in orders.items()}
    told = {key: order for key, order in orders.items() if _one_to_one(order)}
    kept = {key for key, order in told.items() if all(at == place for at, place in order.items())}
    for (field, part), order in told.items():
        alone = (field, part) not in kept and not any(field == own for own, _ in kept)
        beside = next((own for own, other in kept if own != field and other != part), None)
        if alone and beside is not None and not _tells(asked, order):
            if any(other == order for (own, _), other in told.items() if own == beside):
                continue
            line = _line(asked, field, order)
            site = Site(display(asked.code.co_filename), line, 1, line, 1)
            names = [f"sample[{one!r}]" for one in (field, beside)]
            one, two = (TableFact(name, site, len(samples)) for name in names)
            same = sum(at == place for at, place in order.items())
            return Mispaired(one, two, one, None, len(samples), same)
    return None


def _ranked(order: Order, rows: int, samples: int) -> Order:
    """The order of the samples in a part that lists what they hold one after another, of each as much as it has."""
    if rows == samples or len(order) != samples:
        return order if rows == samples else {}
    places = sorted(order.values())
    return {at: places.index(place) for at, place in order.items()}


def _one_to_one(order: Order) -> bool:
    return len(order) >= FEWEST and -1 not in order.values() and len(set(order.values())) == len(order)


def _made(asked: Batched, samples: list) -> list[list[bytes]]:
    """The rows of every part of a batch, or the numbers of one that is a list; none of another."""
    seed_all(0)
    found = []
    for part in list(parts(asked.make(list(samples))))[:PARTS]:
        axis = next((place for place, size in enumerate(part.shape[:2]) if size == len(samples)), None)
        axis = 0 if axis is None and part.dim() == 1 else axis  # one after another
        small = axis is not None and part.numel() <= LARGEST
        rows = part.movedim(axis, 0) if small and axis is not None else []
        found.append([row.contiguous().numpy().tobytes() for row in rows])
    return found


def _tells(asked: Batched, order: Order) -> bool:
    """Whether a part of the batch is the order itself, or its inverse."""
    seed_all(0)
    inverse = {place: at for at, place in order.items()}
    for part in list(parts(asked.make(list(asked.samples))))[:PARTS]:
        listed = part.flatten().tolist() if part.dim() == 1 and len(part) == len(asked.samples) else []
        if listed and any(all(listed[at] == place for at, place in one.items()) for one in (order, inverse)):
            return True
    return False


def _fields(samples: list) -> list[Any]:
    """The keys of what every sample holds."""
    first = samples[0]
    if isinstance(first, dict):
        return [key for key in first if all(isinstance(one, dict) and key in one for one in samples)][:PARTS]
    same = isinstance(first, (list, tuple)) and all(type(one) is type(first) for one in samples)
    return list(range(min(map(len, samples))))[:PARTS] if same else []


def _changed(samples: list, field: Any, at: int) -> list | None:
    """The samples, of which one has another value in one of its parts, and all lengths are as before."""
    value, others = samples[at][field], [one[field] for one in samples]
    made = _other(value, others)
    if made is None:
        return None
    sample: Any = samples[at]
    if isinstance(sample, dict):
        sample = {**sample, field: made}
    elif isinstance(sample, list):
        sample = [*sample[:field], made, *sample[field + 1 :]]
    else:
        kept = [*sample[:field], made, *sample[field + 1 :]]
        sample = type(sample)(*kept) if hasattr(sample, "_fields") else tuple(kept)
    return [*samples[:at], sample, *samples[at + 1 :]]


def _other(value: Any, others: list) -> Any:
    """Another value of the same kind and length; `None` where none is known."""
    if isinstance(value, (torch.Tensor, numpy.ndarray)):
        real = value.is_floating_point() if isinstance(value, torch.Tensor) else value.dtype.kind == "f"
        if real:
            return value * 1.01 + 0.01
        flat = value.reshape(-1)
        if not len(flat):
            return None
        pool = [one for other in others for one in other.reshape(-1).tolist()]
        place = _differs(flat.tolist(), pool)
        if place is None:
            return None
        made = value.clone() if isinstance(value, torch.Tensor) else value.copy()
        made.reshape(-1)[place[0]] = place[1]
        return made
    if isinstance(value, (list, tuple)):
        place = _differs(list(value), [one for other in others if isinstance(other, (list, tuple)) for one in other])
        if place is None:
            return None
        return type(value)([*value[: place[0]], place[1], *value[place[0] + 1 :]])
    if isinstance(value, (bool, int, float)):
        return next((one for one in others if one != value), None)
    return None


def _differs(own: list, pool: list) -> tuple[int, Any] | None:
    """A place, and another word or number that comes there; no padding."""
    plain = own and isinstance(own[0], (int, float, str))
    other = next((one for one in pool if plain and one != own[0] and one), None)
    return (0, other) if other is not None else None


def _line(asked: Batched, field: Any, order: Order) -> int:
    """The line after which a variable first holds the changed part of a sample in its new place."""
    at = next((one for one, place in order.items() if one != place), 0)
    held = [list(_seen(asked, samples)) for samples in (asked.samples, _changed(asked.samples, field, at) or [])]
    for (line, name, one), (again, other, two) in zip(*held):
        if line == again and name == other and len(one) == len(two) == len(asked.samples):
            if [place for place, pair in enumerate(zip(one, two)) if pair[0] != pair[1]] == [order[at]]:
                return line
    return asked.code.co_firstlineno


def _seen(asked: Batched, samples: list) -> Iterator[tuple[int, str, list[str]]]:
    """`(line, name, rows)` of the lists and tensors that variables hold after each line."""
    found, running = [], [asked.code.co_firstlineno]

    def look(frame: FrameType, event: str) -> None:
        if frame.f_code is asked.code:
            for name, value in list(frame.f_locals.items()):
                rows = value if isinstance(value, (list, torch.Tensor)) and len(value) == len(samples) else []
                found.append((running[-1], name, [repr(row) for row in rows]))
            running.append(frame.f_lineno)

    seed_all(0)
    with stepped(asked.code, look):
        asked.make(list(samples))
    yield from found
