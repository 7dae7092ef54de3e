"""Cuts training loops after a few iterations and always keeps the ragged last batch. Loops that build data run whole.

An iteration *trains* when an optimiser steps or `backward` runs in it; it *evaluates* when it draws a batch from a
DataLoader and calls a model. After `CAP` such iterations a loop jumps: to the first iteration for which a plain `if` on
its counter turns true, and to the last. A `for` loop that only asks a model (a sampler's denoising steps) and has taken
`ASKING` seconds jumps to its last iteration too, and is told of, unless a method of a model that learns runs it, also
inside a module's `forward` where no gradients are kept and one module is asked again and again; a loop around one of
`PLAYED` such iterations and more that took `LONG` (an epoch of a player's moves) ends after the first iteration that
trained. In a brief run one such iteration is enough and only the last is jumped to; a loop around loops of that kind,
or of slow iterations, ends with its first. Once a run has done `WORN` of work, one iteration and the last are enough
too. Other loops inside a module's `forward` and loops of generators are never cut.
"""

from __future__ import annotations

import operator
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any

from ...trace import LoopFact, Site
from .activity import Activity
from .gathering import Gathering
from .iterables import parts, unwrap, zipped
from .plan import Plan
from .shortened import Shortened

CAP = 2
SLOW = 0.15  # seconds of processor time
ASKING = 4.0  # seconds of processor time
JUDGING = 1.5  # the same of a model in evaluation mode, where something is to be trained
WARMING = 14.0  # the same while nothing was trained yet: what is asked may fill what the training draws from
PLAYED, LONG = 300, 2.0
ENOUGH = 128  # samples in a memory that has been filled for a while
LEAST_FULL = 2 * ENOUGH
WORN = 5.0  # of `record.work`
BUILDING = 3.0  # seconds of processor time
OVERDUE = 24.0  # the same that a loop which makes data would take in all
NEAR = 6.0  # the same that a loop which gathers experience may take until something new happens in it
GROWING = 8  # by how much a count has grown of which one may tell that it grows
AGAIN = 0.5  # for a loop that has been shortened often


