"""A split, padding or window asks for more than the axis has.

## What it finds
A failing `split` whose sizes do not add up, `pad` of more axes than there are, `unfold`, `topk`, `narrow` or
`pixel_shuffle` that does not fit its axis.

## Why it hurts
The script stops.

## Example
    query, key = x.split([32, 32], dim=-1)          # the axis has 96

## Instead
    query, key = x.split([48, 48], dim=-1)

## Fix safety
Sizes computed from the tensor (`x.size(-1) // 2`) follow a change of width, if the width stays divisible.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins, blend
from ...trace import TensorFact
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW145"


@refused()
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing call, the axis and what was asked of it."""
    if not call.event.args or not isinstance(call.event.args[0], TensorFact):
        return
    given, args, kwargs = call.event.args[0], call.event.args, call.event.kwargs
    found = None
    if given.shape is None:
        return
    rank = len(given.shape)

    def argument(position: int, name: str, default=None):
        return kwargs.get(name, args[position] if len(args) > position else default)

    if ops.is_a(call.op, "parts"):
        sizes, dim = argument(1, "split_size_or_sections", argument(1, "split_size")), argument(2, "dim", 0)
        if (
            isinstance(sizes, tuple)
            and isinstance(dim, int)
            and -rank <= dim < rank
            and all(isinstance(n, int) for n in sizes)
            and sum(sizes) != given.shape[dim]
        ):
            found = dim, sum(sizes), "sum"
    elif call.op == "pad":
        pads = argument(1, "pad")
        if isinstance(pads, tuple) and all(isinstance(n, int) for n in pads):
            if len(pads) > 2 * rank:
                found = -1, len(pads) // 2, "axes"
            elif argument(2, "mode", "constant") == "reflect":
                found = next(
                    ((-1 - i // 2, n, "reflect") for i, n in enumerate(pads) if n >= given.shape[-1 - i // 2]), None
                )
    elif ops.is_a(call.op, "takes_count"):
        k, dim = argument(1, "k"), argument(2, "dim", -1)
        if isinstance(k, int) and isinstance(dim, int) and -rank <= dim < rank and k > given.shape[dim]:
            found = dim, k, "most"
    elif call.op == "unfold" and rank:
        dim, size = argument(1, "dimension", 0), argument(2, "size", 0)
        if isinstance(dim, int) and isinstance(size, int) and -rank <= dim < rank and size > given.shape[dim]:
            found = dim, size, "most"
    elif call.op == "narrow":
        dim, start, length = argument(1, "dim", 0), argument(2, "start", 0), argument(3, "length", 0)
        if (
            all(isinstance(n, int) for n in (dim, start, length))
            and -rank <= dim < rank
            and start + length > given.shape[dim]
        ):
            found = dim, start + length, "reach"
    elif call.op == "pixel_shuffle" and rank >= 3:
        factor = argument(1, "upscale_factor", 1)
        if isinstance(factor, int) and given.shape[-3] % (factor * factor):
            found = -3, factor * factor, "multiple"
    if found is None:
        return
    dim, asked, why = found
    node = origins.source.node_at(call.site)
    names = [
        origins.of_definition(d)
        for part in getattr(node, "args", ())
        for d in origins.source.definitions(part, call.stack)
    ]
    yield Facts(
        call.site,
        why=why,
        fields={
            "op": call.op,
            "shape": shape_text(given.shape),
            "axis": dim % rank if rank else 0,
            "size": given.shape[dim] if rank else 0,
            "asked": asked,
            "rank": rank,
        },
        origins=blend(origins.of_axis(given, dim) if why != "axes" else origins.of_rank(given), names),
        spans=spans(call, "input"),
        remedy=misfit(call, "input", dim, given.shape[dim] if rank else 0, asked),
    )


MESSAGES = {
    "en": {
        "message": "the sizes passed to {op} do not fit a tensor of shape {shape}",
        "sum": "the parts add up to {asked}, but axis {axis} has size {size}",
        "axes": "the number of axes to pad is {asked}, but the tensor has {rank}",
        "reflect": "reflection padding of {asked} needs an axis larger than {asked}, but axis {axis} has size {size}",
        "reach": "the range ends at start + length = {asked}, but axis {axis} has size {size}",
        "most": "the argument {asked} exceeds the size of axis {axis}, which is {size}",
        "multiple": (
            "the number of channels, {size} on axis {axis}, is not a multiple of {asked}, the square of upscale_factor"
        ),
    },
    "es": {
        "message": "los tamaños que recibe {op} no encajan con un tensor de forma {shape}",
        "sum": "las partes suman {asked}, pero el eje {axis} tiene tamaño {size}",
        "axes": "el número de ejes por rellenar es {asked}, pero el tensor tiene {rank}",
        "reflect": (
            "un relleno por reflexión de {asked} necesita un eje mayor que {asked}, pero el eje {axis} tiene "
            "tamaño {size}"
        ),
        "reach": "el intervalo termina en start + length = {asked}, pero el eje {axis} tiene tamaño {size}",
        "most": "el argumento {asked} supera el tamaño del eje {axis}, que es {size}",
        "multiple": (
            "el número de canales, {size} en el eje {axis}, no es múltiplo de {asked}, el cuadrado de upscale_factor"
        ),
    },
    "ja": {
        "message": "{op} に渡されたサイズは、形状 {shape} のテンソルに合いません",
        "sum": "分割したサイズの合計は {asked} ですが、軸 {axis} のサイズは {size} です",
        "axes": "パディングする軸は {asked} つですが、テンソルの軸は {rank} つです",
        "reflect": "{asked} の反射パディングには {asked} より大きい軸が必要ですが、軸 {axis} のサイズは {size} です",
        "reach": "範囲の終わりは start + length = {asked} ですが、軸 {axis} のサイズは {size} です",
        "most": "引数 {asked} が軸 {axis} のサイズ {size} を超えています",
        "multiple": "軸 {axis} のチャネル数 {size} は {asked} (upscale_factor の 2 乗) の倍数ではありません",
    },
}
