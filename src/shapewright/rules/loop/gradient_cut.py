"""A value is taken out of the graph between parameters and loss.

## What it finds
Parameters that an optimizer holds and that never receive a gradient, because what they computed was detached
(`.detach()`, `.data`, `.item()`, `.numpy()`, `torch.tensor(...)`, an index chosen by `argmax`) on its way to the loss,
or drawn by `sample()` or `torch.normal(mean, std)`, which hand on no gradient. Also a straight-through value
`x + (y - x)` without a detach: what is added and subtracted gets no gradient; one that is the wrong way round, with the
value of what a choice was made by and the gradient for what was chosen; a recurrent state that is detached at every
step of a sequence; and a network that the optimizer of the loss holds, and that only others ever step.

## Why it hurts
These parameters get no gradient along this path, and none at all where it is the only one. The loss can fall all the
same.

## Example
    loss = criterion(torch.tensor(model(x).tolist(), requires_grad=True), y)

## Instead
    # give the loss the tensor itself; detach copies for logging only.

## Fix safety
Safe where the detached value is used for nothing but the loss.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

from ... import ops
from ...graph.copies import followers
from ...graph.flow import RESHAPING, consumers, one_per_place, operands, root, tensors
from ...graph.ledger import Ledger, ledger
from ...graph.pieces import AHEAD, LEAST, recurrent_calls, states
from ...graph.through import cancelled, turned, whole_draw
from ...graph.training import ancestors, descendants, losses, of_kind, place, stepping
from ...trace import Event, GradientReach, ProbeFact, Site, Trace
from ..cause import Shared
from ..facts import Facts
from ..remedy import Attach

code = "SW303"
CUTS = {
    "detach": ".detach()",
    "detach_": ".detach_()",
    "data": ".data",
    "item": ".item()",
    "tolist": ".tolist()",
    "numpy": ".numpy()",
    "array": "NumPy",
    "tensor": "torch.tensor()",
    "new_tensor": ".new_tensor()",
}
CHOICES = frozenset(
    {"argmax", "argmin", "round", "sign", "floor", "ceil", "gt", "lt", "ge", "le", "eq"}
    | {"long", "int", "bool", "heaviside"}
)
MAKERS = frozenset(
    {"tensor", "as_tensor", "from_numpy", "Tensor", "FloatTensor", "new_tensor", "full", "scalar_tensor"}
)


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every cut that starves parameters, and every one inside a forward pass."""
    yield from _starving(trace)
    yield from _inside(trace)
    yield from _bare(trace)
    yield from _cancelled(trace)
    yield from _turned(trace)
    yield from _stepwise(trace)
    yield from _elsewhere(trace)


def _elsewhere(trace: Trace) -> Iterator[Facts]:
    """Every cut between a loss and a network that other optimizers train, and that the optimizer of this loss holds for
    nothing: no step of it ever has a gradient for any of the network."""
    book, told = ledger(trace), followers(trace)
    for step, loss in losses(trace) if len(book.used) > 1 else ():
        for key, lost in book.idle(step):
            lost = (lost & book.sources(loss)) - told
            cut = next(book.cuts(loss, lost), None) if lost else None
            made = next(one for one in of_kind(trace, "optimizer") if one.data["optimizer"] == key)
            if cut is not None and cut.site is not None and made.site is not None:
                yield Facts(
                    cut.site,
                    why="elsewhere",
                    fields={
                        "how": CUTS.get(cut.op, "no_grad"),
                        "model": book.model_of(book.parameters[min(lost)]),
                        "count": len(lost),
                        "line": made.site.line,
                    },
                    origins=(*place(trace, step.site), *place(trace, made.site)),
                    severity="warning",
                    event=cut.index,
                    remedy=Attach(),
                )


def _stepwise(trace: Trace) -> Iterator[Facts]:
    """Every recurrent layer whose state is cut off at each step of what one backward pass learns from."""
    passes = [step.data["at"] for step in of_kind(trace, "backward")]
    for calls in recurrent_calls(trace).values():
        within = any(calls[0].index < at < calls[-1].index for at in passes)
        if len(calls) < LEAST or within or not all("grad" in event.flags for event in calls):
            continue
        cuts = [_state_cut(trace, before, event) for before, event in itertools.pairwise(calls)]
        cut = cuts[0]
        if cut is not None and None not in cuts:
            yield Facts(
                cut.site,
                message="stepwise",
                why="stepwise_why",
                fields={"how": CUTS.get(cut.op, cut.op), "count": len(calls)},
                origins=place(trace, calls[0].site),
                severity="warning",
                event=cut.index,
                remedy=Attach(),
            )


