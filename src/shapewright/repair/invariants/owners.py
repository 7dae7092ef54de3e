"""What an optimizer is given more of is in no other one."""

from __future__ import annotations

from collections.abc import Iterator

from ...trace import StepFact, Trace
from .change import Change

TEXTS = {
    "twice": {
        "en": (
            "with this change, the optimizers of lines {line} and {other} both update the same parameters (number: "
            "{count})"
        ),
        "es": (
            "con este cambio, los optimizadores de las líneas {line} y {other} actualizan los mismos parámetros "
            "(número: {count})"
        ),
        "ja": "{line} 行目と {other} 行目のオプティマイザが同じ {count} 個のパラメータを更新することになります",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the optimizers of both runs, in the order in which they are made."""
    made = _made(change.after)
    for was, step in zip(_made(change.before), made):
        more = len(_held(step)) > len(_held(was))
        for other in (other for other in made if more and other is not step):
            shared = _held(step) & _held(other)
            if shared:
                yield "twice", {"line": step.site.line, "other": other.site.line, "count": len(shared)}


def _made(trace: Trace) -> list[StepFact]:
    return [step for step in trace.steps if step.kind == "optimizer" and step.site is not None]


def _held(step: StepFact) -> set[int]:
    return set(step.data.get("held") or ())
