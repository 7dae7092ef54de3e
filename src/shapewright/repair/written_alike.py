"""Axes whose sizes are written in the same words: two layers of one object that were given one expression for what they
make. Where two axes are as large by chance, they tell which of them correspond. It runs nothing."""

from __future__ import annotations

import ast

from .. import ops
from ..graph.flow import values_from
from ..graph.makers import constructor_argument, result_width
from ..graph.origins import Origins
from ..trace import TensorFact, Trace
from .remedies.fits import reshaped

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)


def aligned_as_written(trace: Trace, fact: TensorFact, suffix: str, other: TensorFact) -> bool:
    """Whether a tensor, with the axis that `suffix` adds, has the axis that its layer made beside the one that the
    layer of the other tensor made, and both layers were given the same words for its size."""
    own, theirs = _worded(trace, fact), _worded(trace, other)
    if own is None or theirs is None or own[1] != theirs[1] or fact.rank > len(PRIMES):
        return False
    new = reshaped(PRIMES[: fact.rank], suffix)
    if new is None or PRIMES[own[0]] not in new:
        return False
    return new.index(PRIMES[own[0]]) - len(new) == theirs[0] - other.rank


def _worded(trace: Trace, fact: TensorFact) -> tuple[int, tuple] | None:
    """The axis of a tensor that the layer which made it set, and what was written for its size, with the object's
    place."""
    event = values_from(trace, fact)
    module = trace.layer(event) if event is not None else None
    if module is None or not module.is_torch or not module.stack or event.result is None:
        return None
    axis = 1 if ops.is_a(event.op, "convolves") else fact.rank - 1
    size = module.config.get(name := result_width(module))
    call = Origins(trace).source.node_at(module.site, (ast.Call,)) if module.site is not None else None
    if not isinstance(call, ast.Call) or not isinstance(size, int) or fact.rank < 2 or fact.sizes[axis] != size:
        return None
    written = constructor_argument(call, name, module)
    readable = isinstance(written, ast.expr) and not isinstance(written, ast.Constant)
    return (axis, (ast.dump(written), module.stack[:-1], module.stack[-1].function)) if readable else None
