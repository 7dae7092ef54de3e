"""What does a user's function of two boxes give for boxes that do not touch?

Kept calls are played again with other boxes. A function is asked only if it gives the intersection over union of boxes
that overlap, or one minus it, with corners or with a corner or a center and sizes. It judges nothing.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from itertools import combinations
from types import FrameType
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode

from ..run.record.functions import Called
from ..run.record.names import canonical
from ..run.record.stepping import stepped
from ..trace import Answer, BoxesApart, ProbeFact
from .replay import settled

if TYPE_CHECKING:
    from ..run.process.child import Run

Box = tuple[float, float, float, float]
NEAR = 1e-3
APART: tuple[tuple[Box, Box], ...] = (((2, 2, 5, 6), (6, 7, 9, 12)), ((10, 3, 14, 8), (3, 10, 9, 13)))
TOUCHING: tuple[tuple[Box, Box], ...] = (
    ((2, 2, 6, 6), (4, 3, 8, 9)),
    ((2, 2, 6, 6), (2, 2, 6, 6)),
    ((3, 1, 9, 8), (1, 2, 5, 10)),
)


def ask_boxes(run: Run) -> Iterator[ProbeFact[Answer]]:
    """An answer for each kept function that gives boxes an overlap."""
    for code, (names, call) in run.functions.boxes.items():
        for form in ("corners", "corner", "center"):
            asked = _Boxes(run, call, names, form)
            told = [(asked(*pair), _overlap(*pair)) for pair in TOUCHING]
            turned = all(value is not None and abs(1 - value - overlap) < NEAR for value, overlap in told)
            if not turned and any(value is None or abs(value - overlap) >= NEAR for value, overlap in told):
                continue
            apart = [asked(*pair) for pair in APART]
            found = [1 - value if turned else value for value in apart if value is not None]
            file, first = code.co_filename, code.co_firstlineno
            numbers = 0 if asked.line else asked.parting(*APART[0])
            line, how = asked.line or numbers or first, "tensors" if asked.line else "numbers" if numbers else ""
            data = BoxesApart(code.co_name, max(found, default=0.0), turned, how)
            holds = len(found) < len(APART) or min(found) < NEAR
            sites = (*run.sources.sites(call.stack), run.sources.lines(file, first, first))
            yield ProbeFact(BoxesApart.QUESTION, holds, data, -1, run.sources.lines(file, line, line), sites)
            break


def _overlap(one: Box, other: Box) -> float:
    sides = [min(one[at + 2], other[at + 2]) - max(one[at], other[at]) for at in (0, 1)]
    shared = max(sides[0], 0) * max(sides[1], 0)
    whole = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return shared / (whole - shared)


class _Boxes(TorchFunctionMode):
    """One call, played with other boxes; `line` is where negative sides became an area."""

    def __init__(self, run: Run, call: Called, names: tuple[str, str], form: str) -> None:
        super().__init__()
        self.run, self.call, self.names, self.form = run, call, names, form
        self.line = 0

    def __call__(self, *pair: Box) -> float | None:
        """What the function gives for two boxes by their corners; `None` where that is not one number."""
        with contextlib.suppress(Exception), self.run.functions.replaying(self.run.loops), settled(0), self:
            given = {name: _as(self.call.given[name], self._formed(box)) for name, box in zip(self.names, pair)}
            made = self.call.play(self.call.given | given)
            made = made[0] if isinstance(made, (tuple, list)) else made
            values = torch.as_tensor(made).double().flatten()
            if values.numel() and bool((values == values[0]).all()):
                return float(values[0])
        return None

    def parting(self, *pair: Box) -> int:
        """The line after which a variable holds the positive product of two negative ones; 0 where none does."""
        found, last = [0], [0]

        def look(frame: FrameType, event: str) -> None:
            held = [float(one) for one in frame.f_locals.values() if type(one) in (int, float)]
            below = [one for one in held if one < 0]
            if not found[0] and any(one > 0 and one == a * b for a, b in combinations(below, 2) for one in held):
                found[0] = last[0]
            last[0] = frame.f_lineno

        with stepped(self.call.code, look):
            self(*pair)
        return found[0]

    def _formed(self, box: Box) -> Box:
        left, top, right, bottom = box
        if self.form == "corners":
            return box
        wide, high = right - left, bottom - top
        half = 0.5 if self.form == "center" else 0.0
        return left + half * wide, top + half * high, wide, high

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = [one for one in args if isinstance(one, torch.Tensor)]
        if canonical(func).rstrip("_") in ("mul", "prod") and given and not self.line:
            if all(one.numel() and bool((one < 0).all()) for one in given):
                frame = sys._getframe(1)
                while frame is not None and frame.f_code is not self.call.code:
                    frame = frame.f_back  # type: ignore[assignment]
                self.line = frame.f_lineno if frame is not None else 0
        return func(*args, **(kwargs or {}))


def _as(own: Any, box: Box) -> Any:
    """The same box everywhere, in what the function was given."""
    if type(own) in (list, tuple):
        return type(own)(box)
    made = torch.tensor(box, dtype=torch.float32).expand(tuple(own.shape)).contiguous()
    return made if isinstance(own, torch.Tensor) else made.numpy()
