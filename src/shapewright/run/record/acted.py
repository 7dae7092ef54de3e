"""Which observations of an environment a model is asked about before each step, and which it learns from.

A step is what `Endings` takes for one. Observations are known by the numbers that they hold, as a whole or as rows of a
batch. It looks at no name and judges nothing.
"""

from __future__ import annotations

import itertools
import sys
from dataclasses import field
from types import CodeType, FrameType
from typing import Any

import torch

from ...dataclass import dataclass
from ...trace import Unadvanced
from ..script.sources import UserSources
from .contained import numbers
from .readable import readable

LARGEST, STEPS, ROWS, LINES = 4096, 2000, 20_000, 8  # numbers of an observation; what is kept
Place = tuple[int, Any]
STORED = -1  # in place of a model: what was put into a list beside what the step gave
LEAST, SEEN, ENDS = 5, 4, 3  # steps of one stretch, different observations in it, ends of episodes


@dataclass
class _Step:
    """What models were asked about before a step, by the model and the place of the call, and what was stored beside
    what it gave; what the step gave, and whether it ended the episode. `twice`: the places of what was stored together
    that hold what the step gave, where there are several."""

    asked: dict[Place, bytes]
    after: bytes
    ended: bool
    twice: frozenset[int] | None = None


@dataclass
class _Line:
    """The steps that one line takes; `stored` is where what a step gave was put into a list first."""

    stack: tuple
    steps: list[_Step] = field(default_factory=list)
    places: dict[Place, tuple] = field(default_factory=dict)
    stored: tuple = ()
    kept: tuple = ()


class Acted:
    """Told of each step, of each call of an outermost model, and of what is put into lists."""

    def __init__(self, sources: UserSources) -> None:
        self.sources = sources
        self._lines: dict[tuple[CodeType, int], _Line] = {}
        self._latest: _Line | None = None
        self._size = 0
        self._asked: dict[Place, bytes] = {}
        self._learned: dict[int, set[bytes]] = {}

    def stepped(self, frame: FrameType, line: int, state: Any, ended: bool) -> None:
        """A step gave `state`."""
        held, key = _numbers(state), (frame.f_code, line)
        self._latest, asked, self._asked = self._lines.get(key), self._asked, {}
        whole = type(state) is int
        if (
            held is None
            or not 1 < held.numel() + whole <= LARGEST
            or (self._latest is None and len(self._lines) >= LINES)
        ):
            self._latest = None
            return
        if self._latest is None:
            self._latest = self._lines[key] = _Line(self.sources.stack(frame))
        self._size = held.numel()
        if len(self._latest.steps) < STEPS:
            self._latest.steps.append(_Step(asked, _key(held), ended))

    def called(self, uid: int, args: tuple, learns: bool, caller: Any) -> None:
        """A model of the user's is called from outside of all models, at `caller`."""
        given, size = args[0] if args else None, self._size
        if not self._lines or size < 2 or not isinstance(given, torch.Tensor) or not given.is_floating_point():
            return
        with torch._C.DisableTorchFunction(), torch.no_grad():
            count = given.numel()
            if count == size and readable(given, LARGEST):
                self._asked[uid, caller] = _key(given.detach())
                if self._latest is not None and (uid, caller) not in self._latest.places:
                    self._latest.places[uid, caller] = self.sources.stack(sys._getframe(1))
            elif learns and given.dim() and given.shape[0] * size == count and readable(given, LARGEST * STEPS):
                rows = self._learned.setdefault(uid, set())
                if len(rows) < ROWS:
                    rows.update(_key(row) for row in given.detach().reshape(-1, size)[:ROWS])

    def stored(self, value: Any, frame: FrameType) -> None:
        """Something was put into a list."""
        line = self._latest
        if line is None or not line.steps or len(line.steps) >= STEPS:
            return
        step, found = line.steps[-1], {}
        for index, part in enumerate(value if isinstance(value, tuple) else (value,)):
            held = _numbers(part)
            if held is not None and held.numel() == self._size:
                found[index] = _key(held)
        if len(found) > 1 and step.twice is None and self._size == 1:  # what has memory is told by it
            step.twice = frozenset(index for index, one in found.items() if one == step.after)
            line.kept = line.kept or self.sources.stack(frame)
        if step.after in found.values() and self._size > 1:
            line.stored = line.stored or self.sources.stack(frame)
            for index, one in found.items():
                place = (STORED, (frame.f_code, frame.f_lasti, index))
                if one != step.after:
                    step.asked.setdefault(place, one)
                    line.places.setdefault(place, self.sources.stack(frame))

    def found(self) -> tuple[Unadvanced, ...]:
        """At most one of each line that steps."""
        return tuple(one for line in self._lines.values() if (one := self._of(line)) is not None)

    def _of(self, line: _Line) -> Unadvanced | None:
        step, where = self.sources.sites(line.stack), self.sources.sites(line.stored or line.stack)
        if line.kept and step and (count := _held_twice(line.steps)) is not None:
            return Unadvanced("twice", self.sources.sites(line.kept)[-1], step[-1], *count)
        following = {place for place in line.places if _follows(line.steps, place)}
        for place, stack in line.places.items() if step and where else ():
            asked = self.sources.sites(stack)
            if asked and not following and (count := _stands_still(line.steps, place)) is not None:
                return Unadvanced("stored" if place[0] == STORED else "asked", step[-1], asked[-1], *count)
            learned = self._learned.get(place[0])
            if asked and place in following and (count := _trained(line.steps, place, learned)):
                return Unadvanced("trained", where[-1], asked[-1], *count)
        return None


