"""What a script lends to libraries that are not installed: models, optimizers, loaders, parameters.

A call that is given parameters and a learning rate makes an optimizer, whatever it is called: one of torch's own stands
for it. What is made of a loader or another series alone goes through that. All else that is made of what learns is
passed over; whether the script itself trained what it lent is asked at the end (`untrained`). Nothing of any library is
imitated.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

import torch

from .context import current, is_user_file

SERIES = (torch.utils.data.DataLoader, range, enumerate, zip, map, filter)


class Replaced(torch.optim.Adam):
    """An optimizer whose library is not installed; what else it has is unknown."""

    _module = ""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not is_user_file(sys._getframe(1).f_code.co_filename):  # torch asks for its own
            raise AttributeError(name)
        from .unknown import unknown_name

        return unknown_name(name.lower(), self._module)


def optimizer(module: str, name: str, given: tuple[Any, ...], options: dict[str, Any]) -> Replaced | None:
    """An optimizer over the parameters that a call is given with a learning rate; `None` where it is given none."""
    rate = options.get("lr")
    held = given[0] if given else options.get("params")
    context = current()
    if not isinstance(rate, (int, float)) or held is None or context is None:
        return None
    held = list(held) if isinstance(held, Iterator) else held
    if not isinstance(held, (list, tuple)) or not held:
        return None
    groups = held if all(isinstance(one, dict) for one in held) else [{"params": held}]
    groups = [{**group, "params": _all(group.get("params"))} for group in groups]
    if not all(isinstance(one, torch.nn.Parameter) for group in groups for one in group["params"]):
        return None
    kept = [{key: group[key] for key in group.keys() & {"params", "lr"}} for group in groups]
    context.note("stand-in-optimizer", module=module, name=name)
    context.loosen()
    return type(name, (Replaced,), {"_module": module})(kept, lr=float(rate))


def series(given: tuple[Any, ...]) -> Iterable[Any] | None:
    """What a thing made of one series alone goes through: that series. `None` where it is made of something else."""
    others = [one for one in given if not isinstance(one, (int, float, str, bool, type(None)))]
    return others[0] if len(others) == 1 and given[0] is others[0] and isinstance(others[0], SERIES) else None


def passed_through(module: str) -> None:
    """Tell that a series was gone through as it is."""
    if (context := current()) is not None:
        context.invents(module, ranked=False, tried=False)


def lend(values: Any, module: str, kept: bool) -> None:
    """Remember the models and optimizers among some values that a library was called with, as they are now; `kept`
    where it had them before."""
    context, learners = current(), list(_learners(values))
    if context is None or not learners:
        return
    if kept:
        context.invents(module, ranked=False, tried=False)
        context.steered = context.steered or any(isinstance(one, torch.optim.Optimizer) for one in learners)
    for learner in learners:
        if all(learner is not known for known, _, _ in context.lent):
            context.lent.append((learner, _state(learner), module))


def untrained(lent: list[tuple[Any, Any, str]]) -> str:
    """The module that was lent a model or an optimizer which the script itself never trained; empty where none was. An
    optimizer alone teaches a library nothing: one that has taken a step may be lent after the last one."""
    asked = (one for one in lent if not (isinstance(one[0], torch.optim.Optimizer) and one[0].state))
    return next((module for learner, state, module in asked if _state(learner) == state), "")


def _learners(values: Any, depth: int = 0) -> Iterator[Any]:
    if isinstance(values, (torch.nn.Module, torch.optim.Optimizer)):
        yield values
    elif isinstance(values, dict):
        yield from _learners(tuple(values.values()), depth)
    elif isinstance(values, (list, tuple)) and depth < 4:
        for one in values[:64]:
            yield from _learners(one, depth + 1)


def _state(learner: Any) -> tuple[int, ...]:
    """What training moves: the versions of the parameters, and how many have a gradient."""
    with torch._C.DisableTorchFunction():
        if isinstance(learner, torch.optim.Optimizer):
            held = [one for group in learner.param_groups for one in group["params"]]
        else:
            held = list(learner.parameters())
        learning = [one for one in held if one.requires_grad]
        return (sum(one._version for one in learning), sum(one.grad is not None for one in learning))


def _all(parameters: Any) -> list[Any]:
    return [parameters] if isinstance(parameters, torch.Tensor) else list(parameters or ())
