"""The first state of a recurrent layer made in another shape: its axes put in order, layers and directions counted."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Misfit
from ...trace import ModuleFact
from ..candidate import Candidate, Case, offered
from ..source import Place, Source
from ..spelling import sized
from .table_rows import sizes_of

ANSWERS = (Misfit,)
TITLES = {
    "state-order": {
        "en": "put the state's axes in the expected order: {code}",
        "es": "poner los ejes del estado en el orden esperado: {code}",
        "ja": "状態の軸の順を直す: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For a state that a recurrent layer refuses, at the factory calls that its origins name."""
    wanted, found = case.misfit.wanted_shape, case.misfit.state
    if not wanted or not found or not case.finding.is_loud:
        return
    if len(wanted) != len(found):
        yield from _cell(case, tuple(found), tuple(wanted))
        return
    yield from _directions(case, tuple(found), tuple(wanted))
    yield from _layer(case, found, wanted)
    module = case.trace.modules.get(case.misfit.module)
    both = module is not None and bool(module.config.get("bidirectional"))
    seen = set()
    for _, source, statement in case.simple(origin.site for origin in case.facts.origins):
        for call in source.within(statement, cst.Call):
            given = sizes_of(source, call)
            if given is None or len(given) != len(wanted) or (call.line, call.column) in seen:
                continue
            seen.add((call.line, call.column))
            counted = not isinstance(given[0].node, cst.Integer) and found[1:] == wanted[1:]
            if counted and module is not None and isinstance(given[0].node, (cst.Name, cst.Attribute)):
                yield from _counted(case, module, found[0] // (1 + both))
            # a count that has a name may be right, and the layer's own wrong, where directions do not explain it
            doubt = "guessed" if counted and not (both and wanted[0] == 2 * found[0]) else ""
            for title, texts, rank in _made(source, given, tuple(found), tuple(wanted)):
                edits = tuple(
                    source.replace(place, text) for place, text in zip(given, texts) if source.text_of(place) != text
                )
                every = (*edits, *_also(source, call, given, texts))
                fields = {"code": f"({', '.join(texts)})"}
                yield Candidate(title, every, rank, fields, doubt=doubt)
                if every != edits:
                    yield Candidate(title, edits, rank + 6, fields, doubt=doubt)


def _cell(case: Case, found: tuple[int, ...], wanted: tuple[int, ...]) -> Iterator[Candidate]:
    """The state of a layer handed to a cell, which has none of the layers' axis: that of the last layer, from where the
    two were bound on, as the loop binds them anew."""
    source, place = case.at(case.site, cst.Call)
    if found[1:] != wanted or place is None or len(place.node.args) < 2 or _both_ways(case):
        return
    state = place.node.args[1].value
    parts = [element.value for element in state.elements] if isinstance(state, cst.Tuple) else [state]
    names = [part.value for part in parts if isinstance(part, cst.Name)]
    bound = [
        assign
        for assign in source.of_kind(cst.Assign)
        if assign.end_line < place.line
        and source.scope(assign.line) is source.scope(place.line)
        and names[:1]
        and re.search(rf"\b{names[0]}\b", source.text_of(assign).partition("=")[0])
    ]
    if len(names) == len(parts) and bound:
        line = f"{', '.join(names)} = {', '.join(f'{name}[-1]' for name in names)}"
        edit = source.line_after(source.statement(bound[-1].line), line)
        yield Candidate("wrap", (edit,), 5, {"code": "[-1]", "name": ", ".join(names)})


def _counted(case: Case, module: ModuleFact, layers: int) -> Iterator[Candidate]:
    """As many layers as the state counts by a name."""
    made = case.module_call(module.uid)
    for candidate in sized(case, module, *made, (2, "num_layers"), layers, 3) if made is not None and layers else ():
        yield dataclasses.replace(candidate, doubt="guessed" if candidate.fields["value"].isdigit() else "")


def _layer(case: Case, found: tuple[int, ...], wanted: tuple[int, ...]) -> Iterator[Candidate]:
    """The layer as wide as its state."""
    module = case.trace.modules.get(case.misfit.module)
    made = case.module_call(module.uid) if module is not None and found[:-1] == wanted[:-1] else None
    edit = made[0].argument(made[1], 1, "hidden_size", str(found[-1])) if made is not None else None
    if edit is not None and module.config.get("hidden_size") == wanted[-1]:
        yield Candidate("size", (edit,), 9, {"module": module.kind, "argument": "hidden_size", "value": str(found[-1])})


def _directions(case: Case, found: tuple[int, ...], wanted: tuple[int, ...]) -> Iterator[Candidate]:
    """The state of a bidirectional encoder for a decoder of one direction: the two added, layer by layer."""
    source, place = case.at(case.site, cst.Call)
    if len(found) != 3 or found[0] <= wanted[0] or found[1:] != wanted[1:] or place is None or len(place.node.args) < 2:
        return
    state = source.place(place.node.args[1].value)
    text = source.text_of(state)
    text = f"({text})" if isinstance(state.node, cst.Tuple) and not text.startswith("(") else text
    if found[0] != 2 * wanted[0] or not _both_ways(case):
        yield from _last_layers(case, source, state, text, found, wanted)
        return
    code = ".sum(dim=0, keepdim=True)" if wanted[0] == 1 else f".unflatten(0, ({wanted[0]}, 2)).sum(dim=1)"
    edit = (
        source.replace(state, f"tuple(part{code} for part in {text})")
        if case.misfit.lstm
        else source.suffix(state, code)
    )
    yield Candidate("wrap", (edit,), 5, {"code": code, "name": text if len(text) < 40 else "…"})


def _both_ways(case: Case) -> bool:
    """Whether a bidirectional layer ran."""
    return any(
        module.config.get("bidirectional")
        for module in case.trace.modules.values()
        if module.kind in ("LSTM", "GRU", "RNN")
    )


def _last_layers(
    case: Case, source: Source, state: Place, text: str, found: tuple[int, ...], wanted: tuple[int, ...]
) -> Iterator[Candidate]:
    """The state of more layers than the next net has: its last ones, their directions added; or as many layers
    there."""
    code = f"[-{wanted[0]}:]"
    if _both_ways(case) and found[0] % 2 == 0 and found[0] > 2 * wanted[0]:
        code = f".unflatten(0, ({found[0] // 2}, 2)).sum(dim=1)[-{wanted[0]}:]"
    edit = (
        source.replace(state, f"tuple(part{code} for part in {text})")
        if case.misfit.lstm
        else source.suffix(state, code)
    )
    yield Candidate("wrap", (edit,), 7, {"code": code, "name": text if len(text) < 40 else "…"})
    module = case.trace.modules.get(case.trace.failure.module) if case.trace.failure is not None else None
    call = case.module_call(module.uid) if module is not None else None
    if call is not None and not _both_ways(case):
        yield from offered(
            "size",
            call[0].argument(call[1], 2, "num_layers", str(found[0])),
            9,
            {"module": module.kind, "argument": "num_layers", "value": str(found[0])},
        )


def _made(
    source: Source, given: list[Place], found: tuple[int, ...], wanted: tuple[int, ...]
) -> Iterator[tuple[str, list[str], int]]:
    texts = [source.text_of(place) for place in given]
    if sorted(found) == sorted(wanted):
        for order in itertools.permutations(range(len(found))):
            if order != tuple(range(len(found))) and tuple(found[at] for at in order) == wanted:
                yield "state-order", [texts[at] for at in order], 4
        return
    apart = [at for at in range(len(found)) if found[at] != wanted[at]]
    if apart == [0] or (apart == [0, 1] and found[1] == wanted[1]):
        times = wanted[0] // found[0] if found[0] and wanted[0] % found[0] == 0 else 0
        if times > 1 and not isinstance(given[0].node, cst.Integer):
            yield "state-order", [f"{times} * {texts[0]}", *texts[1:]], 4
        yield "state-order", [str(wanted[0]), *texts[1:]], 5
    elif len(apart) == 1 and apart[0] == len(found) - 1:
        yield "state-order", [*texts[:-1], str(wanted[-1])], 8


def _also(source: Source, call: Place, given: list[Place], texts: list[str]) -> Iterator:
    """The same change in the other factory calls of the function that are given the same sizes: the cell state beside
    the hidden state."""
    scope = source.scope(call.line)
    now = [source.text_of(place) for place in given]
    for other in source.within(scope, cst.Call) if scope is not None else ():
        sizes = sizes_of(source, other)
        if sizes is not None and other.node is not call.node and [source.text_of(place) for place in sizes] == now:
            yield from (
                source.replace(place, text) for place, text in zip(sizes, texts) if source.text_of(place) != text
            )
