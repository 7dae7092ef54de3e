"""A model is evaluated in training mode: dropout and BatchNorm are active while a metric or a held-out loss is
computed.

## What it finds
A call of a model in training mode, or of an average of its weights, with dropout (a layer, or a function that is given
`self.training`) or BatchNorm in it, whose output goes into a loss or an accuracy from which nothing learns; also where
`train()` is called for this evaluation alone and every batch is asked about once.

## Why it hurts
Dropout makes the metric noisy and usually worse; BatchNorm normalizes each batch by its own statistics and includes the
held-out data in its running statistics.

## Example
    # a validation loop under torch.no_grad() without model.eval(); no_grad does not change the mode.

## Instead
    # model.eval() before, model.train() after.

## Fix safety
Safe. Sampling images, rollouts, teachers and Monte Carlo dropout (a `train()` call of its own and several passes over
the same data) are not reported.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ... import ops
from ...graph.flow import POINTWISE, REDUCING, TARGET_LOSSES, forward, tensors
from ...graph.kept import ranks
from ...graph.ledger import ledger
from ...graph.modes import active
from ...graph.training import ancestors, answers, descendants, loop_of, losses, of_kind, place
from ...trace import Event, Site, StepFact, TensorFact, Trace
from ..cause import Shared
from ..facts import Facts
from ..loop_remedy import SwitchMode

code = "SW307"
COMPARED = ops.named("equates")
SEEN = 6


def check(trace: Trace) -> Iterator[Facts]:
    book = ledger(trace)
    learned = book.learned
    trained = {s.data["module"] for s in trace.steps if s.kind == "forward" and s.data["grad"] and answers(s) & learned}
    trained |= {copy for _, copy, giver in book.copies() if giver in trained}  # an average of the weights
    last = next((s for s in reversed(trace.steps) if s.kind == "backward"), None)
    counts: dict[tuple, int] = {}
    taught = {
        (s.data["module"], s.site, s.loop) for s in trace.steps if s.kind == "forward" and answers(s) & learned
    }  # of what is called again and again for one loss, as over the steps of a sequence, not every call counts
    taken = [(s, trace.event(loss.producer)) for s, loss in losses(trace)]
    unknown = {s.index for s, made in taken if made is None}
    trained_by = {(made.op, made.site) for _, made in taken if made is not None and made.site is not None}
    for step in trace.steps:
        if step.kind != "forward" or step.site is None or not step.data["training"]:
            continue
        key = (step.data["module"], step.site)
        if step.data["module"] not in trained or answers(step) & learned or not (names := active(trace, step)):
            continue
        if _ended_first(trace, step, last) or (*key, step.loop) in taught:
            continue
        counts[key] = counts.get(key, 0) + 1
        own = _own_switch(trace, step)
        if counts[key] > SEEN or (own is not None and _repeats(trace, step, own)):
            continue
        later = next((s for s in trace.steps[step.index + 1 :] if s.kind == "backward" or s.is_update), step)
        if later.index in unknown or answers(step) & book.unfollowed:
            continue  # something may be learned from it
        judged = _judged(trace, step, learned, trained_by) or (_shown(trace, step) if own is None else None)
        if judged is None or (own is not None and _joined(trace, step, judged)):
            continue
        module = trace.modules.get(step.data["module"])
        loop = loop_of(trace, step.loop)
        switch = own or _switch(trace, step)
        yield Facts(
            step.site if own is None or own.site is None else own.site,
            fields={
                "model": module.kind if module else "",
                "names": ", ".join(names[:3]),
                "count": len(names),
                "line": judged.site.line if judged.site else 0,
            },
            origins=(place(trace, loop.site) if loop is not None else ())
            + place(trace, judged.site)
            + (place(trace, step.site if own is not None else switch.site) if switch else ())
            + tuple(origin for site in reversed(step.stack[:-1]) for origin in place(trace, site)),
            cause=(Shared.TRAINING, step.data["module"]),
            severity="error" if own is None else "warning",  # who switches for this alone may want it so
            remedy=SwitchMode(False, switch.site if switch else None),
        )


def _ended_first(trace: Trace, step: StepFact, last: StepFact | None) -> bool:
    """Whether the run ended before what would be learned from a call: in the turn of its loop, or at the backward pass
    itself."""
    failure = trace.failure
    if failure is not None and failure.event is not None and ops.is_a(failure.event.op, "differentiates"):
        before = (index for fact in failure.event.given for index in ancestors(trace, fact))
        if not answers(step).isdisjoint(before):
            return True
    if trace.outcome.state == "complete" or last is None or step.index <= last.index:
        return False
    return step.loop == last.loop


def _judged(trace: Trace, step: StepFact, learned: set[int], trained_by: set[tuple[str, Site | None]]) -> Event | None:
    """The loss or comparison that the answer goes into, and from which nothing learns; `trained_by` are the calls that
    made losses, where no loss of torch's own says so."""
    after = descendants(trace, list(tensors(step.data["result"])), 80)
    if any(index in learned for index in after):
        return None
    for event in after.values():
        asked = event.op in TARGET_LOSSES or (event.op, event.site) in trained_by
        if (
            asked
            and "grad" in event.flags
            and any(
                fact.requires_grad and fact.producer not in after and fact.producer not in answers(step)
                for fact in tensors(event.args)
            )
        ):
            return None  # it is a target for another model
        if asked:
            left_out = _of_this_turn(trace, step, learned) or _within_update(trace, step)
            return None if "grad" in event.flags and left_out else event
        if event.op in COMPARED and len([fact for fact in tensors(event.args)]) == 2:
            return event
        if "grad" in event.flags:
            continue
        if ops.is_a(event.op, "subtracts") and _reported(trace, event, after):
            return event
        if ranks(trace, event) and _told(trace, event):
            return event
    return None


