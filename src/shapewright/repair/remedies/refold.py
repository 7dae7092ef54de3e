"""Views: flatten per sample, move axes before viewing, `reshape` for a non-contiguous `view`."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import consumers, operands, produced, values_from
from ...graph.splits import parts
from ...rules.remedy import Misfit, Refold
from ...trace import Site, TensorFact
from ...trace.said import Refusal
from ..candidate import Candidate, Case, offered
from ..source import Place, Source

ANSWERS = (Misfit, Refold)
TITLES = {
    "move-first": {
        "en": "move the axes before merging them: {code}",
        "es": "mover los ejes antes de unirlos: {code}",
        "ja": "まとめる前に軸を動かす: {code}",
    },
    "view-sizes": {
        "en": "swap the two sizes of the view: {code}",
        "es": "intercambiar los dos tamaños del view: {code}",
        "ja": "ビューの 2 つのサイズを入れ替える: {code}",
    },
    "move-after": {
        "en": "split the last axis first, then move the new axis: {code}",
        "es": "dividir primero el último eje y después mover el nuevo: {code}",
        "ja": "最後の軸を先に分け、それから新しい軸を動かす: {code}",
    },
    "per-sample": {
        "en": "merge the axes of each sample separately: {code}",
        "es": "unir los ejes de cada muestra por separado: {code}",
        "ja": "サンプルごとに軸をまとめる: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Repairs of the view at the finding's site, or at an origin's."""
    refold = case.remedy if isinstance(case.remedy, Refold) else Refold()
    if refold.fault == "torn":
        yield from _unmoved(case)
    if isinstance(case.remedy, Misfit):
        yield from _exchanged(case)
    for index, site in enumerate(case.sites):
        for _, source, statement in case.simple([site]):
            for place in source.methods(statement, "views"):
                if place.line <= site.line <= place.end_line:
                    yield from _viewed(case, source, place, site, index, refold if index == 0 else Refold())


def _viewed(case: Case, source: Source, place: Place, site: Site, index: int, refold: Refold) -> Iterator[Candidate]:
    """Everything that may be wrong with one view."""
    ran = (event for event in case.trace.events if event.site == site and ops.is_a(event.op, "views"))
    event = next(ran, case.event if case.event is not None and ops.is_a(case.event.op, "views") else None)
    old = event.args[0] if event is not None and isinstance(event.args[0], TensorFact) else None
    made = getattr(event.result, "shape", None) if event is not None else None
    yield from _joined(source, place)
    viewed = event is not None and any(user.op == "view" for user in consumers(case.trace, event.index))
    tail = ".contiguous()" if viewed else ""  # what was moved is no longer in one piece, as a view expects
    yield from _channels_last(source, place, old, refold, tail)
    yield from _refolded(case, source, place, old, made, index, tail, refold.fault == "torn")


def _exchanged(case: Case) -> Iterator[Candidate]:
    """A view that splits an axis into two sizes in the other order than what its result is combined with has them."""
    pair = operands(case.event)[:2] if case.event is not None else []
    if len(pair) < 2 or pair[0].shape is None or sorted(pair[0].sizes) != sorted(pair[1].sizes):
        return
    at = [axis for axis, (one, other) in enumerate(zip(pair[0].sizes, pair[1].sizes)) if one != other]
    for fact in pair if len(at) == 2 else ():
        made = values_from(case.trace, fact)
        viewed = made is not None and ops.is_a(made.op, "views") and made.result.shape == fact.shape
        for source, call in case.found(made.site if viewed else None, cst.Call):
            given, split = next(iter(operands(made))), math.prod(fact.shape[axis] for axis in at)
            sizes = [source.place(argument.value) for argument in call.node.args]
            if len(sizes) == fact.rank and split in given.sizes:
                one, other = (sizes[axis] for axis in at)
                maker = produced(case.trace, given)
                own = (
                    maker is not None and bool(maker.modules) and ops.is_a(maker.op, "maps")
                )  # a layer learns any order
                fields = {"code": f"{source.text_of(other)}, {source.text_of(one)}"}
                edits = source.exchanged(one, other)
                yield Candidate("view-sizes", edits, 5, fields, doubt="" if own else "guessed")


