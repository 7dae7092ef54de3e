"""Keeps which modules were called one after another by one function, by `forward` and by other methods of theirs that
were given tensors, so that a probe can ask whether the one undoes the other. It judges nothing."""

from __future__ import annotations

from types import CodeType, FrameType

import torch

from ...dataclass import dataclass
from .readable import readable

PER_CODE, NOTES, ROWS, LARGEST = 48, 1500, 32, 1 << 18


@dataclass(slots=True)
class Passed:
    """One call of a module's method: by which function, at which line, and what it was given."""

    owner: torch.nn.Module
    code: CodeType
    forward: bool
    caller: CodeType
    line: int
    frame: int
    given: torch.Tensor | None


class Passes:
    """Told of every function of the user's that begins."""

    def __init__(self) -> None:
        self.calls: list[Passed] = []
        self._counts: dict[CodeType, int] = {}

    def entered(self, frame: FrameType) -> None:
        """A function begins: perhaps the method of a module, given a tensor."""
        code, caller = frame.f_code, frame.f_back
        if code.co_argcount < 2 or len(self.calls) >= NOTES or self._counts.get(code, 0) >= PER_CODE:
            return
        owner, given = (frame.f_locals.get(name) for name in code.co_varnames[:2])
        if not isinstance(owner, torch.nn.Module) or not isinstance(given, torch.Tensor):
            return
        if "_modules" not in vars(owner) or given.dim() < 2 or not given.is_floating_point():
            return
        forward = getattr(type(owner).forward, "__code__", None) is code
        while forward and caller is not None and caller.f_code.co_filename != code.co_filename:
            caller = caller.f_back  # torch's own `__call__`
        if caller is not None and readable(given, LARGEST):
            self._counts[code] = self._counts.get(code, 0) + 1
            first = forward and not any(one.owner is owner and one.forward for one in self.calls)
            kept = given[:ROWS].detach().clone() if first else None
            place = caller.f_code, caller.f_lineno, id(caller)
            self.calls.append(Passed(owner, code, forward, *place, kept))

    def runs(self) -> list[list[Passed]]:
        """The calls that one function made one after another, each module once."""
        found: list[list[Passed]] = []
        open_at: dict[tuple[int, CodeType, bool], list[Passed]] = {}
        for call in self.calls:
            key = call.frame, call.caller, call.forward
            run = open_at.get(key)
            if run is None or any(one.owner is call.owner for one in run):
                run = open_at[key] = []
                found.append(run)
            run.append(call)
        return [run for run in found if len(run) > 1]
