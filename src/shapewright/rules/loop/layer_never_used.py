"""A layer that the optimizer holds is never called.

## What it finds
A layer or a part of a model that is trained, which no call of the run used: its twin of the same shape was called
twice in one pass, or nothing in the script reads the attribute at all. The model itself need not be called. Also a
layer or a whole model that is called while nothing but itself reads what it returns, and a table of which training
looks up one row alone while evaluation looks up others. Where the numbers that belong in an unused table are looked up
in another one, that line is named.

## Why it hurts
Its parameters keep their initial values; where a twin does the work of both, the model is smaller than intended.

## Example
    x = self.conv2(self.relu(self.conv1(x)))
    x = self.fc1(self.fc1(x))                 # self.fc2 is never called

## Instead
    x = self.fc2(self.fc1(x))

## Fix safety
Layers that another branch may call are not reported.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...dataclass import dataclass
from ...graph.calls import every
from ...graph.flow import consumers, operands, tensors
from ...graph.ledger import Ledger, ledger
from ...graph.source import Source
from ...graph.training import ancestors, handed_on, of_kind, place
from ...trace import Event, GradientReach, ModuleFact, Origin, ParameterFact, Picked, ProbeFact, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW344"
FEWEST, CALLS = 8, 40
CONTAINERS = frozenset({"ModuleDict", "ModuleList"})
MOVED = frozenset({"data", "data_set", "to", "has_compatible_shallow_copy_type", "detach", "norm", "std", "mean"})


@dataclass(frozen=True)
class Twice:
    """A parameter of the layer `name` that is called twice in one pass, at `first` and at `second`."""

    name: str
    fact: ParameterFact
    second: Site
    first: Site


def check(trace: Trace) -> Iterator[Facts]:
    """Every such layer, once."""
    yield from _rows(trace)
    yield from _unheard(trace)
    book, source = ledger(trace), Source(trace)
    held = frozenset().union(*book.held.values())
    called = {uid for event in trace.events for uid in event.modules}
    read = {
        fact.uid
        for event in trace.events
        if not (event.op in MOVED or event.op.endswith("_"))  # filled or brought to a device is not used
        for fact in event.args
        if getattr(fact, "kind", "") == "parameter"
    }
    for fact in book.parameters.values():
        if fact.uid not in held - book.graded - read or fact.module in called or not fact.learns:
            continue
        owner = trace.modules.get(fact.holders[0])
        if fact.site is None or fact.module in fact.models or owner is None:
            continue
        if owner.is_ready_made and owner.kind not in CONTAINERS:
            continue
        layer, attribute = trace.modules[fact.module], fact.name.split(".")[:-1]
        if not any(book.trained(model) for model in fact.holders):
            continue
        own = _own(trace, attribute)
        named = not attribute or (not own.isdigit() and _read(trace, own))
        twice = _twice(trace, book, fact, named)
        if twice is None and (named or own.isdigit()):
            continue
        looked = _looked_up(trace, fact) if twice is None and layer.kind == "Embedding" else None
        site = twice.second if twice is not None else fact.site
        yield Facts(
            (looked[0].site if looked is not None else None) or site,
            why="twin" if twice is not None else "table" if looked is not None else "why",
            fields={
                "name": ".".join(attribute),
                "layer": layer.kind,
                "model": owner.kind,
                "twin": twice.name if twice is not None else "",
                "line": fact.site.line,
                "rows": fact.shape[0],
                "other": looked[1].rows if looked is not None else 0,
                "greatest": looked[1].greatest if looked is not None else 0,
            },
            origins=place(trace, fact.site, "constructor")
            if (twice or looked) is not None
            else _beside(trace, book, fact),
            severity="warning",
            cause=(code, fact.site),
            remedy=_remedy(source, book, fact, twice) if twice is not None else None,
        )


def _beside(trace: Trace, book: Ledger, unused: ParameterFact) -> tuple[Origin, ...]:
    """Where the model calls the layers that it made before and after this one: there it is left out."""
    calls = {event.modules[-1]: event.site for event in reversed(trace.events) if event.modules and event.site}
    own = [fact for fact in book.parameters.values() if not set(fact.models).isdisjoint(unused.models)]
    before = [calls[fact.module] for fact in own if fact.uid < unused.uid and fact.module in calls]
    after = [calls[fact.module] for fact in own if fact.uid > unused.uid and fact.module in calls]
    return tuple(origin for site in dict.fromkeys(before[-1:] + after[:1]) for origin in place(trace, site))


def _unheard(trace: Trace) -> Iterator[Facts]:
    """Layers that an optimizer holds and that training calls, while nothing reads what they return: it is computed
    with inside the model at most, and neither learned from nor returned."""
    for answer in trace.answers(GradientReach):
        if answer.data.kind == "starved" and answer.data.whole:
            yield from _unheard_of(trace, answer)
        if answer.data.kind != "starved" or answer.data.whole or trace.modules[answer.module].is_ready_made:
            continue
        for module in answer.data.modules:
            calls = [one for one in trace.events if one.modules[-1:] == (module,) and "grad" in one.flags][:CALLS]
            after = ledger(trace).confined(calls) if calls and calls[-1].site is not None else None
            if after is None or _last_of_a_row(trace, calls[-1], answer.data.modules):
                continue
            given = [fact for fact in operands(calls[-1]) if fact.kind != "parameter"]
            found = _unread(trace, calls[-1].site, "unheard", module, answer, given)
            ends = (place(trace, one.site) for one in sorted(after, key=lambda one: -one.index)[:1])
            yield replace(found, origins=(*(origin for end in ends for origin in end), *found.origins))


def _unheard_of(trace: Trace, answer: ProbeFact[GradientReach]) -> Iterator[Facts]:
    """A model that an optimizer holds beside others, and of whose results in training nothing reads any."""
    calls = [s for s in of_kind(trace, "forward") if s.data["module"] == answer.module and s.data["grad"]][:CALLS]
    made = [fact for call in calls for fact in tensors(call.data["result"]) if fact.producer >= 0]
    users = (one for fact in made for one in consumers(trace, fact.producer) if answer.module not in one.modules)
    if len(calls) > 1 and made and calls[0].site is not None and not any(True for _ in users):
        yield _unread(trace, calls[0].site, "unheard_of", answer.module, answer, tensors(calls[0].data["args"]))


def _unread(
    trace: Trace, site: Site, message: str, module: int, answer: ProbeFact[GradientReach], given: Iterable[TensorFact]
) -> Facts:
    """A call of a layer, or of a model, whose results are lost; beside it what else reads what it is given."""
    users = [one for fact in given if fact.producer >= 0 for one in consumers(trace, fact.producer)]
    beside = dict.fromkeys(one.site for one in users if module not in one.modules)
    return Facts(
        site,
        message=message,
        why="unheard_why",
        fields={"layer": trace.modules[module].kind, "model": answer.data.model},
        origins=tuple(o for other in list(beside)[:3] for o in place(trace, other)),
        severity="warning",
        cause=(code, site),
    )


def _last_of_a_row(trace: Trace, call: Event, unheard: tuple[int, ...]) -> bool:
    """Whether a layer is the last of several that one loop calls in a pass, and the others are heard: what the last of
    a row of blocks hands on has nowhere to go."""
    alike = [one for one in trace.events if one.stack == call.stack and one.op == call.op and one.modules]
    row = [one.modules[-1] for one in alike if one.iteration == call.iteration]
    own = call.modules[-1]
    others = [module for module in row if module != own]
    return bool(others) and row[-1] == own and not set(others) & set(unheard)


def _rows(trace: Trace) -> Iterator[Facts]:
    """A table of which training looks up one row alone, and evaluation others."""
    tables: dict[tuple[Site | None, int], tuple[list[Picked], list[Picked]]] = {}
    for one in trace.data.picked:
        event = trace.events[one.event]
        if event.op == "embedding" and event.modules and one.rows > 1:
            place_of = event.site, one.rows  # that of an averaged copy of the model is the same
            tables.setdefault(place_of, ([], []))["grad" not in event.flags].append(one)
    for learned, judged in tables.values():
        row = learned[0].least if learned else -1
        if len(learned) < 2 or not judged or sum(one.count for one in learned) < FEWEST:
            continue
        if any((one.least, one.greatest) != (row, row) for one in learned) or all(one.least == row for one in judged):
            continue
        event = trace.events[learned[0].event]
        layer = trace.modules.get(event.modules[-1])
        made = handed_on(trace, next(iter(operands(event)), None)) or [event.site]
        if made[-1] is not None and layer is not None:
            other = trace.events[judged[0].event]
            yield Facts(
                made[-1],
                message="rows",
                why="why_rows",
                fields={"row": row, "rows": learned[0].rows, "layer": layer.kind},
                origins=tuple(origin for site in (event.site, *other.stack[:1]) for origin in place(trace, site)),
                severity="warning",
            )
            return


def _looked_up(trace: Trace, unused: ParameterFact) -> tuple[Event, Picked] | None:
    """The one of several places that look rows of a greater table of the same model up where all numbers fit this
    table, while those of the other places do not."""
    tables: dict[int, dict[Site | None, list[Picked]]] = {}
    for one in trace.data.picked:
        event = trace.events[one.event]
        layer = trace.modules.get(event.modules[-1]) if event.op == "embedding" and event.modules else None
        if layer is not None and one.rows > unused.shape[0] and not set(unused.holders).isdisjoint(event.modules):
            tables.setdefault(layer.uid, {}).setdefault(event.site, []).append(one)
    for places in tables.values():
        fits = {site: all(one.greatest < unused.shape[0] for one in told) for site, told in places.items()}
        told = [one for site, fit in fits.items() if fit for one in places[site]]
        if len(places) > 1 and sum(fits.values()) == 1 and sum(one.count for one in told) >= FEWEST:
            most = max(told, key=lambda one: one.greatest)
            return trace.events[most.event], most
    return None


def _remedy(source: Source, book: Ledger, unused: ParameterFact, twice: Twice) -> Rewrite | None:
    """One of the two calls calls the other layer, in the order in which both were made. Which one does not matter to
    layers of the same shapes in the same optimizer; where they are in different ones, nothing tells."""
    twin, attribute = twice.fact, unused.name.split(".")[:-1]
    earlier = twice.first != twice.second and unused.uid < twin.uid
    called = twice.first if earlier else twice.second
    node = source.node_at(called, (ast.Call,))
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not attribute:
        return None
    part = attribute[min(_apart(unused, twin), len(attribute) - 1)]
    apart = any((unused.uid in held) != (twin.uid in held) for held in book.held.values())
    code = f"{ast.unparse(node.func.value)}.{part}"
    return Rewrite(code, source.site(node.func, called.file), guessed=apart)


def _apart(one: ParameterFact, other: ParameterFact) -> int:
    """The first part in which the paths of two parameters differ."""
    pairs = zip(one.name.split("."), other.name.split("."))
    return next((at for at, (left, right) in enumerate(pairs) if left != right), 0)


def _twice(trace: Trace, book: Ledger, unused: ParameterFact, named: bool) -> Twice | None:
    """The layer of the same shapes in the same model that two places of one pass call, or the part that holds it."""
    source = Source(trace)
    for fact in book.parameters.values():
        if fact.module == unused.module or fact.shape != unused.shape or set(fact.holders).isdisjoint(unused.holders):
            if fact.root != unused.root or fact.module == unused.module or fact.shape != unused.shape:
                continue
        if fact.name.split(".")[-1] != unused.name.split(".")[-1]:
            continue
        if trace.modules[fact.module].kind != trace.modules[unused.module].kind:
            continue
        calls = [event for event in trace.events if event.modules and event.modules[-1] == fact.module and event.site]
        if not calls:
            continue
        name = ".".join(fact.name.split(".")[:-1])
        part = _part(trace, fact, unused, calls[0])
        if part is not None:
            own = [(site, step if fact.models == (part.uid,) else passed) for step, passed, site in part.calls]
            places = _places(source, (site for site, passed in own if passed == own[0][1]))
            if len(places) > 1 and not _called(trace, unused.name.split(".")[_apart(unused, fact)]):
                return Twice(name, fact, places[1], places[0])
            continue
        places = _places(source, (event.site for event in calls if event.iteration == calls[0].iteration))
        if len(places) > 1:
            return Twice(name, fact, places[1], places[0])
        second = _again(trace, calls) if not named else None
        if second is not None and second.site is not None and calls[0].site is not None:
            return Twice(name, fact, second.site, calls[0].site)
    return None


def _places(source: Source, sites: Iterable[Site | None]) -> list[Site]:
    """The places of some calls in the order of the text; none that chooses what it calls by a computed index."""
    found = set()
    for site in set(sites):
        if site is None:
            continue
        func = getattr(source.node_at(site, (ast.Call,)), "func", None)
        if not (isinstance(func, ast.Subscript) and not isinstance(func.slice, ast.Constant)):
            found.add(site)
    return sorted(found, key=lambda site: (site.file, site.line, site.column))


def _part(trace: Trace, fact: ParameterFact, unused: ParameterFact, call: Event) -> ModuleFact | None:
    """The part of a model, more than one layer, that holds a parameter in the place where another part holds one."""
    at, own, other = _apart(unused, fact), fact.name.split("."), unused.name.split(".")
    if at >= len(own) - 2 or own[at + 1 :] != other[at + 1 :]:
        return None
    path = ".".join(own[: at + 1])
    held = (trace.modules.get(uid) for uid in call.modules)
    return next((one for one in held if one is not None and one.path == path), None)


def _called(trace: Trace, attribute: str) -> bool:
    """Whether some statement, perhaps one that the run did not come to, calls an attribute or an item of this name."""
    for node, _ in every(trace, ast.Call):
        func = node.func if isinstance(node, ast.Call) else node
        key = func.slice if isinstance(func, ast.Subscript) else None
        if attribute in (getattr(func, "attr", None), getattr(key, "value", None)):
            return True
    return False


def _again(trace: Trace, calls: list[Event]) -> Event | None:
    """The second of two calls at one line, in one pass of a model: it is given what was computed from the first, or the
    very same once more."""
    own = [event for event in calls[:12] if event.modules[:-1] and event.iteration == calls[0].iteration]
    for one, other in itertools.pairwise(own):
        if other.modules != one.modules or one.site != other.site:
            continue
        if any(one.index in ancestors(trace, fact, 200) for fact in operands(other)[:1]):
            return other
        if [fact.uid for fact in operands(one)] == [fact.uid for fact in operands(other)]:
            return other
    return None


def _own(trace: Trace, path: list[str]) -> str:
    """The attribute by which the script holds a layer: that of the library's layer which this one lies inside of, or of
    the whole list where no statement reads it."""
    stored = {node.attr for node, _ in every(trace, ast.Attribute) if isinstance(node.ctx, ast.Store)}
    whole = next((part for part in reversed(path) if not part.isdigit()), "")
    if whole in stored and not _read(trace, whole):
        return whole
    return next((part for part in reversed(path) if part in stored or part.isdigit()), (path or [""])[-1])


def _read(trace: Trace, attribute: str) -> bool:
    """Whether any statement reads an attribute or an item of this name."""
    return any(
        node.value == attribute
        if isinstance(node, ast.Constant)
        else node.attr == attribute and isinstance(node.ctx, ast.Load)
        for node, _ in every(trace, ast.Constant, ast.Attribute)
    )


MESSAGES = {
    "en": {
        "message": "{name} of {model} is never called",
        "unheard_of": "during training, nothing uses the output of this {layer}",
        "unheard": "training runs this {layer} layer of {model}, but no loss is computed from its output",
        "unheard_why": "no loss depends on the output of this layer, so its parameters get no gradient",
        "rows": "training looks up only row {row} (counted from 0) of the {rows} rows of this {layer} layer",
        "why_rows": "evaluation looks up other rows, which are never trained",
        "why": "the optimizer holds the {layer} layer of line {line}, but nothing in the script uses it",
        "table": (
            "the indices looked up here (at most {greatest}) fit the {rows} rows of {name} (line {line}), but they are "
            "looked up in a table of {other} rows, which other lookups use too"
        ),
        "twin": (
            "{twin} is called a second time here; {name}, the {layer} layer of line {line} with the same shape, is "
            "never called"
        ),
    },
    "es": {
        "message": "nunca se llama a {name} de {model}",
        "unheard_of": "durante el entrenamiento, nada usa la salida de este módulo {layer}",
        "unheard": (
            "el entrenamiento ejecuta esta capa {layer} de {model}, pero ninguna pérdida se calcula con su salida"
        ),
        "unheard_why": "ninguna pérdida depende de la salida de esta capa, así que sus parámetros no reciben gradiente",
        "rows": "el entrenamiento usa solo la fila {row} (contando desde 0) de las {rows} filas de esta capa {layer}",
        "why_rows": "la evaluación usa otras filas, que nunca se entrenan",
        "why": "el optimizador tiene la capa {layer} de la línea {line}, pero nada en el script la usa",
        "table": (
            "los índices que se usan aquí (como mucho {greatest}) caben en las {rows} filas de {name} (línea {line}), "
            "pero se buscan en una tabla de {other} filas, en la que también se buscan otros índices"
        ),
        "twin": (
            "aquí se llama por segunda vez a {twin}; a {name}, la capa {layer} de la línea {line} con la misma forma, "
            "no se la llama nunca"
        ),
    },
    "ja": {
        "message": "{model} の {name} が一度も呼ばれません",
        "unheard_of": "学習では、この {layer} の出力がどこでも使われません",
        "unheard": "学習で {model} のこの {layer} が呼ばれますが、その出力から損失が計算されていません",
        "unheard_why": "この層の出力に依存する損失がないため、層のパラメータに勾配が届きません",
        "rows": "学習では {layer} の {rows} 行のうち、添字 {row} (0 始まり) の 1 行しか参照されません",
        "why_rows": "評価では、学習されていないほかの行が参照されます",
        "why": "{line} 行目の {layer} はオプティマイザに渡されていますが、スクリプトのどこでも使われません",
        "table": (
            "ここで参照されるインデックス (最大 {greatest}) は、{line} 行目で作られた {name} (行数 {rows}) の範囲に収"
            "まりますが、実際に参照されるのは行数 {other} の別の表で、この表はほかの場所でも参照されています"
        ),
        "twin": (
            "ここで {twin} がもう一度呼ばれています。同じ形状の {name} ({line} 行目の {layer}) は一度も呼ばれません"
        ),
    },
}