def _unmoved(case: Case) -> Iterator[Candidate]:
    """The parts that the finding's view merges, moved where they were split."""
    made = case.event.args[0] if case.event is not None and case.event.args else None
    known = dict(parts(case.trace))
    uids = [uid for axis in made.axes for uid, _ in axis.uids] if isinstance(made, TensorFact) else []
    for site in dict.fromkeys(known[uid][0] for uid in uids if uid in known):
        first = min(at for split, at in known.values() if split == site)
        for source, place in case.found(site if site != case.site and first > 1 else None, cst.Call):
            code = f".transpose({first - 1}, {first})"
            calls = (p for p in source.of_kind(cst.Call) if getattr(p.node.func, "value", None) is place.node)
            outer = next(calls, None)
            turned = outer is not None and ops.is_a(outer.node.func.attr.value, "turns")
            edit = source.replace(outer if turned else place, source.atom(place) + code)
            yield Candidate("move-after", (edit,), 5, {"code": code})


def _joined(source: Source, place: Place) -> Iterator[Candidate]:
    """`torch.cat([a, b], dim=0)` that is viewed in the same breath: joined side by side instead."""
    for call in source.methods(source.place(place.node.func.value), "concatenates"):
        dim = source.given(call, 1, "dim")
        if dim is None or source.code(dim).strip() == "0":
            yield from offered("dim", source.argument(call, 1, "dim", "1"), 7, {"op": "cat", "dim": "1"})


def _channels_last(
    source: Source, place: Place, old: TensorFact | None, refold: Refold, tail: str
) -> Iterator[Candidate]:
    """Channels of `(B, C, ...)` that a view wants last: moved there, the other axes kept in order."""
    swapped = old is not None and old.rank >= 3 and refold.fault == "swapped" and refold.channels
    if swapped and refold.axes == (1, old.rank - 1):
        inner, wanted = (
            source.text_of(source.place(place.node.func.value)),
            [source.code(a.value) for a in place.node.args],
        )
        code = f".permute({', '.join(map(str, (0, *range(2, old.rank), 1)))})"
        edit = source.replace(place, f"{inner}{code}.reshape({', '.join(wanted)}){tail}")
        yield Candidate("move-first", (edit,), 5, {"code": code})


