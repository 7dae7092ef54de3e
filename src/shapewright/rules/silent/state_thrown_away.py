"""A sequence is read chunk by chunk, but no chunk starts with the complete state of the previous chunk.

## What it finds
A recurrent layer that reads one tensor step by step, or chunk by chunk, in a loop, and starts each time without a
state, with zeros, with the same state, or with only one of its two states carried over; one that reads its own previous
output in each iteration and starts in the same way; a cell of the script that is given zeros in each iteration and
whose result no later iteration reads; and a state that a model returns and that is detached, but never given back.

## Why it hurts
The memory of the layer is lost between steps or chunks: the model sees each of them without its past.

## Example
    for t in range(x.size(1)):
        h = torch.zeros(x.size(0), width)
        h = cell(x[:, t], h)

## Instead
    h = torch.zeros(x.size(0), width)
    for t in range(x.size(1)):
        h = cell(x[:, t], h)

## Fix safety
Chunks are reported only where a model of the script returns its state. Independent samples that are read one by one are
not reported.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands, tensors
from ...graph.pieces import LEAST, Piece, carried, cut_from, is_constant, piece, recurrent_calls, runs, states
from ...graph.training import descendants, of_kind, outer, place
from ...trace import Event, Site, StateCarried, StepFact, TensorFact, Trace
from ..facts import Facts
from ..loop_remedy import HandOn
from ..remedy import MoveLine

code = "SW358"
SEEN = 6  # calls of a model at one place
JOINING = frozenset({"cat", "add", "mul", "linear", "addmm", "matmul", "mm", "hstack", "concat", "concatenate"})


def check(trace: Trace) -> Iterator[Facts]:
    """Every sequence whose pieces know nothing of each other, once a place."""
    cut = [*_layers(trace), *_cells(trace)]
    for site, origins, first, steps, made in cut:
        own = (one.site for one in made if one.index > first.cut.index)  # made in every round
        own_lines = (one for one in dict.fromkeys(own) if one is not None and one.function == site.function)
        lines = tuple(one for one in own_lines if one.line != site.line)
        yield Facts(
            site,
            message="steps" if first.single else "message",
            fields={"count": steps, "axis": first.axis},
            origins=tuple(one for other in origins for one in place(trace, other)),
            severity="warning",
            remedy=MoveLine(above=lines[0], lines=lines) if lines else HandOn(),
        )
    answers = [*trace.answers(StateCarried)]
    for answer in (one for one in answers if not one.data.none):
        step = next((one for one in of_kind(trace, "forward") if one.stack == answer.stack), None)
        if answer.site is None or not answer.data.dropped or any(found[0] == answer.site for found in cut):
            continue
        began = [made for fact in _given(step) if (made := _made(trace, fact)) is not None]
        lines = dict.fromkeys(line for made in began for line in (*reversed(made.stack), made.site))
        yield Facts(
            answer.site,
            why="why_batches",
            fields={"model": answer.data.model, "rows": answer.data.rows, "following": answer.data.following},
            origins=tuple(one for line in lines for one in place(trace, line)),
            severity="warning",
        )
    continued = {answer.site for answer in answers if answer.data.none}
    for step, event, count in _unread(trace) if continued else ():
        if step.site in continued and event.site is not None:
            yield Facts(
                step.site,
                message="unread",
                why="why_unread",
                fields={"model": trace.modules[step.data["module"]].kind, "line": event.site.line, "count": count},
                origins=place(trace, event.site),
                severity="warning",
            )
    for event, steps in _generated(trace):
        if event.site is not None:
            yield Facts(
                event.site,
                message="generated",
                why="why_generated",
                fields={"count": steps},
                origins=tuple(one for other in _called(event, event.site) if other for one in place(trace, other)),
                severity="warning",
                remedy=HandOn(),
            )


def _unread(trace: Trace) -> Iterator[tuple[StepFact, Event, int]]:
    """Training calls of a model, of one loop, that all begin without a state and leave one that is detached, which
    serves to hand it on, and that nothing reads afterwards: the first call, the detaching and how many there are. Where
    each input goes on where the one before it ended, that is no leftover."""
    ran = {event.index for calls in recurrent_calls(trace).values() for event in calls}
    read = {fact.uid for event in trace.events for fact in event.given}
    calls: dict[tuple, list[StepFact]] = {}
    for step in of_kind(trace, "forward"):
        if step.data["grad"] and step.data["training"] and step.data["module"] in trace.modules:
            calls.setdefault((step.data["module"], step.site, step.loop), []).append(step)
    for steps in calls.values():
        steps = steps[:SEEN]
        cuts = [list(_detached(trace, step, ran)) for step in steps]
        given = {fact.uid for step in steps for fact in _given(step)}
        if len(steps) < LEAST or given or not all(cuts):
            continue
        if not any(one.result.uid in read for cut in cuts for one in cut):
            yield steps[0], cuts[0][0], len(steps)


def _detached(trace: Trace, step: StepFact, ran: set[int]) -> Iterator[Event]:
    """Where the states that a recurrent layer left, beside the output of a model, are taken out of the graph."""
    left = {fact.uid for fact in list(tensors(step.data["result"]))[1:] if fact.producer in ran}
    for event in trace.events:
        if ops.is_a(event.op, "cuts") and event.given[0].uid in left and event.result.uid:
            yield event


def _given(step: StepFact | None) -> list[TensorFact]:
    """What a model was given beside its first argument."""
    return list(tensors((step.data["args"][1:], step.data["kwargs"]))) if step is not None else []


def _generated(trace: Trace) -> Iterator[tuple[Event, int]]:
    """The first of the calls, and how many there are, that each read one step which the call before gave."""
    for calls in recurrent_calls(trace).values():
        pairs = list(itertools.pairwise(calls))
        if len(calls) >= LEAST and all(
            _one_step(event) and carried(trace, {before.index}, operands(event)[0]) and _anew(trace, event, before)
            for before, event in pairs
        ):
            yield calls[0], len(calls)


def _layers(trace: Trace) -> Iterator[tuple[Site, list[Site | None], Piece, int, list[Event]]]:
    """The recurrent layers of torch."""
    for calls in recurrent_calls(trace).values():
        cuts = ((event, cut_from(trace, operands(event)[0])) for event in calls)
        for run in runs([(event, cut) for event, cut in cuts if cut is not None]):
            first, cut = run[0]
            given_back = _gives_back(trace, first)
            if not all(_reads(event, own, given_back) for event, own in run) or not (cut.single or given_back):
                continue
            pairs = list(itertools.pairwise(run))
            half = all(_half(trace, event, before) for (before, _), (event, _) in pairs)
            if half or all(_anew(trace, event, before) for (before, _), (event, _) in pairs):
                own = cut.cut.site.function if cut.cut.site is not None else ""
                site = next((one for one in reversed(first.stack) if one.function == own), first.site)
                if site is not None:
                    given = [made for fact in states(run[1][0]) if (made := _made(trace, fact)) is not None]
                    yield site, [*_called(first, site), *(made.site for made in given)], cut, len(run), given


def _called(event: Event, site: Site) -> list[Site | None]:
    """The line of the script's that led to a call, from where its piece was cut."""
    return [one for one in (*event.stack, outer(event.site, event.stack)) if one is not None and one != site]


