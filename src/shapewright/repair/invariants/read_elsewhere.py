"""A number that a function gives to the loss alone may be turned over within the function; one that the script also
reads elsewhere, as a metric does, may be meant as it is there."""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import tensors
from ...rules.remedy import Complement, TurnSign
from .change import Change

TEXTS = {
    "read-elsewhere": {
        "en": "line {line} reads the same result outside of training, where it may be meant as it is",
        "es": "la línea {line} lee el mismo resultado fuera del entrenamiento, donde quizá sea el que se pretende",
        "ja": "{line} 行目は同じ結果を学習以外で読んでおり、そこでは今の値が意図どおりかもしれません",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the calls of the function that the edits are in: those that a gradient goes through, and the others. A module
    that is asked for a loss gives the same loss in an evaluation."""
    if not isinstance(change.finding.facts.remedy, (Complement, TurnSign)):
        return
    places = {(edit.file, edit.line) for candidate in change.candidates for edit in candidate.edits}
    learns: dict[tuple[str, int], bool] = {}
    for event in change.before.events:
        for caller, site in zip(event.stack, event.stack[1:]):
            if (site.file, site.line) in places and not event.modules:
                key = caller.file, caller.line
                graph = any(fact.requires_grad for fact in tensors(event.result))
                learns[key] = learns.get(key, False) or graph
    if any(learns.values()):
        yield from (("read-elsewhere", {"line": line}) for (_, line), known in learns.items() if not known)
