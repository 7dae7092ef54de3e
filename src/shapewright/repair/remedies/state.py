"""The first state of a recurrent layer made in another shape: its axes put in order, layers and directions counted."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator

import libcst as cst

from ...diagnosis.model import Edit
from ...rules.remedy import Misfit
from ...trace import ModuleFact
from ..candidate import Candidate, Case, offered
from ..declared import at
from ..source import Place, Source
from ..spelling import sized
from .table_rows import sizes_of

ANSWERS = (Misfit,)
TITLES = {
    "state-order": {
        "en": "put the axes of the state in the expected order: {code}",
        "es": "poner los ejes del estado en el orden esperado: {code}",
        "ja": "状態の軸を期待される順に並べる: {code}",
    },
    "state-shape": {
        "en": "create the state in the expected shape: {code}",
        "es": "crear el estado con la forma esperada: {code}",
        "ja": "状態を期待される形状で作る: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For a state that a recurrent layer refuses, at the factory calls that its origins name."""
    wanted, found = tuple(case.misfit.wanted_shape or ()), tuple(case.misfit.state or ())
    if not wanted or not found:
        return
    if len(wanted) != len(found):
        yield from _cell(case, found, wanted)
        yield from _single(case, found, wanted)
        return
    yield from _directions(case, found, wanted)
    yield from _turned(case, found, wanted)
    yield from _layer(case, found, wanted)
    module = case.trace.modules.get(case.misfit.module)
    both = module is not None and bool(module.config.get("bidirectional"))
    for source, call, given in _factories(case, len(wanted)):
        several = module is not None and found[0] > 1 + both and module.config.get("num_layers", 1) > 1
        counted = found[1:] == wanted[1:] and (several or not isinstance(given[0].node, cst.Integer))
        # a count that has a name, or is no one, may be right, and the layer's own wrong, where directions do not
        # explain it
        if counted and module is not None and isinstance(given[0].node, (cst.Name, cst.Attribute, cst.Integer)):
            yield from _counted(case, module, found[0] // (1 + both))
        doubt = "guessed" if counted and not (both and wanted[0] == 2 * found[0]) else ""
        for texts, rank in _made(source, given, found, wanted):
            edits = tuple(_rewritten(source, given, texts))
            every = (*edits, *_also(source, call, given, texts))
            title = "state-order" if sorted(found) == sorted(wanted) else "state-shape"
            for some, late in ((every, 0), (edits, 6)) if every != edits else ((edits, 0),):
                yield Candidate(title, some, rank + late, {"code": f"({', '.join(texts)})"}, doubt=doubt)


def _factories(case: Case, axes: int) -> Iterator[tuple[Source, Place, list[Place]]]:
    """The calls on the lines of the finding's origins that make a tensor of so many axes, with the places of their
    sizes."""
    seen = set()
    for _, source, statement in case.simple(case.sites[1:]):
        for call in source.within(statement, cst.Call):
            given = sizes_of(source, call)
            if given is not None and len(given) == axes and (call.line, call.column) not in seen:
                seen.add((call.line, call.column))
                yield source, call, given


def _single(case: Case, found: tuple[int, ...], wanted: tuple[int, ...]) -> Iterator[Candidate]:
    """The state of a cell made without the axis of one layer, beside the other that is made so."""
    for source, call, given in _factories(case, len(found)) if found == (1, *wanted) else ():
        scope, texts = source.scope(call.line) or source.place(source.module), list(map(source.text_of, given))
        every = [(one, sizes_of(source, one)) for one in source.within(scope, cst.Call)]
        alike = [sizes for _, sizes in every if sizes is not None and list(map(source.text_of, sizes)) == texts]
        edits = [
            dataclasses.replace(source.replace(one, ""), end_line=two.line, end_column=two.column)
            for one, two, *_ in alike
        ]
        yield Candidate("state-shape", tuple(edits), 5, {"code": f"({', '.join(texts[1:])})"})


def _rewritten(source: Source, places: list[Place], texts: list[str]) -> Iterator[Edit]:
    """Texts in their places, where they are others."""
    return (source.replace(place, text) for place, text in zip(places, texts) if source.text_of(place) != text)


@at(cst.Call, arguments=2)
def _cell(
    case: Case, source: Source, place: Place, found: tuple[int, ...], wanted: tuple[int, ...]
) -> Iterator[Candidate]:
    """The state of a layer handed to a cell, which has none of the layers' axis: that of the last layer, from where the
    two were bound on, as the loop binds them anew."""
    state = place.node.args[1].value
    parts = [element.value for element in state.elements] if isinstance(state, cst.Tuple) else [state]
    names = [part.value for part in parts if isinstance(part, cst.Name)]
    if found[1:] != wanted or _both_ways(case) or len(names) != len(parts):
        return
    named, scope = re.compile(rf"\b{names[0]}\b"), source.scope(place.line)
    above = (a for a in source.of_kind(cst.Assign) if a.end_line < place.line and source.scope(a.line) is scope)
    for assign in [assign for assign in above if named.search(source.text_of(assign).partition("=")[0])][-1:]:
        line = f"{', '.join(names)} = {', '.join(f'{name}[-1]' for name in names)}"
        edit = source.line_after(source.statement(assign.line), line)
        yield Candidate("wrap", (edit,), 5, {"code": "[-1]", "name": ", ".join(names)})


def _counted(case: Case, module: ModuleFact, layers: int) -> Iterator[Candidate]:
    """As many layers as the state counts by a name."""
    for source, call in case.found(module.site if layers else None, cst.Call):
        for candidate in sized(case, module, source, call, (2, "num_layers"), layers, 3):
            yield dataclasses.replace(candidate, doubt="guessed" if candidate.fields["value"].isdigit() else "")


def _layer(case: Case, found: tuple[int, ...], wanted: tuple[int, ...]) -> Iterator[Candidate]:
    """The layer as wide as its state."""
    module = case.trace.modules.get(case.misfit.module)
    alone = module is not None and found[:-1] == wanted[:-1] and module.config.get("hidden_size") == wanted[-1]
    for source, call in case.found(module.site if alone else None, cst.Call):
        fields = {"module": module.kind, "argument": "hidden_size", "value": str(found[-1])}
        yield from offered("size", source.argument(call, 1, "hidden_size", str(found[-1])), 9, fields)


@at(cst.Call, arguments=2)
def _directions(
    case: Case, source: Source, place: Place, found: tuple[int, ...], wanted: tuple[int, ...]
) -> Iterator[Candidate]:
    """The state of a bidirectional encoder for a decoder of one direction: the two added, layer by layer."""
    if len(found) != 3 or found[0] <= wanted[0] or found[1:] != wanted[1:]:
        return
    state, both, half = source.place(place.node.args[1].value), _both_ways(case), found[0] // 2
    summed = f".unflatten(0, ({half}, 2)).sum(dim=1)"
    if both and found[0] == 2 * wanted[0]:
        yield _parts(case, source, state, ".sum(dim=0, keepdim=True)" if wanted[0] == 1 else summed, 5)
        return
    last = f"[-{wanted[0]}:]"
    more = both and found[0] % 2 == 0 and found[0] > 2 * wanted[0]
    yield _parts(case, source, state, summed + last if more else last, 7)
    module = case.trace.modules.get(case.trace.failure.module)
    for home, call in case.found(module.site if module is not None and not both else None, cst.Call):
        fields = {"module": module.kind, "argument": "num_layers", "value": str(found[0])}
        yield from offered("size", home.argument(call, 2, "num_layers", str(found[0])), 9, fields)


@at(cst.Call, arguments=2)
def _turned(
    case: Case, source: Source, place: Place, found: tuple[int, ...], wanted: tuple[int, ...]
) -> Iterator[Candidate]:
    """A state that is computed, with two of its axes exchanged where each of its parts is; what is made as large as
    another part follows it."""
    swaps = [pair for pair in itertools.combinations(range(len(found)), 2) if _exchanged(found, *pair) == wanted]
    parts = _elements(source, source.place(place.node.args[1].value), place.line)
    if len(swaps) != 1 or not parts:
        return
    one, other = swaps[0]
    code = f".transpose({one}, {other}).contiguous()"
    own = [part for _, part in parts if not any(_reads(source, part, name) for name, one in parts if one is not part)]
    if own and not any(sizes_of(source, part) for part in own if isinstance(part.node, cst.Call)):
        names = ", ".join(name for name, part in parts if name and part in own) or "…"
        edits = tuple(source.suffix(part, code) for part in own)
        yield Candidate("wrap", edits, 5, {"code": code, "name": names})


def _elements(source: Source, state: Place, line: int) -> list[tuple[str, Place]]:
    """The parts of a state with their names, each where it is computed."""
    if isinstance(state.node, cst.Tuple):
        places = [source.place(element.value) for element in state.node.elements]
        return [part for place in places for part in _elements(source, place, line)]
    name = state.node.value if isinstance(state.node, cst.Name) else ""
    made = source.binding(name, line) if name else None
    if made is not None and isinstance(made.node, cst.Tuple):
        return _elements(source, made, made.line)
    return [(name, made or state)]


def _reads(source: Source, part: Place, name: str) -> bool:
    """Whether a part is computed from what a name stands for."""
    return bool(name) and any(one.node.value == name for one in source.within(part, cst.Name))


def _exchanged(shape: tuple[int, ...], one: int, other: int) -> tuple[int, ...]:
    order = list(range(len(shape)))
    order[one], order[other] = other, one
    return tuple(shape[at] for at in order)


def _parts(case: Case, source: Source, state: Place, code: str, rank: int) -> Candidate:
    """The same done to the state, or to each of its two parts."""
    text = source.text_of(state)
    text = f"({text})" if isinstance(state.node, cst.Tuple) and not text.startswith("(") else text
    parts = f"tuple(part{code} for part in {text})"
    edit = source.replace(state, parts) if case.misfit.lstm else source.suffix(state, code)
    return Candidate("wrap", (edit,), rank, {"code": code, "name": text if len(text) < 40 else "…"})


def _both_ways(case: Case) -> bool:
    """Whether a bidirectional layer ran."""
    return any(
        module.config.get("bidirectional")
        for module in case.trace.modules.values()
        if module.kind in ("LSTM", "GRU", "RNN")
    )


def _made(
    source: Source, given: list[Place], found: tuple[int, ...], wanted: tuple[int, ...]
) -> Iterator[tuple[list[str], int]]:
    texts, rank = [source.text_of(place) for place in given], len(found)
    apart = [at for at in range(rank) if found[at] != wanted[at]]
    if sorted(found) == sorted(wanted):
        orders = list(itertools.permutations(range(rank)))[1:]
        yield from (([texts[at] for at in o], 4) for o in orders if tuple(found[at] for at in o) == wanted)
    elif apart == [0]:
        times = wanted[0] // found[0] if found[0] and wanted[0] % found[0] == 0 else 0
        if times > 1 and not isinstance(given[0].node, cst.Integer):
            yield [f"{times} * {texts[0]}", *texts[1:]], 4
        yield [str(wanted[0]), *texts[1:]], 5
    elif apart == [rank - 1]:
        yield [*texts[:-1], str(wanted[-1])], 8


def _also(source: Source, call: Place, given: list[Place], texts: list[str]) -> Iterator[Edit]:
    """The same change in the other factory calls of the function that are given the same sizes: the cell state beside
    the hidden state."""
    scope, now = source.scope(call.line), [source.text_of(place) for place in given]
    for other in source.within(scope, cst.Call) if scope is not None else ():
        sizes = sizes_of(source, other) if other.node is not call.node else None
        if sizes is not None and [source.text_of(place) for place in sizes] == now:
            yield from _rewritten(source, sizes, texts)
