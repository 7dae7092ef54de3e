"""One number is read from a tensor that does not hold exactly one.

## What it finds
`.item()`, `float(...)`, `int(...)`, or a condition (`if x > 0`) on a tensor with more than one element, or with none.

## Why it hurts
The script stops. Often a loss was left unreduced, or an axis is still there that should have been summed or chosen.

## Example
    loss = nn.MSELoss(reduction="none")(pred, y)
    total += loss.item()

## Instead
    loss = nn.MSELoss()(pred, y)

## Fix safety
`.mean()` and `.sum()` give losses of different scale, so with optimizers such as SGD they need different learning
rates."""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.origins import Origins, blend, distinct
from ...graph.pairs import multiplied_pair
from ...ops.shapes import elements
from ...trace import TensorFact
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW134"
aliases = ("one-value-read-of-many",)


@refused("reads_value")
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing read and the shape of what was read."""
    if not call.event.args:
        return
    if multiplied_pair(origins.trace):
        return  # Python wants a number to repeat the pair by
    given = call.event.args[0]
    if not isinstance(given, TensorFact) or given.shape is None or elements(given.shape) == 1:
        return
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
    way = origins.lineage(fact, lambda event: event.given[:1], 6)
    modules = (origins.trace.modules.get(uid) for event in way for uid in event.modules)
    built = next((one for one in modules if one is not None and one.config.get("reduction") == "none"), None)
    return origins.of_module(built) if built is not None else []


MESSAGES = {
    "en": {
        "message": "{op} needs a tensor with one element, but this one has shape {shape}",
        "truth": "a tensor of shape {shape} has no single truth value",
        "why": "the number of elements is {count}",
        "empty": "the tensor is empty (number of elements: {count})",
    },
    "es": {
        "message": "{op} necesita un tensor de un solo elemento, pero este tiene forma {shape}",
        "truth": "un tensor de forma {shape} no tiene un único valor de verdad",
        "why": "el número de elementos es {count}",
        "empty": "el tensor está vacío (número de elementos: {count})",
    },
    "ja": {
        "message": "{op} には要素が 1 つのテンソルが必要ですが、形状は {shape} です",
        "truth": "形状 {shape} のテンソルは 1 つの真偽値になりません",
        "why": "要素の数は {count} 個です",
        "empty": "テンソルが空です (要素数 {count})",
    },
}
