"""`view` or `reshape` asks for a different number of elements than the tensor has.

## What it finds
A failing `view`, `reshape` or `unflatten` whose sizes do not multiply to the number of elements.

## Why it hurts
The script stops, often at the last, smaller batch (a batch size written by hand) or at a different image size (a
flattened size written by hand).

## Example
    x = x.view(32, -1)             # the last batch has 20 samples
    x = x.view(-1, 16 * 5 * 5)     # 32 x 32 pictures; 28 x 28 ones leave 16 * 4 * 4

## Instead
    x = x.flatten(1)

## Fix safety
`flatten(1)` keeps the batch axis; the layer that follows may then need another `in_features`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins, blend
from ...ops.shapes import elements
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW106"


def asked_shape(args: tuple, kwargs: dict) -> tuple[int, ...] | None:
    """The sizes that a `view` or `reshape` asks for."""
    rest = args[1:] if len(args) > 1 else (kwargs.get("shape", kwargs.get("size")),)
    if len(rest) == 1 and isinstance(rest[0], tuple):
        rest = rest[0]
    return tuple(rest) if rest and all(isinstance(n, int) and not isinstance(n, bool) for n in rest) else None


@refused()
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing `view`, the numbers it was given and the axes of the tensor that do not fit them."""
    if not (ops.is_a(call.op, "views", "unflattens") or call.op == "resize_"):
        return
    given, asked = call.tensor("input"), asked_shape(call.event.args, call.event.kwargs)
    if call.op == "unflatten":
        given, asked = _unflattened(call)
    if given is None or asked is None:
        return
    count, wanted = elements(given.shape), elements(asked)
    free = asked.count(-1)
    if free > 1 or (count % wanted == 0 if free and wanted else count == wanted):
        return
    node = origins.source.node_at(call.site)
    numbers = [
        origins.of_definition(d)
        for part in (node.args if isinstance(node, ast.Call) else ())
        for d in origins.source.definitions(part, call.stack)
    ]
    kept = [i for i, size in enumerate(given.shape) if i >= len(asked) or asked[i] != size]
    answers = [origins.of_axis(given, axis) for axis in kept[:3]] or [origins.of_axis(given, -1)]
    batch = (
        bool(asked)
        and asked[0] > 0
        and given.shape
        and asked[0] != given.shape[0]
        and elements(given.shape[1:]) > 0
        and (elements(asked[1:]) == elements(given.shape[1:]) or free == 1)
    )
    yield Facts(
        call.site,
        why="batch" if batch else "remainder" if free else "why",
        fields={
            "op": call.op,
            "asked": shape_text(asked),
            "shape": shape_text(given.shape),
            "count": count,
            "wanted": wanted,
            "size": asked[0],
            "own": given.shape[0] if given.shape else 0,
            "rest": elements(given.shape[1:]),
        },
        origins=blend(numbers, *answers),
        spans=spans(call, "input"),
        remedy=misfit(call, "input", 0 if batch else None, count, wanted, asked=asked),
    )


def _unflattened(call):
    given, dim = call.tensor("input"), call.event.args[1] if len(call.event.args) > 1 else call.event.kwargs.get("dim")
    sizes = (
        call.event.args[2]
        if len(call.event.args) > 2
        else call.event.kwargs.get("sizes", call.event.kwargs.get("unflattened_size"))
    )
    if (
        given is None
        or not isinstance(dim, int)
        or not isinstance(sizes, tuple)
        or not all(isinstance(n, int) for n in sizes)
    ):
        return given, None
    if not -len(given.shape) <= dim < len(given.shape):
        return given, None
    dim %= len(given.shape)
    return given, (*given.shape[:dim], *sizes, *given.shape[dim + 1 :])


MESSAGES = {
    "en": {
        "message": "{op} to {asked} is not possible for a tensor of shape {shape}",
        "why": "the number of elements is {count} in {shape}, but {wanted} in {asked}",
        "remainder": "the number of elements in {shape}, {count}, is not divisible by {wanted}: no size fits for -1",
        "batch": "the first size requested is {size}, but the first axis of {shape} has size {own}",
    },
    "es": {
        "message": "{op} a {asked} no es posible con un tensor de forma {shape}",
        "why": "el número de elementos es {count} en {shape}, pero {wanted} en {asked}",
        "remainder": (
            "el número de elementos de {shape}, {count}, no es divisible entre {wanted}: ningún tamaño sirve para el -1"
        ),
        "batch": "el primer tamaño pedido es {size}, pero el primer eje de {shape} tiene tamaño {own}",
    },
    "ja": {
        "message": "形状 {shape} のテンソルは {op} で {asked} にできません",
        "why": "要素の数は {shape} では {count}、{asked} では {wanted} です",
        "remainder": "{shape} の要素数 {count} は {wanted} で割り切れず、-1 に入るサイズがありません",
        "batch": "先頭に指定されたサイズは {size} ですが、{shape} の最初の軸のサイズは {own} です",
    },
}