def _shown(trace: Trace, step: StepFact) -> Event | None:
    """Where the answer is read out after all training, in a script that asks this model in evaluation mode as well."""
    asked = [one for one in trace.steps if one.kind == "forward" and one.data["module"] == step.data["module"]]
    later = any(one.kind == "backward" or one.is_update for one in trace.steps[step.index :])
    if later or all(one.data["training"] for one in asked):
        return None
    after = descendants(trace, list(tensors(step.data["result"])), 20).values()
    return next((event for event in after if ops.is_a(event.op, "leaves")), None)


def _of_this_turn(trace: Trace, step: StepFact, learned: set[int]) -> bool:
    """Whether it is given, each time anew, what is learned from elsewhere: a loss that is left out, no evaluation."""
    calls = [one for one in trace.steps if one.kind == "forward" and one.site == step.site]
    made = {fact.producer for one in calls for fact in tensors(one.data["args"])}
    return len(made) > 1 and made <= learned


def _within_update(trace: Trace, step: StepFact) -> bool:
    """Whether gradients were just cleared and an optimizer steps next: a loss that is left out, no evaluation."""
    around = (reversed(trace.steps[: step.index]), trace.steps[step.index + 1 :])
    before, after = (next((one for one in side if one.is_update), None) for side in around)
    if before is None or after is None or before.loop != step.loop or after.loop != step.loop:
        return False
    same = before.data.get("optimizer") == after.data.get("optimizer")
    return before.kind == "zero_grad" and after.kind == "step" and same


def _reported(trace: Trace, event: Event, after: dict[int, Event]) -> bool:
    """Whether an error against data, element by element, becomes one number that is read out."""
    others = [
        fact for fact in tensors(event.args) if fact.producer not in after and fact.producer not in _models(trace)
    ]
    if len(list(tensors(event.args))) != 2 or not others:
        return False
    return _told(trace, event)


