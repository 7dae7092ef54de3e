"""Views: flatten per sample, move axes before viewing, `reshape` for a non-contiguous `view`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands, produced, values_from
from ...graph.splits import parts
from ...rules.remedy import Misfit, Refold
from ...trace import TensorFact
from ...trace.said import Refusal
from ..candidate import Candidate, Case
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
        "es": "intercambiar los dos tamaños de la vista: {code}",
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
    if isinstance(case.remedy, Refold) and case.remedy.fault == "torn":
        yield from _unmoved(case)
    yield from _exchanged(case)
    for index, site in enumerate(_sites(case)):
        source = case.source(site.file)
        if source is None:
            continue
        for place in _views(source, site):
            event = next((e for e in case.trace.events if e.site == site and ops.is_a(e.op, "views")), None) or (
                case.event if case.event and ops.is_a(case.event.op, "views") else None
            )
            old = event.args[0] if event is not None and isinstance(event.args[0], TensorFact) else None
            yield from _joined(source, place)
            yield from _channels_last(
                source, place, old, case.remedy if index == 0 and isinstance(case.remedy, Refold) else Refold()
            )
            yield from _refolded(
                source,
                place,
                old,
                getattr(event.result, "shape", None) if event is not None else None,
                index,
                case.trace.failure.said if case.trace.failure is not None else (),
                case.finding.is_loud,
            )


def _exchanged(case: Case) -> Iterator[Candidate]:
    """A view that splits an axis into two sizes in the other order than what its result is combined with has them."""
    event = case.event if case.finding.is_loud else None
    pair = operands(event)[:2] if event is not None else []
    if len(pair) < 2 or pair[0].shape is None or sorted(pair[0].sizes) != sorted(pair[1].sizes):
        return
    at = [axis for axis, (one, other) in enumerate(zip(pair[0].sizes, pair[1].sizes)) if one != other]
    for fact in pair if len(at) == 2 else ():
        made = values_from(case.trace, fact)
        source = case.source(made.site.file) if made is not None and made.site is not None else None
        if source is None or not ops.is_a(made.op, "views") or made.result.shape != fact.shape:
            continue
        given, call = next(iter(operands(made))), source.at(made.site, cst.Call)
        split = math.prod(fact.shape[axis] for axis in at)
        sizes = [source.place(argument.value) for argument in call.node.args] if call is not None else []
        if len(sizes) != fact.rank or split not in given.sizes:
            continue
        one, other = (sizes[axis] for axis in at)
        texts = source.text_of(other), source.text_of(one)
        maker = produced(case.trace, given)
        own = maker is not None and bool(maker.modules) and ops.is_a(maker.op, "maps")  # a layer learns any order
        yield Candidate(
            "view-sizes",
            (source.replace(one, texts[0]), source.replace(other, texts[1])),
            5,
            {"code": ", ".join(texts)},
            doubt="" if own else "guessed",
        )


def _unmoved(case: Case) -> Iterator[Candidate]:
    """The parts that the finding's view merges, moved where they were split."""
    made = case.event.args[0] if case.event is not None and case.event.args else None
    known = dict(parts(case.trace))
    uids = [uid for axis in made.axes for uid, _ in axis.uids] if isinstance(made, TensorFact) else []
    for site in dict.fromkeys(known[uid][0] for uid in uids if uid in known):
        source = case.source(site.file)
        place = source.at(site, cst.Call) if source is not None else None
        first = min(at for split, at in known.values() if split == site)
        if place is not None and site != case.site and first > 1:
            code = f".transpose({first - 1}, {first})"
            outer = next(
                (p for p in source.of_kind(cst.Call) if getattr(p.node.func, "value", None) is place.node), None
            )
            turned = outer is not None and ops.is_a(outer.node.func.attr.value, "turns")
            edit = source.replace(outer if turned else place, source.atom(place) + code)
            yield Candidate("move-after", (edit,), 5, {"code": code})


def _sites(case: Case):
    yield case.site
    for origin in case.facts.origins:
        if origin.site is not None:
            yield origin.site


def _views(source: Source, site) -> Iterator[Place]:
    around = source.statement(site.line)
    if around is None or isinstance(around.node, cst.BaseCompoundStatement):
        return
    for place in source.within(around, cst.Call):
        if (
            isinstance(place.node.func, cst.Attribute)
            and ops.is_a(place.node.func.attr.value, "views")
            and place.line <= site.line <= place.end_line
        ):
            yield place


def _joined(source: Source, place: Place) -> Iterator[Candidate]:
    """`torch.cat([a, b], dim=0)` that is viewed in the same breath: joined side by side instead."""
    for call in source.within(source.place(place.node.func.value), cst.Call):
        if isinstance(call.node.func, cst.Attribute) and ops.is_a(call.node.func.attr.value, "concatenates"):
            dim = source.given(call, 1, "dim")
            if dim is None or source.code(dim).strip() == "0":
                edit = source.argument(call, 1, "dim", "1")
                if edit is not None:
                    yield Candidate("dim", (edit,), 7, {"op": "cat", "dim": "1"})


