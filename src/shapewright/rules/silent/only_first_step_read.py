"""Only the first step of a sequence, or only the final states of lower layers are read, or the last real step is
ignored.

## What it finds
A unidirectional `nn.LSTM`, `nn.GRU` or `nn.RNN` whose output at step 0 is all that goes into the loss, while its final
state is not used. A recurrent layer with several layers of which neither the last layer's final state nor the output is
read. A token model whose outputs do not change when all tokens after the first are replaced, for example a causal model
that is read at its first position; or whose outputs do not change when the last real token of every padded sequence is
replaced, although the token before it counts. And a loop that appends what a model predicts to a sequence, but gives
the model the first steps of the sequence and not the last ones once it is longer than the context.

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
from ...graph.flow import RESHAPING, consumers, forward, one_per_place, operands, tensors
from ...graph.ledger import ledger
from ...graph.source import Source, walk
from ...graph.training import ancestors, place
from ...trace import Event, ModuleFact, StepsRead, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite
from ..subjects import of_calls

code = "SW283"


def check(trace: Trace) -> Iterator[Facts]:
    """Layers by what is picked of their outputs, models by what moves their answers."""
    yield from _contexts(trace)
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


@one_per_place
def _contexts(trace: Trace) -> Iterator[Facts]:
    """The first steps that are cut out of a sequence to which what a model answers for them is appended."""
    for joined in trace.events:
        given = operands(joined) if ops.is_a(joined.op, "joins") else []
        if len(given) != 2 or joined.site is None:
            continue
        shapes = [fact.sizes for fact in given]
        if len({len(shape) for shape in shapes}) != 1:
            continue
        apart = [axis for axis, sizes in enumerate(zip(*shapes)) if sizes[0] != sizes[1]]
        axis = apart[0] if len(apart) == 1 else -1
        cuts = [cut for cut in consumers(trace, joined.index) if _cut_first(cut, axis)] if axis >= 0 else []
        for cut in cuts:
            longest = given[0].sizes[axis]
            kept = next(tensors(cut.result)).sizes[axis]
            behind = ancestors(trace, given[1], 1500)
            own = [cut.index] if kept == longest else [one.index for one in _alike(trace, cut, given[0])]
            fed = kept == longest and any(one.index in behind and one.modules for one in _asked(trace, given[0]))
            if kept <= longest and cut.site is not None and (fed or any(index in behind for index in own)):
                yield Facts(
                    cut.site,
                    message="context",
                    why="context_why",
                    fields={"kept": kept, "steps": operands(cut)[0].sizes[axis]},
                    origins=place(trace, joined.site) if joined.site.line != cut.site.line else (),
                    event=cut.index,
                    remedy=_last_steps(trace, cut),
                    severity="warning",
                )


def _alike(trace: Trace, cut: Event, before: TensorFact) -> Iterator[Event]:
    """The same cut of the sequence before something was appended."""
    return (one for one in consumers(trace, before.producer) if one.op == "getitem" and one.site == cut.site)


def _asked(trace: Trace, fact: TensorFact) -> Iterator[Event]:
    """What a tensor, as it is or in another form, was given to."""
    yield from forward(trace, trace.events[fact.producer], RESHAPING, 4) if fact.producer >= 0 else ()


def _cut_first(cut: Event, axis: int) -> bool:
    """Whether the first steps of an axis are cut out and all of the others kept."""
    index = cut.args[1] if cut.op == "getitem" and len(cut.args) > 1 else None
    parts = index if isinstance(index, tuple) else (index,)
    if axis >= len(parts) or not all(isinstance(part, TensorFact) and part.kind == "slice" for part in parts):
        return False
    bounds = [part.value for part in parts if isinstance(part, TensorFact)]
    start, stop, step = bounds[axis]
    others = all(bound == (None, None, None) for at, bound in enumerate(bounds) if at != axis)
    return others and not start and step in (None, 1) and type(stop) is int and 0 < stop < operands(cut)[0].sizes[axis]


def _last_steps(trace: Trace, cut: Event) -> Rewrite | None:
    """The last steps in place of the first."""
    node = Source(trace).node_at(cut.site, (ast.Subscript,))
    places = [part for part in walk(node.slice) if isinstance(part, ast.Slice) and part.upper] if node else []
    if not isinstance(node, ast.Subscript) or len(places) != 1 or places[0].upper is None:
        return None
    again = ast.parse(ast.unparse(node), mode="eval").body
    for part in ast.walk(again):
        if isinstance(part, ast.Slice) and part.upper is not None:
            part.lower, part.upper = ast.UnaryOp(ast.USub(), part.upper), None
    return Rewrite(ast.unparse(again))


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
        "context": "the model is given the first {kept} of {steps} steps: what it predicted last is cut off",
        "context_why": (
            "each prediction is appended at the end, but only the first {kept} steps are kept: once the sequence is "
            "longer, the model gets the same steps again and again. The last {kept} steps are its context"
        ),
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
        "context": "el modelo recibe los primeros {kept} de {steps} pasos: lo último que predijo queda fuera",
        "context_why": (
            "cada predicción se añade al final, pero solo se conservan los primeros {kept} pasos: cuando la secuencia "
            "es más larga, el modelo recibe siempre los mismos. Su contexto son los últimos {kept} pasos"
        ),
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
        "context": "モデルには {steps} ステップのうち最初の {kept} ステップが渡され、直前の予測が切り捨てられています",
        "context_why": (
            "予測は末尾に追加されますが、残るのは最初の {kept} ステップだけです。系列がそれより長くなると、モデルは同じ"
            "ステップを受け取り続けます。文脈は最後の {kept} ステップです"
        ),
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