def _state_cut(trace: Trace, before: Event, event: Event) -> Event | None:
    """What took all of the state that one call left out of the graph before the next one began with it: where a part
    of it (the cell of an LSTM) goes on, so do gradients."""
    begun = states(event)
    learns = any(fact.requires_grad for fact in tensors(before.result))
    for state in begun if learns and not any(one.requires_grad for one in begun) else ():
        way = ancestors(trace, state, AHEAD)
        if before.index in way:
            return next((one for _, one in sorted(way.items()) if one.index > before.index and one.op in CUTS), None)
    return None


def _turned(trace: Trace) -> Iterator[Facts]:
    """Every straight-through value that is the wrong way round: the value is what the choice was made by, and its
    gradient goes to what was chosen."""
    for event, own, other, choice in turned(trace, CHOICES):
        yield Facts(
            event.site,
            message="turned",
            why="turned_why",
            fields={"name": own.name or "y", "other": other.name or "x", "op": choice.op},
            origins=place(trace, choice.site),
            event=event.index,
        )


def _cancelled(trace: Trace) -> Iterator[Facts]:
    """Every `x + (y - x)` of which the gradients of `x` cancel, where a loss learns from it."""
    for event, own, other, made in cancelled(trace):
        yield Facts(
            event.site,
            message="cancelled",
            why="cancelled_why",
            fields={"name": own.name or "x", "other": other.name or "y"},
            origins=place(trace, made.site) if made.site != event.site else (),
            event=event.index,
        )


def _starving(trace: Trace) -> Iterator[Facts]:
    unused = followers(trace).union(*(missed for _, missed in ledger(trace).unlearned))
    for answer in trace.answers(GradientReach):
        if answer.data.kind != "starved" or _waits(trace, answer, unused):
            continue
        cut = _cut(trace, answer)
        if cut is None or cut.site is None:
            continue
        first = next(losses(trace), None)
        calls = [s.site for s in of_kind(trace, "forward") if s.data["module"] == answer.module][:1]
        yield Facts(
            cut.site,
            fields={"how": CUTS.get(cut.op, cut.op), "model": answer.data.model, "count": answer.data.parameters},
            origins=tuple(o for site in calls for o in place(trace, site))
            + (place(trace, first[0].site) if first else ())
            + place(trace, answer.site, "constructor"),
            severity="error" if answer.data.whole else "warning",
            cause=(Shared.EMPTY_STEP,) if answer.data.whole else None,
            event=cut.index,
            remedy=Attach(),
        )


def _waits(trace: Trace, answer: ProbeFact[GradientReach], unused: frozenset[int]) -> bool:
    """Whether what starves would learn from a loss that nothing uses, or is a running average, which is not to."""
    own = {uid for uid, fact in trace.parameters.items() if fact.module in answer.data.modules}
    return bool(own) and own <= unused


def _inside(trace: Trace) -> Iterator[Facts]:
    """Every `.data` in a forward pass that keeps what learns elsewhere from learning here: what is computed from it
    reaches the loss and has no other way back to its source."""
    book = ledger(trace)
    passes = functools.cache(lambda: [(one, ancestors(trace, loss, numbers=True)) for one, loss in losses(trace)])
    passed = set[tuple[str, Site]]()  # of what is called often, only the first calls are recorded whole
    for event in trace.events:
        drawn = ops.is_a(event.op, "zero_gradient") or whole_draw(trace, event)  # also as `sample()`
        plain = event.op == "data" and event.modules and "grad" in event.flags
        if event.site is None or (event.op, event.site) in passed or not (drawn or plain):
            continue
        source = next((fact for fact in operands(event) if fact.requires_grad), None)
        if source is None or source.kind == "parameter":
            continue
        source = root(trace, source, lambda made: made.op in RESHAPING)
        lost = book.learners(source) & book.stepped
        after = descendants(trace, list(tensors(event.result)), 200)
        same = [other for other in after.values() if other.modules[:1] == event.modules[:1]]
        mine = consumers(trace, event.index) if drawn else same  # a log-probability reads the sample itself
        handed = any(book.leads(fact, source.producer) for other in mine for fact in operands(other))
        passed |= {(event.op, event.site)} if handed else set()
        if handed or not lost or (drawn and not _learned_through(trace, book, after)):
            continue
        if (step := next((one for one, before in passes() if event.index in before), None)) is not None:
            how = CUTS.get(event.op) or ("torch.normal()" if "grad" in event.flags else ".sample()")
            yield Facts(
                event.site,
                message="inside",
                why="inside_why",
                fields={"how": how, "count": len(lost), "line": step.site.line if step.site else 0},
                origins=place(trace, step.site),
                severity="warning",
                event=event.index,
            )


