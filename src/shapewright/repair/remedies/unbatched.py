"""One sample, without a batch axis, given to a network that reads batches: an axis added where the network is
called."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import libcst as cst

from ...graph.flow import operands
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case

ANSWERS = (Misfit,)


def propose(case: Case) -> Iterator[Candidate]:
    """Where a convolution in the failing network read a tensor that has no axis for samples."""
    failure, event = case.failure, case.failure.event
    if event is None or not event.modules:
        return
    run = (event.modules[0], event.iteration, event.loop)
    inside = [e for e in case.trace.events if e.modules and (e.modules[0], e.iteration, e.loop) == run and operands(e)]
    lone = [e for e in inside if (n := re.fullmatch(r"conv([123])d", e.op)) and operands(e)[0].rank == int(n[1]) + 1]
    calls = (pair for site in failure.stack for pair in case.found(site if lone else None, cst.Call))
    outer = ((s, p) for s, p in calls if not s.text_of(s.place(p.node.func)).startswith(("torch.", "nn.", "F.")))
    for source, place in itertools.islice(outer, 1):
        for given in (source.place(argument.value) for argument in place.node.args[:1]):
            text, plain = (
                source.text_of(given),
                isinstance(given.node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)),
            )
            if plain and _may_hold(case, text, operands(lone[0])[0].shape):
                edit = source.suffix(given, ".unsqueeze(0)")
                yield Candidate("wrap", (edit,), 6, {"code": ".unsqueeze(0)", "name": text})


def _may_hold(case: Case, name: str, shape: tuple[int, ...]) -> bool:
    """Whether a name held a tensor of this shape last, as far as is known."""
    known = [bound for _, own, bound in case.trace.bindings if own == name]
    return not known or shape in known
