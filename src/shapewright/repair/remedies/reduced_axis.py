"""A mean or sum over the axis that the next layer reads, where another axis was to go."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...graph.flow import operands, produced
from ...rules.remedy import Misfit
from ...trace import TensorFact
from ..candidate import Candidate, Case

REDUCES = ("mean", "sum", "amax", "amin", "max", "min", "median", "logsumexp", "std", "var")
PASSING = ("relu", "tanh", "sigmoid", "gelu", "dropout", "div", "mul")


ANSWERS = (Misfit,)
TITLES = {
    "keepdim": {
        "en": "keep the axis, so that each row is combined with its own value: {code}",
        "es": "conservar el eje, para que cada fila se combine con su propio valor: {code}",
        "ja": "軸を残し、各行が自分の値と組になるようにする: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For a layer of a width that another axis of the reduced tensor has."""
    failure, wanted = case.trace.failure, case.misfit.wanted
    if (
        failure is None
        or failure.event is None
        or not case.finding.code.startswith("SW1")
        or failure.event.op not in ("linear", "matmul", "addmm")
        or not isinstance(wanted, int)
    ):
        return
    fact = next(iter(operands(failure.event)), None)
    event = produced(case.trace, fact) if fact is not None else None
    while event is not None and event.op in PASSING and operands(event):
        event = produced(case.trace, operands(event)[0])
    given = next(iter(operands(event)), None) if event is not None and event.op in REDUCES else None
    if given is None or event.site is None or not isinstance(event.result, (TensorFact, tuple)):
        return
    now = event.kwargs.get("dim", event.args[1] if len(event.args) > 1 else None)
    source = case.source(event.site.file)
    place = source.at(event.site, cst.Call) if source is not None else None
    if not isinstance(now, int) or place is None or given.rank < 3 or event.kwargs.get("keepdim"):
        return
    for axis in range(1, given.rank):
        left = [n for at, n in enumerate(given.shape) if at != axis]
        if axis != now % given.rank and left[-1] == wanted:
            function = (
                isinstance(place.node.func, cst.Attribute)
                and isinstance(place.node.func.value, cst.Name)
                and place.node.func.value.value == "torch"
            )
            edit = source.argument(place, 1 if function else 0, "dim", str(axis))
            if edit is not None:
                yield Candidate("dim", (edit,), 5, {"op": event.op, "dim": str(axis)})
