"""Takes away an activation that the loss applies itself, or puts in the logarithm or the sigmoid that it wants."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import SAME_VALUES, consumers, layer_of
from ...graph.imports import library
from ...rules.remedy import DropActivation, Squash
from ...trace import Event, Trace
from ...trace.said import NoProbabilities
from ..candidate import Candidate, Case
from ..source import Place, Source

NAMES = {"softmax": ("softmax", "Softmax"), "sigmoid": ("sigmoid", "Sigmoid")}


TWINS = {"BCELoss": "BCEWithLogitsLoss", "binary_cross_entropy": "binary_cross_entropy_with_logits"}
PLAIN = {twin: name for name, twin in TWINS.items()}
ANSWERS = (DropActivation, Squash)
TITLES = {
    "logits-loss": {
        "en": "use the loss that includes the sigmoid: {code}",
        "es": "usar la pérdida que incluye la sigmoide: {code}",
        "ja": "シグモイドを含む損失を使う: {code}",
    },
    "plain-loss": {
        "en": "use the loss that takes probabilities: {code}",
        "es": "usar la pérdida que recibe probabilidades: {code}",
        "ja": "確率を受け取る損失を使う: {code}",
    },
    "sigmoid": {
        "en": "apply a sigmoid to the scores: {code}",
        "es": "aplicar una sigmoide a las puntuaciones: {code}",
        "ja": "スコアにシグモイドを適用する: {code}",
    },
    "log-softmax": {
        "en": "pass log-probabilities to the loss: {code}",
        "es": "pasar log-probabilidades a la pérdida: {code}",
        "ja": "損失に対数確率を渡す: {code}",
    },
    "no-activation": {
        "en": "remove {code} and pass the logits to the loss",
        "es": "quitar {code} y pasar los logits a la pérdida",
        "ja": "{code} を除き、ロジットを損失に渡す",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where it is applied, where its layer is made, or at the loss."""
    if isinstance(case.remedy, Squash):
        yield from _squashed(case)
        return
    event, logs = case.trace.events[case.remedy.made], case.remedy.logs
    read = not logs and _read_elsewhere(case.trace, event)
    if read and ops.is_a(event.op, "squashes"):
        yield from _plain(case)
    for candidate in _dropped(case, event, logs):
        yield dataclasses.replace(candidate, doubt="guessed") if read else candidate


def _of_one_layer(trace: Trace, one: Event, other: Event) -> bool:
    """Whether one layer made both calls, also where the script calls it itself and not the model around it."""
    if one.op != other.op or one.modules[-1:] != other.modules[-1:]:
        return False
    return layer_of(trace, one)[2] == layer_of(trace, other)[2]


def _read_elsewhere(trace: Trace, made: Event) -> bool:
    """Whether probabilities are read by more than losses that want logits and choices of the largest: an error, a
    threshold or a picture made of them is another one without the activation."""
    queue = [event for event in trace.events if _of_one_layer(trace, event, made)]
    seen = {event.index for event in queue}
    while queue:
        for event in consumers(trace, queue.pop().index):
            if event.index in seen or ops.is_a(event.op, "takes_logits", "extremes", "ranks"):
                continue
            if event.op.rstrip("_") not in SAME_VALUES:
                return True
            seen.add(event.index)
            queue.append(event)
    return False


def _plain(case: Case) -> Iterator[Candidate]:
    """The loss of probabilities in place of that of logits, where it is called or made."""
    module = case.trace.layer(case.event) if case.event is not None else None
    for source, place in case.found(
        module.site if module is not None and module.is_ready_made else case.site, cst.Call
    ):
        func = place.node.func
        name = func.attr if isinstance(func, cst.Attribute) else None
        weighed = any(given.keyword is not None and given.keyword.value == "pos_weight" for given in place.node.args)
        if name is not None and name.value in PLAIN and not weighed:
            code = PLAIN[name.value]
            yield Candidate("plain-loss", (source.replace(source.place(name), code),), 3, {"code": code})


