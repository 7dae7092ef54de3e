"""An index lies outside the table or axis that it points into.

## What it finds
A failing `nn.Embedding`, `x[i]`, `gather`, `index_select`, `scatter` or `one_hot` with an index that the axis does not
have: often a vocabulary counted without padding and unknown words, a sequence longer than the position table, or ids
that start at one.

## Why it hurts
On the CPU the script stops at this line; on a GPU, indices in a tensor may give a device-side assertion that is
reported later, at another line.

## Example
    embed = nn.Embedding(len(vocab), 64)       # ids run from 1 to len(vocab): one row is missing

## Instead
    embed = nn.Embedding(len(vocab) + 1, 64)

## Fix safety
Enlarging the table suits models that are trained anew (a saved table no longer fits); clamping the index hides a wrong
id.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.flow import maker, operands
from ...graph.origins import Origins, blend, distinct
from ...ops.indexing import is_slice, spanned
from ...trace import Origin, TensorFact
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW116"


@refused()
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing lookup, the greatest (or least) index and the size that it must stay below."""
    found = _embedding(call) or _along(call) or _subscript(call) or _one_hot(call)
    if found is None:
        return
    table, axis, size, index, fact = found
    first = -size if ops.is_a(call.op, "brackets", "slots", "counts_back") else 0
    if first <= index < size:
        return
    positions = (
        ops.is_a(call.op, "embeds", "slots")
        and fact is not None
        and (_span(fact) or (1,))[0] == 0
        and _counts(origins, fact)
    )
    if call.op == "embedding":
        layer = (
            origins.of_module(call.module, "num_embeddings", str(size))
            if call.config("num_embeddings") is not None
            else origins.of_axis(table, 0)
        )
        which = call.module.path or call.module.kind if call.module else "embedding"
    else:
        layer = origins.of_axis(table, axis) if table is not None else []
        which = (table.name if table is not None else "") or call.op
    came = _ids(origins, fact) if fact is not None else _written(origins, call)
    why = (
        "positions"
        if positions
        else "negative"
        if index < 0 == first
        else "by_one"
        if index == size and call.op == "embedding"
        else "why"
    )
    yield Facts(
        call.site,
        "message" if call.op == "embedding" else "axis",
        why,
        {
            "which": which,
            "index": index,
            "size": size,
            "first": first,
            "last": size - 1,
            "shape": shape_text(table.shape if table is not None else (size,)),
            "axis": axis,
            "op": call.op,
        },
        blend(layer, came) if call.op == "embedding" else blend(came, layer),
        spans=spans(call, *[n for n in ("input", "weight", "index") if call.tensor(n) is not None]),
        remedy=misfit(call, "weight" if call.op == "embedding" else "index", axis, size, _room(origins, fact, index)),
    )


def _room(origins: Origins, fact: TensorFact | None, index: int) -> int:
    """How many places the indices ask for: as many as they were drawn from, where a call drew them."""
    made = maker(origins.trace, fact, lambda event: ops.is_a(event.op, "keeps_values"), 6)
    drawn = ops.is_a(made.op, "draws") and not operands(made) if made is not None else False
    bounds = (*made.args, made.kwargs.get("high")) if made is not None and drawn else ()
    return max([index + 1, *(bound for bound in bounds if isinstance(bound, int))])


def _embedding(call: Call) -> tuple | None:
    if not ops.is_a(call.op, "embeds"):
        return None
    ids, table = call.tensor("input"), call.tensor("weight")
    span = _span(ids)
    if span is None or table is None:
        return None
    size = table.shape[0]
    return table, 0, size, span[0] if span[0] < 0 else span[1], ids


def _along(call: Call) -> tuple | None:
    if not ops.is_a(call.op, "along"):
        return None
    table, index, dim = call.tensor("input"), call.tensor("index") or call.tensor("indices"), call.number("dim", 0)
    span = _span(index)
    if span is None or table is None or not table.shape or not -len(table.shape) <= dim < len(table.shape):
        return None
    first = -table.shape[dim] if ops.is_a(call.op, "counts_back") else 0
    return table, dim % len(table.shape), table.shape[dim], span[0] if span[0] < first else span[1], index


def _subscript(call: Call) -> tuple | None:
    """The first entry of `x[...]` that is too large."""
    if not ops.is_a(call.op, "brackets", "slots"):
        return None
    table = call.tensor("input") or (call.event.args[0] if call.event.args else None)
    index = call.event.args[1] if len(call.event.args) > 1 else None
    if not isinstance(table, TensorFact) or table.shape is None:
        return None
    if call.op == "select":
        at = call.event.args[1] if len(call.event.args) > 2 else 0
        index = (
            *(TensorFact(kind="slice"),) * (at if isinstance(at, int) and at >= 0 else 0),
            call.event.args[2] if len(call.event.args) > 2 else None,
        )
    for entry, axis, covered in spanned(index, len(table.shape)):
        if not covered:
            continue
        if axis >= len(table.shape):
            return None
        size = table.shape[axis]
        if isinstance(entry, int) and not isinstance(entry, bool) and not -size <= entry < size:
            return table, axis, size, entry, None
        if (
            isinstance(entry, tuple)
            and entry
            and all(isinstance(e, int) for e in entry)
            and not all(-size <= e < size for e in entry)
        ):
            return table, axis, size, max(entry), None
        if isinstance(entry, TensorFact) and entry.dtype != "bool":  # `...` has no span
            span = _span(entry)
            if span is not None and not (-size <= span[0] and span[1] < size):
                return table, axis, size, span[0] if span[0] < -size else span[1], entry
    return None


