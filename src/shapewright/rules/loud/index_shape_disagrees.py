"""An index, mask or source tensor does not have the axes of the tensor that it points into.

## What it finds
A failing `gather` or `scatter` whose index has a different rank or is too long, a boolean mask of a different shape, or
index tensors that do not broadcast.

## Why it hurts
The script stops. To `gather` from Q-values `(batch, actions)`, the chosen actions must be `(batch, 1)`, not `(batch,)`.

## Example
    q = net(states).gather(1, actions)                      # actions is (batch,)

## Instead
    q = net(states).gather(1, actions.unsqueeze(1)).squeeze(1)

## Fix safety
`unsqueeze(1)` on the index and `squeeze(1)` on the result keep the batch axis at every batch size.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins, blend
from ...ops.indexing import is_ellipsis, is_slice, spanned
from ...ops.shapes import broadcast
from ...trace import TensorFact
from ..facts import Facts, Span
from ..failing import Call, misfit, refused, shape_text

code = "SW117"


@refused()
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing lookup, the tensor and the index whose axes do not go together."""
    args = call.event.args
    given = args[0] if args and isinstance(args[0], TensorFact) and args[0].shape is not None else None
    if given is None:
        return

    def facts(message: str, why: str, index: TensorFact, axis: int, chain: list) -> Facts:
        fields = {
            "op": call.op,
            "shape": shape_text(given.shape),
            "index": shape_text(index.shape),
            "rank": len(given.shape),
            "own": len(index.shape),
            "axis": axis,
            "m": given.shape[axis] if axis < len(given.shape) else 0,
            "n": index.shape[axis] if axis < len(index.shape) else 0,
        }
        labels = (
            Span(call.site, f"{given.name or 'input'} {shape_text(given.shape)}"),
            Span(call.site, f"{index.name or 'index'} {shape_text(index.shape)}"),
        )
        return Facts(
            call.site,
            message,
            why,
            fields,
            blend(*chain),
            spans=labels,
            remedy=misfit(
                call,
                "index",
                axis,
                len(index.shape),
                len(given.shape),
                problem="message" if message == "written" else message,
            ),
        )

    if ops.is_a(call.op, "points"):
        dim = call.number("dim", 0)
        index = call.tensor("index") or call.tensor("indices")
        if index is None:
            return
        if len(index.shape) != len(given.shape) and given.shape and index.shape:
            yield facts("message", "rank", index, 0, [origins.of_rank(index), origins.of_rank(given)])
            return
        dim = dim % len(given.shape) if given.shape else 0
        long = next(
            (
                i
                for i in range(len(given.shape))
                if i != dim and i < len(index.shape) and index.shape[i] > given.shape[i]
            ),
            None,
        )
        if long is not None:
            yield facts("message", "long", index, long, [origins.of_axis(index, long), origins.of_axis(given, long)])
            return
        source = call.tensor("src")
        if source is not None:
            short = next(
                (i for i in range(min(len(index.shape), len(source.shape))) if source.shape[i] < index.shape[i]), None
            )
            if short is not None or len(source.shape) != len(index.shape):
                yield facts(
                    "written",
                    "source" if len(source.shape) == len(index.shape) else "source_rank",
                    source,
                    short or 0,
                    [origins.of_axis(source, short or 0), origins.of_axis(index, short or 0)],
                )
    elif ops.is_a(call.op, "adds_rows"):
        index, source, dim = call.tensor("index"), call.tensor("source"), call.number("dim", 0)
        if (
            index is not None
            and source is not None
            and source.shape
            and index.shape
            and source.shape[dim] != index.shape[0]
        ):
            yield facts(
                "written",
                "rows",
                source,
                dim % len(source.shape),
                [origins.of_axis(source, dim), origins.of_axis(index, 0)],
            )
    elif ops.is_a(call.op, "brackets"):
        many = []
        for entry, axis, _ in spanned(args[1] if len(args) > 1 else (), len(given.shape)):
            if not isinstance(entry, TensorFact) or entry.shape is None:
                continue
            if entry.dtype == "bool":
                for i, size in enumerate(entry.shape):
                    if axis + i < len(given.shape) and given.shape[axis + i] != size:
                        yield facts(
                            "mask", "why_mask", entry, i, [origins.of_axis(entry, i), origins.of_axis(given, axis + i)]
                        )
                        return
            elif not is_slice(entry) and not is_ellipsis(entry):
                many.append(entry)
        if len(many) > 1 and broadcast(*(m.shape for m in many)) is None:
            yield facts(
                "several", "why_several", many[-1], 0, [origins.of_axis(many[-1], 0), origins.of_axis(many[0], 0)]
            )


