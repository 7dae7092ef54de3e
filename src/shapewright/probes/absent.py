"""Does a function of the user's count the places that its own mask says are absent?

The captured call is played again with other numbers at those places, in what a network gave. A call that gives other
totals then, as it does when the places that are there change, lets padding in; the line is the first at which a number
of a place that is there moves, or a total. It judges nothing beyond that, and asks only where the tails of another
argument are zeros.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch
from torch.nn.modules.module import register_module_forward_pre_hook
from torch.overrides import TorchFunctionMode

from ..run.record.functions import Called, copied, numbers_in, tensor_of
from ..run.record.names import SILENT, canonical
from ..trace import Answer, ProbeFact, UnreadFlags
from .replay import settled

if TYPE_CHECKING:
    from ..run.process.child import Run
    from ..run.script.sources import UserSources

SHORTEST, KEPT = 3, 600
QUESTION = "unread-flags"


def ask(run: Run, call: Called, marked: dict[str, torch.Tensor]) -> Iterator[ProbeFact[Answer]]:
    """The first mask among `marked` that lets padding of a network's output in."""
    for name, numbers in marked.items():
        real = _tails(numbers)
        if real is None or not _filled(call, real, name):
            continue
        for other in sorted(call.learned):
            given = tensor_of(call.given[other])
            places = _laid(real, given) if given is not None and given.is_floating_point() else None
            if given is None or places is None or bool((given[~places.expand_as(given)] == 0).all()):
                continue
            moved = [call.given | {other: _with(given, at)} for at in (~places, places)]
            whole, padded, there = (_play(run, call, one) for one in (call.given, *moved))
            if not whole or not padded or not there or any(real.shape[1] in part.shape for part in whole.totals):
                continue
            if whole.totals and padded.differs(whole) and there.differs(whole):
                stack = padded.first(whole, real)
                sites = run.sources.sites(stack or (*call.stack, (call.code, -1)))
                data = UnreadFlags("absent", name, call.code.co_name, line=call.code.co_firstlineno, other=other)
                yield ProbeFact(QUESTION, False, data, -1, sites[-1] if sites else None, sites)
                return


def _tails(numbers: torch.Tensor) -> torch.Tensor | None:
    """The mask as (samples, steps) truth values, where each row is ones and then zeros, of several lengths."""
    wide = [axis for axis in range(1, numbers.dim()) if numbers.shape[axis] > 1]
    if len(wide) != 1 or numbers.shape[0] < 2 or numbers.shape[wide[0]] in (numbers.shape[0], *range(SHORTEST)):
        return None
    real = numbers.reshape(numbers.shape[0], -1) == 1
    lengths = real.sum(1)
    falls = bool((real[:, 1:] <= real[:, :-1]).all()) and bool(real[:, 0].all())
    return real if falls and len(lengths.unique()) > 1 else None


def _laid(real: torch.Tensor, given: torch.Tensor) -> torch.Tensor | None:
    """The mask beside a tensor that begins with the samples and has one axis of the steps."""
    along = [axis for axis in range(1, given.dim()) if given.shape[axis] == real.shape[1]]
    if given.dim() < 2 or given.shape[0] != real.shape[0] or len(along) != 1:
        return None
    shape = [1] * given.dim()
    shape[0], shape[along[0]] = real.shape
    return real.reshape(shape)


def _filled(call: Called, real: torch.Tensor, name: str) -> bool:
    """Whether some other argument is filled up with zeros where the mask says so, and there alone."""
    for other in call.names:
        given = tensor_of(call.given[other]) if other not in (name, *call.learned) else None
        places = _laid(real, given) if given is not None else None
        if given is not None and places is not None:
            places = places.expand_as(given)
            if bool((given[~places] == 0).all()) and bool((given[places] != 0).any()):
                return True
    return False


def _with(given: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    """Other numbers at some places."""
    more = torch.linspace(0.5, 1.5, given.numel()).reshape(given.shape).to(given.dtype)
    return torch.where(at, given + more, given)


class _Lines(TorchFunctionMode):
    """What each operator gave, and where."""

    def __init__(self, sources: UserSources) -> None:
        super().__init__()
        self.sources, self.totals = sources, list[torch.Tensor]()
        self.made: list[tuple[str, tuple, torch.Tensor]] = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        op = canonical(func)
        if op not in SILENT and isinstance(result, torch.Tensor) and len(self.made) < KEPT:
            self.made.append((op, self.sources.stack(sys._getframe(1)), result.detach().clone()))
        return result

    def differs(self, other: _Lines) -> bool:
        """Whether the totals are other ones."""
        return len(self.totals) == len(other.totals) and any(
            a.shape == b.shape and not torch.allclose(a.double(), b.double(), rtol=1e-4, equal_nan=True)
            for a, b in zip(self.totals, other.totals)
        )

    def first(self, other: _Lines, real: torch.Tensor) -> tuple:
        """Where a number of a place that is there, or fewer numbers than there are places, first differ."""
        for (op, stack, one), (also, _, two) in zip(self.made, other.made):
            if op != also or one.shape != two.shape:
                return ()
            places = _laid(real, one)
            apart = ~torch.isclose(one.double(), two.double(), rtol=1e-4, equal_nan=True)
            if bool((apart & places).any()) if places is not None else one.numel() < real.numel() and bool(apart.any()):
                return stack
        return ()


def _play(run: Run, call: Called, given: dict[str, Any]) -> _Lines | None:
    """One play; `None` where it fails, or calls a module that learns: what a model reads is asked of the model."""
    called = []
    handle = register_module_forward_pre_hook(lambda module, args: called.extend(torch.nn.Module.parameters(module)))
    lines = _Lines(run.sources)
    try:
        with contextlib.suppress(Exception), run.functions.replaying(run.loops), settled(), lines:
            told = call.play({name: copied(value) for name, value in given.items()})
            lines.totals = list(numbers_in(told))
    finally:
        handle.remove()
    return lines if lines.totals and not called else None
