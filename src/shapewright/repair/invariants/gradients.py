"""Each optimizer's parameters get the gradients of their own losses, and of no others."""

from __future__ import annotations

from collections.abc import Iterator

from ...trace import StepFact, Trace
from .change import Change

TEXTS = {
    "others": {
        "en": "the optimizer step on line {line} then also uses the gradients of {loss}",
        "es": "el paso del optimizador de la línea {line} usa entonces también los gradientes de {loss}",
        "ja": "{line} 行目のオプティマイザの更新が {loss} の勾配も使うようになります",
    },
    "lost": {
        "en": "the optimizer step on line {line} then no longer uses the gradients of {loss}",
        "es": "el paso del optimizador de la línea {line} deja entonces de usar los gradientes de {loss}",
        "ja": "{line} 行目のオプティマイザの更新が {loss} の勾配を使わなくなります",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the losses whose gradients each optimizer's steps used, before and after."""
    was, now = _used(change.before), _used(change.after)
    for number, (line, texts, carried) in now.items():
        before = was.get(number, (0, set(), set()))[1]
        more = (texts - before if before else set()) | (carried if change.declared else set())
        if more:
            yield "others", {"line": line, "loss": sorted(more)[0]}
        less = before - texts
        if less and change.after.outcome.state == change.before.outcome.state:
            kept = {text for text in less if _spent_elsewhere(change, text)}
            if less - kept:
                yield "lost", {"line": line, "loss": sorted(less - kept)[0]}


def _spent_elsewhere(change: Change, text: str) -> bool:
    """Whether the faulty run only had them because nothing cleared or cut them: the finding is about gradients."""
    return change.declared


def _used(trace: Trace) -> dict[int, tuple[int, set[str], set[str]]]:
    """For each optimizer, by number: the line of its last step, the backward statements whose gradients its steps
    used, and those of them that another optimizer's step came after."""
    numbers: dict[int, int] = {}
    held: dict[int, list[tuple[str, bool]]] = {}
    found: dict[int, tuple[int, set[str], set[str]]] = {}
    for step in trace.steps:
        key = step.data.get("optimizer")
        if step.kind == "optimizer":
            numbers.setdefault(key, len(numbers))
        elif step.kind == "backward":
            for reached in step.data.get("reached") or {}:
                held.setdefault(reached, []).append((_text(trace, step), False))
        elif step.kind == "zero_grad":
            for cleared in [key] if key is not None else list(held):
                held.pop(cleared, None)
        elif step.kind == "step" and step.site is not None:
            number = numbers.setdefault(key, len(numbers))
            _, texts, carried = found.get(number, (0, set(), set()))
            texts |= {text for text, _ in held.get(key, ())}
            mine = held.get(key, ())
            if not all(other for _, other in mine):  # from before another optimizer's step, beside a later one
                carried |= {text for text, other in mine if other}
            found[number] = (step.site.line, texts, carried)
            held = {k: [(text, other or k != key) for text, other in v] for k, v in held.items()}
    return found


def _text(trace: Trace, step: StepFact) -> str:
    """The statement of a backward pass, wherever the edits moved it."""
    lines = trace.sources.get(step.site.file, "").splitlines() if step.site is not None else []
    return lines[step.site.line - 1].strip() if step.site is not None and step.site.line <= len(lines) else "backward()"
