"""Another axis for a call on the way to what was refused: tensors joined along the one that a layer counts, or along
another than the one that is too large, a reduction that leaves the size that fits, an entry read from another axis."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...diagnosis.model import Edit
from ...graph.flow import counts_samples, operands, produced, sample_uids, tensors, values_from
from ...graph.imports import library
from ...graph.training import ancestors
from ...rules.remedy import Misfit
from ...trace import Event, TensorFact
from ..candidate import Candidate, Case, offered
from ..deciders import conflicts, of_parts
from ..source import Place, Source
from .constructor import refused

ANSWERS = (Misfit,)
NEAR, CLOSE = 40, 12  # calls before the refused one that are looked at, and whose every other axis is proposed
AXES = ops.named("turns", "totals", "spreads", "flattens", "squeezes", "unsqueezes", "joins", "competes", "chooses")
AXES |= ops.named("chooses_index", "repeats")
# where none is named: all axes, or the first
UNTOLD = ("totals", "spreads", "joins", "chooses", "chooses_index", "repeats")
# ranks: of another axis for a call that does nothing, for one that moves what comes first elsewhere away from the first
# place, that names none, nearby, farther off
IDLE, ASTRAY, ADDED, NEXT, LAST = 6, 8, 12, 14, 26
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
        if event is None or source is None or not given.rank:
            continue
        if event.op == "getitem":
            yield from _read(source, event, given, axis % given.rank, wanted, sample_uids(case.trace))
    yield from _put_in(case)
    yield from _stacked(case)
    yield from _one_axis_less(case)
    yield from _one_axis_more(case)
    yield from _turned_apart(case)
    yield from _added(case)
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
    if case.event is None or not ops.is_a(case.event.op, "differentiates"):
        yield from other_axes(case, inside=True)


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
    for fact, at, size in found:
        event = values_from(case.trace, fact) if at < len(fact.axes) else None
        if event is not None and ops.is_a(event.op, "concatenates"):  # each part, as it would fit beside the others
            parts = [part for part in operands(event) if len(part.axes) == fact.rank]
            if len(parts) > 1 and sum(part.sizes[at] for part in parts) == fact.sizes[at]:
                found += [(part, at, fitting) for part, fitting in of_parts(parts, at, fact.sizes[at], size)]
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


def _added(case: Case) -> Iterator[Candidate]:
    """The axis of size one of what a convolution refuses, put in at another place where the script put it in."""
    given = operands(case.event)[:1] if case.event is not None and ops.is_a(case.event.op, "convolves") else []
    swap = case.misfit.swap_with
    order = [axis.uids for axis in given[0].axes[1:]] if given and swap is not None else []
    for event in case.trace.events if order and given[0].sizes[swap] == 1 else ():
        made = next(tensors(event.result), None) if ops.is_a(event.op, "unsqueezes") and not event.modules else None
        if made is not None and made.rank == given[0].rank and [axis.uids for axis in made.axes[1:]] == order:
            yield from _named(case, event, 1)


def _stacked(case: Case) -> Iterator[Candidate]:
    """Tensors stacked along another axis, with which the result has the shape that it is combined with."""
    pair = operands(case.event)[:2] if case.event is not None and ops.is_a(case.event.op, "elementwise") else []
    for fact, other in (pair, pair[::-1]) if len(pair) == 2 else ():
        axes = [axis.uids for axis in fact.axes]
        for event in ancestors(case.trace, fact, CLOSE).values() if axes else ():
            parts = operands(event) if ops.is_a(event.op, "stacks") else []
            same = parts and [axis.uids for axis in event.result.axes] == axes
            for dim in range(fact.rank) if same else ():
                made = (*parts[0].sizes[:dim], len(parts), *parts[0].sizes[dim:])
                if made == other.sizes != fact.sizes:
                    yield from _named(case, event, dim)


def _turned_apart(case: Case) -> Iterator[Candidate]:
    """Tables of several lengths that are joined along their other axis, each turned where it was made."""
    event = case.event if case.event is not None and ops.is_a(case.event.op, "concatenates") else None
    parts, call = operands(event) if event is not None else [], ops.bound(event) if event is not None else None
    dim = call.get("dim", 0) if call is not None else None
    if len(parts) < 2 or any(part.rank != 2 for part in parts) or dim not in (0, 1, -1, -2):
        return
    if len({part.sizes[dim] for part in parts}) > 1:
        return
    for earlier in ancestors(case.trace, parts[0], CLOSE).values():
        made = next(tensors(earlier.result), None)
        own = made is not None and made.sizes == parts[0].sizes and not operands(earlier)
        for source, place in case.found(earlier.site if own else None, cst.Call):
            yield Candidate("wrap", (source.suffix(place, ".t()"),), 7, {"code": ".t()", "name": source.called(place)})


def _one_axis_less(case: Case) -> Iterator[Candidate]:
    """Tensors joined along the axis along which they were stacked, where a layer or a transpose refuses one axis more
    than it takes."""
    facts = [given for _, given in refused(case)] if case.misfit.problem == "rank" else []
    facts = [given for given in facts if case.misfit.wanted == given.rank - 1]
    if case.event is not None and case.event.op == "t":  # of two axes and no more
        facts += [given for given in operands(case.event)[:1] if given.rank == 3]
    for given in facts:
        axes = [axis.uids for axis in given.axes]
        for event in ancestors(case.trace, given, CLOSE).values():
            alike = event.op == "stack" and [axis.uids for axis in getattr(event.result, "axes", ())] == axes
            for source, call in case.found(event.site if alike else None, cst.Call, method=True):
                edit = source.replace(source.place(call.node.func.attr), "cat")
                yield Candidate("join", (edit,), 7, {"code": "cat"})


def _one_axis_more(case: Case) -> Iterator[Candidate]:
    """As many equal tensors as another operand has rows, joined along one axis, where that operand has two: stacked."""
    pair = (
        operands(case.event)[:2] if case.event is not None and ops.is_a(case.event.op, "elementwise", "losses") else []
    )
    for fact, other in (pair, pair[::-1]) if len(pair) == 2 and abs(pair[0].rank - pair[1].rank) == 1 else ():
        there = {uid for axis in fact.axes for uid, _ in axis.uids} if fact.rank < other.rank else set()
        for event in ancestors(case.trace, fact, NEAR).values() if there else ():
            parts, call = operands(event), ops.bound(event)
            dim = call.get("dim", 0) if call is not None and ops.is_a(event.op, "concatenates") else None
            if not isinstance(dim, int) or not 0 <= dim < parts[0].rank or len({part.sizes for part in parts}) > 1:
                continue
            sizes, whole = (len(parts), parts[0].sizes[dim]), event.result.axes[dim : dim + 1]
            both = any(other.sizes[at : at + 2] == sizes for at in range(other.rank))
            if both and len(parts) > 1 and any({uid for uid, _ in axis.uids} & there for axis in whole):
                for source, place in case.found(event.site, cst.Call, method=True):
                    edit = source.replace(source.place(place.node.func.attr), "stack")
                    yield Candidate("join", (edit,), 7, {"code": "stack"})


def _others(event: Event, uids: set[int], size: int, wanted: int) -> Iterator[int]:
    """The axes along which a call would have left the size that is wanted, where it made another one."""
    call, made = ops.bound(event), next(tensors(event.result), None)
    given = next(iter(operands(event)), None)
    now = call.get("dim", 0) if call is not None else None
    if not isinstance(now, int) or made is None or given is None or len(made.axes) != made.rank or not made.rank:
        return
    if ops.is_a(event.op, "concatenates") and len({part.sizes for part in operands(event)}) == 1:
        for dim, axis in enumerate(made.axes):
            parts = sum(part.sizes[dim] for part in operands(event))
            if dim != now % made.rank and parts == wanted and {uid for uid, _ in axis.uids} & uids:
                yield dim
        if made.sizes[now] == size and given.sizes[now] == wanted and {uid for uid, _ in made.axes[now].uids} & uids:
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


def _read(
    source: Source, event: Event, given: TensorFact, axis: int, wanted: int, samples: frozenset[int]
) -> Iterator[Candidate]:
    """One number among whole slices, in the place of another axis."""
    whole = next(iter(operands(event)), None)
    place = source.at(event.site, cst.Subscript)
    numbered = len(event.args) > 1 and isinstance(event.args[1], int)
    now = _entry(source, place, numbered) if place is not None else None
    if whole is None or now is None or whole.rank != given.rank + 1 or len(whole.axes) != whole.rank:
        return
    at, text = now[0] % whole.rank, now[1]
    for other in reversed(range(whole.rank)):
        left = [size for number, size in enumerate(whole.sizes) if number != other]
        if other == at or left[axis] != wanted or counts_samples(whole.axes[other], samples):
            continue
        code = f"{source.atom(source.place(place.node.value))}[{', '.join([':'] * other + [text])}]"
        yield Candidate("entry", (source.replace(place, code),), 6, {"code": code})


def _entry(source: Source, place: Place, numbered: bool = False) -> tuple[int, str] | None:
    """The axis and the text of the only number of a subscript that has whole slices beside it, also of a name that is
    `numbered`; axes after `...` are counted from the end."""
    found, ahead = [], False
    parts = list(place.node.slice)
    if numbered and len(parts) == 1 and source.code(parts[0].slice).strip().isidentifier():
        return 0, source.code(parts[0].slice).strip()
    for at, part in enumerate(parts):
        text = source.code(part.slice).strip()
        ahead |= text == "..."
        try:
            found.append((at - len(parts) if ahead else at, str(int(text))))
        except ValueError:
            if text not in (":", "..."):
                return None
    return found[0] if len(found) == 1 else None


def other_axes(case: Case, inside: bool = False) -> Iterator[Candidate]:
    """Another axis for each call on the way to the refused one, `inside` modules of the user's, too: sooner for a call
    that names none, and for one that made what was refused."""
    read = case.failure.read if case.failure is not None else None  # what could not be unpacked
    facts = operands(case.event) if case.event is not None else [read] if read is not None else []
    made = {fact.producer for fact in facts}
    close = {index for fact in facts for index in ancestors(case.trace, fact, CLOSE)}
    past = {index: event for fact in facts for index, event in ancestors(case.trace, fact, NEAR).items()}
    leading = {uid for fact in facts for axis in fact.axes[:1] for uid, _ in axis.uids}
    for index, earlier in sorted(past.items(), reverse=True):
        odd = IDLE if idle(earlier) else ASTRAY if _astray(earlier, leading) else 0
        if index not in close and not odd:
            continue
        rank = max((fact.rank for fact in (*operands(earlier), *tensors(earlier.result))), default=0)
        layer, near = case.trace.layer(earlier), NEXT if earlier.index in made else LAST
        plain = (layer is None or not layer.is_torch) if inside else not earlier.modules
        for source, call in case.found(earlier.site if plain and earlier.op in AXES and rank > 1 else None, cst.Call):
            entry = ops.find(source.called(call))
            if entry is None or entry.name != earlier.op.rstrip("_"):
                continue  # what a loader stacks, no call of the script does
            several = ops.is_a(earlier.op, "turns") and len(call.node.args) > 2  # each axis is named there
            yield from _in_other_orders(case, source, call, earlier, leading, odd or near) if several else ()
            several |= ops.is_a(earlier.op, "repeats")  # the number says how often
            given = [source.place(one.value) for one in reversed(call.node.args) if not several]
            edits = [edit for place in given for edit in _other_dims(source, place, rank)]
            bound = not library(source.text, source.code(call.node.func))
            at = entry.parameters.index(entry.dims) - bound if entry.dims else 0
            told = len(call.node.args) > at or entry.dims in earlier.kwargs
            if ops.is_a(earlier.op, *UNTOLD) and not told:
                axes = [dim for dim in range(rank) if dim != entry.defaults.get("dim")]
                maps = [tuple(range(2, rank))] if rank > 3 and ops.is_a(earlier.op, "totals") else []
                edits = [(source.argument(call, None, entry.dims, str(dim)), dim) for dim in (*maps, *axes)] + edits
            for edit, dim in edits:
                added = edit is not None and edit.inserts
                thin = near == NEXT and ops.is_a(earlier.op, "unsqueezes", "squeezes")  # in the wrong place
                rank_of = (odd or (ADDED - _of_classes(earlier, dim) if added else near - 5 * thin)) if inside else LAST
                if edit is not None and ops.is_a(earlier.op, "turns"):
                    parts = _written_so(source, call, edit)
                    if len(set(parts)) == len(parts):
                        code = f".{source.called(call)}({', '.join(parts)})"
                        yield Candidate("permute", (edit,), rank_of, {"code": code})
                else:
                    yield from offered("dim", edit, rank_of, {"dim": str(dim), "op": earlier.op})


def among_classes(case: Case, candidate: Candidate) -> bool:
    """Whether an edit makes a call choose among what a layer made, which the other axes of its operand do not count."""
    lines = {(edit.file, edit.line) for edit in candidate.edits}
    dim, op = candidate.fields.get("dim", ""), candidate.fields.get("op")
    calls = [one for one in case.trace.events if one.op == op and one.site and (one.site.file, one.site.line) in lines]
    return dim.isdigit() and any(_of_classes(event, int(dim)) for event in calls)


def _of_classes(event: Event, dim: int | tuple[int, ...]) -> bool:
    """Whether a choice among the entries of an axis is one among what a layer made."""
    given = operands(event)[:1] if ops.is_a(event.op, "chooses_index") and isinstance(dim, int) else []
    return any(dim < len(fact.axes) and fact.axes[dim].is_feature for fact in given)


def _in_other_orders(
    case: Case, source: Source, call: Place, event: Event, leading: set[int], rank: int
) -> Iterator[Candidate]:
    """Two of the axes that a call names exchanged: with the number of names that what is unpacked is to have in front,
    or what comes first in another operand."""
    given, count = next(iter(operands(event)), None), case.misfit.count if case.misfit.op == "unpack" else None
    try:
        order = [int(source.text_of(source.place(argument.value))) for argument in call.node.args]
    except ValueError:
        return
    for a, b in itertools.combinations(range(len(order)), 2):
        made = [order[b if at == a else a if at == b else at] for at in range(len(order))]
        if given is None or len(given.axes) != len(order) or not all(-len(order) <= at < len(order) for at in order):
            return
        first = given.axes[made[0]]
        fits = first.size == count if count is not None else bool(leading & {uid for uid, _ in first.uids})
        if fits:
            code = f".{source.called(call)}({', '.join(map(str, made))})"
            edit = source.exchanged(*(source.place(call.node.args[at].value) for at in (a, b)))
            yield Candidate("permute", edit, min(rank, NEXT) - (count is not None), {"code": code})


def idle(event: Event) -> bool:
    """Whether a call that moves, merges or removes axes left its operand as it was: nobody writes that."""
    given, made = next(iter(operands(event)), None), next(tensors(event.result), None)
    if given is None or made is None or not ops.is_a(event.op, "turns", "flattens", "squeezes") or given.rank < 2:
        return False
    return given.shape == made.shape and [axis.uids for axis in given.axes] == [axis.uids for axis in made.axes]


def _astray(event: Event, leading: set[int]) -> bool:
    """Whether a call moves the axis away from the first place that comes first in another operand."""
    given, made = next(iter(operands(event)), None), next(tensors(event.result), None)
    if given is None or made is None or not given.axes or not made.axes or not ops.is_a(event.op, "turns"):
        return False
    first, now = ({uid for uid, _ in fact.axes[0].uids} for fact in (given, made))
    return bool(first & leading) and not now & first


def _written_so(source: Source, call: Place, edit: Edit) -> list[str]:
    """The arguments of a call, one of them as an edit writes it."""
    places = [source.place(given.value) for given in call.node.args]
    own = [(place.line, place.column) == (edit.line, edit.column) for place in places]
    return [edit.replacement if mine else source.text_of(place) for mine, place in zip(own, places)]


def _other_dims(source: Source, place: Place, rank: int) -> list[tuple[Edit, int | tuple[int, ...]]]:
    """A number that names an axis, as each of the others; several that are next to each other, as those beside them."""
    try:
        now = ast.literal_eval(source.text_of(place))
    except (ValueError, SyntaxError):
        return []
    if isinstance(now, tuple) and len(now) > 1 and all(type(one) is int for one in now):
        runs = [tuple(range(at, at + len(now))) for at in range(rank - len(now) + 1)]
        named = tuple(sorted(one % rank for one in now))
        return [(source.replace(place, str(run)), run) for run in runs if run != named]
    if type(now) is not int:
        return []
    return [(source.replace(place, str(dim)), dim) for dim in range(rank) if dim != now % rank]
