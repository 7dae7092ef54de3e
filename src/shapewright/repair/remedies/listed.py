"""Layers of a `Sequential`, or sizes of layers, that were listed in the wrong order: the order in which each layer
takes what the one before makes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands, tensors
from ...graph.training import ancestors
from ...rules.remedy import Misfit
from ...trace import ModuleFact
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (Misfit,)
TITLES = {
    "listed": {
        "en": "put the layers in an order in which their sizes match: {code}",
        "es": "poner las capas en un orden en el que sus tamaños encajen: {code}",
        "ja": "サイズがつながる順に層を並べる: {code}",
    },
}
MOST = 6  # layers of which every order is looked at
LONG, NEAR = 24, 8


def propose(case: Case) -> Iterator[Candidate]:
    """Where the layer that refused its input, or one that holds it, is listed among others."""
    failure, seen = case.failure, set[tuple]()
    yield from _nested(case)
    yield from _pooled(case)
    yield from _mirrored(case)
    uids = [*(reversed(failure.event.modules) if failure.event is not None else ()), failure.module]
    stacks = (case.trace.modules[uid].stack for uid in uids if uid in case.trace.modules)
    for site in (site for stack in stacks for site in reversed(stack)):
        for source, call in case.found(site, cst.Call):
            around = (outer for outer in source.enclosing(site.line, cst.Call) if call.within(outer) and call != outer)
            for outer in around:
                if (key := (source.file, outer.line, outer.column)) not in seen:
                    seen.add(key)
                    yield from _ordered(case, source, outer)


def _pooled(case: Case) -> Iterator[Candidate]:
    """A pool listed right behind a layer that flattens, on the way to what was refused: the two exchanged."""
    past = ancestors(case.trace, operands(case.event)[0], NEAR) if case.event and operands(case.event) else {}
    calls: list[tuple[Source, Place]] = []
    for event in past.values():
        if event.modules and ops.is_a(event.op, "pools", "flattens"):
            found = case.module_call(event.modules[-1])
            calls += [found] if found is not None else []
    for source, call in calls:
        for outer in source.enclosing(call.line, cst.Call):
            given = [source.place(one.value) for one in outer.node.args if one.keyword is None and not one.star]
            for one, other in itertools.pairwise(given):
                names = [source.called(part) if isinstance(part.node, cst.Call) else "" for part in (one, other)]
                if call == other and ops.is_a(_op(names[0]), "flattens"):
                    texts = [source.text_of(other), source.text_of(one)]
                    edits = (source.replace(one, texts[0]), source.replace(other, texts[1]))
                    yield Candidate("listed", edits, 6, {"code": ", ".join(map(_short, texts))})


def _mirrored(case: Case) -> Iterator[Candidate]:
    """Sizes of layers handed over as one list, of which the last is what came and the first what was expected: read
    from the end, as a decoder mirrors its encoder."""
    module = case.trace.modules.get(case.misfit.module)
    ends = (case.misfit.wanted, case.misfit.size)
    for site in reversed(module.stack) if module is not None and None not in ends else ():
        for source, call in case.found(site, cst.Call):
            for given in call.node.args:
                place = source.place(given.value)
                sizes = list(_numbers(source, place, call.line))
                if len(sizes) > 2 and (sizes[0], sizes[-1]) == ends:
                    edit = source.suffix(place, "[::-1]")
                    yield Candidate("listed", (edit,), 4, {"code": _short(edit.replacement)})


def _numbers(source: Source, place: Place, line: int) -> Iterator[int | None]:
    """The numbers that a list says, or that names above it are bound to; none of anything else."""
    if isinstance(place.node, cst.Name) and (bound := source.binding(place.node.value, line)) is not None:
        place = bound
    for element in place.node.elements if isinstance(place.node, (cst.List, cst.Tuple)) else ():
        value = element.value
        made = source.binding(value.value, line) if isinstance(value, cst.Name) else None
        node = made.node if made is not None else value
        yield int(node.evaluated_value) if isinstance(node, cst.Integer) else None


def _nested(case: Case) -> Iterator[Candidate]:
    """`first(then(x))` for `then(first(x))`, where what the refused call was given fits the other layer and what that
    one makes fits it."""
    uids = [*case.failure.modules, case.failure.module]
    module = next((case.trace.modules[uid] for uid in reversed(uids) if uid in case.trace.modules), None)
    refused = ops.layer_of(module.kind, module.config) if module is not None else None
    pair = _pair(case, module) if refused is not None else None
    for source, call in case.found(case.site if pair is not None else None, cst.Call, 1):
        for outer in source.enclosing(call.line, cst.Call):
            inner = outer.node.args[0].value if len(outer.node.args) == len(call.node.args) == 1 else None
            plain = [isinstance(one.node.func, (cst.Name, cst.Attribute)) for one in (outer, call)]
            if inner is not call.node or not all(plain):
                continue
            texts = [source.text_of(source.place(one.node.func)) for one in (call, outer)]
            others = [
                _pair(case, one)
                for one in case.trace.modules.values()
                if one.is_torch and one.path and one.path.rpartition(".")[2] == texts[1].rpartition(".")[2]
            ]
            if any(one is not None and one[1] == pair[0] for one in others):
                funcs = [source.place(one.node.func) for one in (outer, call)]
                edits = tuple(source.replace(place, text) for place, text in zip(funcs, texts))
                yield Candidate("listed", edits, 9, {"code": f"{texts[0]}({texts[1]}(…))"})


def _pair(case: Case, module: ModuleFact) -> tuple[int, int] | None:
    """What one layer takes and makes; a norm as much as it takes."""
    layer = ops.layer_of(module.kind, module.config)
    takes = _one(module.config.get(layer.input_width)) if layer is not None and layer.input_width else None
    makes = _one(module.config.get(layer.width)) if layer is not None and layer.width else takes
    return (takes, makes) if takes is not None and makes is not None else None


def _ordered(case: Case, source: Source, outer: Place) -> Iterator[Candidate]:
    """The listed layers that have sizes in another order; the others keep their places."""
    if len(outer.node.args) < 2 or any(given.keyword is not None or given.star for given in outer.node.args):
        return
    listed = [source.place(given.value) for given in outer.node.args]
    yield from _flat(case, source, listed)
    sizes = [_sizes(case, source, place) for place in listed]
    sized = [at for at, pair in enumerate(sizes) if pair is not None]
    if len(sized) < 2 or _follows([sizes[at] for at in sized]):
        return
    orders = (order for order in _orders(sized) if _follows([sizes[at] for at in order]))
    order = next((order for order in orders if _first(case, sizes[order[0]])), sized)
    pairs = [(at, source.text_of(listed[other])) for at, other in zip(sized, order)]
    moved = [(at, text) for at, text in pairs if text != source.text_of(listed[at])]
    if moved:
        edits = tuple(source.replace(listed[at], text) for at, text in moved)
        yield Candidate("listed", edits, 10, {"code": ", ".join(_short(text) for _, text in moved)})


def _flat(case: Case, source: Source, listed: list[Place]) -> Iterator[Candidate]:
    """A layer that flattens, listed before those that slide over what it flattens: behind them, and behind what works
    on each value of theirs."""
    names = [source.called(place) if isinstance(place.node, cst.Call) else "" for place in listed]
    known = list(map(_op, names))
    flat = next((at for at, op in enumerate(known) if op == "flatten"), len(known))
    ends = next(
        (at for at, op in enumerate(known) if at > flat and ops.is_a(op, "maps") and not ops.is_a(op, "convolves")),
        len(known),
    )
    behind = known[flat + 1 : ends]
    slides = any(ops.is_a(op, "convolves") for op in behind)
    if case.misfit.problem == "rank" and slides and all(ops.is_a(op, "convolves", "pointwise") for op in behind):
        texts = [source.text_of(place) for place in listed[flat:ends]]
        moved = zip(listed[flat:ends], (*texts[1:], texts[0]))
        edits = tuple(source.replace(place, text) for place, text in moved)
        yield Candidate("listed", edits, 10, {"code": ", ".join(map(_short, (*texts[1:], texts[0])))})


def _op(name: str) -> str:
    """The operator that a layer of this name runs."""
    layer = ops.layer(name)
    return layer.op if layer is not None else name.lower()


def begins_with(case: Case, candidate: Candidate) -> Iterator[Candidate]:
    """Where an edit is about a layer that works on each value and is listed first, in front of one that learns: the two
    in each other's place, as an activation follows what learns."""
    for edit in candidate.edits:
        source = case.source(edit.file)
        for outer in source.enclosing(edit.line, cst.Call) if source is not None else ():
            first, second = ([source.place(given.value) for given in outer.node.args] + [None, None])[:2]
            around = first is not None and (first.line, first.column) <= (edit.line, edit.column)
            if not around or (first.end_line, first.end_column) < (edit.end_line, edit.end_column) or second is None:
                continue
            names = [source.called(one) if isinstance(one.node, cst.Call) else "" for one in (first, second)]
            learns = ops.layer(names[1])
            if ops.is_a(_op(names[0]), "pointwise") and learns is not None and learns.input_width:
                texts = [source.text_of(one) for one in (second, first)]
                edits = tuple(source.replace(place, text) for place, text in zip((first, second), texts))
                yield Candidate("listed", edits, 10, {"code": ", ".join(map(_short, texts))})