def _one_hot(call: Call) -> tuple | None:
    if call.op != "one_hot" or not call.event.args:
        return None
    ids = call.event.args[0]
    size = call.event.args[1] if len(call.event.args) > 1 else call.event.kwargs.get("num_classes")
    span = _span(ids)
    if span is None or not isinstance(size, int) or size < 0:
        return None
    return TensorFact((size,)), 0, size, span[0] if span[0] < 0 else span[1], ids


def _span(fact: object) -> tuple[int, int] | None:
    if (
        isinstance(fact, TensorFact)
        and fact.shape is not None
        and isinstance(fact.value, tuple)
        and len(fact.value) == 2
        and fact.is_whole
        and fact.kind != "packed"
        and not is_slice(fact)
    ):
        return fact.value
    return None


def _counts(origins: Origins, fact: TensorFact) -> bool:
    """Whether the indices are positions counted by `arange`."""

    last = ops.named("ranges", "embeds", "chooses_index")
    way = list(origins.lineage(fact, lambda one: one.given[:1] if one.op not in last else (), 12))
    return bool(way) and ops.is_a(way[-1].op, "ranges")


def _ids(origins: Origins, fact: TensorFact) -> list[Origin]:
    """Where the indices were made: the chain of their producers, with what their greatest value was written as."""
    found: list[Origin] = []
    for event in origins.lineage(fact, lambda one: one.given[:1], 4000):
        if ops.is_a(event.op, "takes_data") or not event.given:
            call = origins.source.node_at(event.site)
            made = [origins.of_definition(d) for d in origins.source.definitions(call, event.stack)]
            literal = Origin("literal", origins.source.site_text(event.site), event.site, event.stack)
            return distinct([*found, literal, *made])
        if ops.is_a(event.op, "arithmetic", "masks", "clamps", "chooses_index", "casts_int", "rounds"):
            found.append(Origin("operator", origins.source.site_text(event.site), event.site, event.stack))
        fact = event.given[0]
    return distinct([*found, *origins.of_axis(fact, 0)])


def _written(origins: Origins, call: Call) -> list[Origin]:
    """For an index written out: where the names in it were bound."""
    node = origins.source.node_at(call.site)
    index = node.slice if isinstance(node, ast.Subscript) else node
    return [origins.of_definition(d) for d in origins.source.definitions(index, call.stack)]


MESSAGES = {
    "en": {
        "message": "index {index} is out of range for {which}: its number of rows is {size}",
        "axis": "index {index} is out of range for axis {axis} of size {size}",
        "why": "an index i on axis {axis} of {shape} must satisfy {first} <= i < {size}",
        "by_one": "rows are counted from 0, so the index of the last row is {last}",
        "negative": "index {index} is negative, but here indices start at 0",
        "positions": (
            "the indices come from arange: index {index} needs at least {index} + 1 rows, but the number of rows is "
            "{size}"
        ),
    },
    "es": {
        "message": "el índice {index} está fuera de rango para {which}: su número de filas es {size}",
        "axis": "el índice {index} está fuera de rango para el eje {axis}, de tamaño {size}",
        "why": "un índice i en el eje {axis} de {shape} debe cumplir {first} <= i < {size}",
        "by_one": "las filas se cuentan desde 0, así que el índice de la última es {last}",
        "negative": "el índice {index} es negativo, pero aquí los índices empiezan en 0",
        "positions": (
            "los índices vienen de arange: el índice {index} necesita al menos {index} + 1 filas, pero el número de "
            "filas es {size}"
        ),
    },
    "ja": {
        "message": "添字 {index} (0 始まり) は、{size} 行の {which} の範囲外です",
        "axis": "添字 {index} (0 始まり) は、サイズ {size} の軸 {axis} の範囲外です",
        "why": "{shape} の軸 {axis} の添字 i は {first} <= i < {size} を満たさなければなりません",
        "by_one": "テンソルの行の添字は 0 始まりなので、最後の行の添字は {last} です",
        "negative": "添字 {index} が負です。ここでの添字は 0 から始まります",
        "positions": (
            "添字は arange で作られています。添字 {index} (0 始まり) には少なくとも {index} + 1 行が必要ですが、{size} "
            "行しかありません"
        ),
    },
}