def _refolded(
    case: Case,
    source: Source,
    place: Place,
    old: TensorFact | None,
    made: tuple[int, ...] | None,
    index: int,
    tail: str,
    torn: bool,
) -> Iterator[Candidate]:
    receiver, arguments = source.place(place.node.func.value), view_sizes(source, place)
    inner, base, loud = source.atom(receiver), 10 + 4 * index, case.finding.is_loud
    said = case.trace.failure.said if case.trace.failure is not None else ()
    for code, rank in _per_sample(inner, arguments, base):
        shown = {"code": ".view(x.size(0), …)"} if rank == base + 3 else {"code": code}
        yield Candidate("per-sample", (source.replace(place, inner + code),), rank, shown)
    if place.node.func.attr.value == "view" and Refusal.COUNT not in said:
        edit = source.replace(source.place(place.node.func.attr), "reshape")
        yield Candidate("reshape", (edit,), 3 if Refusal.SCATTERED in said else base + 2, {"code": ".reshape"})
    if old is None or old.shape is None:
        return
    for pair in itertools.pairwise(place.node.args if len(arguments) > 2 and Refusal.COUNT not in said else ()):
        one, other = (source.place(argument.value) for argument in pair)
        texts = source.text_of(other), source.text_of(one)
        if texts[0] != texts[1] and not any(text.lstrip("-").isdigit() for text in texts):
            yield Candidate("view-sizes", source.exchanged(one, other), base + 1, {"code": ", ".join(texts)})
    if len(place.node.args) == 2 and arguments.count("-1") == 1 and made and old.shape[0] != made[0]:
        if made[1] == old.shape[0]:  # samples last
            one, other = (source.place(argument.value) for argument in place.node.args)
            fields = {"code": ", ".join(reversed(arguments))}
            yield Candidate("view-sizes", source.exchanged(one, other), base - 6, fields)
    moves = not loud or Refusal.SCATTERED in said  # in whatever order the axes are, a view makes the same sizes of them
    leads = bool(made) and made[0] == old.shape[0]  # the first axis is kept
    long = [pair for pair in itertools.combinations(range(old.rank), 2) if min(old.shape[at] for at in pair) > 1]
    whole = {pair for pair in long if made and torn and _keeps(old.sizes, pair, made)}
    for a, b in (pair for pair in long if moves and (not whole or pair in whole)):
        code, rank = f".transpose({a}, {b})", base - 2 + (a == 0 if leads else a + b != 1) - 4 * bool(whole)
        edit = source.replace(place, f"{inner}{code}.reshape({', '.join(arguments)}){tail}")
        yield Candidate("move-first", (edit,), rank, {"code": code})
    turned = [call for call in source.methods(receiver, "transpose") if call == receiver and len(call.node.args) == 2]
    for a, b in long if turned and not loud else ():  # the same move along other axes
        code = f".transpose({a}, {b})"
        edit = source.replace(receiver, source.text_of(source.place(receiver.node.func.value)) + code)
        yield Candidate("permute", (edit,), base - 3, {"code": code})
    if len(arguments) == old.rank + 1 == 4:  # heads: split the last axis in place, then move them
        batch, steps, heads, width = arguments
        edit = source.replace(place, f"{inner}.view({batch}, {heads}, {steps}, {width}).transpose(1, 2)")
        yield Candidate("move-after", (edit,), base - 3, {"code": ".transpose(1, 2)"})
    numbers = [int(text) if text.lstrip("-").isdigit() else None for text in arguments]
    order = order_of(list(old.shape), numbers) if len(arguments) == old.rank else None
    if order is not None:
        code = f".permute({', '.join(map(str, order))})"
        yield Candidate("permute", (source.replace(place, inner + code),), base - 4, {"code": code})


def _keeps(old: tuple[int, ...], pair: tuple[int, int], made: tuple[int, ...]) -> bool:
    """Whether a view to these sizes merges whole axes of what has two of its axes exchanged.

    >>> _keeps((8, 4, 32, 16), (1, 2), (8, 32, 64)), _keeps((8, 4, 32, 16), (1, 3), (8, 32, 64))
    (True, False)
    """
    sizes = list(old)
    sizes[pair[0]], sizes[pair[1]] = sizes[pair[1]], sizes[pair[0]]
    ends = [set(itertools.accumulate(shape, operator.mul)) for shape in (sizes, made)]
    return ends[1] <= ends[0]


def _per_sample(inner: str, arguments: list[str], base: int) -> Iterator[tuple[str, int]]:
    """Views that keep the samples apart, for one that merges all axes or has a number for the first."""
    if arguments and (arguments[0] == "-1" or arguments[0].isdigit()):
        yield ".flatten(1)", base
        yield f".view({inner}.size(0), -1)", base + 1
    if len(arguments) > 2 and (arguments[0] == "-1" or arguments[0].isdigit()):
        yield f".view({inner}.size(0), -1, {', '.join(arguments[2:])})", base + 3


def view_sizes(source: Source, call: Place) -> list[str]:
    """The sizes that a view was given, as they are written."""
    texts = [source.text_of(source.place(argument.value)) for argument in call.node.args]
    alone = len(texts) == 1 and texts[0].startswith(("(", "["))
    return [part.strip() for part in texts[0][1:-1].split(",")] if alone else texts


def order_of(sizes: list[int], wanted: list[int | None]) -> list[int] | None:
    """The order of old axes that gives the wanted sizes; an unknown or -1 takes what is left, in order."""
    left = list(range(len(sizes)))
    order: list[int | None] = []
    for number in wanted:
        at = next((i for i in left if sizes[i] == number), None) if number not in (None, -1) else None
        if at is not None:
            left.remove(at)
        order.append(at)
    made = [left.pop(0) if at is None else at for at in order]
    return made if made != sorted(made) else None
