"""Tensors that are concatenated or stacked do not agree on their other axes.

## What it finds
A failing `cat`, `stack`, `hstack`, `vstack` or `pad_sequence`: one of the tensors has a different rank, or another size
on an axis along which they are not joined.

## Why it hurts
The script stops. Typical causes: a skip connection whose down- and upsampling round an odd size differently, features
of a different length, a missing `unsqueeze`.

## Example
    x = torch.cat([skip, up(x)], dim=1)        # (8, 16, 25, 25) and (8, 16, 24, 24)

## Instead
    up(x) with output_padding=1, or pad it to the skip's size

## Fix safety
Cutting or padding makes the sizes equal, but may shift the two maps against each other; a different `dim` joins along a
different axis.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.backwalk import tensors
from ...graph.origins import Origins, blend
from ...trace import TensorFact
from ..facts import Facts, Span
from ..failing import Call, misfit, refused, shape_text

code = "SW105"

JOINS = {
    "cat": 0,
    "stack": None,
    "hstack": 1,
    "vstack": 0,
    "dstack": 2,
    "column_stack": 1,
    "row_stack": 0,
    "pad_sequence": 0,
}


@refused(*JOINS)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing join, the first tensor that differs from the first and the axis."""
    parts = [part for part in tensors(call.event.args[:1] or call.event.kwargs.get("tensors"))]
    if len(parts) < 2:
        return
    dim = call.named.get("dim", call.named.get("axis"))
    dim = dim if isinstance(dim, int) else JOINS[call.op]
    first = next((part for part in parts if part.shape != (0,)), parts[0])
    odd = axis = None
    for at, part in enumerate(parts):
        if part.shape == (0,) and call.op == "cat":
            continue
        if len(part.shape) != len(first.shape):
            odd, axis = at, None
            break
        along = (
            dim % len(first.shape)
            if call.op != "stack" and dim is not None and first.shape and -len(first.shape) <= dim < len(first.shape)
            else None
        )
        axis = next((i for i in range(len(first.shape)) if i != along and part.shape[i] != first.shape[i]), None)
        if axis is not None:
            odd = at
            break
    if odd is None:
        return
    other = parts[odd]
    fields = {
        "op": call.op,
        "first": shape_text(first.shape),
        "other": shape_text(other.shape),
        "number": odd,
        "axis": axis or 0,
        "m": first.shape[axis] if axis is not None else len(first.shape),
        "n": other.shape[axis] if axis is not None else len(other.shape),
        "dim": dim if dim is not None else 0,
    }
    if axis is None:
        shorter, longer = (first, other) if len(first.shape) < len(other.shape) else (other, first)
        chain, why, message = [origins.of_rank(shorter), origins.of_rank(longer)], "rank", "rank_message"
    else:
        chain, message = [origins.of_axis(other, axis), origins.of_axis(first, axis)], "message"
        why = "near" if axis >= 2 and abs(fields["m"] - fields["n"]) <= 2 else "why"
    yield Facts(
        call.site,
        message,
        why,
        fields,
        blend(*chain),
        spans=_labels(call, parts),
        remedy=misfit(call, "tensors", axis, fields["n"], fields["m"], dim=dim),
    )


def _labels(call, parts: list[TensorFact]) -> tuple[Span, ...]:
    return tuple(
        Span(call.site, f"{part.name or at + 1} {shape_text(part.shape)}") for at, part in enumerate(parts[:4])
    )


MESSAGES = {
    "en": {
        "message": "{op} joins {first} with {other}: axis {axis} has size {m} in one tensor and {n} in the other",
        "rank_message": "{op} joins {first} with {other}: the numbers of axes, {m} and {n}, differ",
        "why": (
            "the tensor at position {number} of the list (counted from 0) has a different size on axis {axis} from an "
            "earlier one"
        ),
        "near": (
            "{m} and {n} differ only slightly: a layer with stride may have rounded the size in one of two branches"
        ),
        "rank": (
            "the tensor at position {number} of the list (counted from 0) has a different number of axes from an "
            "earlier one"
        ),
    },
    "es": {
        "message": "{op} une {first} con {other}: el eje {axis} tiene tamaño {m} en un tensor y {n} en el otro",
        "rank_message": "{op} une {first} con {other}: los números de ejes, {m} y {n}, difieren",
        "why": (
            "el tensor en la posición {number} de la lista (contando desde 0) no tiene en el eje {axis} el mismo "
            "tamaño que uno anterior"
        ),
        "near": "{m} y {n} difieren poco: quizá una capa con stride redondeó el tamaño en una de dos ramas",
        "rank": (
            "el tensor en la posición {number} de la lista (contando desde 0) no tiene el mismo número de ejes que uno "
            "anterior"
        ),
    },
    "ja": {
        "message": (
            "{op} が {first} と {other} を結合しようとしていますが、軸 {axis} のサイズが {m} と {n} で異なります"
        ),
        "rank_message": "{op} が {first} と {other} を結合しようとしていますが、軸の数が {m} と {n} で異なります",
        "why": "リストの {number} 番目 (0 始まり) のテンソルは、それより前のテンソルと軸 {axis} のサイズが違います",
        "near": (
            "{m} と {n} の差はわずかです。2 つの枝の一方で、ストライドつきの層がサイズの端数を丸めたのかもしれません"
        ),
        "rank": "リストの {number} 番目 (0 始まり) のテンソルは、それより前のテンソルと軸の数が違います",
    },
}
