"""The parts of an axis that was split are put together in the order in which they were split."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands
from ...trace import Site, TensorFact, Trace
from .change import Change

TEXTS = {
    "parts": {
        "en": "the parts of the axis that line {line} splits are put together in another order",
        "es": "las partes del eje que divide la línea {line} se unen en otro orden",
        "ja": "{line} 行目で分けた軸の各部が、別の順序でまとめられます",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the views on the lines that the edits wrote."""
    part_of = dict(_parts(change.after))
    for event in change.after.events:
        made, site = event.result, event.site
        if not ops.is_a(event.op, "views") or site is None or not isinstance(made, TensorFact):
            continue
        if site.line not in change.lines.get(site.file, ([], []))[1]:
            continue
        for axis in made.axes:
            known = [part_of[uid] for uid, size in axis.uids if size > 1 and uid in part_of]
            for (one, first), (other, second) in itertools.pairwise(known):
                if one == other and first > second:
                    yield "parts", {"line": one.line}


def _parts(trace: Trace) -> Iterator[tuple[int, tuple[Site, int]]]:
    """By the identity of an axis that a view made of a part of another one: the place of the view, and which part."""
    for event in trace.events:
        given, made = next(iter(operands(event)), None), event.result
        if not ops.is_a(event.op, "views") or event.site is None or given is None or not isinstance(made, TensorFact):
            continue
        known = {uid for axis in given.axes for uid, _ in axis.uids}
        new = [(at, axis.uids[0][0]) for at, axis in enumerate(made.axes) if len(axis.uids) == 1]
        for at, uid in new:
            if uid not in known:
                yield uid, (event.site, at)
