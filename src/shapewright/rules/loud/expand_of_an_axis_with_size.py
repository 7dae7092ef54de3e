"""`expand` is asked to expand an axis that is not of size one, or to drop axes.

## What it finds
A failing `expand`, `expand_as`, `broadcast_to` or `repeat`: an axis whose size is neither one nor the requested size,
or fewer sizes than axes.

## Why it hurts
The script stops; often the inserted axis is at the wrong place.

## Example
    mask = pad_mask.unsqueeze(1).expand(batch, heads, time, time)
    # (batch, 1, time) has three axes, aligned from the right

## Instead
    mask = pad_mask[:, None, None, :].expand(batch, heads, time, time)

## Fix safety
Check which axis the copy runs along; `repeat` copies memory, `expand` does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins, blend
from ...ops.shapes import disagreeing
from ...trace import TensorFact
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW110"


@refused("expands", "repeats")
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing `expand` or `repeat` and the axis that cannot grow."""
    args = call.event.args
    given = args[0] if args and isinstance(args[0], TensorFact) and args[0].shape is not None else None
    rest = args[1:] or (call.event.kwargs.get("size"),)
    wanted = (
        rest[0].shape
        if rest and isinstance(rest[0], TensorFact)
        else rest[0]
        if len(rest) == 1 and isinstance(rest[0], tuple)
        else rest
    )
    if given is None or wanted is None or not all(isinstance(n, int) for n in wanted):
        return
    fields = {
        "op": call.op,
        "shape": shape_text(given.shape),
        "wanted": shape_text(tuple(wanted)),
        "axis": 0,
        "size": 0,
        "goal": 0,
    }
    if len(wanted) < len(given.shape):
        yield Facts(
            call.site,
            "message",
            "rank",
            fields,
            blend(origins.of_rank(given)),
            spans=spans(call, "input"),
            remedy=misfit(call, "input", None, len(given.shape), len(wanted)),
        )
        return
    if ops.is_a(call.op, "repeats"):
        return
    wrong = [
        back
        for back in range(-1, -len(given.shape) - 1, -1)
        if given.shape[back] != wanted[back] and given.shape[back] != 1 and wanted[back] != -1
    ]
    wrong = wrong or disagreeing(given.shape, tuple(wanted))
    if not wrong:
        return
    back = wrong[0]
    fields |= {"axis": len(given.shape) + back, "size": given.shape[back], "goal": wanted[back]}
    yield Facts(
        call.site,
        "message",
        "why",
        fields,
        blend(origins.of_axis(given, back), origins.of_rank(given)),
        spans=spans(call, "input"),
        remedy=misfit(call, "input", back, given.shape[back], wanted[back]),
    )


MESSAGES = {
    "en": {
        "message": "{op} with the sizes {wanted} does not fit a tensor of shape {shape}",
        "why": (
            "only an axis of size 1 can be expanded; aligned from the right, axis {axis} has size {size} where "
            "{goal} is requested"
        ),
        "rank": "the number of sizes in {wanted} is smaller than the number of axes of {shape}",
    },
    "es": {
        "message": "{op} con los tamaños {wanted} no encaja con un tensor de forma {shape}",
        "why": (
            "solo se puede expandir un eje de tamaño 1; alineado por la derecha, el eje {axis} tiene tamaño "
            "{size} donde se pide {goal}"
        ),
        "rank": "el número de tamaños de {wanted} es menor que el número de ejes de {shape}",
    },
    "ja": {
        "message": "形状 {shape} のテンソルに、サイズ {wanted} の {op} は適用できません",
        "why": (
            "広げられるのはサイズ 1 の軸だけです。右から揃えると、軸 {axis} のサイズは {size} ですが、{goal} "
            "が指定されています"
        ),
        "rank": "{wanted} のサイズの個数が {shape} の軸の数より少なくなっています",
    },
}
