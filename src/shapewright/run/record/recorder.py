"""Records every torch call that the user's process makes, with operands, result and the user's place in the source.

A `TorchFunctionMode` sees functions, methods, factories and `nn.functional` one level deep: what a call does inside is
not its business. It records; it judges nothing.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

import torch
from torch.nested._internal.nested_tensor import NestedTensor
from torch.nn.parameter import is_lazy
from torch.overrides import TorchFunctionMode

from ... import ops
from ...trace import Event, Site, TensorFact
from ..script.activity import Activity
from ..script.drawn import OPS as DRAWING
from ..script.drawn import Drawn
from ..script.loops import Loops
from ..script.sources import UserSources
from .assume import Assumptions
from .averages import COPYING, MIXING, Averages
from .axes import carry
from .blended import WATCHED, Blends
from .encoding import flags, hides_past, one_hot
from .endings import Endings
from .facts import fact, ranged, tensor_fact
from .finite import Finite
from .indexed import Indexed
from .leading import Leading
from .metered import Metered
from .names import SILENT, canonical
from .notes import Note, Notes
from .once import ALONE, OF_TYPES, readings, with_axis
from .reread import Reread
from .stored import Stored
from .tape import Tape
from .temporary import Temporaries
from .walks import Walks
from .withheld import Sought
from .work import BACKWARD, Work
from .zipped import Zipped

PER_PLACE = 48
OFTEN = 100  # calls at one place that need no gradient, a player's or those that fill a table: more tell nothing new
MANY = 1000  # the same for single numbers that need no gradient, one after the other
UNROLLED = 4000  # calls beyond those that are kept all the same, of what one first loss is computed from
EVENTS = 40_000
STAGES = 4
FETCHED = 64
NORMAL = ops.named("draws_normal")
SHAPED = ("shape", "size", "dim", "ndim")
SEVERAL = (list, tuple)
STRICT = bool(os.environ.get("SHAPEWRIGHT_STRICT"))  # in tests an error of ours ends the run


def _turned(func: Callable) -> tuple[str, ...]:
    """`reflected` for `1 - x` and `1 / x`, whose operands torch is given the other way round."""
    return ("reflected",) if getattr(func, "__name__", "") in ("__rsub__", "__rtruediv__", "__rdiv__", "rsub") else ()


def _learnt(values: Iterable) -> bool:
    """Whether any of some values carries a gradient."""
    return any(
        value.requires_grad if isinstance(value, torch.Tensor) else isinstance(value, SEVERAL) and _learnt(value[:1])
        for value in values
    )


class Recorder(TorchFunctionMode):
    """The mode. `events` holds finished `Event`s with their code positions still unresolved; `finish` resolves them."""

    def __init__(self, sources: UserSources, activity: Activity, notes: Notes, assumptions: Assumptions) -> None:
        super().__init__()
        self.sources, self.activity, self.notes, self.assumptions = sources, activity, notes, assumptions
        self.loops: Loops | None = None
        self.modules: list[int] = []
        self.caller: Any = None  # the user's line that called the outermost of them
        self.training: list[bool] = []
        self.raw: list[tuple] = []
        self.failing: tuple[BaseException, tuple] | None = None
        self.read_of: Any = None
        self.iteration = 0
        self.paused = False
        self.shaping: Callable | None = None  # gives samples that could not be read a shape before a call
        self.standing: Callable | None = None  # gives tensors for what stands for them, where anything does
        self.fetched: dict[Any, int] | None = None  # calls of each function while a DataLoader fetches one batch
        self.before: list[Callable] = []
        self.tape: Tape | None = None
        self.metered: Metered | None = None
        self.tapes: tuple[Tape, ...] = ()
        self.work = Work()
        self.drawn = Drawn(self)
        self.reread = Reread()
        self.numbers: Any = None  # follows what `.item()` gives
        self.indexed = Indexed()
        self.once = False  # whether calls are made that torch no longer makes
        self.averages: Averages | None = None
        self.returns: Any = None  # looks at sums over the steps of an episode
        self.counted: Any = None  # how many places of a comparison count
        self.finite = Finite(notes)
        self.walks, self.blends = Walks(self), Blends(sources)
        self.stored, self.endings, self.zipped = Stored(sources), Endings(sources), Zipped(sources)
        self.stored.told, self.temporary = self.endings.stored, Temporaries(sources)
        self.leading, self.sought = Leading(sources, self._learned), Sought(sources, self._learned)
        self._counts: dict[tuple, int] = {}
        self._stages: set[Site | None] = set()  # the outermost loops in which something was trained
        self._beyond = 0  # calls kept of places that had given enough
        self.unfollowed: set[int] = set()  # events of which a result went into a call that is not kept
        self._single: set[tuple] = set()  # places that have given single numbers `MANY` times

    def _learned(self) -> bool:
        return self.iteration > 0

    def listen(self) -> Tape:
        """Keep from now on how losses are computed, and how numbers are read off."""
        self.tape, self.metered = self.tapes = Tape(self.notes), Metered(self.notes, recorder=self)
        return self.tape

    def deaf(self) -> None:
        """Keep that no longer."""
        self.tape, self.metered, self.tapes = None, None, ()

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if self.shaping is not None:
            args, kwargs, pending = self.shaping(func, args, kwargs)
            if pending is not None:
                return pending
        if self.paused or (args and is_lazy(args[0])):  # a lazy layer's parameter has no shape before its first input
            return func(*args, **kwargs)
        if torch._C._get_tracing_state() is not None:  # what is asked of a tensor now would be part of the graph
            return func(*args, **kwargs)
        # rows of different lengths have no axes to follow
        if types and any(issubclass(kind, NestedTensor) for kind in types):
            return func(*args, **kwargs)
        op = canonical(func)
        if op in SILENT:
            if op in SHAPED and args:
                self.read_of = args[0]
            return self._passed(func, op, args, kwargs)  # it may fail: `.size(0)` of a tensor without axes
        # the samples of a very large batch are alike: the first ones tell what there is to know
        if self.fetched is not None:
            self.fetched[func] = self.fetched.get(func, 0) + 1
            if self.fetched[func] > FETCHED:
                return self._passed(func, op, args, kwargs)
        learning = torch.is_grad_enabled()  # a function that plays and trains is another one when it trains
        within = (self.modules[-1], self.caller) if self.modules else -1  # an attack's calls use up no training step's
        place = (op, self.sources.innermost(sys._getframe(1)), within, learning)
        count = self._counts.get(place, 0)
        self._counts[place] = count + 1
        if count > OFTEN and (not learning or (op == "setitem" and not _learnt(args))):
            result = self._passed(func, op, args, kwargs)
            self._averages(op, result, sys._getframe(1), place)
            if self.metered is not None:
                self.metered.skipped(args)
            return result
        if place in self._single and not _learnt(args):
            return self._passed(func, op, args, kwargs)
        stack = self.sources.stack(sys._getframe(1))
        given = args[:1] if op == "deepcopy" else args  # not what was copied before
        try:
            for hook in self.before:
                hook(op, args, kwargs)
            for tape in self.tapes:
                tape.writing(op, args)
        except Exception as error:
            self.lost(error)
        # axes and facts of operands are taken before the call: an in-place call changes them
        facts = None
        kept = len(self.raw) < EVENTS and (count < PER_PLACE or (learning and self._unrolled(args)))
        if not kept and learning and _learnt(args):
            self.unfollowed |= {
                note.producer for one in args if (note := self.notes.get(one)) is not None and note.producer >= 0
            }
        if kept:
            with torch._C.DisableTorchFunction():  # shapes and names are read past the modes below this one
                facts = (fact(given, self.notes), {key: fact(value, self.notes) for key, value in kwargs.items()})
        times = BACKWARD if learning else 1
        self.work.ahead(func, op, args, kwargs, times)
        try:
            result = func(*args, **kwargs)
        except Exception as error:
            self.failed(error, op, args, kwargs)
            read = self._once(func, op, args, kwargs)
            if read is None:
                raise
            func, op, args, kwargs, result, alike = read
            if kept and not alike:  # else what it was given is told as what it is
                with torch._C.DisableTorchFunction():
                    facts = (fact(args, self.notes), {key: fact(value, self.notes) for key, value in kwargs.items()})
        if isinstance(result, torch.Tensor) and result.is_nested:
            return result
        if count == MANY and isinstance(result, torch.Tensor) and not result.dim() and not result.requires_grad:
            self._single.add(place)
        self.work.call(op, args, kwargs, result, times)
        index = len(self.raw) if kept else -1
        alone = op == "item" or (op == "numpy" and not result.shape and not self.once)
        try:
            with torch._C.DisableTorchFunction():
                if op != "tolist":  # many plain numbers, such as the order of all samples in a shuffled epoch
                    self._note(op, args, kwargs, result, index, stack)
                if op in DRAWING:
                    self.drawn.note(op, args, kwargs, result, stack)
                if op in WATCHED:
                    self.blends.note(op, args, result, stack)
                if op in NORMAL and not learning and not self.modules:
                    self.walks.drew(result)
                if kept:
                    told = one_hot(op, args) + hides_past(op, args, kwargs) + flags(op, result) + _turned(func)
                    told += self.reread.flags(op, args)
                    self.raw.append(self._raw(op, stack, facts, fact(result, self.notes), told))
                    self.indexed.note(op, args, kwargs, index, place)
                    self.finite.note(op, args, kwargs, result, index)
                if kept and self.numbers is not None and not self.modules:
                    self.numbers.meet(args, index)
                if kept and self.returns is not None and not self.modules:
                    self.returns.note(op, args, result, index, place)
                if kept and self.counted is not None:
                    self.counted.note(op, args, kwargs, index, bool(self.modules))
                self._averages(op, result, sys._getframe(1), place)
                for tape in self.tapes if op != "tolist" else ():
                    tape.note(func, "item" if alone else op, args, kwargs, result, stack, index)
        except Exception as error:
            self.lost(error)
        if alone and self.numbers is not None and not self.modules:
            return self.numbers.read(result, index, stack)
        if self.once and op in ("numpy", "tolist"):
            return with_axis(result, lambda: self._told(ALONE))
        return result

    def _unrolled(self, args: tuple) -> bool:
        """Whether a call may be of the many that the first loss is computed from, such as those of a long sequence."""
        if self.iteration or self._beyond >= UNROLLED or not _learnt(args):
            return False
        self._beyond += 1
        return True

    def _once(self, func: Callable, op: str, args: tuple, kwargs: dict) -> tuple | None:
        """A call that was refused as torch once made it, and its result; `None` where it never made it."""
        for kind, (other, name, given, named) in readings(func, op, args, kwargs) if self.once else ():
            with contextlib.suppress(Exception):
                made = other, name, given, named, other(*given, **named), kind in OF_TYPES
                self._told(kind)
                return made
        return None

    def _told(self, kind: str) -> None:
        """Tell that the user's line under way ran as it once did."""
        positions = self.sources.stack(sys._getframe(1))
        self.assumptions.add(kind, site=self.sources.site(*positions[-1]) if positions else None)

    def lost(self, error: Exception) -> None:
        """What happened could not be recorded. That is no failure of the script's: it is said, and the run goes on."""
        if STRICT:
            raise error
        self.assumptions.add("recording-failed", error=f"{type(error).__name__}: {error}"[:200])

    def unseen(self, uid: int, call: Callable, module: object, args: tuple, kwargs: dict) -> Any:
        """The answer of a model of whose calls nothing is noted but that there was one."""
        self.paused = True
        self.activity.forwards += 1
        self.activity.depth += 1
        self.modules.append(uid)
        try:
            return call(module, *args, **kwargs)
        finally:
            self.paused = False
            self.activity.depth -= 1
            self.modules.pop()

    def _passed(self, func: Callable, op: str, args: tuple, kwargs: dict) -> Any:
        """The result of a call of which nothing but its failure is noted."""
        try:
            return func(*args, **kwargs)
        except Exception as error:
            self.failed(error, op, args, kwargs)
            read = self._once(func, op, args, kwargs)
            if read is None:
                raise
            return read[4]

    def _averages(self, op: str, result: object, frame: FrameType, place: tuple) -> None:
        """Look at what may be a running average of parameters."""
        within = self.modules and torch.is_grad_enabled()  # a model may keep the average itself, when it is called
        if self.averages is not None and not within and (op in MIXING or op in COPYING):
            with torch._C.DisableTorchFunction():
                self.averages.note(op, result, frame, place)

    def failed(self, error: BaseException, op: str, args: tuple, kwargs: dict) -> None:
        """Keep the call that raised, with the least and greatest value of its whole-number operands."""
        frame = sys._getframe(2)
        stack = self.sources.stack(frame)
        with torch._C.DisableTorchFunction():
            facts = (
                ranged(fact(args, self.notes), args),
                {key: ranged(fact(value, self.notes), value) for key, value in kwargs.items()},
            )
        self.failing = (error, self._raw(op, stack, facts, None))
        for state in self.loops.stack if self.loops else ():
            self.loops.tell(state)

    def _raw(self, op: str, stack: tuple, facts: tuple, result: object, flags: tuple[str, ...] = ()) -> tuple:
        flags += ("grad",) if torch.is_grad_enabled() else ()
        if self.training:
            flags += ("training",) if self.training[-1] else ("evaluating",)
        loop = self.loops.current() if self.loops else -1
        return (op, stack, facts[0], facts[1], result, tuple(self.modules), flags, self.iteration, loop)

    def _note(self, op: str, args: tuple, kwargs: dict, result: object, index: int, stack: tuple) -> None:
        """Give each tensor of the result its axes and producer."""
        if isinstance(result, torch.Tensor):
            self._put(result, carry(op, args, kwargs, result, self.notes, lambda: self.sources.sites(stack)), index)
        elif isinstance(result, (tuple, list)) and result:
            axes = carry(op, args, kwargs, result, self.notes, lambda: self.sources.sites(stack))
            for part, axis in zip(result, axes):
                if isinstance(part, torch.Tensor):
                    self._put(part, axis, index)
                elif isinstance(part, (tuple, list)):
                    for inner, inner_axes in zip(part, axis or ((),) * len(part)):
                        if isinstance(inner, torch.Tensor):
                            self._put(inner, inner_axes, index)

    def _put(self, tensor: torch.Tensor, axes: tuple, index: int) -> None:
        old = self.notes.get(tensor)
        if old is not None:
            old.axes = axes or old.axes
            old.producer = index if index >= 0 else old.producer
            return
        kind = "parameter" if isinstance(tensor, torch.nn.Parameter) else "tensor"
        self.notes.put(tensor, Note(axes or (), index, "", kind))

    def made(self, op: str, stack: tuple, tensor: torch.Tensor) -> int:
        """Keep the making of a tensor that no torch call shows (`nn.Parameter(...)`); the index of its event."""
        if len(self.raw) >= EVENTS:
            return -1
        self.raw.append(self._raw(op, stack, ((), {}), tensor_fact(tensor, self.notes)))
        return len(self.raw) - 1

    def event(self, raw: tuple, index: int = -1) -> Event:
        """A resolved event."""
        op, stack, args, kwargs, result, modules, flags, iteration, loop = raw
        sites = self.sources.sites(stack)
        return Event(
            index,
            op,
            sites[-1] if sites else None,
            sites,
            args,
            kwargs,
            result,
            modules,
            frozenset(flags),
            iteration,
            loop,
        )

    def finish(self) -> tuple[Event, ...]:
        """All events, resolved. Call it after the mode has been left."""
        return tuple(self.event(raw, index) for index, raw in enumerate(self.raw))

    def learns(self) -> None:
        """A `backward` runs, for the first time in one of the outermost loops: places that acting, filling a buffer or
        an earlier stage of training has used up are kept anew."""
        stage = self.loops.stage() if self.loops is not None else None
        if stage in self._stages or len(self._stages) >= STAGES:
            return
        self._stages.add(stage)
        if self.activity.forwards > PER_PLACE:
            self._counts = {place: count for place, count in self._counts.items() if count < PER_PLACE}
        if self.tape is not None:
            self.tape.renew(self.iteration)

    def noted(self) -> dict[str, tuple]:
        """What its observers noted, by the names of `trace.Seen`."""
        counted, met = tuple(self.counted.found), tuple(self.numbers.met)
        averaged = self.averages.found() if self.averages is not None else {}
        told = {"counted": counted, "met": met, "stored": self.stored.found(), "not_finite": tuple(self.finite.found)}
        told |= {"unended": self.endings.found(), "outgrown": tuple(self.zipped.found())}
        told |= {"lowest": tuple(self.leading.found()), "withheld": tuple(self.sought.found())}
        told |= {"lost": self.temporary.found(), "blended": self.blends.found()}
        told |= {"walks": tuple(self.walks.found), "unadvanced": self.endings.acted.found()}
        told |= {"excluded": tuple(self.sought.excluded()), "unfollowed": tuple(sorted(self.unfollowed))}
        return {**self.returns.found(), **self.indexed.found(), **averaged, **told}

    def last_read(self) -> TensorFact | None:
        """The tensor whose shape was read last, for a failing `B, T = x.shape`."""
        return tensor_fact(self.read_of, self.notes) if isinstance(self.read_of, torch.Tensor) else None
