"""What a derivative of the script's own lacks: a graph of its own, where it is differentiated again, or an input that
asks for gradients."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands, produced, tensors
from ...graph.imports import library
from ...rules.remedy import Misfit
from ...trace import Event
from ..candidate import Candidate, Case, offered

ANSWERS = (Misfit,)
TITLES = {
    "asks-gradient": {
        "en": "let {name} require gradients: {code}",
        "es": "hacer que {name} requiera gradientes: {code}",
        "ja": "{name} に勾配を計算させる: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For a derivative that cannot be computed: a graph for each one before it, gradients for what it is taken by."""
    event = case.event
    if event is None or not ops.is_a(event.op, "differentiates"):
        return
    yield from _kept_graphs(case)
    if not event.op.endswith("grad") or len(event.args) < 2:
        return
    for fact in tensors(event.args[1]):
        maker = produced(case.trace, fact) if not fact.requires_grad else None
        yield from _asked(case, maker) if maker is not None else ()


def _kept_graphs(case: Case) -> Iterator[Candidate]:
    """`create_graph=True` for each derivative that the script takes without it."""
    for source, call in case.calls("grad"):
        free = bool(library(source.text, source.code(call.node.func)))
        if free and source.given(call, None, "create_graph") is None:
            edit = source.argument(call, None, "create_graph", "True")
            yield from offered("flag", edit, 4, {"code": "create_graph=True"})


def _asked(case: Case, maker: Event) -> Iterator[Candidate]:
    """`requires_grad=True` where a tensor is made of nothing, `.requires_grad_()` where it is read from another."""
    for source, call in case.found(maker.site, cst.Call) if not operands(maker) else ():
        name = source.text_of(call)
        if library(source.text, source.code(call.node.func)):
            edit = source.argument(call, None, "requires_grad", "True")
            yield from offered("asks-gradient", edit, 4, {"name": name, "code": "requires_grad=True"})
            return
    for source, place in case.found(maker.site):
        edit = source.suffix(place, ".requires_grad_()")
        fields = {"name": source.text_of(place), "code": ".requires_grad_()"}
        yield Candidate("asks-gradient", (edit,), 6, fields)
