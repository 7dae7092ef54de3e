"""The parts of an axis that was split are put together in the order in which they were split, and no move of the
author's is taken back by another one, or repairs a view whose sizes cut axes apart; a picture is not turned on its
side."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands, produced
from ...graph.splits import parts
from ...graph.training import ancestors
from ...rules.remedy import Misfit
from ...trace import Event, TensorFact
from .change import Change

TEXTS = {
    "parts": {
        "en": "line {line} splits an axis into parts, and this edit joins the parts in a different order",
        "es": "la línea {line} divide un eje en partes, y este cambio une las partes en otro orden",
        "ja": "{line} 行目で分割した軸の各部分が、この修正では別の順序でまとめられます",
    },
    "undone": {
        "en": (
            "this edit undoes the permutation of axes on line {line}; perhaps the inverse permutation is missing "
            "elsewhere"
        ),
        "es": (
            "este cambio deshace la permutación de ejes de la línea {line}; quizá falte la permutación inversa en "
            "otro sitio"
        ),
        "ja": "この修正は {line} 行目の軸の並べ替えを打ち消します。逆の並べ替えが別の場所で抜けているのかもしれません",
    },
    "put-back": {
        "en": "this edit puts back the axis that line {line} removes; perhaps the other operand has an axis too many",
        "es": "este cambio vuelve a poner el eje que quita la línea {line}; quizá al otro operando le sobre un eje",
        "ja": "この修正は {line} 行目で取り除いた軸を元に戻します。もう一方のオペランドの軸が余分なのかもしれません",
    },
    "mirrored": {
        "en": "rows and columns are swapped: the values of each position then belong to a different position",
        "es": "se intercambian filas y columnas: así, los valores de cada posición pasan a otra posición",
        "ja": "行と列が入れ替わり、各位置の値が別の位置の値になります",
    },
    "mixed": {
        "en": "the view on line {line} merges part of one axis with another axis; perhaps the sizes of the view are "
        "wrong instead",
        "es": "el view de la línea {line} une parte de un eje con otro eje; quizá lo incorrecto sean los tamaños del "
        "view",
        "ja": "{line} 行目の view は、ある軸の一部を別の軸とまとめています。誤りは view のサイズのほうかもしれません",
    },
}
NEAR = 12  # calls before an edited one whose views are looked at


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the views and the moves on the lines that the edits wrote."""
    misfit = change.finding.facts.remedy
    for event in change.events():
        given, made = next(iter(operands(event)), None), event.result
        turned = produced(change.after, given) if given is not None and ops.is_a(event.op, "turns") else None
        if turned is not None and ops.is_a(turned.op, "turns") and turned.site is not None:
            began = next(iter(operands(turned)), None)
            if began is not None and isinstance(made, TensorFact) and began.rank > 1 and _axes(began) == _axes(made):
                yield "undone", {"line": turned.site.line}
        thinned = produced(change.after, given) if given is not None and ops.is_a(event.op, "unsqueezes") else None
        if thinned is not None and ops.is_a(thinned.op, "squeezes") and thinned.site is not None:
            if change.finding.is_loud and operands(thinned)[0].sizes == getattr(made, "sizes", ()):
                yield "put-back", {"line": thinned.site.line}
        if ops.is_a(event.op, "turns") and isinstance(made, TensorFact) and given is not None:
            if isinstance(misfit, Misfit) and ops.is_a(misfit.op, "convolves") and _mirrored(given, made):
                yield "mirrored", {}
        past = ancestors(change.after, given, NEAR).values() if given is not None else ()
        for view in past if ops.is_a(event.op, "turns", "views") and not change.finding.is_loud else ():
            if ops.is_a(view.op, "views") and view.site is not None and _mixes(view):
                yield "mixed", {"line": view.site.line}
    part_of = dict(parts(change.after))
    for event in change.after.events:
        made, site = event.result, event.site
        if not ops.is_a(event.op, "views") or site is None or not isinstance(made, TensorFact):
            continue
        if not change.wrote(site):
            continue
        for axis in made.axes:
            known = [part_of[uid] for uid, size in axis.uids if size > 1 and uid in part_of]
            for (one, first), (other, second) in itertools.pairwise(known):
                if one == other and first > second:
                    yield "parts", {"line": one.line}


def _mirrored(given: TensorFact, made: TensorFact) -> bool:
    """Whether the axes behind the channels are in another order than they were."""
    order = [_axes(given).index(axis) for axis in _axes(made)[2:] if axis in _axes(given)]
    return len(order) == made.rank - 2 and order != sorted(order)


def _mixes(view: Event) -> bool:
    """Whether a view joins a part of an axis that it splits with a whole one."""
    given, made = next(iter(operands(view)), None), view.result
    if given is None or not isinstance(made, TensorFact):
        return False
    known = {uid for axis in given.axes for uid, _ in axis.uids}
    joined = [[uid in known for uid, size in axis.uids if size > 1] for axis in made.axes]
    return any(True in whole and False in whole for whole in joined)


def _axes(fact: TensorFact) -> list[tuple]:
    return [axis.uids for axis in fact.axes]
