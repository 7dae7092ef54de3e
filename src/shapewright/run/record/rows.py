"""Which rows of the script's tables meet in training: what was put into another order, and whether its partner was too.

Tables are what variables are bound to: arrays, tensors and lists of eight rows or more. Samples of a model's input are
looked up in the tables; the targets of the loss that follows are then compared with the rows of every table that came
into being beside them, or lay beside them in a data frame. It judges nothing.
"""

from __future__ import annotations

import collections
import contextlib
import itertools
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch

from ...trace import LargeInput, Mispaired, Site, TableFact
from .contained import Contained, numbers, sampled, stirred
from .kin import Kinds
from .large import large
from .losses import CLASSES, LOSSES
from .notes import Notes
from .oriented import Oriented
from .pieces import Pieces
from .readable import readable
from .reordered import reordered, reordered_beside
from .scaled import rescaled
from .series import Series
from .tables import (
    FEWEST,
    ROWS,
    VALUES,
    Frame,
    Keys,
    Table,
    agree,
    constructing,
    counted,
    fact_of,
    in_order,
    keys_of,
    numbers_of,
    own_of,
    under,
)
from .uneven import unevenly_scaled
from .vocabularies import Vocabularies

TABLES, FRAMES = 48, 8  # that are kept
ASKED = 12  # meetings of what models learn from with targets
JUDGED = 40  # inputs that models are judged by
KEPT = 6  # of the inputs: their numbers


