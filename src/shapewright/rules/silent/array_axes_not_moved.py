"""A NumPy `reshape` keeps the elements in row-major order where axes should have been transposed.

## What it finds
`reshape` of an array into its own sizes in another order: images `(N, H, W, C)` as `(N, C, H, W)`, windows `(N, steps,
channels)` as `(N, channels, steps)`, a table `(channels, steps)` as `(steps, channels)`.

## Why it hurts
The number of elements fits, so nothing raises. Pixels of one color, or readings of one sensor, are spread over all
channels.

## Example
    X = X.reshape(X.shape[0], X.shape[2], X.shape[1])    # (N, steps, channels)

## Instead
    X = X.transpose(0, 2, 1)

## Fix safety
`transpose` moves the axes as the order of the new sizes suggests. Verified by running it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.calls import dotted
from ...graph.flow import one_per_place, shown
from ...graph.imports import library
from ...graph.source import Source
from ...trace import Trace
from ..facts import Facts, Span
from ..remedy import AlignOrder

code = "SW266"


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every `reshape` of an array into its own sizes in another order, in a script that runs a model."""
    if not any(step.is_pass for step in trace.steps):
        return
    source = Source(trace)
    for where, old, new in trace.data.folded:
        kept, made = [n for n in old if n > 1], [n for n in new if n > 1]
        if (
            len(kept) < 2
            or kept == made
            or sorted(kept) != sorted(made)
            or (len(kept) == 2 and abs(kept[0] - kept[1]) == 1)
        ):
            continue
        node = source.spanned(where, ast.Call)
        if node is None or _moved(node):
            continue
        site = source.site(node, where.file)
        first = next(i for i, (a, b) in enumerate(zip(kept, made)) if a != b)
        name = source.text(_array(node, trace.sources[where.file]), where.file, 40)
        yield Facts(
            site,
            fields={"name": name, "old": shown(old), "new": shown(new), "one": kept[first], "other": made[first]},
            spans=(Span(site, f"{name} {shown(old)} → {shown(new)}"),),
            remedy=AlignOrder("array", old=tuple(old), new=tuple(new)),
        )


def _array(node: ast.Call, text: str) -> ast.expr:
    """What is reshaped."""
    return node.args[0] if library(text, dotted(node.func)) == "numpy" else node.func.value


def _moved(node: ast.Call) -> bool:
    """Whether the order of memory is asked for, or the axes are moved in the same breath."""
    after = getattr(node, "parent", None)
    moved = isinstance(after, ast.Attribute) and after.attr in ("T", "transpose", "swapaxes", "permute")
    return moved or any(keyword.arg == "order" for keyword in node.keywords)


MESSAGES = {
    "en": {
        "message": (
            "reshape of {name} from {old} to {new} only changes the sizes of the axes, without transposing the data"
        ),
        "why": (
            "the axis of size {one} becomes an axis of size {other}, but the elements of {name} stay in row-major "
            "order; to reorder axes, use transpose"
        ),
    },
    "es": {
        "message": ("reshape de {name} de {old} a {new} solo cambia los tamaños de los ejes, sin transponer los datos"),
        "why": (
            "el eje de tamaño {one} pasa a tener tamaño {other}, pero los elementos de {name} siguen en el mismo orden "
            "(row-major); para reordenar ejes, usa transpose"
        ),
    },
    "ja": {
        "message": (
            "reshape で {name} を {old} から {new} にしていますが、データは転置されず、サイズの並びが変わるだけです"
        ),
        "why": (
            "サイズ {one} だった軸のサイズが {other} になりますが、{name} の要素は行優先の順のままです。軸を入れ替える"
            "には transpose を使います"
        ),
    },
}
