"""Do the methods that a function calls, one module after another, undo what the modules' `forward` did?

Modules that were called in a row are played again, with weights that are moved a little: `forward` with what it was
given, and the other method with what came of that. It is asked where that method gives back what went in for some of
the modules at least. It judges nothing.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any

import torch

from ..run.record.undone import Passed
from ..trace import Answer, ProbeFact, Undone
from .replay import settled

if TYPE_CHECKING:
    from ..run.process.child import Run

CLOSE, APART, FAR, MOST = 1e-3, 0.02, 0.3, 32
STIR, STEP = 0.1, 7.7


def ask_undone(run: Run) -> Iterator[ProbeFact[Answer]]:
    """An answer for each function that calls the methods of several modules that may undo their `forward`."""
    runs = run.functions.passes.runs()
    asked = set()
    for back in (one for one in runs if not one[0].forward and len(one) <= MOST):
        key = back[0].caller, tuple(id(one.owner) for one in back)
        ahead = next((one for one in runs if one[0].forward and _same(one, back)), None)
        if ahead is None or key in asked:
            continue
        asked.add(key)
        with contextlib.suppress(Exception), run.functions.replaying(run.loops), settled(0):
            yield from _asked(run, ahead, back)


def _same(ahead: Sequence[Passed], back: Sequence[Passed]) -> bool:
    return len(ahead) == len(back) and {id(one.owner) for one in ahead} == {id(one.owner) for one in back}


def _asked(run: Run, ahead: Sequence[Passed], back: Sequence[Passed]) -> Iterator[ProbeFact[Answer]]:
    order = [id(one.owner) for one in ahead]
    undo = [id(one.owner) for one in back]
    owners = {id(one.owner): copy.deepcopy(one.owner).eval() for one in ahead}
    for owner in owners.values():  # after a few steps many a layer changes next to nothing
        for weight in owner.parameters():
            waves = torch.arange(weight.numel(), device=weight.device).mul(STEP).sin()
            weight.add_(waves.view_as(weight).to(weight.dtype), alpha=STIR)
    methods = {id(one.owner): one.code for one in back}
    given = next((one.given for one in ahead if one.given is not None), None)
    spaces = {id(one.owner): type(one.owner) for one in back}
    functions = {at: _function(spaces[at], methods[at]) for at in undo}
    if given is None or None in functions.values():
        return
    value, errors = given, {}
    for at in order:
        made, again = _tensor(owners[at](value)), _tensor(owners[at](value))
        if made is None or again is None or made.shape != value.shape or not torch.equal(made, again):
            return
        errors[at] = _error(_tensor(functions[at](owners[at], made)), value)
        value = made
    if any(error is None for error in errors.values()):
        return
    wrong = [at for at in order if errors[at] > CLOSE]
    caller = run.sources.lines(back[0].caller.co_filename, back[0].line, back[0].line)
    name = type(owners[undo[0]]).__name__
    if not wrong and undo == order:
        here, there = (_error(_chain(functions, owners, value, way), given) for way in (order, order[::-1]))
        if here is not None and there is not None and there < CLOSE and here > APART:
            data = Undone("order", name, methods[undo[0]].co_name, len(order), here)
            yield ProbeFact(Undone.QUESTION, False, data, -1, caller, (caller,))
    elif undo == order[::-1] and 0 < len(wrong) < len(order) and all(errors[at] > FAR for at in wrong):
        code = methods[wrong[0]]
        if any(methods[at] is code for at in order if at not in wrong):
            return  # for some of its kind it does
        site = run.sources.lines(code.co_filename, code.co_firstlineno, code.co_firstlineno)
        data = Undone("part", type(owners[wrong[0]]).__name__, code.co_name, len(order), errors[wrong[0]])
        yield ProbeFact(Undone.QUESTION, False, data, -1, site, (caller, site))


def _chain(functions: dict[int, Any], owners: dict[int, Any], value: torch.Tensor, way: list[int]) -> Any:
    made: Any = value
    for at in way:
        made = _tensor(functions[at](owners[at], made))
    return made


def _function(kind: type, code: Any) -> Any:
    """The function of a class that has some code, as the class holds it."""
    for base in kind.__mro__:
        for one in vars(base).values():
            inner = getattr(one, "__wrapped__", one)  # `no_grad` wraps
            if isinstance(inner, FunctionType) and inner.__code__ is code:
                return inner
    return None


def _tensor(value: Any) -> torch.Tensor | None:
    first = value[0] if isinstance(value, (tuple, list)) and value else value
    return first if isinstance(first, torch.Tensor) else None


def _error(made: torch.Tensor | None, value: torch.Tensor) -> float | None:
    """How far something is from what it should be, in deviations of that; `None` where that cannot be told."""
    if made is None or made.shape != value.shape:
        return None
    far = float((made - value).abs().mean() / value.std().clamp_min(1e-6))
    return far if far == far and far != float("inf") else None
