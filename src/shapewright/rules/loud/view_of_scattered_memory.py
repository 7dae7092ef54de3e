"""`view` over axes that a transpose or a slice has pulled apart in memory.

## What it finds
A failing `view` whose element count is right but whose tensor is not contiguous.

## Why it hurts
The script stops. `permute`, `transpose`, `expand` and slices leave a tensor's values where they are in memory, and
`view` may only relabel their sizes.

## Example
    x.transpose(1, 2).view(batch, -1)

## Instead
    x.transpose(1, 2).reshape(batch, -1)

## Fix safety
`reshape` copies here, so writing into the result does not change the original; check that the order of the axes is the
intended one.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins, blend
from ...ops.shapes import elements
from ...trace import Origin
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans
from .view_changes_element_count import asked_shape

code = "SW107"

MOVERS = ops.named("turns", "expands", "slots", "windows", "cuts_out", "splits", "turns_round")


@refused("needs_contiguous")
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing `view` of a tensor with the right number of elements, and the call that moved its axes."""
    given = call.tensor("input")
    asked = asked_shape(call.event.args, call.event.kwargs)
    if call.op == "view_as" and len(call.event.args) > 1:
        given, asked = call.event.args[0], call.event.args[1].shape
    if given is None or asked is None:
        return
    count, wanted = elements(given.shape), elements(asked)
    if asked.count(-1) > 1 or not (count == wanted or (-1 in asked and wanted and count % wanted == 0)):
        return
    moved = _mover(origins, given)
    yield Facts(
        call.site,
        why="why" if moved else "scattered",
        fields={
            "shape": shape_text(given.shape),
            "asked": shape_text(asked),
            "mover": moved[0].note if moved else shape_text(given.shape),
        },
        origins=blend(moved, origins.of_rank(given)[:2]),
        spans=spans(call, "input"),
        remedy=misfit(call, "input", None, None, None, asked=asked),
    )


def _mover(origins: Origins, fact) -> list[Origin]:
    """The nearest call that moved axes without copying, up the chain of producers."""
    way = origins.lineage(fact, lambda event: event.given[:1], 40)
    event = next((one for one in way if one.op in MOVERS), None)
    if event is None:
        return []
    return [Origin("operator", origins.source.site_text(event.site) or event.op, event.site, event.stack)]


MESSAGES = {
    "en": {
        "message": "view cannot turn {shape} into {asked} without copying",
        "scattered": (
            "view never copies, and the values are not laid out in memory as the new shape requires: use reshape, or "
            "call .contiguous() first"
        ),
        "why": (
            "view never copies, and after {mover} the values are not laid out in memory as the new shape requires: use "
            "reshape, or call .contiguous() first"
        ),
    },
    "es": {
        "message": "view no puede convertir {shape} en {asked} sin copiar",
        "scattered": (
            "view nunca copia, y los valores no están en memoria como los necesita la nueva forma; hay que usar "
            "reshape o llamar antes a .contiguous()"
        ),
        "why": (
            "view nunca copia, y tras {mover} los valores no están en memoria como los necesita la nueva forma; hay "
            "que usar reshape o llamar antes a .contiguous()"
        ),
    },
    "ja": {
        "message": "view では、コピーせずに {shape} を {asked} にできません",
        "scattered": (
            "view はコピーをしませんが、値のメモリ上の並びが新しい形状に合いません。reshape を使うか、先に "
            ".contiguous() を呼んでください"
        ),
        "why": (
            "view はコピーをしませんが、{mover} の後では値のメモリ上の並びが新しい形状に合いません。reshape を使うか、"
            "先に .contiguous() を呼んでください"
        ),
    },
}
