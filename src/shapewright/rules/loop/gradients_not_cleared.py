"""Gradients of the last step are still in place when `backward` runs again.

## What it finds
A training loop in which an optimizer steps, nothing clears the gradients, `backward` adds the next batch's gradients to
those already used, and the optimizer steps again. Also a step written by hand, `w -= lr * w.grad`, after which nothing
clears that gradient. Also the pass of an adversarial attack, made for the gradient of the inputs, whose gradients of
the weights are still in place when the loss to be learned from adds its own.

## Why it hurts
Each step uses the sum of all gradients since they were last cleared, like a momentum that never fades.

## Example
    # loss.backward(); optimizer.step() with no optimizer.zero_grad().

## Instead
    # optimizer.zero_grad() before backward, once per step. Accumulating over several batches before one step is
    # not this fault.

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.attacks import attacks
from ...graph.flow import lineage, one_per_place, operands, root
from ...graph.ledger import ledger
from ...graph.source import Source, walk
from ...graph.training import of_kind, place
from ...trace import Event, Origin, StepFact, TensorFact, Trace
from ..cause import Shared
from ..facts import Facts
from ..loop_remedy import InsertCall

code = "SW301"


def check(trace: Trace) -> Iterator[Facts]:
    yield from _by_hand(trace)
    yield from _of_attacks(trace)
    pending: dict[int, StepFact] = {}
    last: dict[int, StepFact] = {}
    for step in trace.steps:
        if step.kind == "backward":
            for key in [key for key, old in pending.items() if _cleared_by_hand(trace, old, step, key)]:
                del pending[key]
            for optimizer in step.data.get("stale_of", ()):
                pending.setdefault(optimizer, step)
        elif step.kind == "zero_grad":
            if "optimizer" in step.data:
                pending.pop(step.data["optimizer"], None)
            else:
                pending.clear()
        elif step.kind == "step":
            key = step.data["optimizer"]
            backward = pending.pop(key, None)
            if backward is not None and backward.site is not None:
                forward = next((s for s in reversed(trace.steps[: backward.index]) if s.kind == "forward"), None)
                yield Facts(
                    backward.site,
                    fields={
                        "step": last[key].site.line if key in last and last[key].site else 0,
                        "count": step.data["gradients"],
                    },
                    origins=(
                        *_cleared_instead(trace, step),
                        *place(trace, step.site),
                        *(place(trace, forward.site) if forward else ()),
                    ),
                    cause=(Shared.CLEARING,),
                    remedy=InsertCall("zero_grad"),
                )
            last[key] = step


def _cleared_by_hand(trace: Trace, first: StepFact, second: StepFact, key: int) -> bool:
    """Whether the script itself took away the gradients of one pass before another, which an optimizer steps with."""
    reached = ledger(trace).held.get(key, frozenset()) & frozenset(second.data.get("grads", ()))
    gone = bool(reached) and not reached & frozenset(second.data.get("onto", ()))
    return gone or _zeroed_between(trace, first, second)


def _zeroed_between(trace: Trace, first: StepFact, second: StepFact) -> bool:
    """Whether the script filled anything with zeros in place between two passes."""
    return any(event.op.endswith("zero_") for event in trace.events[first.data["at"] : second.data["at"]])


@one_per_place
def _by_hand(trace: Trace) -> Iterator[Facts]:
    """Every tensor that is drawn twice along one and the same gradient, with a backward between and no change of it by
    anything else."""
    source, book = Source(trace), ledger(trace)
    held = frozenset().union(*book.held.values())
    passes = [step for step in of_kind(trace, "backward") if step.site is not None]
    clears = [step.data["at"] for step in of_kind(trace, "zero_grad")]
    changed: dict[int, list[Event]] = {}
    used: dict[tuple[int, int], Event] = {}
    for event in trace.events if passes else ():
        if not event.op.endswith("_") or event.site is None or not event.given:
            continue
        leaf = root(trace, event.given[0], lambda made: ops.is_a(made.op, "cuts"))
        changed.setdefault(leaf.uid, []).append(event)
        if leaf.uid in held or not ops.is_a(event.op, "offsets"):
            continue
        for fact in _read(trace, source, event):
            before = used.get((leaf.uid, fact.uid))
            used[leaf.uid, fact.uid] = event
            within = range(before.index, event.index) if before is not None else range(0)
            again = next((step for step in passes if step.data["at"] in within), None)
            if again is None or any(at in within for at in clears):
                continue
            if not any(other.index in within for other in changed.get(fact.uid, ())):
                others = [one for uid, made in changed.items() if uid != leaf.uid for one in made if one.op == "zero_"]
                yield Facts(
                    again.site,
                    why="by_hand",
                    fields={"step": event.site.line},
                    origins=(
                        *place(trace, event.site),
                        *(
                            origin
                            for site in dict.fromkeys(one.site for one in others)
                            for origin in place(trace, site)
                        ),
                    ),
                    cause=(Shared.CLEARING,),
                )


@one_per_place
def _of_attacks(trace: Trace) -> Iterator[Facts]:
    """Every loss to be learned from whose gradients are added to those of the attack that made its inputs."""
    book = ledger(trace)
    for attack in attacks(trace):
        first, second = attack.passes
        site, line = second.site, first.site
        if not attack.apart or site is None or line is None or site == line:
            continue  # what is learned from at each step of the attack is meant
        both = book.taught(first) & book.taught(second) & frozenset(second.data.get("onto", ()))
        if both and not _zeroed_between(trace, first, second):
            yield Facts(
                site,
                message="attack",
                why="of_attack",
                fields={"line": line.line, "moved": attack.event.site.line if attack.event.site else 0},
                origins=(*place(trace, line), *place(trace, attack.event.site)),
                cause=(Shared.CLEARING,),
                remedy=InsertCall("zero_grad"),
            )


def _read(trace: Trace, source: Source, step: Event) -> Iterator[TensorFact]:
    """The gradients that a step is computed from: of its shape, made by no operator, and called `grad` by torch."""
    leaf, *rest = operands(step)
    for event in (step, *(made for part in rest for made in lineage(trace, part, operands, 12))):
        statement = source.statement_at(event.site)
        named = any(isinstance(one, ast.Attribute) and one.attr == "grad" for one in walk(statement or ast.Pass()))
        for part in operands(event) if named else ():
            if part.uid not in (0, leaf.uid) and part.shape == leaf.shape and part.producer < 0:
                if not part.requires_grad:
                    yield part


def _cleared_instead(trace: Trace, step: StepFact) -> tuple[Origin, ...]:
    """Where the gradients of another optimizer are cleared, once more than it steps, before those of this step are
    made."""
    before = [one for one in of_kind(trace, "zero_grad", "step", "backward") if one.index < step.index]
    while before and before[-1].kind == "backward":
        before.pop()
    other = before[-1].data.get("optimizer") if before and before[-1].kind == "zero_grad" else None
    kinds = [one.kind for one in trace.steps if other is not None and one.data.get("optimizer") == other]
    twice = other != step.data["optimizer"] and kinds.count("zero_grad") > kinds.count("step") + 1
    return place(trace, before[-1].site) if twice else ()


MESSAGES = {
    "en": {
        "message": (
            "backward adds to gradients that an optimizer step has already used: the gradients are not cleared in "
            "between"
        ),
        "why": (
            "the gradients that the optimizer used on line {step} (number: {count}) were not cleared before backward "
            "ran again, so the next step used the sum of the old and the new gradients"
        ),
        "attack": "backward adds to the gradients that the adversarial attack left in the weights",
        "of_attack": (
            "the backward of line {line} is run for the gradient of the inputs, which line {moved} uses to perturb "
            "them, but it also fills the gradients of the weights. They are not cleared before this backward, so the "
            "step uses the sum of both"
        ),
        "by_hand": (
            "line {step} updates the parameter with this gradient, but nothing clears the gradient before backward "
            "runs again: every update uses the sum of all gradients so far"
        ),
    },
    "es": {
        "message": (
            "backward suma los gradientes nuevos a otros que un paso del optimizador ya usó y que no se borraron"
        ),
        "why": (
            "los gradientes que el optimizador usó en la línea {step} (número: {count}) no se borraron antes de que "
            "backward se ejecutara de nuevo, así que el paso siguiente usó la suma de los viejos y los nuevos"
        ),
        "attack": "backward suma los gradientes a los que el ataque adversario dejó en los pesos",
        "of_attack": (
            "el backward de la línea {line} se ejecuta para obtener el gradiente de las entradas, con el que la línea "
            "{moved} las perturba, pero también llena los gradientes de los pesos. No se borran antes de este "
            "backward, así que el paso usa la suma de ambos"
        ),
        "by_hand": (
            "la línea {step} actualiza el parámetro con este gradiente, pero nada borra el gradiente antes de que "
            "backward se ejecute de nuevo: cada actualización usa la suma de todos los gradientes hasta entonces"
        ),
    },
    "ja": {
        "message": "更新に使い終えた勾配に、backward が新しい勾配を加算しています。間で勾配がクリアされていません",
        "why": (
            "{step} 行目の更新に使われた勾配 ({count} 個) が残ったまま backward が再び実行され、"
            "次の更新では古い勾配と新しい勾配の和が使われました"
        ),
        "attack": "敵対的攻撃が重みに残した勾配に、backward が新しい勾配を加算しています",
        "of_attack": (
            "{line} 行目の backward は入力の勾配を求めるためのもので、{moved} 行目がそれで入力を摂動しますが、重みの"
            "勾配も計算されます。この backward までに消去されないため、更新では両者の和が使われます"
        ),
        "by_hand": (
            "{step} 行目はこの勾配でパラメータを更新しますが、次の backward までに勾配がクリアされません。どの更新でも"
            "それまでの勾配の合計が使われます"
        ),
    },
}
