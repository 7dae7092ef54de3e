"""Only the first step of a sequence, or only the final states of lower layers are read, or the last real step is
ignored.

## What it finds
A unidirectional `nn.LSTM`, `nn.GRU` or `nn.RNN` whose output at step 0 is all that goes into the loss, while its final
state is not used. A recurrent layer with several layers of which neither the last layer's final state nor the output is
read. A token model whose outputs do not change when all tokens after the first are replaced, for example a causal model
that is read at its first position; or whose outputs do not change when the last real token of every padded sequence is
replaced, although the token before it counts.

## Why it hurts
The layer reads from the first step to the last. Its output at step 0 depends on one step only: the later steps have no
effect on the prediction. The final states are ordered by layers, and by directions within each: without the last ones
the upper layers have no effect.

## Example
    out, _ = lstm(x)          # x is (batch, steps, features), batch_first
    return head(out[:, 0])

## Instead
    out, _ = lstm(x)
    return head(out[:, -1])

## Fix safety
Safe where all sequences have the same length; with padding, the last real step differs from sequence to sequence.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from ... import ops
from ...graph.flow import consumers, operands, tensors
from ...graph.ledger import ledger
from ...graph.source import Source, walk
from ...graph.training import place
from ...trace import Event, ModuleFact, StepsRead, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite
from ..subjects import of_calls

code = "SW283"


def check(trace: Trace) -> Iterator[Facts]:
    """Layers by what is picked of their outputs, models by what moves their answers."""
    found = list(_layers(trace))
    yield from found
    for answer in () if found else trace.answers(StepsRead):
        if answer.holds is False and answer.site is not None:
            yield Facts(
                answer.site,
                message=answer.data.kind,
                why=f"{answer.data.kind}_why",
                fields={"net": answer.data.model, "steps": answer.data.longest},
                severity="warning",
                origins=tuple(
                    origin for site in answer.stack[-2:] if site != answer.site for origin in place(trace, site)
                ),
                event=answer.event,
            )


@of_calls("recurrent")
def _layers(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every such layer, where its first step is picked."""
    learned = ledger(trace).learned
    module = trace.layer(event)
    given, made = next(iter(operands(event)), None), next(tensors(event.result), None)
    if module is None or given is None or made is None or given.rank != 3:
        return
    if event.index in learned:
        yield from _lower(trace, event, module)
    if module.config.get("bidirectional"):
        return
    steps = next((axis for d, axis in enumerate(given.axes) if ops.use_of(event, given, d) == "steps"), None)
    if steps is None or steps.size < 2 or event.index not in learned:
        return
    picks = list(_picks(trace, event, steps.uids))
    if picks and None not in picks and any(pick.index in learned for pick in picks):
        pick = picks[0]
        source = Source(trace)
        node = source.node_at(pick.site, (ast.Subscript,))
        first = [part for part in walk(node.slice) if _zero(part)] if isinstance(node, ast.Subscript) else []
        yield Facts(
            pick.site,
            fields={"net": module.kind, "steps": steps.size},
            origins=place(trace, event.site),
            event=pick.index,
            remedy=Rewrite("-1", source.site(first[0], pick.site.file)) if len(first) == 1 else None,
        )


