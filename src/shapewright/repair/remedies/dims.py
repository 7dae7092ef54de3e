"""Another axis for `softmax`, `argmax`, `mean`, `cat` and their like, in the call or in the module's constructor."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import argument, forward
from ...graph.imports import library
from ...rules.remedy import AlignAxes, Misfit, SetDim
from ...trace import TensorFact
from ..candidate import Candidate, Case

POSITION = {"normalize": 2, "cosine_similarity": 2, "cat": 1, "stack": 1, "norm": 2}
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
    fact = event.args[0] if event is not None and event.args else None
    if isinstance(fact, tuple) and fact:
        fact = fact[0]
    if not isinstance(fact, TensorFact) or fact.rank < 1:
        return
    remedy, misfit = case.remedy, case.misfit
    now = remedy.dim if isinstance(remedy, SetDim) else misfit.axis if misfit.dim is None else misfit.dim
    want = remedy.want if isinstance(remedy, SetDim) else None
    preferred = want if want is not None else _summed_next(case, event)
    for source, call in _calls(case):
        func = call.node.func
        name = func.attr.value if isinstance(func, cst.Attribute) else func.value if isinstance(func, cst.Name) else ""
        layer = ops.layer(name)
        entry = ops.find(layer.op if layer is not None else name)
        if entry is None or not entry.dims or entry.name not in ALONG:
            continue
        if preferred is None and ops.is_a(name, "accumulates") and fact.rank == 3:
            preferred = 1  # what runs on from step to step
        method = (
            isinstance(func, cst.Attribute)
            and not library(source.text, source.text_of(source.place(func)))
            and not name[0].isupper()
        )
        position = 0 if name[0].isupper() else POSITION.get(name, 1) - (1 if method else 0)
        for dim in range(fact.rank):
            if dim == now or (fact.shape[dim] < 2 and ops.is_a(event.op, "softmaxes")):
                continue
            if name == "gather" and dim == 0:
                continue
            spelled = dim - fact.rank if dim == fact.rank - 1 and dim else dim
            edit = source.argument(call, position, "dim", str(spelled))
            if edit is not None:
                last = dim == fact.rank - 1
                yield Candidate(
                    "dim", (edit,), 5 if dim == preferred else 11 if last else 13, {"dim": str(spelled), "op": name}
                )
                edits = (
                    _alike(source, call, name, position, now, str(spelled)) if last and not name[0].isupper() else ()
                )
                if len(edits) > 1:
                    yield Candidate("dim", edits, 6 if dim == preferred else 12, {"dim": str(spelled), "op": name})


def _alike(source, call, name: str, position: int, now: int | None, spelled: str) -> tuple:
    """The same edit in every call of that name in the function that names the same axis."""
    scope = source.scope(call.line)
    edits = []
    for place in source.within(scope, cst.Call) if scope is not None else ():
        func = place.node.func
        dim = source.given(place, position, "dim")
        if (
            isinstance(func, cst.Attribute)
            and func.attr.value == name
            and dim is not None
            and source.code(dim).strip() == str(now)
        ):
            edit = source.argument(place, position, "dim", spelled)
            edits += [edit] if edit is not None else []
    return tuple(edits)


def _calls(case: Case):
    """The constructor of the layer of torch's that the finding's call runs, else that call itself."""
    remedy = case.remedy
    found = case.module_call(remedy.module if isinstance(remedy, SetDim) else case.misfit.module)
    if found is not None and ops.layer(found[0].called(found[1])) is not None:
        yield found
        return
    source, place = case.at(case.site, cst.Call)
    if place is not None:
        yield source, place
    if found is not None:
        yield found


def _summed_next(case: Case, event) -> int | None:
    """The axis over which the result is summed a few operators on, as weights are."""
    for user in forward(case.trace, event, ops.named("drops", "multiplies", "unsqueezes"), 12):
        dim = argument(user, 1, "dim") if ops.is_a(user.op, "totals") else None
        if isinstance(dim, int):
            return dim % user.args[0].rank
    return None
