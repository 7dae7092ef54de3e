"""Which rows are held out in turn, and whether one model goes on from turn to turn.

A place that binds rows, places of rows, a mask of rows or a subset of a data set again and again is one side of a
split; two sides are folds where each turn holds out other rows and trains on those that other turns hold out. It judges
nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any

import torch
from torch import nn
from torch.utils.data import ConcatDataset, Subset

from ...dataclass import dataclass
from ...trace import Crossed, Site
from .columns import Columns
from .readable import readable
from .rows import Rows
from .scales import Scales
from .tables import ROWS, Keys, keys_of

PLACES, TURNS, TURNED = 64, 4, 64
NUMBERS = 1_000_000
PARTS, FEW = 4, 4  # of a model's parameters, and of the numbers of each, that tell whether it was reset
TELLING = 0.9
Pair = tuple[tuple[int, frozenset[Any]], tuple[int, frozenset[Any]]]


@dataclass
class Side:
    """What one place has bound: rows of each turn, and when, counted in calls of models."""

    site: Site
    first: Any
    turns: list[tuple[int, frozenset[Any]]] = field(default_factory=list)
    ended: bool = False


@dataclass
class Turn:
    """Calls of one model without another kind between: whether it learned, from when on, and its numbers then."""

    learns: bool
    moment: int
    mark: tuple[float, ...]


class Folds:
    """Fed with bindings and with calls of outermost models, both of which the tables get too."""

    def __init__(self, place: Callable[[], Site | None]) -> None:
        self.rows, self.scales, self.columns = Rows(place), Scales(place), Columns(place)
        self.sides: dict[tuple[str, int, str], list[Side]] = {}
        self.models: dict[int, list[Turn]] = {}
        self.pairs: Callable[[tuple[Any, ...]], None] = lambda args: None  # is given what learns
        self.moment = 0
        self.seen: dict[int, tuple[int, int]] = {}  # by moment: how many inputs `rows` had seen learned and judged

    def bound(self, place: tuple[str, int, str], site: Callable[[], Site], value: Any) -> None:
        """A variable was bound at a place."""
        self.rows.bound(place, site, value)
        self.columns.bound(place, site, value)
        self.scales.standards.bound(place, value)
        sides = self.sides.get(place)
        if sides is None:
            if len(self.sides) < PLACES and _rows(value):
                self.sides[place] = [Side(site(), (self._now(), part)) for part in _parts(value)]
            return
        if all(side.ended for side in sides):
            return
        for side, part in itertools.zip_longest(sides, _parts(value) if _rows(value) else ()):
            if side is None or part is None:
                break
            for moment, one in (side.first, (self._now(), part)) if side.first else ((self._now(), part),):
                keys = _keys(one)
                side.ended |= not keys or any(keys == before for _, before in side.turns)
                side.turns += [] if side.ended else [(moment, keys)]
                side.ended |= len(side.turns) >= TURNS
            side.first = None

    def given(self, model: int, module: nn.Module, args: tuple[Any, ...], learns: bool) -> None:
        """An outermost model is called, to learn or to be judged."""
        self.rows.given(args, learns)
        self.rows.words.given(model, args, learns, self.rows.place)
        self.scales.given(model, args, learns)
        if learns:
            self.pairs(args)
            self.columns.given(args)
        self.moment += 1
        turns = self.models.setdefault(model, [])
        if (turns and turns[-1].learns == learns) or len(turns) >= TURNED or not (turns or learns):
            return
        turns.append(Turn(learns, self.moment, tuple(_mark(module))))

    def _now(self) -> int:
        self.seen.setdefault(self.moment, (len(self.rows.learned), len(self.rows.judged)))
        return self.moment

    def found(self) -> Crossed | None:
        """Two sides of a split that are folds, and a model that goes on."""
        sides = [side for held in self.sides.values() for side in held if len(side.turns) > 1]
        for held, used in itertools.permutations(sides, 2):
            turns = list(zip(held.turns, used.turns))
            if not all(_folds(*pair) for pair in itertools.combinations(turns, 2)):
                continue
            begun, again = (min(own[0], other[0]) for own, other in turns[:2])
            if again <= begun or not self._trained(begun, again, len(turns[0][0][1]), len(turns[0][1][1])):
                continue
            model = next((uid for uid in self.models if self._goes_on(uid, begun, again)), None)
            if model is not None:
                count = len(turns[1][0][1])
                return Crossed(held.site, used.site, model, count, len(turns[1][0][1] & turns[0][1][1]))
        return None

    def _trained(self, begun: int, again: int, held: int, used: int) -> bool:
        """Whether it is the larger side that is learned from, or the smaller one that is judged."""
        if held >= used:
            return False
        (learned, judged), (until, last) = self.seen[begun], self.seen[again]
        rows = {key for keys in self.rows.learned[learned:until] for key in keys}
        asked = {key for keys, *_ in self.rows.judged[judged:last] for key in keys}
        return bool(rows) and (len(rows) > held or len(asked) == held)

    def _goes_on(self, uid: int, begun: int, again: int) -> bool:
        """Whether a model learned in one turn, was judged, and learns on in the next with the same numbers."""
        turns = self.models[uid]
        for before, judged, after in zip(turns, turns[1:], turns[2:]):
            if not judged.learns and judged.moment <= again < after.moment:
                return before.mark != judged.mark == after.mark and before.moment > begun
        return False


def _folds(one: Pair, other: Pair) -> bool:
    """Whether two turns hold out different rows of one table, each of which the other turn trains on."""
    ((_, held), (_, used)), ((_, out), (_, own)) = one, other
    apart = held.isdisjoint(used) and held.isdisjoint(out)
    return apart and held <= own and out <= used and out | own == held | used


def _rows(value: Any) -> bool:
    if isinstance(value, torch.Tensor):
        return not value.requires_grad and value.dim() > 0 and value.numel() <= NUMBERS and 1 < len(value) <= ROWS
    if type(value).__module__ == "numpy":
        return getattr(value, "ndim", 0) > 0 and value.size <= NUMBERS and 1 < len(value) <= ROWS
    return (type(value) is list and len(value) <= ROWS) or isinstance(value, (Subset, ConcatDataset))


def _parts(value: Any) -> tuple[Any, ...]:
    """The rows that a value picks; of a mask those that it keeps, and those that it leaves."""
    if getattr(value, "ndim", 0) == 1 and str(value.dtype).rpartition(".")[2] == "bool":
        with torch._C.DisableTorchFunction():
            mask = torch.as_tensor(value)
            return mask.nonzero()[:, 0], (~mask).nonzero()[:, 0]
    return (value,)


def _keys(value: Any) -> frozenset[Any]:
    """The rows of a table; of subsets, their places in the data set."""
    places = list(_places(value)) if isinstance(value, (Subset, ConcatDataset)) else None
    keys: Keys | None = keys_of(torch.tensor(places)) if places else keys_of(value) if places is None else None
    found = frozenset(keys or ())
    return found if keys and len(found) >= TELLING * len(keys) else frozenset()


def _places(value: Any) -> Iterator[int]:
    if isinstance(value, ConcatDataset):
        for part in value.datasets:
            yield from _places(part)
    elif isinstance(value, Subset):
        yield from (int(place) for place in value.indices)


def _mark(module: nn.Module) -> Iterator[float]:
    """A few numbers of the first and of the last parameters."""
    parameters = list(nn.Module.parameters(module))
    for p in (*parameters[:PARTS], *parameters[-PARTS:]):
        if readable(p, NUMBERS):
            with torch._C.DisableTorchFunction(), torch.no_grad():
                yield from p.detach().reshape(-1)[:FEW].tolist()