def _made(trace: Trace, fact: TensorFact) -> Event | None:
    return trace.event(fact.producer)


def _reads(event: Event, cut: Piece, given_back: bool) -> bool:
    """Whether what was cut is what the layer reads on: single steps, of several sequences or where the state is given
    back, or spans along its time."""
    given = operands(event)[0]
    if ops.is_a(event.op, "cells"):
        return cut.last == cut.first + 1 and given.rank == 2 and (given.sizes[0] > 1 or given_back)
    if given.rank != 3:
        return False
    time = _time(event)
    if cut.single:
        return given.sizes[time] == 1 and (given.sizes[1 - time] > 1 or given_back)
    result = cut.cut.result
    if not isinstance(result, TensorFact) or len(result.axes) <= cut.axis or len(given.axes) <= time:
        return False
    own, read = ({uid for uid, _ in axis.uids} for axis in (result.axes[cut.axis], given.axes[time]))
    return bool(own & read)


def _time(event: Event) -> int:
    """The axis of the steps of what a layer reads."""
    return 1 if event.args[-1] is True or event.kwargs.get("batch_first") is True else 0


def _one_step(event: Event) -> bool:
    """Whether a call reads one step."""
    given = operands(event)[0]
    return given.rank == 2 if ops.is_a(event.op, "cells") else given.rank == 3 and given.sizes[_time(event)] == 1


