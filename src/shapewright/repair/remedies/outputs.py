"""The number of things that a layer can name: classes of the last layer, entries of an embedding, places in a position
table."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands, produced, tensors
from ...lexicon import says
from ...rules.remedy import Misfit
from ...trace import Event, Site, TensorFact
from ...trace.said import ClassBeyond, Refusal
from ..candidate import Candidate, Case, offered
from ..numbers import Numbers, Written
from ..rewriting import rewritten
from ..source import Place, Source
from ..spelling import sized
from .written_size import edit_of

NEAR = 3


ANSWERS = (Misfit,)


def propose(case: Case) -> Iterator[Candidate]:
    """For an index beyond a table, a class beyond the scores, and a target wider than the scores."""
    failure = case.failure
    event = case.event
    if failure is None:
        return
    if event is not None and ops.is_a(event.op, "embeds", "takes"):
        yield from _table(case, event)
    if event is not None and ops.is_a(event.op, "classifies"):
        found = failure.told(ClassBeyond)
        if found is not None:
            known = case.misfit.wanted
            most = max(found.target + 1, known if isinstance(known, int) else 0)
            yield from _counted(_classes(case, event.args[0], most))
    weight = (
        event.kwargs.get("weight", event.args[2] if len(event.args) > 2 else None)
        if event is not None and ops.is_a(event.op, "classifies")
        else None
    )
    if isinstance(weight, TensorFact) and weight.rank == 1 and Refusal.WEIGHT in failure.said:
        yield from _classes(case, event.args[0], weight.shape[0])
    if event is not None and ops.is_a(event.op, "binary", "measures_error", "classifies", "divergences"):
        pair = [fact for fact in tensors(event.args[:2]) if fact.rank >= 2]
        if (
            len(pair) == 2
            and pair[0].shape[:-1] == pair[1].shape[:-1]
            and (pair[1].shape[-1] != 1 or ops.is_a(event.op, "binary"))
        ):
            yield from _classes(case, pair[0], pair[1].shape[-1])


def _table(case: Case, event) -> Iterator[Candidate]:
    largest = _largest(case)
    for uid in reversed(event.modules):
        module = case.trace.modules.get(uid)
        if module is None or module.kind != "Embedding" or largest is None:
            continue
        found = case.module_call(uid)
        if found is None:
            continue
        source, call = found
        for text in _alike(case, event, source, call, largest):
            edit, fields = source.argument(call, 0, "num_embeddings", text), {"module": "Embedding", "value": text}
            yield from offered("size", edit, 4, {**fields, "argument": "num_embeddings"})
        now, more = source.given(call, 0, "num_embeddings"), largest + 1 - module.config.get("num_embeddings", 0)
        for part in (now.left, now.right) if isinstance(now, cst.BinaryOperation) else ():
            if isinstance(part, (cst.Name, cst.Attribute, cst.Call)):  # what was taken from it or added to it goes
                edit = source.replace(source.place(now), source.code(part).strip())
                fields = {"module": "Embedding", "argument": "num_embeddings", "value": edit.replacement}
                yield Candidate("size", (edit,), 5, fields)
        if (
            now is not None and not isinstance(now, cst.Integer) and 0 < more <= NEAR
        ):  # an expression that counts what there is misses a few: keep it
            text = f"{source.atom(source.place(now))} + {more}"
            yield Candidate(
                "size",
                (source.argument(call, 0, "num_embeddings", text),),
                6,
                {"module": "Embedding", "argument": "num_embeddings", "value": text},
                doubt="guessed",
            )
        yield from _counted(sized(case, module, source, call, (0, "num_embeddings"), largest + 1, 7))


def _alike(case: Case, event: Event, source: Source, call: Place, largest: int) -> Iterator[str]:
    """How many entries the tables made in the same function have that are read at the same indices."""
    read = {fact.uid for fact in operands(event) if not fact.is_held}
    for other in case.trace.events:
        if ops.is_a(other.op, "embeds") and other.modules and any(fact.uid in read for fact in operands(other)):
            module, made = case.trace.modules.get(other.modules[-1]), case.module_call(other.modules[-1])
            if module is None or made is None or made[0] is not source or made[1] == call:
                continue
            count = source.given(made[1], 0, "num_embeddings")
            if module.config.get("num_embeddings", 0) > largest and source.scope(made[1].line) is source.scope(
                call.line
            ):
                yield source.code(count).strip() if count is not None else ""


def _counted(found: Iterator[Candidate]) -> Iterator[Candidate]:
    """A number that was read off the data seen so far is a guess; a name is not."""
    for candidate in found:
        plain = candidate.fields["value"].isdigit()
        yield dataclasses.replace(candidate, doubt="guessed") if plain else candidate


def _largest(case: Case) -> int | None:
    """The largest index that the finding knows of."""
    named = (case.facts.fields.get(name) for name in ("largest", "index", "max", "top", "value"))
    return next((value for value in named if isinstance(value, int)), None)


def _classes(case: Case, scores, wanted: int) -> Iterator[Candidate]:
    """The layer that made the scores gives `wanted` of them."""
    event = produced(case.trace, scores) if isinstance(scores, TensorFact) else None
    for _ in range(5):
        if event is None:
            return
        for uid in reversed(event.modules):
            module = case.trace.modules.get(uid)
            if module is not None and module.kind == "Linear":
                yield from _configured(case, module, wanted)
                found = case.module_call(uid)
                if found is not None and any(_own(case, module)):
                    yield from sized(case, module, *found, (1, "out_features"), wanted, 9)
                return
        event = next((produced(case.trace, fact) for fact in tensors(event.args) if fact.producer >= 0), None)


def _configured(case: Case, layer, wanted: int) -> Iterator[Candidate]:
    """A library's model: the number of classes that the user's call or configuration asks for, where it is written."""
    if layer.site is None or any(m.uid == layer.uid for m in _own(case, layer)):
        return
    now = layer.config.get("out_features")
    numbers = Numbers(case.trace)
    asked = False
    for file in case.trace.sources:
        for call in (node for node in numbers.nodes(file) if isinstance(node, ast.Call)):
            for given in call.keywords:
                site = numbers.site(given.value, file)
                written = Written(given.value, (Site(file, site.line, 1, function=_function(numbers, site)),))
                if not says(given.arg or "", "classes") or numbers.value(written) != now:
                    continue
                asked = True
                for change in rewritten(numbers, written, now, wanted):
                    yield from offered(
                        "size",
                        edit_of(case, numbers, change),
                        5 + change.cost,
                        {"module": layer.kind, "argument": given.arg, "value": change.text},
                    )
    found, call = case.at(layer.site, cst.Call)
    if call is not None and not asked and "from_pretrained" in found.text_of(found.place(call.node.func)):
        yield from offered(
            "size",
            found.argument(call, None, "num_labels", str(wanted)),
            6,
            {"module": "Linear", "argument": "num_labels", "value": str(wanted)},
        )
    for file in case.trace.sources if not asked else ():
        source = case.source(file)
        for place in source.of_kind(cst.Call) if source is not None else ():
            if source.text_of(source.place(place.node.func)).split(".")[-1].endswith("Config") and says(
                layer.path.split(".")[-1], "head"
            ):
                yield from offered(
                    "size",
                    source.argument(place, None, "num_labels", str(wanted)),
                    6,
                    {"module": layer.kind, "argument": "num_labels", "value": str(wanted)},
                )


def _own(case: Case, layer):
    """The layer, if the user's file constructs it by name."""
    found = case.module_call(layer.uid)
    if found is not None and found[0].text_of(found[0].place(found[1].node.func)).split(".")[-1] == layer.kind:
        yield layer


def _function(numbers: Numbers, site: Site) -> str:
    """The name of the function around a site."""
    around = numbers.function_at(Site(site.file, site.line))
    return around.name if around is not None else "<module>"
