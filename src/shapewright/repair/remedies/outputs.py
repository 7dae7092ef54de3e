"""The number of things that a layer can name: classes of the last layer, entries of an embedding, places in a position
table."""

from __future__ import annotations

import ast
import dataclasses
import itertools
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.calls import every
from ...graph.flow import argument, lineage, operands, tensors
from ...graph.origins import Origins
from ...lexicon import says
from ...rules.remedy import Misfit
from ...trace import Event, ModuleFact, Site, TensorFact
from ...trace.said import ClassBeyond, Refusal
from ..candidate import Candidate, Case, offered
from ..numbers import Numbers, Written
from ..operands import written
from ..rewriting import rewritten
from ..source import Place, Source
from ..spelling import sized
from .wrap import edit_at_binding
from .written_size import edit_of

NEAR = 3


ANSWERS = (Misfit,)
TITLES = {
    "from-zero": {
        "en": "count the classes from 0: {code}",
        "es": "contar las clases desde 0: {code}",
        "ja": "クラスを 0 から数える: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For an index beyond a table, a class beyond the scores, and a target wider than the scores."""
    failure, event = case.failure, case.event
    if event is None:
        return
    if ops.is_a(event.op, "embeds", "takes"):
        yield from _table(case, event)
    classifies = ops.is_a(event.op, "classifies")
    found = failure.told(ClassBeyond) if classifies else None
    if found is not None:
        known = case.misfit.wanted
        most = max(found.target + 1, known if isinstance(known, int) else 0)
        yield from _from_zero(case) if case.misfit.problem == "from_one" else ()
        yield from _counted(_classes(case, event.args[0], most))
    weight = argument(event, 2, "weight") if classifies else None
    if isinstance(weight, TensorFact) and weight.rank == 1 and Refusal.WEIGHT in failure.said:
        yield from _classes(case, event.args[0], weight.shape[0])
    if ops.is_a(event.op, "binary", "measures_error", "classifies", "divergences"):
        pair = [fact for fact in tensors(event.args[:2]) if fact.rank >= 2]
        if (
            len(pair) == 2
            and pair[0].shape[:-1] == pair[1].shape[:-1]
            and (pair[1].shape[-1] != 1 or ops.is_a(event.op, "binary"))
        ):
            yield from _classes(case, pair[0], pair[1].shape[-1])


def _from_zero(case: Case) -> Iterator[Candidate]:
    """Classes that are counted from one counted from zero, where the targets get their name, or in the loss. That no
    sample of the first class was seen may be chance."""
    for operand in written(case)[1:2]:
        edits = edit_at_binding(case, operand, " - 1"), operand.source.suffix(operand.place, " - 1")
        for rank, edit in enumerate(edits):
            yield from offered("from-zero", edit, 4 + rank, {"code": f"{operand.text} - 1"}, doubt="guessed")


def _table(case: Case, event: Event) -> Iterator[Candidate]:
    largest = case.misfit.wanted - 1 if isinstance(case.misfit.wanted, int) else None
    modules = [case.trace.modules[uid] for uid in reversed(event.modules) if uid in case.trace.modules]
    fields = {"module": "Embedding", "argument": "num_embeddings"}
    for module in (m for m in modules if m.kind == "Embedding" and largest is not None):
        for source, call in case.found(module.site, cst.Call):
            for text in _alike(case, event, source, call, largest):
                edit = source.argument(call, 0, "num_embeddings", text)
                yield from offered("size", edit, 4, fields | {"value": text})
            now, more = source.given(call, 0, "num_embeddings"), largest + 1 - module.config.get("num_embeddings", 0)
            for part in (now.left, now.right) if isinstance(now, cst.BinaryOperation) else ():
                if isinstance(part, (cst.Name, cst.Attribute, cst.Call)):  # what was taken from it or added to it goes
                    edit = source.replace(source.place(now), source.code(part).strip())
                    yield Candidate("size", (edit,), 5, fields | {"value": edit.replacement})
            # an expression that counts what there is misses a few: keep it
            if now is not None and not isinstance(now, cst.Integer) and 0 < more <= NEAR:
                text = f"{source.atom(source.place(now))} + {more}"
                edit = source.argument(call, 0, "num_embeddings", text)
                yield Candidate("size", (edit,), 6, fields | {"value": text}, doubt="guessed")
            yield from _counted(sized(case, module, source, call, (0, "num_embeddings"), largest + 1, 7))


def _alike(case: Case, event: Event, source: Source, call: Place, largest: int) -> Iterator[str]:
    """How many entries the tables made in the same function have that are read at the same indices."""
    read = {fact.uid for fact in operands(event) if not fact.is_held}
    for other in case.trace.events:
        if ops.is_a(other.op, "embeds") and other.modules and any(fact.uid in read for fact in operands(other)):
            module = case.trace.modules.get(other.modules[-1])
            rows = module.config.get("num_embeddings", 0) if module is not None else 0
            for home, made in case.found(module.site if rows > largest else None, cst.Call):
                count = source.given(made, 0, "num_embeddings") if home is source and made != call else None
                if count is not None and source.scope(made.line) is source.scope(call.line):
                    yield source.code(count).strip()


def _counted(found: Iterator[Candidate]) -> Iterator[Candidate]:
    """A number that was read off the data seen so far is a guess; a name is not."""
    for candidate in found:
        plain = candidate.fields["value"].isdigit()
        yield dataclasses.replace(candidate, doubt="guessed") if plain else candidate


def _classes(case: Case, scores: object, wanted: int) -> Iterator[Candidate]:
    """The layer that gave the scores their last axis, or else that made them, gives `wanted` of them."""
    origins = Origins(case.trace).of_axis(scores, -1) if isinstance(scores, TensorFact) and scores.rank else []
    sites = {origin.site for origin in origins if origin.kind == "constructor"}
    named = [module for module in case.trace.modules.values() if module.site in sites]
    made = lineage(case.trace, scores, lambda event: [f for f in tensors(event.args) if f.producer >= 0][:1], 5)
    named += [case.trace.modules[uid] for one in made for uid in reversed(one.modules) if uid in case.trace.modules]
    for module in itertools.islice((module for module in named if module.kind == "Linear"), 1):
        yield from _configured(case, module, wanted)
        for source, call in _own(case, module):
            named = isinstance(source.given(call, 1, "out_features"), (cst.Name, cst.Attribute))
            for candidate in sized(case, module, source, call, (1, "out_features"), wanted, 9):
                yield dataclasses.replace(candidate, doubt="guessed") if named else candidate  # another name by chance


def _configured(case: Case, layer: ModuleFact, wanted: int) -> Iterator[Candidate]:
    """A library's model: the number of classes that the user's call or configuration asks for, where it is written."""
    if layer.site is None or _own(case, layer):
        return
    now, numbers, asked = layer.config.get("out_features"), Numbers(case.trace), False
    for call, at in every(case.trace, ast.Call):
        for given in (one for one in call.keywords if says(one.arg or "", "classes")):
            site = numbers.site(given.value, at.file)
            written = Written(given.value, (Site(at.file, site.line, 1, function=_function(numbers, site)),))
            if numbers.value(written) == now:
                asked = True
                for change in rewritten(numbers, written, now, wanted):
                    fields = {"module": layer.kind, "argument": given.arg, "value": change.text}
                    yield from offered("size", edit_of(case, numbers, change), 5 + change.cost, fields)
    if asked:
        return
    fields = {"module": layer.kind, "argument": "num_labels", "value": str(wanted)}
    for source, call in case.found(layer.site, cst.Call):
        if "from_pretrained" in source.text_of(source.place(call.node.func)):
            yield from offered("size", source.argument(call, None, "num_labels", str(wanted)), 6, fields)
    for source, call in case.calls() if says(layer.path.split(".")[-1], "head") else ():
        if source.called(call).endswith("Config"):
            yield from offered("size", source.argument(call, None, "num_labels", str(wanted)), 6, fields)


def _own(case: Case, layer: ModuleFact) -> list[tuple[Source, Place]]:
    """The call that constructs the layer itself, and no model around it."""
    return [found for found in case.found(layer.site, cst.Call) if found[0].called(found[1]) == layer.kind]


def _function(numbers: Numbers, site: Site) -> str:
    """The name of the function around a site."""
    around = numbers.function_at(Site(site.file, site.line))
    return around.name if around is not None else "<module>"
