"""Which of the user's functions and containers are handed every step of an environment but those that end an episode.

A step is an assignment to several names of which one is a truth value. It looks at no name and judges nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import field
from types import CodeType, FrameType
from typing import Any

from ...dataclass import dataclass
from ...trace import Unended
from ..script.sources import UserSources
from .acted import Acted
from .functions import parameters

PARTS, KEYS, LEAST, ENDS = 3, 64, 8, 2
NUMBERS = frozenset({bool, int, float})


@dataclass
class _Call:
    """What is called after steps: how many steps had been and ended when it was first called, how often it came after
    a step that went on, whether ever after one that ended an episode, and what it was given that never changed."""

    stack: tuple
    first: int
    ends: int
    given: dict[Any, Any]
    after: int = 0
    last: int = -1
    ended: bool = False


@dataclass
class _Loop:
    """The steps that one line takes; `marks` are the zeros and ones that its frame was given after them, while an
    episode goes on and where it ends."""

    stack: tuple
    steps: int = 0
    ends: int = 0
    ended: bool = False
    calls: dict[Any, _Call] = field(default_factory=dict)
    marks: dict[str, tuple[set, set]] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    held: list[Any] = field(default_factory=list)  # keeps the containers' identities


class Endings:
    """Told by the instrumented source of bindings, of calls and of what is put into containers."""

    def __init__(self, sources: UserSources) -> None:
        self.sources = sources
        self._loops: dict[tuple[CodeType, int], _Loop] = {}
        self._latest: tuple[CodeType, _Loop] | None = None
        self.acted = Acted(sources)

    def bound(self, frame: FrameType, line: int, pairs: tuple[tuple[str, Any], ...]) -> None:
        """Variables were bound together at a line."""
        several = len(pairs) >= PARTS
        if several and not {name for name, _ in pairs}.issubset(parameters(frame.f_code)):  # a function that begins
            truth = next((value for _, value in pairs[1:] if _truth(value)), None)
            state = pairs[0][1]
            if truth is not None and (getattr(state, "shape", ()) or isinstance(state, (int, list, tuple))):
                self._stepped(frame, line, bool(truth))
                self.acted.stepped(frame, line, state, bool(truth))
        if self._latest is not None and self._latest[0] is frame.f_code:
            loop = self._latest[1]
            fresh = [(name, value) for name, value in pairs if name not in loop.told]
            loop.told |= {name for name, _ in fresh}  # what is bound anew since may begin the next episode
            for name, value in fresh:
                if _flag(value):
                    loop.marks.setdefault(name, (set(), set()))[loop.ended].add(float(value))
                elif name in loop.marks:
                    loop.marks[name][loop.ended].add(None)

    def _stepped(self, frame: FrameType, line: int, ended: bool) -> None:
        key = (frame.f_code, line)
        if key not in self._loops and len(self._loops) >= KEYS:
            return
        loop = self._loops.get(key)
        if loop is None:
            loop = self._loops[key] = _Loop(self.sources.stack(frame))
        loop.steps, loop.ends, loop.ended, loop.told = loop.steps + 1, loop.ends + ended, ended, set()
        self._latest = (frame.f_code, loop)

    def entered(self, frame: FrameType) -> None:
        """A function of the user's begins."""
        if self._latest is not None:
            code = frame.f_code
            local = frame.f_locals
            self._called(code, frame.f_back, {name: local.get(name) for name in parameters(code)})

    def stored(self, owner: Any, value: Any, frame: FrameType) -> None:
        """Something was put into a list or a deque."""
        self.acted.stored(value, frame)
        if self._latest is not None and isinstance(value, (tuple, list)) and isinstance(owner, (list, deque)):
            self._called(id(owner), frame, dict(enumerate(value)), owner)

    def _called(self, key: Any, frame: FrameType | None, given: dict[Any, Any], owner: Any = None) -> None:
        assert self._latest is not None
        loop = self._latest[1]
        for other in self._loops.values() if len(self._loops) > 1 else ():
            if other.ended and other is not loop and key in other.calls:
                other.calls[key].ended = True  # before its next step, though another line was taken for one since
        call = loop.calls.get(key)
        flags = {name: float(one) for name, one in given.items() if _flag(one)}
        if call is None:
            if not flags or len(loop.calls) >= KEYS:
                return
            loop.held.append(owner)
            call = loop.calls[key] = _Call(self.sources.stack(frame), loop.steps, loop.ends - loop.ended, flags)
        call.given = {name: one for name, one in call.given.items() if flags.get(name) == one}
        call.ended |= loop.ended
        if call.last != loop.steps:
            call.after, call.last = call.after + (not loop.ended), loop.steps

    def found(self) -> tuple[Unended, ...]:
        """At most one of each line that steps: what is called first."""
        return tuple(one for loop in self._loops.values() for one in [next(self._left_out(loop), None)] if one)

    def _left_out(self, loop: _Loop) -> Iterator[Unended]:
        for call in loop.calls.values():
            ends = loop.ends - call.ends
            went_on = loop.steps - call.first + 1 - ends
            every = call.after >= LEAST and went_on - call.after <= 1 and ends >= ENDS
            if every and not call.ended and any(_marks(loop, one) for one in call.given.values()):
                stack, step = (self.sources.sites(one) for one in (call.stack, loop.stack))
                if stack and step:
                    yield Unended(stack, step[-1], call.after, ends)


def _marks(loop: _Loop, value: float) -> bool:
    """Whether some name of the loop's is that value while an episode goes on, and the other where it ends."""
    return any(on == {value} and off == {1 - value} for on, off in loop.marks.values())


def _truth(value: Any) -> bool:
    return type(value) is bool or (type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_"))


def _flag(value: Any) -> bool:
    return (_truth(value) or type(value) in NUMBERS) and value in (0, 1)
