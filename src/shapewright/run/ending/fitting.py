"""Sizes of made-up data with which a call would go that failed for theirs: how wide rows are, which side and how many
channels pictures have, how many axes. No torch here."""

from __future__ import annotations

import math

from ... import ops
from ...trace import Event, TensorFact, Trace
from ...trace.event import tensors

CONVOLVED = frozenset({"conv1d", "conv2d", "conv3d"})
VIEWS = frozenset({"view", "reshape"})
SIDES = (28, 32, 48, 64, 84, 96, 105, 112, 128, 178, 224, 227, 256, 299, 512)  # of pictures that are published
WEIGHTS = {"linear": -1, "mm": -2, "matmul": -2, "addmm": -2}  # the axis of the second operand that is contracted


def widths(event: Event) -> tuple[int, int]:
    """How many features a product, or a view of rows, expects of its first operand and is given; 0 and 0 where none
    failed.

    >>> widths(Event(0, "view", None, (), (TensorFact((100, 5)), -1, 1, 28, 28)))
    (784, 5)
    """
    facts = [value for value in event.args if isinstance(value, TensorFact)]
    if event.op in VIEWS and facts and len(facts[0].sizes) == 2:
        rows, given = facts[0].sizes
        first, others = _asked(event)[:1], _asked(event)[1:]
        return (math.prod(others), given) if min(others, default=0) > 0 and first[0] in (-1, rows) else (0, 0)
    if ops.is_a(event.op, "cells"):  # of a recurrent layer, whose first weights are those of its input
        held = next((fact for fact in facts if fact.is_held and fact.rank == 2), None)
        return (held.sizes[1], facts[0].sizes[-1]) if held is not None and facts[0].sizes else (0, 0)
    if event.op not in WEIGHTS or len(facts) < 2 or len(facts[0].shape) < 1 or len(facts[1].shape) < 2:
        return 0, 0
    first, second = facts[-2:] if event.op == "addmm" else facts[:2]
    return second.shape[WEIGHTS[event.op]], first.shape[-1]


def mismatch(trace: Trace) -> tuple[int, int]:
    """The size that a failed operator or layer expects of its first operand, and that which it was given; equal where
    none failed."""
    failure = trace.failure
    event = failure.event if failure is not None else None
    facts = [value for value in event.args if isinstance(value, TensorFact)] if event is not None else []
    if event is not None and event.op in CONVOLVED and len(facts) > 1 and len(facts[0].sizes) == len(facts[1].sizes):
        return facts[1].sizes[1], facts[0].sizes[1]
    if event is not None or failure is None:
        return widths(event) if event is not None else (0, 0)
    layer, given = trace.modules.get(failure.module), next(tensors(failure.module_args), None)
    expected = layer.config.get("input_size") if layer is not None and layer.is_torch else None
    return (expected, given.sizes[-1]) if isinstance(expected, int) and given is not None and given.sizes else (0, 0)


def sides(event: Event, side: int) -> list[int]:
    """Two usual sides of pictures with which a call would go that failed with pictures of `side`: the features of a
    product, the rows of a view or the samples of a loss come to as many as it expects.

    >>> sides(Event(0, "view", None, (), (TensorFact((2, 128, 62, 62)), -1, 128, 19, 19)), 256)
    [84, 64]
    """
    facts = [value for value in event.args if isinstance(value, TensorFact) and value.shape is not None]
    known = [size for size in _asked(event) if size > 0]
    wanted, given = widths(event)
    if event.op in VIEWS and facts and known:
        of = facts[0].sizes
        wanted, given = (known[-1] ** 2, of[-1] ** 2) if len(known) > 2 < len(of) else (known[-1], math.prod(of[1:]))
    elif ops.is_a(event.op, "losses") and len(facts) > 1 and facts[0].sizes and facts[1].sizes:
        wanted, given = facts[1].sizes[0], facts[0].sizes[0]
    if not wanted or not given or wanted == given:
        return []
    found = side * math.sqrt(wanted / given)
    return sorted((one for one in SIDES if one != side), key=lambda one: abs(one - found))[:2]


def _asked(event: Event) -> list[int]:
    """The sizes that a call is given beside its tensors."""
    told = [getattr(value, "value", value) for value in event.args if not isinstance(value, TensorFact)]
    sizes = [size for value in told for size in (value if isinstance(value, (list, tuple)) else [value])]
    return [size for size in (getattr(size, "value", size) for size in sizes) if type(size) is int]


def axes_wanted(event: Event | None, known: int) -> tuple[int, ...]:
    """The sizes of a row, 0 for a side, with which a convolution would be given as many axes as it expects, where rows
    of `known` axes were too few; none where they were not."""
    facts = [value for value in event.args if isinstance(value, TensorFact)] if event is not None else []
    if event is None or event.op not in CONVOLVED or len(facts) < 2 or not facts[1].shape:
        return ()
    spatial = len(facts[1].shape) - 2
    count = known + spatial + 2 - len(facts[0].shape)
    if count <= known or not spatial <= count <= spatial + 1:
        return ()
    return (*(facts[1].shape[1:2] if count > spatial else ()), *(0,) * spatial)


def channels_wanted(event: Event | None) -> int:
    """How many channels a failed convolution over pictures expects, 0 where none failed."""
    if event is None or event.op != "conv2d" or len(event.args) < 2:
        return 0
    weight = event.args[1]
    return weight.shape[1] if isinstance(weight, TensorFact) and len(weight.shape) == 4 else 0