def _follows(steps: list[_Step], place: Place) -> bool:
    """Whether what a model is asked about at a place is, for the most part, what the step before gave."""
    told = [now.asked[place] == before.after for before, now in itertools.pairwise(steps) if place in now.asked]
    return len(told) >= SEEN and sum(told) >= len(told) / 2


def _held_twice(steps: list[_Step]) -> tuple[int, int] | None:
    """How many steps were stored with what they gave in the place of what they began with, and how many of them gave
    something new."""
    told = [(before, now) for before, now in itertools.pairwise(steps) if now.twice is not None and not before.ended]
    moves = [now for before, now in told if now.after != before.after]
    places = frozenset.intersection(*(now.twice for now in moves)) if moves else frozenset()
    if len(moves) < LEAST or len({one.after for one in moves}) < SEEN or len(places) != 2:
        return None
    return len(told), len(moves)


def _stands_still(steps: list[_Step], place: Place) -> tuple[int, int] | None:
    """In how many steps of an episode a model was asked about one observation alone, and how many different ones they
    gave, where it changes with the episode alone."""
    runs: list[list[_Step]] = [[]]
    for one in steps:
        if place in one.asked:
            runs[-1].append(one)
        if one.ended:
            runs.append([])
    if any(len({one.asked[place] for one in run}) > 1 for run in runs):
        return None
    told = [(len(run), len({one.after for one in run} - {one.asked[place] for one in run})) for run in runs]
    return max((one for one in told if one[0] >= LEAST and one[1] >= SEEN), default=None)


def _trained(steps: list[_Step], place: Place, learned: set[bytes] | None) -> tuple[int, int] | None:
    """How many observations a model learned from, and how many of these ended an episode, where none of them is one
    that it began with."""
    given, made = ({one.asked[place] for one in steps if place in one.asked}, {one.after for one in steps})
    first = {now.asked[place] for before, now in itertools.pairwise(steps) if before.ended and place in now.asked}
    first, last = first - made, {one.after for one in steps if one.ended} - given
    if not learned or len(first) < ENDS or first & learned or len(last & learned) < ENDS:
        return None
    return len(learned), len(last & learned)


def _numbers(value: Any) -> torch.Tensor | None:
    """What an observation holds; `None` where it is no table of numbers."""
    if type(value) is int:
        return torch.tensor([value], dtype=torch.float32)
    if type(value) in (list, tuple) and value and all(type(part) in (int, float) for part in value):
        return torch.tensor(value, dtype=torch.float32)
    return numbers(value)


def _key(held: torch.Tensor) -> bytes:
    return held.to(torch.float32).contiguous().numpy().tobytes()
