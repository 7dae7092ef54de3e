"""A mean, sum or maximum above the fault that goes over another axis, or keeps the axis that it goes over."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import POINTWISE, RESHAPING, counts_samples, operands, produced, sample_uids
from ...graph.training import ancestors
from ...rules.remedy import AlignAxes, Misfit
from ...trace import Event, TensorFact
from ..candidate import Candidate, Case, offered
from ..declared import at
from ..operands import expressions, written
from ..source import Place, Source

ANSWERS = (Misfit, AlignAxes)
TITLES = {
    "count": {
        "en": "count the values that are true: {code}",
        "es": "contar los valores verdaderos: {code}",
        "ja": "真である値を数える: {code}",
    },
    "densities": {
        "en": "add up the log-densities of the parts of each sample: {code}",
        "es": "sumar las log-densidades de las partes de cada muestra: {code}",
        "ja": "各サンプルの要素ごとの対数密度を合計する: {code}",
    },
    "keepdim": {
        "en": "keep the reduced axis with size 1, so that each row is combined with its own value: {code}",
        "es": "conservar el eje reducido con tamaño 1, para que cada fila se combine con su propio valor: {code}",
        "ja": "縮約した軸をサイズ 1 で残し、各行がその行の値と組み合わされるようにする: {code}",
    },
    "keepdim-not": {
        "en": "do not keep the reduced axis: {code}",
        "es": "no conservar el eje reducido: {code}",
        "ja": "縮約した軸を残さない: {code}",
    },
    "transpose-second": {
        "en": "transpose the second operand: {code}",
        "es": "transponer el segundo operando: {code}",
        "ja": "2 つ目のオペランドを転置する: {code}",
    },
}
REDUCES = frozenset(
    {"mean", "sum", "amax", "amin", "max", "min", "median", "logsumexp", "std", "var", "norm", "argmax", "argmin"}
) | ops.named("ranks")
SPLITS = frozenset({"chunk", "split"})
PASSING = POINTWISE | RESHAPING | {"linear", "gelu", "silu", "layer_norm", "matmul", "detach"} | SPLITS
FAR = 24


def propose(case: Case) -> Iterator[Candidate]:
    """For each reduction on the way to the operands, the nearest first."""
    if isinstance(case.remedy, AlignAxes) and case.remedy.second:
        yield from _transposed(case)
    yield from _pooled(case)
    yield from _densities(case)
    yield from _counted(case)
    samples = sample_uids(case.trace)
    for near, event in enumerate(_reductions(case)):
        indexes = event.op == "getitem"
        for source, place in case.found(event.site, cst.Subscript if indexes else cst.Call):
            if indexes:
                yield from _indexed(source, place, event, samples)
            elif event.kwargs.get("keepdim"):
                edit = source.argument(place, None, "keepdim", "False")
                yield Candidate("keepdim-not", (edit,), 8 + near, {"code": "keepdim=False"})
            else:
                yield from _along(case, source, place, event, near, samples)


def _counted(case: Case) -> Iterator[Candidate]:
    """Truth values of which one number is read: how many are true."""
    event = case.event
    asked = operands(event)[:1] if event is not None and event.op == "item" else []
    for source, call in case.found(event.site, cst.Call, method=True) if [f.dtype for f in asked] == ["bool"] else ():
        edit = source.suffix(source.place(call.node.func.value), ".sum()")
        yield Candidate("count", (edit,), 4, {"code": ".sum()"}, doubt="guessed")  # their share may be meant


def _densities(case: Case) -> Iterator[Candidate]:
    """The logarithms of the densities of the parts of a sample added up, where they meet one number per sample."""
    sides = operands(case.event) if case.event is not None and ops.is_a(case.event.op, "elementwise") else []
    for one, other in (sides, sides[::-1]) if len(sides) == 2 else ():
        more = one.rank == other.rank + 1 > 1 and one.sizes[:-1] == other.sizes
        sites = [event.site for _, event in sorted(ancestors(case.trace, one, FAR).items()) if not event.modules]
        for _, source, statement in case.simple(sites) if more else ():
            for call in source.methods(statement, "log_prob"):
                edit = source.suffix(call, ".sum(dim=-1)")
                yield Candidate("densities", (edit,), 5, {"code": ".sum(dim=-1)", "name": source.text_of(call)})


def _along(
    case: Case, source: Source, call: Place, event: Event, near: int, samples: frozenset[int]
) -> Iterator[Candidate]:
    """The axis that goes kept, or another one in its place."""
    given, parts = operands(event)[0], event.op in SPLITS
    dim = event.kwargs.get("dim", event.args[1] if len(event.args) > 1 else None)
    if ops.is_a(event.op, "chooses_index") and ops.is_a(case.misfit.op, "compares"):
        for other in written(case):  # the other side has a column for each index
            if isinstance(dim, int) and other.fact.shape == given.shape:
                code = f".argmax(dim={dim})"
                edit = other.source.suffix(other.place, code)
                yield Candidate("wrap", (edit,), 8, {"code": code, "name": other.text})
    func = call.node.func
    free = isinstance(func, cst.Attribute) and getattr(func.value, "value", "") == "torch"
    beside = _beside(case, event)
    for other in beside:
        if other.site.line == event.site.line:  # what one statement does to two tensors is one thing
            text = str(other.kwargs.get("dim", other.args[1] if len(other.args) > 1 else 0))
            edit = source.argument(call, int(free), "dim", text)
            yield from offered("dim", edit, 8, {"op": event.op, "dim": text})
    if isinstance(dim, (int, tuple)) and not parts:
        edit = source.argument(call, None, "keepdim", "True")
        yield from offered("keepdim", edit, 9 + near, {"code": "keepdim=True"}, "guessed" if beside else "")
    if not isinstance(dim, int):
        return
    own = dim % given.rank
    lost = own < len(given.axes) and counts_samples(given.axes[own], samples)
    meant = given.rank > 2 and ops.is_a(case.misfit.op, "maps", "matmuls", "adds_product")
    if given.rank == 4 and own > 1:  # one axis of a map, where both were to go
        edit = source.argument(call, int(free), "dim", "(2, 3)")
        yield Candidate("dim", (edit,), 8, {"op": event.op, "dim": "(2, 3)"})
    for axis in (axis for axis in range(1, given.rank) if axis != own):
        fits = meant and [size for at, size in enumerate(given.sizes) if at != axis][-1] == case.misfit.wanted
        edit = source.argument(call, free + parts, "dim", str(axis))  # `split` and `chunk` are given how many first
        if fits or lost or parts:
            yield Candidate("dim", (edit,), 4 + axis, {"op": event.op, "dim": str(axis)})


def _beside(case: Case, event: Event) -> list[Event]:
    """The same reduction of other tables of this shape in the same function along their other axis: which of the two
    is meant here, only the statement that they share says. Of a table alone, and where the script runs as it is."""
    given, call = operands(event)[0], ops.bound(event)
    dim = call.get("dim") if call is not None else None
    if case.failure is not None or given.rank != 2 or not isinstance(dim, int):
        return []
    found = {}
    for other in case.trace.events:
        fact, at = next(iter(operands(other)), None), other.site
        if other.op != event.op or fact is None or fact.sizes != given.sizes or at is None or at == event.site:
            continue
        along = (ops.bound(other) or {}).get("dim")
        if at.function == event.site.function and isinstance(along, int) and along % 2 != dim % 2:
            found.setdefault(at, other)
    return list(found.values())


def _pooled(case: Case) -> Iterator[Candidate]:
    """Maps, or steps, given to a layer that takes their channels: the mean over each of them."""
    found = written(case) if ops.is_a(case.misfit.op, "maps") else []
    shape = found[0].fact.shape if found else None
    if shape is None or len(shape) < 3 or shape[1] != case.misfit.wanted or shape[-1] == shape[1]:
        return
    code = f".mean(dim=({', '.join(map(str, range(2, len(shape))))}))" if len(shape) > 3 else ".mean(dim=2)"
    edit = found[0].source.suffix(found[0].place, code)
    yield Candidate("wrap", (edit,), 12 if len(shape) > 3 else 22, {"code": code, "name": found[0].text})


def _reductions(case: Case) -> Iterator[Event]:
    """The reductions that the operands came through, by way of what keeps the other axes."""
    queue: list[TensorFact] = operands(case.event) if case.event is not None else []
    seen: set[int] = set()
    while queue and len(seen) < FAR:
        event = produced(case.trace, queue.pop(0))
        if event is None or event.index in seen:
            continue
        seen.add(event.index)
        if (
            event.op in REDUCES | SPLITS | {"getitem"}
            and operands(event)
            and event.site
            and operands(event)[0].rank > 1
        ):
            yield event
        if event.op not in REDUCES and event.op.rstrip("_") in PASSING:
            queue += operands(event)


def _indexed(source: Source, place: Place, event: Event, samples: frozenset[int]) -> Iterator[Candidate]:
    """`x[-1]` of `(batch, time)`, which takes one sample: `x[:, -1]`."""
    element, axes = place.node.slice[0].slice, operands(event)[0].axes
    counted = bool(axes) and counts_samples(axes[0], samples)
    alone = len(place.node.slice) == 1 and isinstance(element, cst.Index) and isinstance(event.args[1], int)
    if alone and counted:
        code = f"{source.text_of(source.place(place.node.value))}[:, {source.code(element).strip()}]"
        yield Candidate("rewrite", (source.replace(place, code),), 4, {"old": source.text_of(place), "new": code})


@at((cst.Call, cst.BinaryOperation))
def _transposed(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """The second operand of `q @ k`."""
    for node in list(expressions(place.node))[-1:]:
        edit = source.suffix(source.place(node), ".transpose(-2, -1)")
        yield Candidate("transpose-second", (edit,), 4, {"code": ".transpose(-2, -1)"})
