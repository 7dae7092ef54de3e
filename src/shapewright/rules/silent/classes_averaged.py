"""A map of class indices is resized or sampled with interpolation, which makes other classes out of it.

## What it finds
Few whole numbers that go into `interpolate`, `grid_sample` or an average pooling come out as numbers between them, are
made whole numbers again, and are the targets of a classification loss; or they are classes that a model chose.

## Why it hurts
A class index is a name, not an amount: halfway between class 0 and class 4 lies class 2, which is at no such place.
Objects get rims of classes that are not there, and the model learns them.

## Example
    label = F.interpolate(label[None, None].float(), size=(32, 32), mode="bilinear")[0, 0].long()

## Instead
    label = F.interpolate(label[None, None].float(), size=(32, 32), mode="nearest")[0, 0].long()

## Fix safety
Safe where the operator takes a mode. Nothing is reported for one-hot maps and probabilities, which may be averaged.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.flow import argument, operands
from ...graph.source import Source
from ...graph.training import ancestors, place
from ...trace import Blended, Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import SetArgument

code = "SW318"
MODES = ops.named("interpolates") | {"grid_sample"}
IGNORED = frozenset({255})


def check(trace: Trace) -> Iterator[Facts]:
    """Every such map, where it was averaged."""
    source = Source(trace)
    for one in trace.data.blended:
        users = [event for event in trace.events if _classifies(event) and _reads(trace, event, one)]
        chosen = not users and _chosen(trace, one)
        if not users and not chosen:
            continue
        call = source.spanned(one.site, ast.Call)
        told = users[0].site if users else None
        yield Facts(
            one.site,
            why="why_new" if one.new else "why",
            fields={
                "op": one.op,
                "kinds": len(one.values),
                "share": f"{100 * one.share:.0f}",
                "new": ", ".join(map(str, one.new)),
                "line": one.cast.line,
            },
            origins=tuple(o for at in (one.cast, told) if at and at.line != one.site.line for o in place(trace, at)),
            severity="warning",
            remedy=SetArgument("mode", '"nearest"') if call is not None and one.op in MODES else None,
        )


def _classifies(event: Event) -> bool:
    return ops.is_a(event.op, "classifies") and isinstance(argument(event, 1, "target"), TensorFact)


def _reads(trace: Trace, event: Event, one: Blended) -> bool:
    """Whether the targets of a loss are what was averaged: by what they were made of, where that is known, else by
    their extent and classes."""
    target = argument(event, 1, "target")
    if not isinstance(target, TensorFact) or not target.is_whole or target.rank < 2:
        return False
    made = ancestors(trace, target).values()
    if any(before.site == one.cast for before in made):
        return True
    if any(before.site is not None and ops.is_a(before.op, "casts") for before in made):
        return False
    scores = operands(event)[0]
    ignored = IGNORED | {event.kwargs.get("ignore_index", -100)}
    inside = all(0 <= value < scores.sizes[1] or value in ignored for value in one.values) and scores.rank > 2
    return inside and target.sizes[-2:] == one.shape[-2:]


def _chosen(trace: Trace, one: Blended) -> bool:
    """Whether the classes that were averaged are those that a model chose."""
    made = next((event for event in trace.events if event.site == one.site and event.op == one.op), None)
    before = ancestors(trace, operands(made)[0], 40) if made is not None else {}
    return any(ops.is_a(event.op, "chooses_index") for event in before.values())


MESSAGES = {
    "en": {
        "message": (
            "{op} interpolates between class indices: {share} % of the values lie between two of the {kinds} classes"
        ),
        "why": (
            "the values are class indices, and a mean of two indices is the index of an unrelated class. Line {line} "
            "truncates the interpolated values to integers again. Use mode='nearest', or interpolate one-hot maps"
        ),
        "why_new": (
            "the values are class indices, and a mean of two indices is the index of an unrelated class. Line {line} "
            "truncates the interpolated values to integers again, so classes appear that the map did not contain "
            "({new}). Use mode='nearest', or interpolate one-hot maps"
        ),
    },
    "es": {
        "message": (
            "{op} interpola entre índices de clase: el {share} % de los valores queda entre dos de las {kinds} clases"
        ),
        "why": (
            "los valores son índices de clase, y la media de dos índices es el índice de una clase sin relación con "
            "ellas. La línea {line} vuelve a truncar a enteros los valores interpolados. Usa mode='nearest' o "
            "interpola mapas one-hot"
        ),
        "why_new": (
            "los valores son índices de clase, y la media de dos índices es el índice de una clase sin relación con "
            "ellas. La línea {line} vuelve a truncar a enteros los valores interpolados, de modo que aparecen clases "
            "que el mapa no contenía ({new}). Usa mode='nearest' o interpola mapas one-hot"
        ),
    },
    "ja": {
        "message": "{op} がクラス番号を補間しています: 値の {share} % が {kinds} クラスの番号の間にあります",
        "why": (
            "値はクラス番号なので、2 つの番号の平均は無関係なクラスの番号になります。{line} 行目で、補間した値が再び"
            "整数に切り捨てられます。mode='nearest' を使うか、one-hot のマップを補間してください"
        ),
        "why_new": (
            "値はクラス番号なので、2 つの番号の平均は無関係なクラスの番号になります。{line} 行目で、補間した値が再び"
            "整数に切り捨てられ、元のマップにないクラス ({new}) が現れます。mode='nearest' を使うか、one-hot のマップを"
            "補間してください"
        ),
    },
}
