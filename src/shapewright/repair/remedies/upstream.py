"""Axes put in order before a call that changed their sizes, as padding does: what the refusing layer is given has its
size on no axis any more, and what that was made from has it on another one."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..joined import laid_down, turned_before
from ..operands import expressions
from .constructor import refused

ANSWERS = (Misfit,)


def propose(case: Case) -> Iterator[Candidate]:
    """By what was refused: a layer's input, or the first state that it was given beside it."""
    yield from _features(case)
    yield from _rows(case)


def _rows(case: Case) -> Iterator[Candidate]:
    """A table of samples whose steps are taken one after another, where the layer was given so many samples as the
    table has along its other axis: turned where it is made."""
    state, expected = case.misfit.state or (), case.misfit.wanted_shape or ()
    if case.misfit.layout or not len(state) == len(expected) == 3 or (state[0], state[2]) != (expected[0], expected[2]):
        return
    for module, given in refused(case):
        batch = 0 if module.config.get("batch_first") else 1
        if given.rank != 3 or len(given.axes) != 3 or given.sizes[batch] != expected[1]:
            continue
        for made, _, _ in laid_down(case.trace, given, batch, state[1]):
            for source, call in case.found(made.site, cst.Call):
                code = ".t()"
                fields = {"code": code, "name": source.text_of(call)}
                yield Candidate("wrap", (source.suffix(call, code),), 5, fields)


def _features(case: Case) -> Iterator[Candidate]:
    """At the expression that the call was given, and where its name is bound."""
    axis, wanted = case.misfit.axis, case.misfit.wanted
    for _, given in refused(case) if axis is not None and wanted is not None else ():
        if not -given.rank <= axis < given.rank or wanted in given.sizes or len(given.axes) != given.rank:
            continue
        for event, _, other in turned_before(case.trace, given, axis % given.rank, wanted):
            joins = ops.is_a(event.op, "joins")  # several were put together, of which one alone cannot be turned
            for source, call in case.found(event.site if not joins else None, cst.Call):
                node = next(expressions(call.node), None)
                bound = source.binding(node.value, call.line) if isinstance(node, cst.Name) else None
                code = ".transpose({}, {})".format(*sorted((axis % given.rank, other)))
                named = bound if bound is not None and not isinstance(bound.node, cst.Tuple) else None
                for place, rank in ((named, 6), (source.place(node) if node is not None else None, 7)):
                    if place is not None:
                        fields = {"code": code, "name": source.text_of(place)}
                        yield Candidate("wrap", (source.suffix(place, code),), rank, fields)