def _anew(trace: Trace, event: Event, before: Event) -> bool:
    """Whether a call begins with nothing, with a constant or with what the one before it began with."""
    begun, others = states(event), {fact.uid for fact in states(before)}
    if any(carried(trace, {before.index}, fact) for fact in begun):
        return False
    return all(is_constant(trace, fact) or fact.uid in others for fact in begun)


def _half(trace: Trace, event: Event, before: Event) -> bool:
    """Whether a call goes on with one of the two states that the one before it left, and with the other from which that
    one began."""
    pairs = list(zip(states(event), states(before)))
    kept = [carried(trace, {before.index}, now) for now, _ in pairs]
    return len(pairs) == 2 and sum(kept) == 1 and all(on or now.uid == then.uid for on, (now, then) in zip(kept, pairs))


def _gives_back(trace: Trace, event: Event) -> bool:
    """Whether an outermost model of the script's own gives it the state that a layer ended with; the layers of torch
    always do."""
    left = {fact.uid for fact in list(tensors(event.result))[not ops.is_a(event.op, "cells") :]}
    return any(
        left & {fact.uid for fact in tensors(step.data["result"])}
        for step in of_kind(trace, "forward")
        if len(event.modules) > 1 and step.data["module"] == event.modules[0]
    )


def _cells(trace: Trace) -> Iterator[tuple[Site, list[Site | None], Piece, int, list[Event]]]:
    """Cells of the script's own: zeros meet each step, what is made of them has their shape and goes nowhere on."""
    groups: dict[tuple[int, tuple[Site, ...]], list[tuple[Event, Piece]]] = {}
    for event in trace.events:
        cut = piece(event)
        if cut is not None and cut.single and event.site is not None:
            groups.setdefault((event.loop, event.stack), []).append((event, cut))
    for calls in groups.values():
        for run in runs(calls):
            found = _forgets(trace, [event for event, _ in run])
            if found and run[0][0].site is not None:
                yield run[0][0].site, [one.site for one in found[:1]], run[0][1], len(run), found


def _forgets(trace: Trace, cuts: list[Event]) -> list[Event]:
    """Where the zeros were made that every step but the last is seen to begin with."""
    zeros: list[Event] = []
    before: set[int] = set()
    for cut, following in itertools.pairwise(cuts):
        made = {
            index: event
            for index, event in descendants(trace, list(tensors(cut.result)), 80).items()
            if index < following.index and event.op != "setitem"
        }
        shapes = {
            fact.shape
            for event in made.values()
            for fact in tensors(event.result)
            if fact.requires_grad and fact.rank > 1
        }
        joined = [
            fact
            for event in made.values()
            if event.op.rstrip("_") in JOINING
            for fact in operands(event)
            if fact.shape in shapes and fact.producer not in made and is_constant(trace, fact)
        ]
        given = [fact for event in made.values() for fact in operands(event) if fact.producer not in made]
        if not joined or any(carried(trace, before, fact) for fact in given):
            return []
        zeros = [source for fact in joined if (source := _made(trace, fact)) is not None]
        before |= set(made)
    return zeros


