"""One sample, without a batch axis, given to a network that reads batches: an axis added where the network is
called."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...graph.flow import operands
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case

ANSWERS = (Misfit,)


def propose(case: Case) -> Iterator[Candidate]:
    """Where a convolution in the failing network read a tensor that has no axis for samples."""
    failure = case.trace.failure
    event = failure.event if failure is not None else None
    if event is None or not event.modules or not case.finding.is_loud:
        return
    inside = [
        e
        for e in case.trace.events
        if e.modules[:1] == event.modules[:1] and e.iteration == event.iteration and e.loop == event.loop
    ]
    lone = [
        e
        for e in inside
        if (found := re.fullmatch(r"conv([123])d", e.op)) and operands(e) and operands(e)[0].rank == int(found[1]) + 1
    ]
    if not lone:
        return
    given = operands(lone[0])[0].shape
    for site in failure.stack:
        source, place = case.at(site, cst.Call)
        if place is None or source.text_of(source.place(place.node.func)).startswith(("torch.", "nn.", "F.")):
            continue
        for argument in place.node.args[:1]:
            if isinstance(argument.value, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)) and _may_hold(
                case, source.text_of(source.place(argument.value)), given
            ):
                yield Candidate(
                    "wrap",
                    (source.suffix(source.place(argument.value), ".unsqueeze(0)"),),
                    6,
                    {"code": ".unsqueeze(0)", "name": source.text_of(source.place(argument.value))},
                )
        return


def _may_hold(case: Case, name: str, shape: tuple[int, ...]) -> bool:
    """Whether a name held a tensor of this shape last, as far as is known."""
    known = [bound for _, own, bound in case.trace.bindings if own == name]
    return not known or shape in known
