"""A softmax or an arg-max runs over an axis of one value: every result is the same.

## What it finds
`softmax`, `log_softmax` or `argmax` along an axis whose size is 1, as after `Linear(hidden, 1)`, at every call of that
line.

## Why it hurts
The softmax of one number is 1 (its logarithm 0), whatever the number: attention weights or probabilities are constants
and no gradient flows through them. The arg-max over one value is 0, so an accuracy counts the targets that are 0.

## Example
    scores = self.attention(states)           # (batch, time, 1)
    weights = scores.softmax(dim=-1)          # all ones

## Instead
    weights = scores.softmax(dim=1)           # over time

## Fix safety
The axis to use is chosen among the others and verified by running; for a two-class head use sigmoid.
"""

from __future__ import annotations

from ... import ops
from ...graph.flow import consumers, operands
from ..axis_use import AxisUse, Seen, declared

code = "SW203"


def _alone(seen: Seen) -> bool:
    """All axes have one value, or the one here is a batch of one sample."""
    return all(size == 1 for size in seen.fact.shape) or seen.fact.axes[seen.axis].role == "batch"


def _unread(seen: Seen) -> bool:
    """No index is compared with anything; for `max`, its values are what counts."""
    if ops.bound(seen.event).get("dim") is None:
        return True
    users = consumers(seen.trace, seen.event.index)
    return not any(
        ops.is_a(user.op, "equates") and any("int" in fact.dtype for fact in operands(user)) for user in users
    )


_ONE = {"never": "one", "always": True}
_INDEX = {"message": "index", "why": "first", "unless": (_alone, _unread), **_ONE}
check = declared(
    AxisUse(("softmax", "softmin"), "normalized", unless=(_alone,), **_ONE),
    AxisUse(("log_softmax",), "normalized", message="zero", unless=(_alone,), **_ONE),
    AxisUse(("argmax", "argmin", "max", "min"), "reduced", **_INDEX),
)

MESSAGES = {
    "en": {
        "message": "{op} runs over axis {dim} of {shape}, which has only one value: the result is always 1",
        "zero": "{op} runs over axis {dim} of {shape}, which has only one value: the result is always 0",
        "why": (
            "softmax makes the values along an axis add up to 1: a single value becomes 1 (its logarithm 0), and the "
            "gradient is 0"
        ),
        "first": "an axis with a single value has only the index 0, whatever the value is",
        "index": "{op} runs over axis {dim} of {shape}, which has only one value: the index is always 0",
    },
    "es": {
        "message": "{op} se aplica sobre el eje {dim} de {shape}, que tiene un solo valor: el resultado es siempre 1",
        "zero": "{op} se aplica sobre el eje {dim} de {shape}, que tiene un solo valor: el resultado es siempre 0",
        "why": (
            "softmax hace que los valores de un eje sumen 1: un único valor pasa a ser 1 (su logaritmo, 0), y el "
            "gradiente es 0"
        ),
        "first": "un eje con un único valor solo tiene el índice 0, sea cual sea el valor",
        "index": "{op} se aplica sobre el eje {dim} de {shape}, que tiene un solo valor: el índice es siempre 0",
    },
    "ja": {
        "message": "{shape} の軸 {dim} は値が 1 つだけなので、{op} の結果は常に 1 です",
        "zero": "{shape} の軸 {dim} は値が 1 つだけなので、{op} の結果は常に 0 です",
        "why": "softmax は軸に沿った値の合計を 1 にします。値が 1 つなら 1 (対数は 0) になり、勾配は 0 です",
        "first": "値が 1 つしかない軸のインデックスは、その値が何であっても 0 です",
        "index": "{shape} の軸 {dim} は値が 1 つだけなので、{op} が返すインデックスは常に 0 です",
    },
}
