"""A mean, sum or maximum above the fault that goes over another axis, or keeps the axis that it goes over."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import POINTWISE, RESHAPING, counts_samples, operands, produced, sample_uids
from ...rules.remedy import AlignAxes, Misfit
from ...trace import Event, TensorFact
from ..candidate import Candidate, Case, offered
from ..operands import written

ANSWERS = (Misfit, AlignAxes)
TITLES = {
    "keepdim": {
        "en": "keep the axis, so that each row is combined with its own value: {code}",
        "es": "conservar el eje, para que cada fila se combine con su propio valor: {code}",
        "ja": "軸を残し、各行が自分の値と組になるようにする: {code}",
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
)
SPLITS = frozenset({"chunk", "split"})
PASSING = POINTWISE | RESHAPING | {"linear", "gelu", "silu", "layer_norm", "matmul", "detach"} | SPLITS
FAR = 24


def propose(case: Case) -> Iterator[Candidate]:
    """For each reduction on the way to the operands, the nearest first."""
    if isinstance(case.remedy, AlignAxes) and case.remedy.second:
        yield from _transposed(case)
    yield from _pooled(case)
    samples = sample_uids(case.trace)
    for near, event in enumerate(_reductions(case)):
        given = operands(event)[0]
        if event.op == "getitem":
            yield from _indexed(case, event, given, samples)
            continue
        dim = event.kwargs.get("dim", event.args[1] if len(event.args) > 1 else None)
        source, call = case.at(event.site, cst.Call)
        if call is not None and event.kwargs.get("keepdim"):
            edit = source.argument(call, None, "keepdim", "False")
            yield Candidate("keepdim-not", (edit,), 8 + near, {"code": "keepdim=False"})
        if call is None or not isinstance(dim, (int, tuple)) or event.kwargs.get("keepdim"):
            continue
        yield from offered(
            "keepdim",
            source.argument(call, None, "keepdim", "True") if event.op not in SPLITS else None,
            9 + near,
            {"code": "keepdim=True"},
        )
        if isinstance(dim, tuple):
            continue
        lost = dim % given.rank < len(given.axes) and counts_samples(given.axes[dim % given.rank], samples)
        library = isinstance(call.node.func, cst.Attribute) and getattr(call.node.func.value, "value", "") == "torch"
        if given.rank == 4 and dim % 4 > 1:  # one axis of a map, where both were to go
            edit = source.argument(call, 1 if library else 0, "dim", "(2, 3)")
            yield Candidate("dim", (edit,), 8, {"op": event.op, "dim": "(2, 3)"})
        for axis in range(1, given.rank):
            left = [size for at, size in enumerate(given.shape) if at != axis]
            fits = (
                given.rank > 2
                and left[-1] == case.misfit.wanted
                and ops.is_a(case.misfit.op, "maps", "matmuls", "adds_product")
            )
            if axis != dim % given.rank and (fits or lost or event.op in SPLITS):
                place = library + (event.op in SPLITS)  # `split` and `chunk` are given how many first
                edit = source.argument(call, place, "dim", str(axis))
                yield Candidate("dim", (edit,), 5 + axis - 1, {"op": event.op, "dim": str(axis)})


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


def _indexed(case: Case, event: Event, given: TensorFact, samples: frozenset[int]) -> Iterator[Candidate]:
    """`x[-1]` of `(batch, time)`, which takes one sample: `x[:, -1]`."""
    source, place = case.at(event.site, cst.Subscript)
    element = place.node.slice[0].slice if place is not None and len(place.node.slice) == 1 else None
    if isinstance(element, cst.Index) and isinstance(event.args[1], int) and counts_samples(given.axes[0], samples):
        code = f"{source.text_of(source.place(place.node.value))}[:, {source.code(element).strip()}]"
        yield Candidate("rewrite", (source.replace(place, code),), 4, {"old": source.text_of(place), "new": code})


def _transposed(case: Case) -> Iterator[Candidate]:
    """The second operand of `q @ k`."""
    source, place = case.at(case.site, (cst.Call, cst.BinaryOperation))
    node = place.node if place is not None else None
    second = (
        node.right if isinstance(node, cst.BinaryOperation) else node.args[-1].value if node and node.args else None
    )
    if second is not None:
        edit = source.suffix(source.place(second), ".transpose(-2, -1)")
        yield Candidate("transpose-second", (edit,), 4, {"code": ".transpose(-2, -1)"})