class Rows:
    """Fed with bindings and with what outermost models are given; asked before every loss."""

    def __init__(self, place: Callable[[], Site | None]) -> None:
        self.place = place
        self.tables: list[Table] = []
        self.frames: list[Frame] = []
        self.named: list[Table] = []  # dictionaries, until a model is called: rows under names
        self.columns: dict[tuple[int, Any], Site] = {}  # of frames, by what they are: where they were computed
        self._known: list[bool] = []  # of the tables: see `_firsts`
        self.met: list[tuple[Keys, Keys, Site | None]] = []
        self.classed: list[tuple[Keys, Keys, int, Site | None]] = []  # with the number of classes that a loss knows
        self.entered: list[tuple[Keys, Keys, Site | None]] = []  # tables bound at one line: arguments of one call
        self._last: tuple[tuple[str, int], Keys] | None = None
        self.held: set[tuple[int, str]] = set()  # attributes: line and name
        self.beside = False  # whether row i of a loss is to find column i
        self._places: set[tuple[str, int, str]] = set()
        self._anew: set[tuple[str, int, str]] = set()  # of them: bound more than once
        self.weighed: list[tuple[Keys, Keys, Site | None]] = []  # what an answer is multiplied with
        self._given: list[tuple[Keys, torch.Tensor | None]] = []
        self._towers: list[Keys] = []  # what the last two calls were given, until a loss
        self.contained, self.pieces, self.series, self.kinds = Contained(), Pieces(), Series(), Kinds()
        self.oriented, self.words = Oriented(), Vocabularies()
        self.within: list[tuple[Keys, torch.Tensor, Keys, torch.Tensor, Site | None]] = []  # meetings, by numbers held
        self.learned: list[Keys] = []
        self.sized: list[tuple[Keys, LargeInput]] = []
        self.listed: dict[tuple[str, int, str], Table] = {}  # lists of places, as they were bound the second time
        self.judged: list[tuple[Keys, Site | None, int]] = []
        self.until = 0  # the count of those learned from before any were judged
        self._resumed = 0  # how often learning went on after something was judged
        self._judging = False
        self.shown: tuple[list[torch.Tensor], list[torch.Tensor]] = ([], [])  # numbers of what was learned and judged

    def bound(self, place: tuple[str, int, str], site: Callable[[], Site], value: Any) -> None:
        """A variable was bound at a place, perhaps for the first time."""
        self.words.bound(place[2], site, value)
        if place in self._places or len(self.tables) >= TABLES:
            self._anew.add(place)
            self._again(place, site, value)
            return
        self._places.add(place)
        if isinstance(value, torch.Tensor) and value.requires_grad:
            return
        if isinstance(value, torch.utils.data.TensorDataset):
            for part in value.tensors:
                self._table(place, site, part, numbers(part))
            return
        if isinstance(value, torch.utils.data.Subset):
            value = [*value.indices]
        if type(value).__name__ == "DataFrame" and type(value).__module__.split(".")[0] == "pandas":
            with contextlib.suppress(TypeError, ValueError):  # a column of the user's own kind of numbers
                few = len(self.frames) < FRAMES and len(value) <= ROWS
                self.frames += [Frame(place[2], site(), value)] if few else []
            return
        if type(value) is dict:
            few = len(self.named) < FRAMES and (not value or len(value) >= FEWEST)
            self.named += [Table(place[2], site(), (), value, len(self.tables))] if few else []
            self.tables += self.named[-1:] if few else []
            return
        held = numbers(value)
        self.contained.bound(place[2], site(), value, held)
        self.series.bound(place[2], site, value)
        self.pieces.bound(site(), value)
        self._table(place, site, value, held)

    def _again(self, place: tuple[str, int, str], site: Callable[[], Site], value: Any) -> None:
        """A list of places was bound once more where one was bound before."""
        if place not in self.listed and type(value) is list and len(value) >= FEWEST and type(value[0]) is int:
            keys = keys_of(value)
            if keys is not None and len(set(keys)) == len(keys):
                self.listed[place] = Table(place[2], site(), keys, None, TABLES + len(self.listed))

    def _table(
        self, place: tuple[str, int, str], site: Callable[[], Site], value: object, held: torch.Tensor | None
    ) -> None:
        keys = keys_of(value)
        if keys is not None and self._last is not None and self._last[0] == place[:2]:
            met = len(self._last[1]) == len(keys) and not constructing(sys._getframe(1))
            self.entered += [(self._last[1], keys, site())] if met else []
        self._last = (place[:2], keys) if keys is not None else self._last
        same = next((table for table in self.tables if table.keys == keys), None)
        if same is not None:
            same.again = site()
        elif keys is not None:
            same_length = [one for one in self.tables if len(one.keys) == len(keys)]
            self.tables += [now for at, one in enumerate(same_length) if (now := one.moved(len(self.tables) + at))]
            made = Table(place[2], site(), keys, value, len(self.tables), place=place)
            alike = (one for one in reversed(self.tables) if len(one.keys) == len(keys)) if held is not None else ()
            made.like = next((one for one in alike if rescaled(numbers_of(one), held)), None)
            self.tables.append(made)

    def given(self, args: tuple[object, ...], learns: bool) -> None:
        """An outermost model is called, to learn or to be judged."""
        if self.named:
            under(self.named)
        given = [value for value in args[:2] if isinstance(value, torch.Tensor) and not value.requires_grad]
        for value in given[:1]:
            self.series.given(value, learns, self.place)
        self._resumed += self._judging and learns
        self._judging = not learns
        if learns:
            self.oriented.given([(keys_of(value) or (), value) for value in given], self.place)
        if not self.tables or (len(self.met) >= ASKED if learns else not self.learned):
            return
        found = [(keys, value) for value in given if (keys := keys_of(value)) is not None]
        if learns and found:
            self._given = [(keys, sampled(value)) for keys, value in found]
            beside = [keys for keys, _ in found[1:] if len(keys) == len(found[0][0])]
            self.weighed += [(found[0][0], keys, self.place()) for keys in beside if len(self.weighed) < ASKED]
            self._towers = [*self._towers[-1:], found[0][0]]
            self.learned.append(found[0][0])
            self.kinds.given(*found[0][::-1])
            self._show(0, found[0][1])
            self._sized(*found[0])
        elif found and len(self.judged) < JUDGED:
            self.until = self.until if self.judged else len(self.learned)
            self.judged.append((found[0][0], self.place(), self._resumed))
            self._show(1, found[0][1])

    def _show(self, which: int, value: torch.Tensor) -> None:
        """Keep a few numbers of the rows of an input."""
        held = sampled(value) if len(self.shown[which]) < KEPT else None
        self.shown[which].extend([held] if held is not None else [])

    def note(self, op: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Called before every recorded operator: the targets of a loss meet what the model was given last."""
        if op in LOSSES and any(map(counted, (*args[:2], kwargs.get("target")))):
            self._side_by_side(args[0] if args else kwargs.get("input"))
            return
        met = self.weighed if op == "mul" else self.met
        waits = self._given or (self.oriented.waits and op != "mul")
        if not (op in LOSSES or op in ("sub", "mul")) or not waits or len(met) >= ASKED:
            return
        pair = [args[0] if args else kwargs.get("input"), args[1] if len(args) > 1 else kwargs.get("target")]
        if not torch.is_grad_enabled() or not all(isinstance(one, torch.Tensor) for one in pair):
            return
        answer, target = pair if not pair[1].requires_grad else pair[::-1]
        if target.requires_grad or not answer.requires_grad or (op == "sub" and answer.shape != target.shape):
            return
        if op == "mul" and (not answer.dim() or not target.numel() == len(answer) == target.shape[:1].numel()):
            return
        if reordered(answer):
            return
        keys, held = keys_of(target), sampled(target) if op != "mul" else None
        if op != "mul":
            self.oriented.asked(keys or (), target)
        for own, values in self._given:
            if keys is not None and len(own) == len(keys):
                met.append((own, keys, self.place()))
                if op in CLASSES and answer.dim() == 2:
                    self.classed.append((own, keys, answer.shape[1], self.place()))
                if values is not None and held is not None:
                    self.contained.gathered()
                    self.within.append((own, values, keys, held, self.place()))

    def _side_by_side(self, table: torch.Tensor) -> None:
        """Row i of what one model was given is to find row i of what another one was given."""
        self.beside, towers, self._towers = True, self._towers, []
        if len({*map(len, towers)}) == 1 < len(towers) and len(self.met) < ASKED and torch.is_grad_enabled():
            self.met += [] if reordered_beside(table) else [(towers[0], towers[1], self.place())]

    def found(self, judged: Sequence[tuple[Keys, Keys, Site | None]] = ()) -> tuple[Mispaired, ...]:
        """Pairs of tables whose rows met in another order than the one in which they came into being; none where any
        meeting kept the old order. `judged` are meetings of what models answered with targets."""
        trained = self._mispaired(self.met, self.weighed, self.entered) or self._apart()
        return trained or tuple(replace(one, judged=True) for one in self._mispaired(judged, judged=True))

    def _mispaired(
        self,
        met: Sequence[tuple[Keys, Keys, Site | None]],
        weighed: Sequence[tuple[Keys, Keys, Site | None]] = (),
        entered: Sequence[tuple[Keys, Keys, Site | None]] = (),
        judged: bool = False,
    ) -> tuple[Mispaired, ...]:
        made: dict[tuple[int, int], Mispaired] = {}
        kept: set[tuple[int, int]] = set()
        ordered = False  # whether a loss sees any in their order: what lies beside the samples is no target
        versions = [*self._changed(), *self.tables]
        seen = [(*map(self._unscaled, one[:2]), one[2]) for one in (*met, *weighed)]
        beside: set[tuple[int, int]] = set()  # of what is no target, one may be moved though the targets are not
        firsts = self._firsts() if seen or entered else frozenset()
        for at, (given, asked, where) in enumerate([*seen, *entered]):
            for samples in self.tables:
                rows = [samples.places.get(key) for key in given]
                if not samples.telling or None in rows or samples.born not in firsts:
                    continue
                for targets in self.tables:
                    pair = (samples.born, targets.born)
                    if targets is samples or len(targets.keys) != len(samples.keys) or not targets.holds(asked):
                        continue
                    if targets.born not in firsts or len(targets.counts) < 2:
                        continue
                    if len(targets.counts) == 2 and len(targets.keys) == len(asked) and targets.keys != asked:
                        continue  # all of a table: other rows of two classes may have as many of each
                    own, partner = self._partners(samples, targets)
                    if pair in kept or agree(own, partner, given, asked) > 0.8:
                        kept |= {pair} if at < len(seen) else set()
                        ordered = ordered or at < len(met)
                    elif pair not in made:
                        told = _stirred_rows(own, partner, given, asked) if judged else None
                        told = told or self._told(versions, own, partner, given, asked)
                        if at >= len(seen) and not self.beside and told is not None and self._held(told):
                            continue  # two sets that a loader gives out together need not be pairs
                        made |= {pair: replace(told, met=where)} if told is not None else {}
                        beside |= {pair} if told is not None and (judged or len(met) <= at < len(seen)) else set()
        paired = [one for pair, one in made.items() if pair not in kept and (not ordered or pair in beside)]
        return tuple(paired[:1])

    def _unscaled(self, keys: Keys) -> Keys:
        """Rows of a table that was rescaled as they were before."""
        for table in reversed(self.tables):  # the one that it was made of is an earlier one
            if table.like is not None and table.telling and all(key in table.places for key in keys):
                keys = tuple(table.like.keys[table.places[key]] for key in keys)
        return keys

    def _apart(self) -> tuple[Mispaired, ...]:
        """The first pair whose rows were cut from other rows of one table; none where any pair came from the same."""
        for given, values, asked, held, where in self.within:
            told = list(self.contained.compared(values, held))
            if not told or any(own for *_, own in told):
                continue
            base, other, _ = told[0]
            tables = [next((one for one in self.tables if one.holds(keys)), None) for keys in (given, asked)]
            moved = [
                fact_of(one) if one is not None and one.site != of.site and stirred(one.live, of) else None
                for one, of in zip(tables, (base, other))
            ]
            names = [one.name if one is not None else of.name for one, of in zip(tables, (base, other))]
            sources = [TableFact(name, of.site, len(of.values)) for name, of in zip(names, (base, other))]
            if not any(own for pair in self.within for *_, own in self.contained.compared(pair[1], pair[3])):
                return (Mispaired(*sources, *moved, len(given), 0, where),)
        return ()

    def _sized(self, keys: Keys, value: torch.Tensor) -> None:
        """Note an input of large numbers."""
        numbers = value.detach() if value.dtype.is_floating_point and value.dim() > 1 else None
        where = self.place() if numbers is not None and readable(numbers, VALUES) and not self.sized else None
        if where is None or numbers is None:
            return
        found = large(numbers, where)
        self.sized += [(keys, found)] if found is not None else []

    def told(self, notes: Notes) -> dict[str, tuple[Any, ...]]:
        """The inputs of a large scale, with the tables that hold their rows, and those of the same kind."""
        held = ((one, (table.site for table in self.tables if table.holds(keys))) for keys, one in self.sized)
        found = tuple(replace(one, tables=tuple(itertools.islice(sites, 2))) for one, sites in held)
        kin, uneven = self.kinds.found(self.tables, notes), unevenly_scaled(self.tables, self.learned)
        return {"large": found, "kin": kin, "one_scale": uneven}

    def _changed(self) -> list[Table]:
        """Tables that were put into another order in place."""
        made = []
        for table in self.tables:
            keys = keys_of(table.live)
            if keys is not None and keys != table.keys and collections.Counter(keys) == table.counts:
                made.append(Table(table.name, table.site, keys, None, -1))
        return made

    def _firsts(self) -> frozenset[int]:
        """The tables that hold the rows of no earlier one in another order: a part that keeps the order is a table of
        its own, as windows cut from a series are."""
        for at in range(len(self._known), len(self.tables)):
            keys = self.tables[at].keys
            self._known.append(not any(one.holds(keys) and not one.cut(keys) for one in self.tables[:at]))
        return frozenset(table.born for table, first in zip(self.tables, self._known) if first)

    def _partners(self, samples: Table, targets: Table) -> tuple[Table, Table]:
        """The forms that both had when the later one of them came into being, or in a data frame that holds both."""
        framed = next((pair for frame in self.frames if (pair := frame.pair(samples, targets)) is not None), None)
        if framed is not None:
            return framed
        then = max(samples.born, targets.born)

        def form(table: Table) -> Table:
            same = [one for one in self.tables if one.born <= then and len(one.keys) == len(table.keys)]
            return [one for one in same if table.holds(one.keys)][-1]

        return form(samples), form(targets)

    def _told(
        self, versions: list[Table], samples: Table, targets: Table, given: Keys, asked: Keys
    ) -> Mispaired | None:
        """The forms in which the rows do agree, one of which was moved alone."""
        for left in (one for one in versions if samples.holds(one.keys)):
            for right in (one for one in versions if targets.holds(one.keys)):
                least = len(given) + (left.place in self._anew)
                batch = len(left.keys) < len(samples.keys) and len(left.keys) < least
                if batch or len(left.keys) != len(right.keys) or (left is samples and right is targets):
                    continue
                if samples.cut(left.keys) and targets.cut(right.keys):
                    continue  # a series and what comes after it
                if len(left.keys) < len(samples.keys) and (
                    0 <= left.born < samples.born or 0 <= right.born < targets.born
                ):
                    continue  # no part is there before its table
                if agree(left, right, given, asked) == 1.0:
                    if self._made_in_order(samples, left, targets) or self._made_in_order(targets, right, samples):
                        return None
                    share = agree(samples, targets, given, asked)
                    moved = (
                        None if one is first or (first.born < 0 and one.keys == first.keys) else fact_of(one)
                        for one, first in ((left, samples), (right, targets))
                    )
                    return Mispaired(fact_of(samples), fact_of(targets), *moved, len(given), round(share * len(given)))
        if targets.telling and len(samples.keys) == len(targets.keys):
            rows, others = (
                [table.places.get(key) for key in keys] for table, keys in ((samples, given), (targets, asked))
            )
            if None in others or rows == others:
                return None
            wide = math.prod(getattr(samples.live, "shape", ())[1:]) > 1  # no places, no points on a line
            apart = wide and in_order(rows) != in_order(others)
            if apart or collections.Counter(rows) == collections.Counter(others):
                same = sum(row == other for row, other in zip(rows, others))
                return Mispaired(fact_of(samples), fact_of(targets), None, None, len(given), same)
        return None

    def _held(self, told: Mispaired) -> bool:
        """Whether an attribute was put into another order."""
        moved = (one for one in (told.moved_samples, told.moved_targets) if one is not None)
        return any((one.site.line, one.name) in self.held for one in moved)

    def _made_in_order(self, table: Table, moved: Table, partner: Table) -> bool:
        """Whether the places by which a table was put into another order were there before its partner, which may have
        been made in that order."""
        orders = (one for one in self.tables if table.born < one.born < partner.born and moved is not table)
        return any(
            len(one.keys) == len(one.places) == len(moved.keys)
            and all(type(key) is float and key % 1 == 0 and 0 <= key < len(table.keys) for key in one.keys)
            and all(table.keys[int(key)] == held for key, held in zip(one.keys, moved.keys))
            for one in orders
        )


def _stirred_rows(samples: Table, targets: Table, given: Keys, asked: Keys) -> Mispaired | None:
    """Targets that are those of the given rows, all of them, in another order."""
    own = own_of(samples, targets, given)
    if own is None or collections.Counter(own) != collections.Counter(asked):
        return None
    same = sum(one == other for one, other in zip(own, asked))
    return Mispaired(fact_of(samples), fact_of(targets), None, None, len(given), same)