class Loops:
    """The loops of one run, innermost last on `stack`."""

    def __init__(
        self,
        activity: Activity,
        site_of,
        whole: bool = False,
        brief: bool = False,
        shortened: Callable[[_State], None] | None = None,
        leading: Gathering | None = None,
    ) -> None:
        self.activity, self.site_of, self.whole, self.shortened = activity, site_of, whole, shortened
        self.epochs = False  # whether outer loops are spared
        self.longer = 0  # iterations more than usual before a cut
        self.long: dict[Site, Shortened] = {}
        self.jumps: set[int] = set()  # after how many steps of optimizers a loop left items out
        self.leading = leading or Gathering({})
        self.gathering = False  # whether a loop has gathered for long what a training draws from
        self.briefly(brief and not whole)
        self.used: Callable[[], float] = float  # how much work was done
        self.late: BaseException | None = None  # what ends a run whose data would take too long to make
        self.learning: Callable[[], bool] = bool  # whether a model that learns runs the loop
        self.few: Callable[[], bool] = bool  # whether data were made up that may be fewer than the script's own
        self.stack, self.facts = list[_State](), dict[int, _State]()
        self.drawing: dict[int, Any] | None = None
        self._made = 0
        self.left: int | None = None  # iterations that a replay may take
        self.ended: dict[int, object] = {}  # iterators that a loop has used up to learn, or to ask a model
        self._asked: dict[tuple, int] = {}
        self.early: set[tuple] = set()  # branches that were taken before their time
        self._grown: dict[tuple, tuple[int, int, bool]] = {}  # the first size, the last, whether it counts as full
        self._awaited: dict[tuple, tuple[int, int] | bool] = {}  # the lesser and the larger number, or what is told

    def briefly(self, brief: bool) -> bool:
        """From now on loops are cut as in a brief run, or as in a usual one; which of them."""
        self.brief, self.cap = brief, 1 if brief else CAP
        return brief

    def state(self, span: tuple[int, int], generator: bool) -> _State:
        """A new execution of the loop at `span`."""
        self._made += 1
        return _State(self, self._made, span, generator)

    def tell(self, state: _State) -> None:
        """Keep an execution that trained, evaluated or was cut; a script that reads texts has thousands of others."""
        if len(self.facts) < 4096:
            self.facts[state.uid] = state

    def due(self, place: tuple, test: object, period: Any) -> Any:
        """Whether a branch for every `period`-th count is taken: as `test` says, and once where a cut would come
        first."""
        if self.whole or self.brief or not self.activity.trained or self.activity.depth or not self.stack:
            return test
        around = next((one.uid for one in self.stack if one.span[0] <= place[1] <= one.span[1]), self.stack[0].uid)
        known = (*place, around)  # of each call of a function that trains anew
        if test:
            self._asked[known] = self.cap  # it comes in time by itself
            self.early.discard(place)
            return test
        if not isinstance(period, int) or period <= self.cap + 1:
            return test
        self._asked[known] = self._asked.get(known, 0) + 1
        if self._asked[known] != self.cap:
            return test
        self.early.add(place)
        return True

    def ripe(self, place: tuple, how: str, size: Any, least: Any) -> Any:
        """Whether something has grown to a size, as a memory that is drawn from: as the comparison says, and as if it
        had where nothing is trained before. A power of two may be the size of a batch, and is waited for."""
        told = getattr(operator, how)(size, least)
        if type(size) is not int or type(least) is not int or told is (how in ("gt", "ge")):
            return told
        if self.whole or self.activity.depth or not self.stack or least < LEAST_FULL or not least & (least - 1):
            return told
        first, before, ripe = self._grown.get(place, (size, size, False))
        grows = before <= size and first < ENOUGH <= size  # only ever so far
        ripe |= grows and not self.activity.trained
        self._grown[place] = (first if before <= size else ENOUGH, size, ripe)
        if ripe:
            self.stack[-1].early = True
            self.tell(self.stack[-1])
        return not told if ripe else told

    def awaited(self, place: tuple, how: str, one: Any, other: Any, leaves: bool) -> Any:
        """Whether a count has come to a number: as the comparison says, and as if it had once a loop has gathered for
        long what a training draws from, and the branch is the training, or `leaves` what is around it."""
        told = getattr(operator, how)(one, other)
        known = self._awaited.get(place)
        if known is not None and type(known) is bool:
            return known
        if not self.gathering or self.activity.trained or type(one) is not int or type(other) is not int:
            return told
        lesser, larger = sorted((one, other))
        first, least = known or (lesser, larger)
        self._awaited[place] = (lesser, larger) if larger != least else (first, least)
        if larger < LEAST_FULL or larger != least or lesser - first < GROWING:
            return told
        if not self.stack or not ((leaves and told) or self.leading.within(self.site_of(place[1:]))):
            return told
        self._awaited[place] = not told
        self.stack[-1].early = True
        self.tell(self.stack[-1])
        return not told

    def draws(self, reader: object) -> None:
        """A DataLoader's iterator tells that the running `next` draws from it."""
        if self.drawing is not None:
            self.drawing[id(reader)] = reader

    def worn(self) -> bool:
        """Whether so much work was done that fewer iterations are enough."""
        return self.used() > WORN

    def training(self) -> bool:
        """Whether a loop is running in a script that trains something."""
        return bool(self.stack) and self.leading.trains()

    def current(self) -> int:
        """The uid of the innermost running loop, or -1: a generator's that waits for the next `next` does not run."""
        return next((one.uid for one in reversed(self.stack) if one.frame is None or one.frame.f_back), -1)

    def stage(self) -> Site | None:
        """Where the outermost running loop stands."""
        return self.stack[0].site if self.stack else None

    def all(self) -> tuple[LoopFact, ...]:
        """What is to be told of the loops that trained, evaluated or were cut."""
        return tuple(
            LoopFact(s.uid, s.site, s.iterations, s.trained > 0, s.cut or s.early, s.parent, s.length, s.pace, s.spent)
            for _, s in sorted(self.facts.items())
        )

    def run(
        self, iterable: Iterable, span: tuple[int, int], generator: bool, counted: bool, start: int, tests: list
    ) -> Iterator:
        """Iterate `iterable` for the user's `for`; `counted` makes it an `enumerate`."""
        state = self.state(span, generator)
        source = unwrap(iterable)
        if type(source) is enumerate and not counted:
            source, start = source.__reduce__()[1]
            counted = True
        state.length = (
            len(source)
            if isinstance(source, (range, list, tuple))
            or (type(source).__name__ == "DataLoader" and hasattr(type(source.dataset), "__len__"))
            else zipped(source)
        )
        plan = Plan(source, counted, start, tests)
        iterator = iter(source)
        once = [part for part in (source, *parts(source)) if isinstance(part, Iterator)]
        position, began = -1, time.process_time()
        state.push(sys._getframe(1))
        try:
            while True:
                before = state.mark()
                try:
                    outer, self.drawing = self.drawing, plan.readers
                    try:
                        position, item = plan.next(iterator, position)
                    finally:
                        self.drawing = outer
                except StopIteration:
                    state.spent = not state.iterations and any(id(part) in self.ended for part in once)
                    if state.spent:
                        self.tell(state)
                    elif state.trained or state.evaluated or state.asked:
                        self.ended |= {id(part): part for part in once}
                    return
                state.iterations += 1
                yield (position + start, item) if counted else item
                state.judge(before)
                if state.full():
                    state.shorten((time.process_time() - began) / state.iterations)
                    if state.plays:
                        return
                    if self.brief and (state.nests or time.process_time() - began > SLOW):
                        return
                    self.jumps |= {self.activity.steps} if plan.left(position) > 1 else set()
                    plan.hurry(position, self.brief, self.worn(), self.few())
                elif state.gathers(began):
                    iterator, position = state.on(plan, iterator, position, began)
                elif state.only_asks(began, plan, position):
                    state.shorten()
                    self.long.setdefault(state.site, Shortened()).once_more(state.iterations)
                    plan.hurry(position, brief=True)
                    if self.shortened is not None:
                        self.shortened(state)
                elif self.late is not None and state.overdue(began):
                    raise self.late
        finally:
            state.pop()
            if state.iterations and state.builds() and (spent := time.process_time() - began) > BUILDING:
                state.pace = spent / state.iterations
                self.tell(state)
            if state.asked >= PLAYED and self.stack and time.process_time() - began > LONG:
                self.stack[-1].plays = True


