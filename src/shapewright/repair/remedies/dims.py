"""Another axis for `softmax`, `argmax`, `mean`, `cat` and their like, in the call or in the module's constructor."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...diagnosis.model import Edit
from ...graph.flow import argument, forward
from ...graph.imports import library
from ...rules.remedy import AlignAxes, Misfit, SetDim
from ...trace import TensorFact
from ..candidate import Candidate, Case, offered
from ..source import Place, Source

ALONG = ops.named("competes", "reduces", "joins", "points", "adds_rows")  # operators whose `dim` may be another one


ANSWERS = (AlignAxes, Misfit, SetDim)
TITLES = {
    "dim": {
        "en": "apply {op} over axis {dim}",
        "es": "aplicar {op} sobre el eje {dim}",
        "ja": "{op} を軸 {dim} に沿って計算する",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Every other axis of the operand; the one that is summed next comes first."""
    event = case.event
    first = event.args[0] if event is not None and event.args else None
    fact = first[0] if isinstance(first, tuple) and first else first
    if not isinstance(fact, TensorFact) or fact.rank < 1:
        return
    remedy, misfit = case.remedy, case.misfit
    now = remedy.dim if isinstance(remedy, SetDim) else misfit.axis if misfit.dim is None else misfit.dim
    want = remedy.want if isinstance(remedy, SetDim) else None
    preferred = want if want is not None else _summed_next(case, event)
    if preferred is None and ops.is_a(event.op, "concatenates") and misfit.axis is not None:
        preferred = misfit.axis % fact.rank  # the one axis along which sizes may differ
    for source, call in _calls(case):
        name = source.called(call)
        layer = ops.layer(name)
        entry = ops.find(layer.op if layer is not None else name)
        beyond = fact.shape == misfit.shape and now is not None and not -fact.rank <= now < fact.rank
        if entry is None or not entry.dims or not (entry.name in ALONG or beyond):
            continue
        if preferred is None and ops.is_a(name, "accumulates") and fact.rank == 3:
            preferred = 1  # what runs on from step to step
        made, func = name[:1].isupper(), call.node.func
        method = isinstance(func, cst.Attribute) and not library(source.text, source.text_of(source.place(func)))
        position = 0 if made else entry.parameters.index(entry.dims) - method
        alone = [dim for dim in range(fact.rank) if fact.shape[dim] < 2 and ops.is_a(event.op, "softmaxes")]
        axes = fact.rank + ops.is_a(name, "stacks", "unsqueezes")
        for dim in (dim for dim in range(name == "gather", axes) if dim != now and dim not in alone):
            last = dim == axes - 1
            text, rank = str(dim - axes if last and dim else dim), 5 if dim == preferred else 11 if last else 13
            fields = {"dim": text, "op": name}
            edit = source.argument(call, position, entry.dims, text)
            yield from offered("dim", edit, rank, fields)
            edits = _alike(source, call, name, position, now, text) if edit and last and not made else ()
            if len(edits) > 1:
                yield Candidate("dim", edits, rank + 1, fields)


def _alike(source: Source, call: Place, name: str, position: int, now: int | None, spelled: str) -> tuple[Edit, ...]:
    """The same edit in every call of that name in the function that names the same axis."""
    scope, edits = source.scope(call.line), []
    for place in source.within(scope, cst.Call) if scope is not None else ():
        func, dim = place.node.func, source.given(place, position, "dim")
        named = isinstance(func, cst.Attribute) and func.attr.value == name
        if named and dim is not None and source.code(dim).strip() == str(now):
            edits.append(source.argument(place, position, "dim", spelled))
    return tuple(edit for edit in edits if edit is not None)


def _calls(case: Case) -> Iterator[tuple[Source, Place]]:
    """The constructor of the layer of torch's that the finding's call runs, else that call itself."""
    found = case.module_call(case.remedy.module if isinstance(case.remedy, SetDim) else case.misfit.module)
    made = [found] if found is not None else []
    if found is None or ops.layer(found[0].called(found[1])) is None:
        for source, call in case.found(case.site, cst.Call):
            made_here = isinstance(call.node.func, cst.Call)  # `nn.Softmax(dim=0)(x)`
            yield source, source.place(call.node.func) if made_here else call
    yield from made


def _summed_next(case: Case, event) -> int | None:
    """The axis over which the result is summed a few operators on, as weights are."""
    for user in forward(case.trace, event, ops.named("drops", "multiplies", "unsqueezes"), 12):
        dim = argument(user, 1, "dim") if ops.is_a(user.op, "totals") else None
        if isinstance(dim, int):
            return dim % user.args[0].rank
    return None