MESSAGES = {
    "en": {
        "message": "{op}: an index of shape {index} does not fit a tensor of shape {shape}",
        "written": "{op}: a source tensor of shape {index} does not fit the index",
        "mask": "a mask of shape {index} does not match a tensor of shape {shape}",
        "several": "the index tensors for {shape} do not broadcast with each other; the last one has shape {index}",
        "rank": "the number of axes is {own} in the index, but {rank} in the tensor",
        "long": "on axis {axis} the index has size {n}, but the tensor only has size {m}",
        "rows": "on axis {axis}, the source tensor must have the same size as the index, but its size is {n}",
        "source": "on axis {axis}, the source tensor must be at least as large as the index, but its size is {n}",
        "why_mask": "each axis of a boolean mask must have the same size as the axis that it selects from",
        "why_several": (
            "index tensors are broadcast with each other: aligned from the right, their sizes must be equal or 1"
        ),
        "source_rank": "the number of axes is {own} in the source tensor, but {rank} in the tensor that is written to",
    },
    "es": {
        "message": "{op}: un índice de forma {index} no encaja con un tensor de forma {shape}",
        "written": "{op}: un tensor fuente de forma {index} no encaja con el índice",
        "mask": "una máscara de forma {index} no corresponde a un tensor de forma {shape}",
        "several": (
            "los tensores de índice para {shape} no admiten broadcasting entre sí; el último tiene forma {index}"
        ),
        "rank": "el número de ejes es {own} en el índice, pero {rank} en el tensor",
        "long": "en el eje {axis} el índice tiene tamaño {n}, pero el tensor solo tiene tamaño {m}",
        "rows": "en el eje {axis}, el tensor fuente debe tener el mismo tamaño que el índice, pero su tamaño es {n}",
        "source": "en el eje {axis}, el tensor fuente debe ser al menos tan grande como el índice, pero su tamaño es "
        "{n}",
        "why_mask": "cada eje de una máscara booleana debe tener el mismo tamaño que el eje del que selecciona",
        "why_several": (
            "los tensores de índice se combinan por broadcasting: alineados por la derecha, sus tamaños deben ser "
            "iguales o 1"
        ),
        "source_rank": "el número de ejes es {own} en el tensor fuente, pero {rank} en el de destino",
    },
    "ja": {
        "message": "{op}: 形状 {index} の添字は形状 {shape} のテンソルに合いません",
        "written": "{op}: 書き込む値 (形状 {index}) が添字に合いません",
        "mask": "形状 {index} のマスクは形状 {shape} のテンソルに合いません",
        "several": "{shape} に対する添字テンソル同士がブロードキャストできません (最後のものの形状は {index})",
        "rank": "軸の数が添字では {own}、テンソルでは {rank} です",
        "long": "軸 {axis} の添字のサイズは {n} ですが、テンソルのサイズは {m} しかありません",
        "rows": "書き込む値の軸 {axis} のサイズは添字の個数と同じでなければなりませんが、{n} です",
        "source": "書き込む値の軸 {axis} のサイズは添字のサイズ以上でなければなりませんが、{n} です",
        "why_mask": "真偽値マスクの各軸のサイズは、選択される側の軸と同じでなければなりません",
        "why_several": (
            "添字テンソルは互いにブロードキャストされます。右から揃えたとき、サイズが等しいか 1 でなければなりません"
        ),
        "source_rank": "軸の数は、書き込む値では {own}、書き込み先のテンソルでは {rank} です",
    },
}