def _learned_through(trace: Trace, book: Ledger, after: dict[int, Event]) -> bool:
    """Whether parameters that learn compute with a sample in the pass in which it was drawn."""
    return any(
        fact.kind == "parameter" and fact.uid in book.stepped for event in after.values() for fact in operands(event)
    )


def _bare(trace: Trace) -> Iterator[Facts]:
    """Tensors that an optimizer holds and a loss is computed from, and whose gradients all end on the way to it."""
    book = ledger(trace)
    lost = frozenset().union(*(own for own in book.held.values() if own & book.stepped)) - book.graded - book.stepped
    if lost:  # what becomes of what a layer returns is told of the layer
        passed = (event for event in trace.events if any(fact.requires_grad for fact in tensors(event.result)))
        lost -= {fact.uid for event in passed for fact in operands(event)} & book.parameters.keys()
    for step, loss in losses(trace) if lost else ():
        passing, ends, used = set[int](), list[Event](), set[int]()
        for index, event in sorted(ancestors(trace, loss).items()):
            read = {fact.uid for fact in operands(event) if fact.uid in lost and fact.requires_grad}
            if not read and not any(fact.requires_grad and fact.producer in passing for fact in operands(event)):
                continue
            used |= read
            if not any(fact.requires_grad for fact in tensors(event.result)):
                ends.append(event)
            else:
                passing.add(index)
        if ends and loss.producer not in passing and ends[-1].site is not None:
            yield Facts(
                ends[-1].site,
                message="inside",
                why="inside_why",
                fields={
                    "how": CUTS.get(ends[-1].op, ends[-1].op if "grad" in ends[-1].flags else "no_grad"),
                    "count": len(used),
                    "line": step.site.line if step.site else 0,
                },
                origins=place(trace, step.site),
                event=ends[-1].index,
            )


def _cut(trace: Trace, answer: ProbeFact[GradientReach]) -> Event | None:
    """The operator that took the value out of the graph on the way from the model's answer to a loss."""
    calls = (step.data for step in of_kind(trace, "forward") if step.data["module"] == answer.module)
    given = [fact for data in calls for fact in tensors(data["result"])]
    book, starved = ledger(trace), set(answer.data.modules)
    inside = [event.index for event in trace.events if starved & set(event.modules) and "grad" in event.flags]
    after = descendants(trace, [fact for fact in given if fact.producer >= 0][:8]) if answer.data.whole else {}
    for index in inside[:40]:
        after |= descendants(trace, [fact for fact in tensors(trace.events[index].result)], 200)
    own = {uid for uid, fact in trace.parameters.items() if fact.module in starved}
    holding = {key for key, held in book.held.items() if held & own}  # the losses of their own optimizer come first
    meant = sorted(losses(trace), key=lambda pair: holding.isdisjoint(stepping(trace, pair[0])))
    ways = [(loss, before := ancestors(trace, loss), after.keys() & before.keys()) for _, loss in meant]
    apart = not any(shared for *_, shared in ways)
    for loss, before, shared in ways:
        on_the_way = [before[index] for index in sorted(shared)]
        found = next((event for event in on_the_way if event.op in CUTS and _differentiable(event)), None)
        if found is None and answer.data.whole:
            found = next((event for event in on_the_way if event.op in CHOICES and _differentiable(event)), None)
        if found is None and apart:
            made = [
                event
                for event in before.values()
                if event.op in MAKERS and not any(fact.producer >= 0 for fact in operands(event))
            ]
            until = max((event.index for event in made), default=-1)
            taken = [event for index, event in after.items() if ops.is_a(event.op, "leaves", "cuts") and index < until]
            if not made:  # what NumPy gives back has no event of its own
                arrays = (event for index, event in after.items() if index < loss.producer)
                taken = [event for event in arrays if ops.is_a(event.op, "becomes_array") and book.comes_back(event)]
            learns = [event for event in taken if _differentiable(event)]  # not what an evaluation reads
            began = min((*inside, *(fact.producer for fact in given if fact.producer >= 0)), default=0)
            data = {event.site for event in trace.events[:began] if event.op in MAKERS}  # also of a later batch
            later = [event for event in made if event.index > began and event.site not in data]
            found = min(learns or later or taken, key=lambda event: event.index, default=None)
        if found is not None:
            return found
    return None


def _differentiable(event: Event) -> bool:
    return any(fact.requires_grad for fact in operands(event))