class _State:
    """One execution of one loop."""

    def __init__(self, loops: Loops, uid: int, span: tuple[int, int], generator: bool) -> None:
        self.loops, self.uid, self.span, self.generator = loops, uid, span, generator
        self.spared = generator or loops.whole or loops.activity.depth > 0
        self.iterations = self.trained = self.evaluated = self.asked = 0
        self.cut = self.nests = self.plays = self.early = self.spent = False
        self.length, self.pace = -1, 0.0
        self.parent, self.frame = loops.current(), None
        self.site: Site = loops.site_of(span)
        self._before: tuple | None = None
        self.used = loops.used()
        self.paced: tuple[int, float] | None = None  # iterations and time after a while
        self.inside = loops.activity.depth if not loops.whole else 0  # of how many modules
        self.repeated = 0  # iterations in which the same module was asked last
        self.leads: bool | None = None  # whether it leads to a training
        self.patience = BUILDING  # seconds of processor time after which that is asked

    def push(self, frame: FrameType | None = None) -> None:
        self.frame = frame if self.generator else None
        self.loops.stack.append(self)

    def pop(self) -> None:
        self.frame = None
        if self in self.loops.stack:
            del self.loops.stack[self.loops.stack.index(self) :]

    def mark(self) -> tuple[int, int, int, tuple[int, int]]:
        loops, activity = self.loops, self.loops.activity
        if loops.left is not None:
            loops.left -= 1
            if loops.left < 0:
                raise RuntimeError("a replayed function loops for too long")
        called = activity.within.get(self.inside, (0, 0)) if self.inside else (0, 0)
        return activity.trained, activity.forwards, activity.batches, called

    def judge(self, before: tuple[int, int, int, tuple[int, int]]) -> None:
        now = self.mark()
        self.repeated += now[3][0] > before[3][0] and (self.iterations == 1 or now[3][1] == before[3][1])
        if now[0] > before[0]:
            self.trained += 1
        elif now[1] > before[1] and now[2] > before[2]:
            self.evaluated += 1
        elif now[1] > before[1]:
            self.asked += 1
        if self.trained or self.evaluated:
            self.loops.tell(self)
            if self in self.loops.stack[1:] and not self.generator:
                self.loops.stack[self.loops.stack.index(self) - 1].nests = True

    def builds(self) -> bool:
        """Whether nothing was asked of a model: data are made here."""
        return self.length > 0 and not (self.cut or self.trained or self.evaluated or self.asked)

    def gathers(self, began: float) -> bool:
        """Whether it leads to a training and took its time without one, now and then."""
        if self.spared or self.cut or self.trained or self.leads is False:
            return False
        if (spent := time.process_time() - began) < self.patience:
            return False
        if self.leads is None:
            self.leads = self.loops.leading.within(self.site)
        self.patience = spent + AGAIN
        self.loops.gathering |= self.leads
        return self.leads

    def on(self, plan: Plan, iterator: Iterator, position: int, began: float) -> tuple[Iterator, int]:
        """Where a loop that gathers goes on: where one of its branches is taken for the first time, or left, unless
        that is near."""
        to = plan.turning(position)
        pace = (time.process_time() - began) / self.iterations
        if to is None or pace * (to - position) < NEAR:
            return iterator, position
        self.early = True
        self.loops.tell(self)
        return plan.leap(iterator, position, to)

    def overdue(self, began: float) -> bool:
        """Whether it makes data, and by the pace of its later iterations will take too long."""
        if self.spared or not self.builds():
            return False
        spent = time.process_time() - began
        if self.leads and spent < WARMING:
            return False
        if spent > BUILDING / 2 and not self.paced:
            self.paced = self.iterations, spent
        if spent <= BUILDING or not self.paced or self.iterations <= self.paced[0]:
            return False
        pace = (spent - self.paced[1]) / (self.iterations - self.paced[0])
        return pace * (self.length - self.iterations) > OVERDUE

    def shorten(self, pace: float = 0.0) -> None:
        """From now on the loop jumps; `pace` is what an iteration took, in seconds of processor time."""
        self.cut, self.pace = True, pace
        self.loops.tell(self)

    def full(self) -> bool:
        most = 1 if self.plays or self.loops.worn() else self.loops.cap
        spared = self.spared or (self.nests and self.loops.epochs)
        return not spared and not self.cut and self.trained + self.evaluated >= most + self.loops.longer

    def only_asks(self, began: float, plan: Plan, position: int) -> bool:
        """Whether every iteration did nothing but ask a model, and those to come would take long."""
        before = self.loops.long.get(self.site)
        alike = before.reached(self.iterations) if before is not None else None
        enough = min(AGAIN, ASKING) if before else ASKING
        heavy = self.loops.activity.trained > 0 and self.loops.used() - self.used > enough
        heavy = heavy if alike is None else alike
        if self.inside and self.repeated == self.iterations >= 3 and heavy:
            return not (self.generator or self.cut) and plan.left(position) > 1
        least = max(1 if heavy else 3, self.iterations)
        if self.spared or self.cut or self.trained or self.evaluated or self.asked < least:
            return False
        trains, judging = self.loops.leading.trains(), self.loops.activity.judging
        warms = trains and not (self.loops.activity.trained or judging)
        most = AGAIN if before else WARMING if warms else JUDGING if trains and judging else ASKING
        seconds, left = time.process_time() - began, plan.left(position)
        late = alike is None and seconds > most and left * seconds / self.iterations > most / 2
        return (left > 1 if heavy else late) and not self.loops.learning()

    # a `while` loop: `enter` makes the state, `again` is asked before its test, `leave` in a `finally`
    def again(self) -> bool:
        if self._before is None:
            self.push(sys._getframe(1))
            self.began = time.process_time()
        else:
            self.iterations += 1
            self.judge(self._before)
            if self.full():
                self.shorten()
                return False
            self.gathers(self.began)
        self._before = self.mark()
        return True

    def leave(self) -> None:
        self.pop()
