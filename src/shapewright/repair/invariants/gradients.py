"""Each optimizer's parameters get the gradients of their own losses, and of no others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from ...dataclass import dataclass
from ...trace import StepFact, Trace
from .change import Change

TEXTS = {
    "others": {
        "en": "with this change, the optimizer step on line {line} also uses the gradients of {loss}",
        "es": "con este cambio, el paso del optimizador de la línea {line} usa también los gradientes de {loss}",
        "ja": "{line} 行目のオプティマイザの更新に {loss} の勾配も使われるようになります",
    },
    "lost": {
        "en": "with this change, the optimizer step on line {line} no longer uses the gradients of {loss}",
        "es": "con este cambio, el paso del optimizador de la línea {line} deja de usar los gradientes de {loss}",
        "ja": "{line} 行目のオプティマイザの更新に {loss} の勾配が使われなくなります",
    },
    "cleared": {
        "en": "with this change, the gradients of {loss} are cleared before the optimizer step on line {line} uses any",
        "es": "con este cambio, los gradientes de {loss} se borran antes de que los use el optimizador (línea {line})",
        "ja": "{line} 行目の更新に使われる前に {loss} の勾配が消去されます",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the losses whose gradients each optimizer's steps used, before and after."""
    was, now = _used(change.before), _used(change.after, _as_before(change))
    for number, used in ((number, used) for number, used in now.items() if used.line):
        before = was[number].losses if number in was else set()
        more = (used.losses - before if before else used.passed) | (used.carried if change.declared else set())
        if more:
            yield "others", {"line": used.line, "loss": sorted(more)[0]}
        if used.cleared and not used.losses and not before:
            yield "cleared", {"line": used.line, "loss": sorted(used.cleared)[0]}
        less = before - used.losses
        if less and change.after.outcome.state == change.before.outcome.state:
            kept = {text for text in less if _spent_elsewhere(change, text)}
            if less - kept:
                yield "lost", {"line": used.line, "loss": sorted(less - kept)[0]}


def _spent_elsewhere(change: Change, text: str) -> bool:
    """Whether the faulty run only had them because nothing cleared or cut them: the finding is about gradients."""
    return change.declared


@dataclass
class Used:
    """What the steps of one optimizer used: the line of its last step, the backward statements (`losses`), those of
    them that another optimizer's step came after though a later one reached this one too (`carried`), those after
    which another optimizer's step and then a backward pass came that reached this one no more (`passed`), and those
    that reached it in vain (`cleared`)."""

    line: int = 0
    losses: set[str] = field(default_factory=set)
    carried: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    cleared: set[str] = field(default_factory=set)


def _as_before(change: Change) -> dict[tuple[str, int], str]:
    """By the places of lines that an edit wrote anew in place the texts that they had: the same statement."""
    found = {}
    for file, (gone, made) in change.lines.items():
        lines = change.before.sources.get(file, "").splitlines()
        if len(gone) == len(made):
            found |= {(file, new): lines[old - 1].strip() for new, old in zip(made, gone)}
    return found


def _used(trace: Trace, known: dict[tuple[str, int], str] | None = None) -> dict[int, Used]:
    """By the number of the optimizer; `known` gives the texts of statements that have another one now."""
    numbers: dict[int, int] = {}
    held: dict[int, list[tuple[str, int]]] = {}  # by optimizer the statements, and what came since: a step, a backward
    found: dict[int, Used] = {}
    for step in trace.steps:
        key = step.data.get("optimizer")
        if step.kind == "optimizer":
            numbers.setdefault(key, len(numbers))
        elif step.kind == "backward":
            held = {k: [(text, 2 * bool(since)) for text, since in own] for k, own in held.items()}
            for reached in step.data.get("reached") or {}:
                held.setdefault(reached, []).append((_text(trace, step, known or {}), 0))
        elif step.kind == "zero_grad":
            for cleared in [key] if key is not None else list(held):
                in_vain = held.pop(cleared, [])
                found.setdefault(numbers.setdefault(cleared, len(numbers)), Used()).cleared |= {t for t, _ in in_vain}
        elif step.kind == "step" and step.site is not None:
            used, mine = found.setdefault(numbers.setdefault(key, len(numbers)), Used()), held.get(key, [])
            used.line = step.site.line
            used.losses |= {text for text, _ in mine}
            if not all(since for _, since in mine):  # from before another optimizer's step, beside a later one
                used.carried |= {text for text, since in mine if since}
            if all(since == 2 for _, since in mine):
                used.passed |= {text for text, _ in mine}
            held = {k: [(text, max(since, int(k != key))) for text, since in own] for k, own in held.items()}
    return found


def _text(trace: Trace, step: StepFact, known: dict[tuple[str, int], str]) -> str:
    """The statement of a backward pass, wherever the edits moved it."""
    if step.site is not None and (step.site.file, step.site.line) in known:
        return known[step.site.file, step.site.line]
    lines = trace.sources.get(step.site.file, "").splitlines() if step.site is not None else []
    return lines[step.site.line - 1].strip() if step.site is not None and step.site.line <= len(lines) else "backward()"
