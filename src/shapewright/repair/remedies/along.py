"""Another axis for the call that made what a layer refuses: tensors joined along the one that the layer counts, an
entry read from another axis, so that the size that the layer takes is left where it reads it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import counts_samples, operands, sample_uids, values_from
from ...rules.remedy import Misfit
from ...trace import Event, TensorFact
from ..candidate import Candidate, Case, offered
from ..source import Place, Source
from .constructor import refused

ANSWERS = (Misfit,)
TITLES = {
    "entry": {
        "en": "read the entry of a different axis: {code}",
        "es": "leer el elemento de otro eje: {code}",
        "ja": "別の軸から要素を取り出す: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For the nearest call that did more than compute each value by itself."""
    axis, wanted = case.misfit.axis, case.misfit.wanted
    for _, given in refused(case) if axis is not None and wanted is not None else ():
        event = values_from(case.trace, given)
        source = case.source(event.site.file) if event is not None and event.site is not None else None
        if event is None or source is None or event.modules[:1] != event.modules[-1:] or not given.rank:
            continue
        if ops.is_a(event.op, "concatenates"):
            yield from _joined(source, event, given, axis % given.rank, wanted)
        elif event.op == "getitem":
            yield from _read(case, source, event, given, axis % given.rank, wanted)


def _joined(source: Source, event: Event, given: TensorFact, axis: int, wanted: int) -> Iterator[Candidate]:
    """The same tensors side by side along the axis that is refused."""
    parts, call = [fact for fact in operands(event) if fact.rank == given.rank], source.at(event.site, cst.Call)
    now, dim = ops.bound(event).get("dim", 0), axis - given.rank if axis == given.rank - 1 else axis
    alike = {(*fact.sizes[:axis], *fact.sizes[axis + 1 :]) for fact in parts}
    if call is None or not isinstance(now, int) or now % given.rank == axis or len(alike) != 1:
        return
    yield from offered(
        "dim",
        source.argument(call, 1, "dim", str(dim)) if sum(fact.sizes[axis] for fact in parts) == wanted else None,
        5,
        {"dim": str(dim), "op": event.op},
    )


def _read(case: Case, source: Source, event: Event, given: TensorFact, axis: int, wanted: int) -> Iterator[Candidate]:
    """One number among whole slices, in the place of another axis."""
    whole = next(iter(operands(event)), None)
    place = source.at(event.site, cst.Subscript)
    now = _entry(source, place) if place is not None else None
    if whole is None or now is None or whole.rank != given.rank + 1 or len(whole.axes) != whole.rank:
        return
    at, text = now[0] % whole.rank, now[1]
    samples = sample_uids(case.trace)
    for other in reversed(range(whole.rank)):
        left = [size for number, size in enumerate(whole.sizes) if number != other]
        if other == at or left[axis] != wanted or counts_samples(whole.axes[other], samples):
            continue
        code = f"{source.atom(source.place(place.node.value))}[{', '.join([':'] * other + [text])}]"
        yield Candidate("entry", (source.replace(place, code),), 6, {"code": code})


def _entry(source: Source, place: Place) -> tuple[int, str] | None:
    """The axis and the text of the only number of a subscript that has whole slices beside it; axes after `...` are
    counted from the end."""
    found, ahead = [], False
    parts = list(place.node.slice)
    for at, part in enumerate(parts):
        text = source.code(part.slice).strip()
        ahead |= text == "..."
        try:
            found.append((at - len(parts) if ahead else at, str(int(text))))
        except ValueError:
            if text not in (":", "..."):
                return None
    return found[0] if len(found) == 1 else None