def _channels_last(source: Source, place: Place, old: TensorFact | None, refold: Refold) -> Iterator[Candidate]:
    """Channels of `(B, C, ...)` that a view wants last: moved there, the other axes kept in order."""
    if (
        old is not None
        and old.rank >= 3
        and refold.fault == "swapped"
        and refold.axes == (1, old.rank - 1)
        and refold.channels
    ):
        inner = source.text_of(source.place(place.node.func.value))
        wanted = ", ".join(source.text_of(source.place(a.value)) for a in place.node.args)
        order = ", ".join(map(str, (0, *range(2, old.rank), 1)))
        yield Candidate(
            "move-first",
            (source.replace(place, f"{inner}.permute({order}).reshape({wanted})"),),
            5,
            {"code": f".permute({order})"},
        )


def _refolded(
    source: Source,
    place: Place,
    old: TensorFact | None,
    made: tuple[int, ...] | None,
    index: int,
    said: tuple,
    loud: bool,
) -> Iterator[Candidate]:
    receiver = source.place(place.node.func.value)
    arguments = [source.text_of(source.place(a.value)) for a in place.node.args]
    if len(arguments) == 1 and arguments[0].startswith(("(", "[")):
        arguments = [part.strip() for part in arguments[0][1:-1].split(",")]
    inner, wanted = source.atom(receiver), ", ".join(arguments)
    base = 10 + 4 * index
    if (arguments and arguments[0] == "-1") or (arguments and arguments[0].isdigit()):
        rest = arguments[1:]
        yield Candidate("per-sample", (source.replace(place, f"{inner}.flatten(1)"),), base, {"code": ".flatten(1)"})
        yield Candidate(
            "per-sample",
            (source.replace(place, f"{inner}.view({inner}.size(0), -1)"),),
            base + 1,
            {"code": f".view({inner}.size(0), -1)"},
        )
        if len(rest) >= 2:
            yield Candidate(
                "per-sample",
                (source.replace(place, f"{inner}.view({inner}.size(0), -1, {', '.join(rest[1:])})"),),
                base + 3,
                {"code": ".view(x.size(0), …)"},
            )
    if place.node.func.attr.value == "view":
        yield Candidate(
            "reshape",
            (source.replace(source.place(place.node.func.attr), "reshape"),),
            3 if Refusal.SCATTERED in said else base + 2,
            {"code": ".reshape"},
        )
    if old is None or old.shape is None:
        return
    for one, other in itertools.pairwise(place.node.args if len(arguments) > 2 else ()):
        texts = [source.text_of(source.place(argument.value)) for argument in (other, one)]
        if texts[0] != texts[1] and not any(text.lstrip("-").isdigit() for text in texts):
            pair = zip((one, other), texts)
            edits = tuple(source.replace(source.place(argument.value), text) for argument, text in pair)
            yield Candidate("view-sizes", edits, base + 1, {"code": ", ".join(texts)})
    rank = len(old.shape)
    miscounted = loud and (
        Refusal.COUNT in said or (len(arguments) == 2 and Refusal.SCATTERED not in said)
    )  # the count is wrong, not the order
    leads = bool(made) and made[0] == old.shape[0]  # the first axis is kept
    for a, b in itertools.combinations(range(rank), 2) if not miscounted else ():
        if old.shape[a] > 1 and old.shape[b] > 1:
            yield Candidate(
                "move-first",
                (source.replace(place, f"{inner}.transpose({a}, {b}).reshape({wanted})"),),
                base - 2 + (a == 0 if leads else a + b != 1),
                {"code": f".transpose({a}, {b})"},
            )
    turned = receiver.node if isinstance(receiver.node, cst.Call) and not loud else None
    if turned is not None and isinstance(turned.func, cst.Attribute) and turned.func.attr.value == "transpose":
        owner = source.text_of(source.place(turned.func.value))
        for a, b in itertools.combinations(range(rank), 2):  # the same move along other axes
            if old.shape[a] > 1 and old.shape[b] > 1 and len(turned.args) == 2:
                code = f"{owner}.transpose({a}, {b})"
                yield Candidate(
                    "permute", (source.replace(receiver, code),), base - 3, {"code": f".transpose({a}, {b})"}
                )
    # heads: split the last axis in place, then move them
    if len(arguments) == rank + 1 and rank == 3:
        order = [arguments[0], arguments[2], arguments[1], arguments[3]]
        yield Candidate(
            "move-after",
            (source.replace(place, f"{inner}.view({', '.join(order)}).transpose(1, 2)"),),
            base - 3,
            {"code": ".transpose(1, 2)"},
        )
    sizes = list(old.shape)
    numbers = [int(text) if text.lstrip("-").isdigit() else None for text in arguments]
    if len(arguments) == rank:
        order = order_of(sizes, numbers)
        if order is not None:
            yield Candidate(
                "permute",
                (source.replace(place, f"{inner}.permute({', '.join(map(str, order))})"),),
                base - 4,
                {"code": f".permute({', '.join(map(str, order))})"},
            )


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