def _dropped(case: Case, event: Event, logs: bool) -> Iterator[Candidate]:
    """The activation taken away, or its logarithm in its place."""
    module = case.trace.layer(event)
    for source, place in case.found(event.site, cst.Call):
        yield from _call(source, place, logs, module is not None and module.is_ready_made)
    layer = module is not None and module.kind in ("Softmax", "Sigmoid")
    for source, place in case.found(module.site if layer else None, cst.Call):
        yield from _layer(source, place, logs)
    for source, place in case.found(case.site if logs else None, cst.Call, arguments=1):
        first = source.place(place.node.args[0].value)
        dim = -1 if case.event is not None and case.event.op == "ctc_loss" else 1
        edit = source.replace(first, f"torch.log_softmax({source.text_of(first)}, dim={dim})")
        rank = 12 if ops.is_a(event.op, "maps", "rectifies") else 30
        yield Candidate("log-softmax", (edit,), rank, {"code": "log_softmax"})


def _squashed(case: Case) -> Iterator[Candidate]:
    """The loss or distribution of scores in place of that of probabilities; a sigmoid behind the last layer, or where
    it is called."""
    site = case.trace.modules[case.remedy.criterion].site if case.remedy.criterion >= 0 else case.site
    for source, place in case.found(site, cst.Call):
        func = place.node.func
        if isinstance(func, cst.Attribute) and func.attr.value in TWINS:
            twin = TWINS[func.attr.value]
            yield Candidate("logits-loss", (source.replace(source.place(func.attr), twin),), 4, {"code": twin})
        for given in place.node.args[:1] if case.failure is not None and case.failure.told(NoProbabilities) else ():
            code = f"logits={source.code(given.value)}"
            named = source.place(given.keyword) if given.keyword is not None else None
            edit = source.replace(named or source.place(given.value), "logits" if named is not None else code)
            yield Candidate("flag", (edit,), 4, {"code": code})
    event = case.trace.events[case.remedy.made] if case.remedy.made >= 0 else None
    layer = case.trace.modules.get(event.modules[-1]) if event is not None and event.modules else None
    listed = layer is not None and layer.is_ready_made and _listed(case, layer.site)
    for source, place in case.found(layer.site if listed else event.site if event is not None else None, cst.Call):
        code = "nn.Sigmoid()" if listed else f"torch.sigmoid({source.text_of(place)})"
        text = f"{source.text_of(place)}, {code}" if listed else code
        yield Candidate("sigmoid", (source.replace(place, text),), 6, {"code": code})


def _listed(case: Case, site) -> bool:
    """Whether a layer is made as the last of a Sequential."""
    for source, place in case.found(site, cst.Call):
        for outer in source.enclosing(place.line, cst.Call):
            if outer.node.args and outer.node.args[-1].value is place.node:
                return source.text_of(outer).partition("(")[0].endswith("Sequential")
    return False


def _call(source: Source, place: Place, logs: bool, by_layer: bool) -> Iterator[Candidate]:
    func = place.node.func
    name = func.attr.value if isinstance(func, cst.Attribute) else func.value if isinstance(func, cst.Name) else ""
    if ops.is_a(name, "softmaxes", "squashes") and name != "log_softmax":
        free = isinstance(func, cst.Name) or library(source.text, source.code(func))
        inner = source.place(place.node.args[0].value if free and place.node.args else func.value)
        if logs and name == "softmax":
            at = source.place(func.attr if isinstance(func, cst.Attribute) else func)
            yield Candidate("log-softmax", (source.replace(at, "log_softmax"),), 4, {"code": "log_softmax"})
        elif not logs:
            yield Candidate("no-activation", (source.replace(place, source.text_of(inner)),), 4, {"code": name})
    elif not logs and by_layer and len(place.node.args) == 1:  # self.softmax(x)
        inner = source.place(place.node.args[0].value)
        yield Candidate("no-activation", (source.replace(place, source.text_of(inner)),), 6, {"code": name})


def _layer(source: Source, place: Place, logs: bool) -> Iterator[Candidate]:
    """The layer in a Sequential goes, or becomes LogSoftmax."""
    func = place.node.func
    name = func.attr if isinstance(func, cst.Attribute) else func
    if logs:
        yield Candidate("log-softmax", (source.replace(source.place(name), "LogSoftmax"),), 5, {"code": "LogSoftmax"})
        return
    for outer in source.enclosing(place.line, cst.Call):
        for at, given in enumerate(outer.node.args):
            if given.value is place.node:
                before = source.place(outer.node.args[at - 1].value) if at else None
                if before is not None:
                    whole = Place(place.node, before.end_line, before.end_column, place.end_line, place.end_column)
                    yield Candidate("no-activation", (source.replace(whole, ""),), 5, {"code": source.text_of(place)})
                return
    yield Candidate("no-activation", (source.replace(place, "nn.Identity()"),), 15, {"code": source.text_of(place)})
