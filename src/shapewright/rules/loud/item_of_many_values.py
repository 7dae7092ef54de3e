"""One number is read from a tensor that holds many.

## What it finds
`.item()`, `float(...)`, `int(...)`, or a condition (`if x > 0`) on a tensor with more than one element, or with none.

## Why it hurts
The script stops. A loss was left unreduced, or an axis is still there that should have been summed or chosen.

## Example
    loss = nn.MSELoss(reduction="none")(pred, y)
    total += loss.item()

## Instead
    loss = nn.MSELoss()(pred, y)

## Fix safety
`.mean()` and `.sum()` give numbers of different size: the learning rate means another thing.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.origins import Origins, blend, distinct
from ...ops.shapes import elements
from ...trace import TensorFact, Trace
from ..facts import Facts
from ..failing import Call, failing_call, misfit, shape_text, spans

code = "SW134"
slug = "item-of-many-values"
aliases = ("one-value-read-of-many",)
order = 20

READS = ("item", "float", "int", "bool", "index", "complex", "contains")


def check(trace: Trace) -> Iterator[Facts]:
    """The failing read and the shape of what was read."""
    call = failing_call(trace)
    if call is None or call.event is None or call.op not in READS or not call.event.args:
        return
    given = call.event.args[0]
    if not isinstance(given, TensorFact) or given.shape is None or elements(given.shape) == 1:
        return
    origins = Origins(trace)
    chain = distinct(
        [
            *_reduction(origins, given),
            *origins.of_rank(given),
            *(o for axis in range(len(given.shape)) for o in origins.of_axis(given, axis)[:1]),
        ]
    )
    yield Facts(
        call.site,
        "truth" if call.op == "bool" else "message",
        "empty" if elements(given.shape) == 0 else "why",
        {"op": call.op, "shape": shape_text(given.shape), "count": elements(given.shape)},
        blend(chain),
        spans=spans(Call(call.op, {given.name or "input": given}, call.site, call.failure, call.event, call.module)),
        remedy=misfit(call, "input", None, elements(given.shape), 1, shape=given.shape),
    )


def _reduction(origins: Origins, fact: TensorFact) -> list:
    """The constructor of a loss with `reduction="none"` on the way."""
    for _ in range(6):
        event = origins.producer(fact)
        if event is None:
            return []
        for uid in event.modules:
            module = origins.trace.modules.get(uid)
            if module is not None and module.config.get("reduction") == "none":
                return origins.of_module(module)
        given = [part for part in event.args if isinstance(part, TensorFact) and part.shape is not None]
        if not given:
            return []
        fact = given[0]
    return []


MESSAGES = {
    "en": {
        "message": "{op} reads one number from a tensor of {shape}",
        "truth": "a tensor of {shape} has no single truth value",
        "why": "the tensor holds {count} numbers",
        "empty": "the tensor holds no number at all ({count})",
    },
    "es": {
        "message": "{op} lee un solo número de un tensor {shape}",
        "truth": "un tensor {shape} no tiene un único valor de verdad",
        "why": "el tensor contiene {count} números",
        "empty": "el tensor no contiene ningún número ({count})",
    },
    "ja": {
        "message": "{op} が形状 {shape} のテンソルから一つの数を読もうとしています",
        "truth": "形状 {shape} のテンソルは一つの真偽値になりません",
        "why": "テンソルには数が {count} 個あります",
        "empty": "テンソルに数が一つもありません ({count} 個)",
    },
}