def _lower(trace: Trace, event: Event, module: ModuleFact) -> Iterator[Facts]:
    """Final states of lower layers, where nothing else of the layer is read."""
    layers, directions = module.config.get("num_layers", 1), 2 if module.config.get("bidirectional") else 1
    state = next(itertools.islice(tensors(event.result), 1, None), None)
    users = [user for user in consumers(trace, event.index) if user.site != event.site or user.modules != event.modules]
    if layers < 2 or state is None or state.rank != 3 or state.sizes[0] != layers * directions or not users:
        return
    read = set()
    for user in users:
        given = [fact.uid for fact in operands(user) if fact.producer == event.index]
        place_of = _index(user, 0) if user.op == "getitem" and given == [state.uid] else None
        if place_of is None:
            return
        read.add(place_of % state.sizes[0] // directions)
    if max(read) < layers - 1 and users[0].site is not None:
        yield Facts(
            users[0].site,
            message="layers",
            why="layers_why",
            fields={"net": module.kind, "layers": layers, "layer": max(read) + 1, "states": layers * directions},
            origins=place(trace, module.site, "constructor") + place(trace, event.site),
            event=users[0].index,
            remedy=_upper(trace, users, directions),
        )


def _upper(trace: Trace, users: list[Event], directions: int) -> Rewrite | None:
    """The state of the last layer in place of the one that is read."""
    node = Source(trace).node_at(users[0].site, (ast.Subscript,))
    if len(users) > 1 or directions > 1 or not isinstance(node, ast.Subscript) or not _zero(node.slice):
        return None
    return Rewrite("-1", Source(trace).site(node.slice, users[0].site.file)) if users[0].site is not None else None


def _picks(trace: Trace, event: Event, steps: tuple, depth: int = 5) -> Iterator[Event | None]:
    """Where the first step is picked of what an event made; `None` for every other use."""
    for user in consumers(trace, event.index):
        fact = next(part for part in operands(user) if part.producer == event.index)
        at = next((d for d, axis in enumerate(fact.axes) if axis.uids == steps), None)
        if user.site is None or (user.site == event.site and user.modules == event.modules):
            continue
        if at is not None and user.op == "getitem" and _index(user, at) == 0:
            yield user
        elif at is not None and depth and ops.is_a(user.op, "turns", "drops", "copies"):
            yield from _picks(trace, user, steps, depth - 1)
        else:
            yield None


def _index(user: Event, at: int) -> int | None:
    """The whole number that picks a place of axis `at`."""
    index = user.args[1] if isinstance(user.args[1], tuple) else (user.args[1],)
    plain = all(type(part) is int or (isinstance(part, TensorFact) and part.kind == "slice") for part in index)
    return index[at] if plain and at < len(index) and type(index[at]) is int else None


def _zero(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == 0


MESSAGES = {
    "en": {
        "first": "{net} reads only the first token of each sequence: the later tokens have no effect on its outputs",
        "first_why": (
            "replacing all tokens after the first did not change the outputs at all (sequences of up to {steps} tokens)"
        ),
        "before": "{net} ignores the last token before the padding",
        "before_why": (
            "replacing the last token before the padding in every sequence did not change the outputs at all; "
            "replacing the token before it did"
        ),
        "layers": "{net} has {layers} layers, but no final state above layer {layer} is read",
        "layers_why": (
            "the final state of {net} has {states} rows, ordered by layer: the rows of the last layer come last. Since "
            "these are not read, the layers above layer {layer} have no effect"
        ),
        "message": "only the first of the {steps} output steps of {net} is read: the later steps have no effect",
        "why": (
            "{net} reads from the first step to the last, so its output at step 0 depends on only one of the {steps} "
            "steps"
        ),
    },
    "es": {
        "first": "{net} lee solo el primer token de cada secuencia: los tokens posteriores no influyen en sus salidas",
        "first_why": (
            "al sustituir todos los tokens posteriores al primero, las salidas no cambiaron en absoluto (secuencias "
            "de hasta {steps} tokens)"
        ),
        "before": "{net} no tiene en cuenta el último token antes del relleno",
        "before_why": (
            "al sustituir en cada secuencia el último token antes del relleno, las salidas no cambiaron en absoluto; "
            "al sustituir el token anterior, sí"
        ),
        "layers": "{net} tiene {layers} capas, pero no se lee ningún estado final por encima de la capa {layer}",
        "layers_why": (
            "el estado final de {net} tiene {states} filas, ordenadas por capa: las de la última capa van al final. "
            "Como no se leen, las capas por encima de la capa {layer} no tienen efecto"
        ),
        "message": "de los {steps} pasos de salida de {net} solo se lee el primero: los posteriores no tienen efecto",
        "why": (
            "{net} lee del primer paso al último, así que su salida en el paso 0 depende solo de uno de los {steps} "
            "pasos"
        ),
    },
    "ja": {
        "first": "{net} は各系列の最初のトークンしか読んでおらず、後のトークンは出力に影響しません",
        "first_why": (
            "最初以外のトークンをすべて置き換えても、出力はまったく変わりませんでした (系列は最大 {steps} トークン)"
        ),
        "before": "{net} はパディングの直前のトークン (系列の最後のトークン) を読んでいません",
        "before_why": (
            "全系列で、パディングの直前のトークンを置き換えても出力はまったく変わらず、その 1 つ前のトークンを置き換え"
            "ると変わりました"
        ),
        "layers": "{net} には {layers} 層ありますが、第 {layer} 層より上の最終状態が使われていません",
        "layers_why": (
            "{net} の最終状態の {states} 行は層の順に並び、最後の層の行は末尾にあります。末尾が使われないため、第 "
            "{layer} 層より上の層は結果に影響しません"
        ),
        "message": "{net} の出力 {steps} ステップのうち最初のものだけが使われ、後のステップは影響しません",
        "why": (
            "{net} は最初のステップから順に読むため、ステップ 0 の出力は {steps} ステップのうち 1 ステップにしか依存し"
            "ません"
        ),
    },
}
