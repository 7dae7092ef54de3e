"""A call names an axis that its tensor does not have.

## What it finds
A failing `squeeze`, `unsqueeze`, `softmax`, `mean`, `cat`, `flatten`, `size(2)`, `x[0, 1]` ... whose axis number is
outside the tensor's rank.

## Why it hurts
The script stops, often at the first batch of one sample: an earlier `squeeze()` then removes the batch axis too.

## Example
    score = head(hidden).squeeze()     # (1, 1) becomes ()
    n = score.size(0)

## Instead
    score = head(hidden).squeeze(-1)

## Fix safety
`squeeze(-1)` removes the last axis only, so a batch axis in front of it stays at every batch size.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.backwalk import tensors
from ...graph.origins import Origins, blend
from ...ops.indexing import spanned
from ...trace import TensorFact
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW108"


@refused()
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing call, the axis it names and where the tensor lost its axes."""
    given = next(tensors(call.event.args), None)
    if given is None:
        return
    if ops.is_a(call.op, "brackets"):
        axes = _too_many(call, given)
        fields = {"op": call.op}
        message = "index"
    else:
        entry = ops.find(call.op)
        if entry is None or not entry.dims:
            return
        rank = len(given.shape) + ops.is_a(call.op, "unsqueezes", "stacks")
        axes = [
            axis
            for axis in _named(call)
            if not -max(rank, 1) <= axis < max(rank, 1) or (call.op == "size" and rank == 0)
        ]
        message = "message"
        if not axes and call.op == "gather" and len(given.shape) == 0:
            axes, message = [1], "single"
    if not axes:
        return
    chain = origins.of_rank(given)
    fields = {"op": call.op, "axis": axes[0], "shape": shape_text(given.shape), "rank": len(given.shape)}
    why = "none" if not given.shape else "why"
    dropped = next((o for o in chain if "squeeze()" in o.note.replace(" ", "")), None)
    if dropped is not None:
        why = "squeezed"
    yield Facts(
        call.site,
        message,
        why,
        fields | {"by": dropped.note if dropped else ""},
        blend(chain),
        spans=_labels(call, given),
        remedy=misfit(call, "input", axes[0], len(given.shape), None),
    )


def _labels(call: Call, given: TensorFact):
    return spans(Call(call.op, {given.name or "input": given}, call.site, call.failure, call.event, call.module))


def _named(call: Call) -> list[int]:
    """Every axis that the call names."""
    found: list[int] = []
    values = [value for name, value in call.event.kwargs.items() if ops.names_axis(name)]
    entry, args = ops.find(call.op), call.event.args
    position = entry.position(entry.dims)
    if not values and len(args) > position:
        values = [args[position]]
        if ops.is_a(call.op, "turns", "flattens") and len(args) > position + 1:
            values.append(args[position + 1])
    for value in values:
        if isinstance(value, bool):
            continue
        if isinstance(value, int):
            found.append(value)
        elif isinstance(value, tuple):
            found += [one for one in value if isinstance(one, int) and not isinstance(one, bool)]
    return found


def _too_many(call: Call, given: TensorFact) -> list[int]:
    """For `x[a, b, c]`: how many axes it asks for, if more than there are."""
    index = call.event.args[1] if len(call.event.args) > 1 else ()
    if not isinstance(index, tuple):
        return [1] if not given.shape and isinstance(index, int) else []
    asked = sum(covered for part, _, covered in spanned(index, 0) if not isinstance(part, bool))
    return [asked] if asked > len(given.shape) else []


MESSAGES = {
    "en": {
        "message": "{op} uses axis {axis}, which a tensor of shape {shape} does not have",
        "index": "the index covers more axes ({axis}) than a tensor of shape {shape} has",
        "single": "a scalar tensor of shape {shape} cannot be used in {op} with this index",
        "why": "the tensor's number of axes is {rank}",
        "none": "the tensor has no axes: it is a single value",
        "squeezed": "{by} removes every axis of size 1, including the batch axis when the batch size is 1",
    },
    "es": {
        "message": "{op} usa el eje {axis}, que un tensor de forma {shape} no tiene",
        "index": "el índice abarca más ejes ({axis}) de los que tiene un tensor de forma {shape}",
        "single": "un tensor escalar de forma {shape} no se puede usar en {op} con este índice",
        "why": "el número de ejes del tensor es {rank}",
        "none": "el tensor no tiene ejes: es un solo valor",
        "squeezed": "{by} elimina todos los ejes de tamaño 1, también el de lote cuando el tamaño del lote es 1",
    },
    "ja": {
        "message": "{op} が形状 {shape} のテンソルに、存在しない軸 {axis} を指定しています",
        "index": "添字が指定する軸の数 ({axis}) が、形状 {shape} のテンソルの軸の数を超えています",
        "single": "形状 {shape} のスカラーテンソルに対して、{op} でこの添字は使えません",
        "why": "テンソルの軸は {rank} つです",
        "none": "テンソルには軸がなく、値が 1 つあるだけです",
        "squeezed": "{by} はサイズ 1 の軸をすべて取り除くので、バッチサイズが 1 のときはバッチ軸まで消えます",
    },
}