MESSAGES = {
    "en": {
        "turned": (
            "the straight-through value is the wrong way round: it equals {other}, and the gradient goes to {name}"
        ),
        "turned_why": (
            "{name} was chosen from {other} by {op}, which passes no gradient: {other} + ({name} - {other}).detach() "
            "has the value of {name} and passes the gradient to {other}"
        ),
        "cancelled": "{name} + ({other} - {name}) passes no gradient to {name}",
        "cancelled_why": (
            "the gradients of the two occurrences of {name} cancel, so all of the gradient goes to {other}; a "
            "straight-through value needs ({other} - {name}).detach()"
        ),
        "message": "before the loss, {how} detaches a value of {model} from the graph",
        "stepwise": "{how} detaches the recurrent state at every step of the sequence",
        "stepwise_why": (
            "one backward covers {count} calls of the layer, but no gradient flows through this state to the "
            "previous step: the layer does not learn what to keep in the state for later steps"
        ),
        "inside": "{how} detaches a value from the graph on the way to the loss",
        "inside_why": (
            "the loss of line {line} is computed from this value, but no gradient passes through it: some parameters "
            "get no gradient along this path (number: {count})"
        ),
        "why": "backward stops at this line: parameters of the optimizer never received a gradient ({count})",
        "elsewhere": (
            "backward stops at this line; the optimizer of line {line} holds parameters that this loss is computed "
            "from (number: {count}), but they never had a gradient when the optimizer stepped"
        ),
    },
    "es": {
        "turned": "el valor straight-through está al revés: es igual a {other}, y el gradiente va a {name}",
        "turned_why": (
            "{name} se eligió a partir de {other} con {op}, que no deja pasar el gradiente: {other} + ({name} - {other}"
            ").detach() tiene el valor de {name} y pasa el gradiente a {other}"
        ),
        "cancelled": "{name} + ({other} - {name}) no pasa ningún gradiente a {name}",
        "cancelled_why": (
            "los gradientes de las dos apariciones de {name} se cancelan y todo el gradiente va a {other}; un valor "
            "straight-through necesita ({other} - {name}).detach()"
        ),
        "message": "antes de la pérdida, {how} separa del grafo un valor de {model}",
        "stepwise": "{how} separa del grafo el estado recurrente en cada paso de la secuencia",
        "stepwise_why": (
            "un mismo backward abarca {count} llamadas a la capa, pero ningún gradiente pasa por este estado al paso "
            "anterior: la capa no aprende qué guardar en el estado para pasos posteriores"
        ),
        "inside": "{how} separa un valor del grafo en el camino hacia la pérdida",
        "inside_why": (
            "la pérdida de la línea {line} se calcula con este valor, pero el gradiente no pasa por él: hay parámetros "
            "que no reciben gradiente por este camino (número: {count})"
        ),
        "why": "backward acaba en esta línea: hay parámetros del optimizador que nunca recibieron gradiente ({count})",
        "elsewhere": (
            "backward acaba en esta línea. El optimizador de la línea {line} tiene parámetros con los que se calcula "
            "esta pérdida (número: {count}), pero nunca tenían gradiente cuando el optimizador daba un paso"
        ),
    },
    "ja": {
        "turned": "straight-through の向きが逆です。値は {other} と等しく、勾配は {name} に流れます",
        "turned_why": (
            "{name} は {other} から {op} で選ばれた値で、{op} は勾配を通しません。{other} + ({name} - {other}"
            ").detach() なら、値は {name}、勾配は {other} に流れます"
        ),
        "cancelled": "{name} + ({other} - {name}) では {name} に勾配が届きません",
        "cancelled_why": (
            "2 か所の {name} の勾配が打ち消し合い、勾配はすべて {other} に流れます。straight-through の値には ({other} "
            "- {name}).detach() が必要です"
        ),
        "message": "{how} によって {model} の値が損失の手前で計算グラフから切り離されています",
        "stepwise": "{how} が系列のステップごとに再帰の状態を計算グラフから切り離しています",
        "stepwise_why": (
            "1 回の backward が層の {count} 回の呼び出しをさかのぼりますが、勾配はこの状態を通って前のステップに伝わ"
            "りません。層は、後のステップのために何を状態に残すかを学習できません"
        ),
        "inside": "{how} が損失までの途中で値を計算グラフから切り離しています",
        "inside_why": (
            "{line} 行目の損失はこの値から計算されますが、勾配はこの値を通りません。"
            "この経路から勾配を受け取れないパラメータがあります ({count} 個)"
        ),
        "why": "backward はこの行で止まり、オプティマイザの {count} 個のパラメータは勾配を一度も受け取りません",
        "elsewhere": (
            "backward はこの行で止まります。{line} 行目のオプティマイザはこの損失の計算に使われるパラメータを {count} "
            "個持っていますが、更新のときに勾配があったことは一度もありません"
        ),
    },
}
