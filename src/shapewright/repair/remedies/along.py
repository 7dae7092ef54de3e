"""Another axis for a call on the way to what was refused: tensors joined along the one that a layer counts, or along
another than the one that is too large, a reduction that leaves the size that fits, an entry read from another axis."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import counts_samples, operands, produced, sample_uids, tensors, values_from
from ...graph.imports import library
from ...graph.training import ancestors
from ...rules.remedy import Misfit
from ...trace import Event, TensorFact
from ..candidate import Candidate, Case, offered
from ..deciders import conflicts
from ..source import Place, Source
from .constructor import refused

ANSWERS = (Misfit,)
NEAR = 16  # calls before the refused one that are looked at
TITLES = {
    "entry": {
        "en": "index a different axis: {code}",
        "es": "indexar otro eje: {code}",
        "ja": "別の軸にインデックスを指定する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For the nearest call that did more than compute each value by itself, and for all that made a size that does not
    fit."""
    axis, wanted = case.misfit.axis, case.misfit.wanted
    for _, given in refused(case) if axis is not None and wanted is not None else ():
        event = values_from(case.trace, given)
        source = case.source(event.site.file) if event is not None and event.site is not None else None
        if event is None or source is None or event.modules[:1] != event.modules[-1:] or not given.rank:
            continue
        if ops.is_a(event.op, "concatenates"):
            yield from _joined(source, event, given, axis % given.rank, wanted)
        elif event.op == "getitem":
            yield from _read(source, event, given, axis % given.rank, wanted, sample_uids(case.trace))
    yield from _put_in(case)
    asked = set()
    for fact, at, size in _misfits(case):
        uids = {uid for uid, _ in fact.axes[at].uids}
        for index, event in sorted(ancestors(case.trace, fact, NEAR).items(), reverse=True):
            if (index, at) in asked:
                continue
            asked.add((index, at))
            for dim in _others(event, uids, fact.sizes[at], size):
                yield from _named(case, event, dim)
            made, source = event.result, case.source(event.site.file) if event.site is not None else None
            for place, axis in enumerate(made.axes) if event.op == "getitem" and source is not None else ():
                if {uid for uid, _ in axis.uids} & uids:
                    yield from _read(source, event, made, place, size, frozenset())  # a refused loss tells no samples


def _misfits(case: Case) -> Iterator[tuple[TensorFact, int, int]]:
    """Each axis of an operand that does not fit, with the size that would."""
    if case.event is None or case.failure is None:
        return
    found = [*((fact, axis, size) for fact, axis, size in conflicts(case.failure))]
    axis, wanted = case.misfit.axis, case.misfit.wanted
    if axis is not None and wanted is not None:
        found += [(given, axis % given.rank, wanted) for _, given in refused(case) if given.rank]
    pair = operands(case.event)[:2] if ops.is_a(case.event.op, "matmuls") else []
    for one, other in (pair, pair[::-1]) if len(pair) == 2 and pair[0].rank == pair[1].rank else ():
        found += [(one, at, other.sizes[at]) for at in range(one.rank - 2) if one.sizes[at] != other.sizes[at]]
    yield from (one for one in found if one[1] < len(one[0].axes))


def _put_in(case: Case) -> Iterator[Candidate]:
    """An axis of size one put in at another place, with which an operand would have the shape that is wanted."""
    wanted, now = case.misfit.wanted_shape, case.misfit.state or case.misfit.shape
    given = [*tensors(case.failure.module_args if case.failure else ()), *(operands(case.event) if case.event else ())]
    for fact in {fact.uid: fact for fact in given if wanted and now and fact.sizes == tuple(now)}.values():
        event = produced(case.trace, fact)
        inner = next(iter(operands(event)), None) if event is not None and ops.is_a(event.op, "unsqueezes") else None
        for dim in range(fact.rank) if inner is not None else ():
            if (*inner.sizes[:dim], 1, *inner.sizes[dim:]) == tuple(wanted):
                yield from _named(case, event, dim)


def _others(event: Event, uids: set[int], size: int, wanted: int) -> Iterator[int]:
    """The axes along which a call would have left the size that is wanted, where it made another one."""
    call, made = ops.bound(event), next(tensors(event.result), None)
    given = next(iter(operands(event)), None)
    now = call.get("dim", 0) if call is not None else None
    if not isinstance(now, int) or made is None or given is None or len(made.axes) != made.rank or not made.rank:
        return
    if ops.is_a(event.op, "concatenates") and made.sizes[now] == size and made.axes[now].uids:
        alike = len({part.sizes for part in operands(event)}) == 1
        if alike and given.sizes[now] == wanted and {uid for uid, _ in made.axes[now].uids} & uids:
            yield from (dim for dim in reversed(range(made.rank)) if dim != now % made.rank)
    elif ops.is_a(event.op, "totals", "chooses") and len(given.axes) == given.rank and -given.rank <= now < given.rank:
        for dim, axis in enumerate(given.axes):
            if dim != now % given.rank and given.sizes[now] in (1, wanted) and {uid for uid, _ in axis.uids} & uids:
                yield dim


def _named(case: Case, event: Event, dim: int) -> Iterator[Candidate]:
    """The call with another axis."""
    for source, call in case.found(event.site, cst.Call):
        entry, func = ops.find(source.called(call)), call.node.func
        if entry is not None and entry.name == event.op and entry.dims and isinstance(func, cst.Attribute):
            free = bool(library(source.text, source.code(func)))
            rank = max((fact.rank for fact in operands(event)), default=0)
            text = str(dim - rank if dim == rank - 1 else dim)
            edit = source.argument(call, entry.parameters.index(entry.dims) - (not free), entry.dims, text)
            yield from offered("dim", edit, 7, {"dim": text, "op": event.op})


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


def _read(
    source: Source, event: Event, given: TensorFact, axis: int, wanted: int, samples: frozenset[int]
) -> Iterator[Candidate]:
    """One number among whole slices, in the place of another axis."""
    whole = next(iter(operands(event)), None)
    place = source.at(event.site, cst.Subscript)
    now = _entry(source, place) if place is not None else None
    if whole is None or now is None or whole.rank != given.rank + 1 or len(whole.axes) != whole.rank:
        return
    at, text = now[0] % whole.rank, now[1]
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
