"""`permute` is given a different number of axes than the tensor has.

## What it finds
A failing `permute` whose list of axes is too long, too short, repeats an axis or names one that does not exist.

## Why it hurts
The script stops. Often a tensor came without its batch axis, or an earlier line removed an axis or kept one.

## Example
    image = torch.from_numpy(picture)        # (height, width): a grayscale picture
    image.permute(2, 0, 1)

## Instead
    image.unsqueeze(0)

## Fix safety
Look at which axis is missing; adding one of size 1 in the wrong place may make the permute run and mean something else.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.origins import Origins, blend
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW109"
aliases = ("permute-of-other-rank",)


@refused("permute")
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing `permute`, its axes and the tensor's rank."""
    given = call.tensor("input")
    rest = call.event.args[1:] or (call.event.kwargs.get("dims"),)
    dims = rest[0] if len(rest) == 1 and isinstance(rest[0], tuple) else rest
    if given is None or not all(isinstance(d, int) for d in dims):
        return
    rank = len(given.shape)
    if len(dims) == rank and len({d % rank for d in dims if -rank <= d < rank}) == rank:
        return
    yield Facts(
        call.site,
        "message",
        "why" if len(dims) != rank else "repeated",
        {"dims": shape_text(tuple(dims)), "count": len(dims), "rank": rank, "shape": shape_text(given.shape)},
        blend(origins.of_rank(given)),
        spans=spans(call, "input"),
        remedy=misfit(call, "input", None, rank, len(dims)),
    )


MESSAGES = {
    "en": {
        "message": "permute {dims} does not fit a tensor of shape {shape}",
        "why": "the number of axes listed is {count}, but the tensor has {rank}",
        "repeated": (
            "each axis must be listed exactly once (number of axes: {rank}); here an axis is repeated or does not exist"
        ),
    },
    "es": {
        "message": "permute {dims} no encaja con un tensor de forma {shape}",
        "why": "el número de ejes enumerados es {count}, pero el tensor tiene {rank}",
        "repeated": (
            "cada eje debe aparecer exactamente una vez (número de ejes: {rank}); aquí un eje se repite o no existe"
        ),
    },
    "ja": {
        "message": "permute {dims} はテンソル {shape} の軸の並べ替えになっていません",
        "why": "permute が並べている軸は {count} つですが、テンソルの軸は {rank} つです",
        "repeated": (
            "テンソルの {rank} つの軸をちょうど 1 回ずつ並べなければなりませんが、重複した軸か、存在しない軸があります"
        ),
    },
}
