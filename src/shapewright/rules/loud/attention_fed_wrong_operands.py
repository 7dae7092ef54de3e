"""Attention or a transformer gets queries, keys or values whose width, batch or length does not fit.

## What it finds
A failing `nn.MultiheadAttention`, `nn.Transformer` or `scaled_dot_product_attention` whose operands do not have the
layer's width, disagree in their batch axis or in their number of axes, or whose keys and values differ in length.

## Why it hurts
The script stops. Often `batch_first` differs between two parts of a model.

## Example
    attention = nn.MultiheadAttention(64, 4)
    attention(state, memory, memory)    # (batch, 1, 64) and (batch, time, 64), read as (time, batch, width)

## Instead
    attention = nn.MultiheadAttention(64, 4, batch_first=True)

## Fix safety
`batch_first=True` changes which axis of a batched input the layer reads as time, everywhere it is called.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.backwalk import tensors
from ...graph.origins import Origins, blend
from ...trace import TensorFact
from ..facts import Facts, Span
from ..failing import Call, misfit, refused, shape_text

code = "SW123"
PARTS = ops.find("scaled_dot_product_attention").parameters[:3]


@refused(event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing attention and which of its operands does not fit."""
    if call.event is None:
        yield from _transformer(call, origins)
        return
    if not ops.is_a(call.op, "attends"):
        return
    parts = {name: call.tensor(name) for name in PARTS}
    if any(part is None for part in parts.values()):
        return
    query, key, value = parts.values()
    batch_at = -2 if call.op == "multi_head_attention_forward" else 0
    repeated = 1 if call.op == "scaled_dot_product_attention" else -1  # it broadcasts a batch of one
    wanted = call.number("embed_dim_to_check")
    if call.op == "multi_head_attention_forward" and wanted is not None and query.shape[-1:] != (wanted,):
        yield _facts(
            call,
            origins,
            "width",
            "query",
            query,
            -1,
            query.shape[-1] if query.shape else 0,
            wanted,
            [_layer(origins, call), origins.of_axis(query, -1)],
        )
    elif len({len(part.shape) for part in parts.values()}) > 1 or len(query.shape) < 2:
        odd = min(parts, key=lambda name: len(parts[name].shape))
        yield _facts(
            call,
            origins,
            "rank",
            odd,
            parts[odd],
            0,
            len(parts[odd].shape),
            max(len(p.shape) for p in parts.values()),
            [origins.of_rank(parts[odd])],
        )
    elif key.shape[-1] != (width := call.config("kdim") or query.shape[-1]):
        yield _facts(
            call,
            origins,
            "width",
            "key",
            key,
            -1,
            key.shape[-1],
            width,
            [origins.of_axis(key, -1), _layer(origins, call), origins.of_axis(query, -1)],
        )
    elif len(query.shape) > 2 and key.shape[batch_at] not in (query.shape[batch_at], repeated):
        yield _facts(
            call,
            origins,
            "batch",
            "key",
            key,
            batch_at,
            key.shape[batch_at],
            query.shape[batch_at],
            [_layer(origins, call), origins.of_axis(key, batch_at), origins.of_axis(query, batch_at)],
        )
    elif key.shape[:-1] != value.shape[:-1]:
        at = next(i for i in range(len(key.shape)) if key.shape[i] != value.shape[i])
        length_at = 0 if call.op == "multi_head_attention_forward" else len(key.shape) - 2
        yield _facts(
            call,
            origins,
            "length" if at == length_at else "batch",
            "value",
            value,
            at,
            value.shape[at],
            key.shape[at],
            [origins.of_axis(value, at), origins.of_axis(key, at)],
        )


def _transformer(call: Call, origins: Origins) -> Iterator[Facts]:
    """`nn.Transformer` checks source and target before it computes anything."""
    if call.module is None or call.module.kind != "Transformer":
        return
    given = list(tensors(call.failure.module_args[:2]))
    if len(given) < 2:
        return
    source, target = given[:2]
    width = call.config("d_model", 0)
    batch = 0 if call.config("batch_first") else 1
    odd = source if source.shape[-1:] != (width,) else target
    if odd.shape[-1:] != (width,):
        yield _facts(
            call,
            origins,
            "width",
            "src" if odd is source else "tgt",
            odd,
            -1,
            odd.shape[-1],
            width,
            [origins.of_module(call.module, "d_model"), origins.of_axis(odd, -1)],
        )
    elif len(source.shape) == 3 and len(target.shape) == 3 and source.shape[batch] != target.shape[batch]:
        yield _facts(
            call,
            origins,
            "batch",
            "tgt",
            target,
            batch,
            target.shape[batch],
            source.shape[batch],
            [origins.of_module(call.module), origins.of_axis(target, batch), origins.of_axis(source, batch)],
        )


def _layer(origins: Origins, call: Call) -> list:
    return (
        origins.of_module(call.module, "embed_dim")
        if call.module is not None and call.config("library") == "torch"
        else []
    )


def _facts(
    call: Call, origins: Origins, why: str, name: str, fact: TensorFact, axis: int, got: int, wanted: int, chain: list
) -> Facts:
    named = {n: call.tensor(n) for n in PARTS if call.tensor(n) is not None} or {name: fact}
    return Facts(
        call.site,
        "message",
        why,
        {
            "name": name,
            "ranks": ", ".join(str(len(part.shape)) for part in named.values()),
            "shape": shape_text(fact.shape),
            "axis": axis % max(1, len(fact.shape)),
            "got": got,
            "wanted": wanted,
            "layer": call.module.kind if call.module and call.config("library") == "torch" else call.op,
        },
        blend(*chain),
        spans=tuple(Span(call.site, f"{n} {shape_text(f.shape)}") for n, f in named.items()),
        remedy=misfit(call, name, axis, got, wanted, problem=why),
    )


MESSAGES = {
    "en": {
        "message": "{layer}: the {name} of shape {shape} does not fit",
        "width": "the last axis must have size {wanted}, but it has {got}",
        "batch": (
            "axis {axis} has size {got} in {name}, but {wanted} in another operand; the batch and time axes may be "
            "swapped"
        ),
        "length": "key and value must have the same length, but the length is {wanted} in key and {got} in value",
        "rank": "the numbers of axes of query, key and value are {ranks}",
    },
    "es": {
        "message": "{layer}: {name}, de forma {shape}, no encaja",
        "width": "el último eje debe tener tamaño {wanted}, pero tiene {got}",
        "batch": (
            "el eje {axis} tiene tamaño {got} en {name}, pero {wanted} en otro operando; quizá los ejes de lote y "
            "tiempo estén intercambiados"
        ),
        "length": "key y value deben tener la misma longitud, pero la longitud es {wanted} en key y {got} en value",
        "rank": "los números de ejes de query, key y value son {ranks}",
    },
    "ja": {
        "message": "{layer}: 形状 {shape} の {name} が合いません",
        "width": "最後の軸のサイズは {wanted} でなければなりませんが、{got} です",
        "batch": (
            "軸 {axis} のサイズが {name} では {got}、別のオペランドでは {wanted} です。"
            "バッチ軸と時間軸が入れ替わっているかもしれません"
        ),
        "length": "key と value の長さは等しくなければなりませんが、key は {wanted}、value は {got} です",
        "rank": "query、key、value の軸の数は順に {ranks} です",
    },
}