def _orders(sized: list[int]) -> Iterator[tuple[int, ...]]:
    """Orders with one layer moved, the nearest places first; all others where they are few."""
    count = len(sized)
    moves = [(at, to) for at in range(count) for to in range(count) if at != to]
    for at, to in sorted(moves, key=lambda move: abs(move[0] - move[1])):
        rest = sized[:at] + sized[at + 1 :]
        yield (*rest[:to], sized[at], *rest[to:])
    if count <= MOST:
        yield from (order for order in itertools.permutations(sized) if order != tuple(sized))


def _sizes(case: Case, source: Source, place: Place) -> tuple[int, int] | None:
    """What a listed layer takes and makes: its own sizes, or those of the first and the last layer that it holds. A
    norm makes as much as it takes."""
    inside = [m for m in case.trace.modules.values() if any(_at(site, source, place) for site in m.stack)]
    known = [(m, layer) for m in inside if (layer := ops.layer_of(m.kind, m.config)) is not None]
    takes = [size for m, layer in known if (size := _one(m.config.get(layer.input_width))) is not None]
    makes = [
        size
        for m, layer in known
        if (size := _one(m.config.get(layer.width or (layer.input_width if ops.is_a(layer.op, "norms") else ""))))
        is not None
    ]
    return (takes[0], makes[-1]) if takes and makes else None


def _one(size: object) -> int | None:
    """A size that is one number, as it is or alone in a tuple."""
    size = size[0] if isinstance(size, tuple) and len(size) == 1 else size
    return size if isinstance(size, int) else None


def _at(site, source: Source, place: Place) -> bool:
    begins, ends = (place.line, place.column), (place.end_line, place.end_column)
    return site.file == source.file and begins <= (site.line, site.column) <= ends


def _short(text: str) -> str:
    return text if len(text) <= LONG else text[:LONG] + "…"


def _follows(pairs: list) -> bool:
    return all(one[1] == other[0] for one, other in itertools.pairwise(pairs))


def _first(case: Case, pair: tuple[int, int]) -> bool:
    """Whether some tensor that the run saw has the size that the first layer takes."""
    failure = case.trace.failure
    given = [fact for event in case.trace.events[-40:] for fact in tensors(event.args)]
    given += [*tensors(failure.module_args), *(tensors(failure.event.args) if failure.event is not None else ())]
    return any(pair[0] in (fact.shape or ()) for fact in given)
