"""What is written into a part of a tensor has a different shape from that part.

## What it finds
A failing `x[...] = value` or `copy_` (of weights, buffers, slices) whose value does not broadcast to the place.

## Why it hurts
The script stops. Often the batch that is written is the smaller last one, or rows and columns are swapped.

## Example
    table[i] = vector              # rows of 300, the vector has 100

## Instead
    table = torch.zeros(words, 100)

## Fix safety
Writing only a slice of the value drops the rest without a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.origins import Origins, blend
from ...ops.indexing import is_ellipsis, is_slice, spanned
from ...ops.shapes import broadcast
from ...trace import TensorFact
from ..facts import Facts, Span
from ..failing import Call, misfit, refused, shape_text

code = "SW140"


@refused("assigns")
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing assignment, the place's shape and the value's."""
    args = call.event.args
    target = args[0] if args and isinstance(args[0], TensorFact) and args[0].shape is not None else None
    value = args[-1] if len(args) > 1 and isinstance(args[-1], TensorFact) and args[-1].shape is not None else None
    if target is None or value is None:
        return
    place = _place(target, args[1]) if call.op == "setitem" else target.shape
    if (
        place is None
        or broadcast(place, value.shape) == place
        or (
            len(value.shape) > len(place)
            and value.shape[-len(place) :] == place
            and set(value.shape[: -len(place)]) == {1}
        )
    ):
        return
    back = next(
        (b for b in range(-1, -min(len(place), len(value.shape)) - 1, -1) if value.shape[b] not in (1, place[b])), -1
    )
    own = [origins.of_axis(value, back) if value.shape else origins.of_rank(value)]
    at = next((i for i in range(len(target.shape) - 1, -1, -1) if place and target.shape[i] == place[back]), -1)
    yield Facts(
        call.site,
        fields={"place": shape_text(place), "value": shape_text(value.shape), "target": shape_text(target.shape)},
        origins=blend(*own, origins.of_axis(target, at) if target.shape else []),
        spans=(
            Span(call.site, f"place {shape_text(place)}"),
            Span(call.site, f"{value.name or 'value'} {shape_text(value.shape)}"),
        ),
        remedy=misfit(call, "value", back, value.shape[back] if value.shape else 0, place[back] if place else 0),
    )


def _place(target: TensorFact, index: object) -> tuple[int, ...] | None:
    """The shape that `target[index]` has; `None` where it cannot be told from the facts."""
    made: list[int] = []
    end = 0
    fancy: list[tuple[int, ...]] = []
    for entry, axis, covered in spanned(index, len(target.shape)):
        end = axis + covered
        if entry is None:
            made.append(1)
        elif is_ellipsis(entry):
            made += target.shape[axis:end]
        elif axis >= len(target.shape):
            return None
        elif is_slice(entry):
            start, stop, step = entry.value if isinstance(entry.value, tuple) else (None, None, None)
            if any(isinstance(part, str) for part in (start, stop, step)):
                return None
            made.append(len(range(*slice(start, stop, step).indices(target.shape[axis]))))
        elif isinstance(entry, TensorFact) and entry.shape is not None:
            if entry.dtype == "bool" or (fancy and fancy[-1] != entry.shape):
                return None
            if not fancy:
                made += entry.shape
            fancy.append(entry.shape)
        elif isinstance(entry, bool) or not isinstance(entry, int):
            return None
    return (*made, *target.shape[end:])


MESSAGES = {
    "en": {
        "message": "a value of shape {value} cannot be written to the selected part of shape {place}",
        "why": (
            "the tensor being written to has shape {target}; aligned from the right, each size of the value must be 1 "
            "or equal to the size of the selected part"
        ),
    },
    "es": {
        "message": "no se puede escribir un valor de forma {value} en la parte seleccionada, de forma {place}",
        "why": (
            "el tensor en el que se escribe tiene forma {target}; alineados por la derecha, cada tamaño del valor debe "
            "ser 1 o igual al de la parte seleccionada"
        ),
    },
    "ja": {
        "message": "選択された部分 (形状 {place}) に形状 {value} の値は書き込めません",
        "why": (
            "書き込み先のテンソルの形状は {target} です。右から揃えたとき、値の各サイズは 1 か、"
            "選択された部分のサイズと等しくなければなりません"
        ),
    },
}
