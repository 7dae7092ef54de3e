"""Which parts of a model follow its mode: layers of dropout and BatchNorm, and dropout that a `forward` does itself.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

import ast

from .. import ops
from ..trace import StepFact, Trace
from .flow import argument, once, tensors
from .source import Source
from .training import ancestors


def active(trace: Trace, step: StepFact) -> list[str]:
    """The names of what differs in evaluation mode and is active in a call of a model."""
    return sorted(name for name, training in step.data["stochastic"].items() if training) or _by_hand(trace, step)


@once
def _handing(trace: Trace) -> frozenset[int]:
    """The modules in which an operator of dropout drops something."""
    drops = (event for event in trace.events if ops.is_a(event.op, "drops") and "training" in event.flags)
    return frozenset(uid for event in drops for uid in event.modules[:1])


def _by_hand(trace: Trace, step: StepFact) -> list[str]:
    """The operators of dropout that are handed the mode of the module they are called in, and drop something."""
    source, found = Source(trace), dict[str, None]()
    if step.data["module"] not in _handing(trace):
        return []
    own = (event for fact in tensors(step.data["result"]) for event in ancestors(trace, fact).values())
    for event in own if step.data["training"] else ():
        if step.data["module"] in event.modules[:1] and ops.is_a(event.op, "drops") and "training" in event.flags:
            share, call = argument(event, 1, "p", 0.5), source.spanned(event.site, ast.Call)
            given = [*call.args[2:3], *(one.value for one in call.keywords)] if call is not None else []
            follows = any(isinstance(one, ast.Attribute) and one.attr == "training" for one in given)
            if follows and share and argument(event, 2, "training", True):
                found[event.op] = None
    return list(found)