MESSAGES = {
    "en": {
        "message": "each chunk of the sequence is read without the complete final state of the previous chunk",
        "steps": "each step of the sequence is read without the complete state of the previous step",
        "why": (
            "{count} calls read consecutive parts of one tensor along axis {axis}. None starts from the complete state "
            "of the call before it: each starts without a state, with zeros, with the same state as the call before "
            "it, or with only one of h and c carried over"
        ),
        "why_batches": (
            "{following} of {rows} rows of a batch continue the same row of the previous batch: they start with its "
            "last value. {model} returns its state, but is not given that state with the next batch"
        ),
        "unread": "{model} returns its state, which is detached and then never given back to the model",
        "why_unread": (
            "line {line} detaches the state in each of {count} training calls, as is done to pass it on, but the next "
            "call starts without a state. The model never sees what came before its current input"
        ),
        "generated": "each generation step starts from the same state, not from the state of the previous step",
        "why_generated": (
            "each of {count} calls reads the output of the previous call, but starts without a state, with zeros or "
            "always with the same state. The state that a call returns is not passed to the next call"
        ),
    },
    "es": {
        "message": "cada tramo de la secuencia se lee sin el estado final completo del tramo anterior",
        "steps": "cada paso de la secuencia se lee sin el estado completo del paso anterior",
        "why": (
            "{count} llamadas leen partes consecutivas de un mismo tensor a lo largo del eje {axis}. Ninguna recibe el "
            "estado completo de la anterior: cada una empieza sin estado, con ceros, con el mismo estado que la "
            "anterior o conservando solo uno de los dos estados, h o c"
        ),
        "why_batches": (
            "{following} de {rows} filas de un lote continúan la misma fila del lote anterior: empiezan con su último "
            "valor. {model} devuelve su estado, pero no lo recibe con el lote siguiente"
        ),
        "unread": "{model} devuelve su estado, que se separa del grafo y después nunca vuelve a pasarse al modelo",
        "why_unread": (
            "la línea {line} separa del grafo el estado en cada una de {count} llamadas de entrenamiento, como se hace "
            "para pasarlo a la siguiente, pero la llamada siguiente empieza sin estado. El modelo nunca ve lo que "
            "había antes de su entrada actual"
        ),
        "generated": "cada paso de generación empieza con el mismo estado, no con el que dejó el paso anterior",
        "why_generated": (
            "cada una de {count} llamadas lee la salida de la anterior, pero empieza sin estado, con ceros o siempre "
            "con el mismo estado. El estado que devuelve una llamada no se pasa a la siguiente"
        ),
    },
    "ja": {
        "message": "系列の各区間が、前の区間の最終状態の全部または一部を引き継がずに読まれています",
        "steps": "系列の各ステップが、前のステップの状態の全部または一部を引き継がずに読まれています",
        "why": (
            "{count} 回の呼び出しが、1 つのテンソルを軸 {axis} に沿って順に読んでいますが、どれも前の呼び出しの完全な状"
            "態からは始まりません。状態なし、ゼロ、前の呼び出しと同じ初期状態、または h と c の一方だけを引き継いだ状態"
            "から始まります"
        ),
        "why_batches": (
            "バッチの {rows} 行のうち {following} 行は、前のバッチの同じ行の続きで、その最後の値から始まります。{model}"
            " は状態を返しますが、次のバッチでその状態を受け取っていません"
        ),
        "unread": "{model} が返す状態は detach されたあと、モデルに一度も渡されていません",
        "why_unread": (
            "{line} 行目は {count} 回の学習の呼び出しのたびに、次へ渡すときのように状態を detach していますが、次の呼び"
            "出しは状態なしで始まります。モデルは現在の入力より前にあったものを見ることができません"
        ),
        "generated": "生成の各ステップが、前のステップの状態ではなく毎回同じ状態から始まっています",
        "why_generated": (
            "{count} 回の呼び出しは、それぞれ前の呼び出しの出力を読みますが、状態なし、ゼロ、または毎回同じ状態から始ま"
            "ります。呼び出しが返す状態は、次の呼び出しに渡されていません"
        ),
    },
}