def _told(trace: Trace, event: Event) -> bool:
    """Whether what is computed element by element becomes one number that is read out."""
    for total in forward(trace, event, POINTWISE, 4):
        if total.op in REDUCING and isinstance(total.result, TensorFact) and total.result.shape == ():
            return any(user.op == "item" for user in forward(trace, total, POINTWISE, 2))
    return False


def _models(trace: Trace) -> set[int]:
    """The events whose results are answers of models."""
    return set().union(*(answers(step) for step in trace.steps if step.kind == "forward"), set())


def _own_switch(trace: Trace, step: StepFact) -> StepFact | None:
    """The `train()` that was called for this evaluation alone: after the last training step and just before it."""
    for before in reversed(trace.steps[: step.index]):
        if before.kind == "train":
            return before if not _trains_too(trace, before) else None
        if before.kind == "backward" or before.is_update or before.is_switch:
            return None
    return None


def _repeats(trace: Trace, step: StepFact, switch: StepFact) -> bool:
    """Whether a model is asked about the same data more than once after its own switch, or in both modes or by a line
    that asks it in both: Monte Carlo dropout, or a comparison; also where that is not known. Samples of one pass over
    the data may be equal."""
    calls = [one for one in of_kind(trace, "forward") if one.data["module"] == step.data["module"]]
    after = itertools.takewhile(
        lambda one: one.kind != "backward" and not one.is_switch, trace.steps[switch.index + 1 :]
    )
    at = {one.index for one in after}
    asked = [one for one in calls if one.index in at and one.data["marks"]]
    passes = {(one.data["marks"], one.loop) for one in asked}
    given = {fact.uid for one in asked for fact in list(tensors(one.data["args"]))[:1]}
    marks = {key for key, _ in passes}
    other = [one for one in calls if not one.data["training"]]
    alike = len(marks) < len(passes) or len(given) < len(asked) or any(one.site == step.site for one in other)
    known = marks and not any(0 in key for key in marks)
    return alike or not known or not marks.isdisjoint(one.data["marks"] for one in other)


def _joined(trace: Trace, step: StepFact, judged: Event) -> bool:
    """Whether several outputs of a model go into one value, as where passes are averaged."""
    before = {index for fact in judged.given for index in ancestors(trace, fact)}
    calls = (one for one in of_kind(trace, "forward") if one.data["module"] == step.data["module"])
    return sum(1 for one in calls if answers(one) & before) > 1


def _trains_too(trace: Trace, switch: StepFact) -> bool:
    """Whether the line that switches to training mode is the one by which training itself is begun: a function that
    does both."""
    for other in trace.steps:
        if other.kind == "train" and other.site == switch.site and other is not switch:
            after = next((s.kind for s in trace.steps[other.index + 1 :] if s.kind == "backward" or s.is_switch), "")
            if after == "backward":
                return True
    return False


def _switch(trace: Trace, step: StepFact) -> StepFact | None:
    """The switch to training mode just before a call, where it serves training as well."""
    before = next((s for s in reversed(trace.steps[: step.index]) if s.kind == "backward" or s.is_switch), None)
    return before if before is not None and before.kind == "train" and _trains_too(trace, before) else None


MESSAGES = {
    "en": {
        "message": "{model} is evaluated in training mode, with active dropout or BatchNorm layers ({count})",
        "why": (
            "the output of this call is used to compute the value on line {line}, not for training; layers in "
            "training mode: {names}"
        ),
    },
    "es": {
        "message": "{model} se evalúa en modo de entrenamiento, con capas de dropout o BatchNorm activas ({count})",
        "why": (
            "la salida de esta llamada se usa para calcular el valor de la línea {line}, no para entrenar; capas en "
            "modo de entrenamiento: {names}"
        ),
    },
    "ja": {
        "message": "{model} が学習モードのまま評価され、ドロップアウト層や BatchNorm 層 ({count} 個) が有効です",
        "why": "ここでの出力は学習ではなく {line} 行目の値の計算に使われます (学習モードの層: {names})",
    },
}
