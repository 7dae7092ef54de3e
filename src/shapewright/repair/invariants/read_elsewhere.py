"""A number that a function gives to the loss alone may be turned over within the function; one that the script also
reads elsewhere, as a metric does, may be meant as it is there. So is a number by which something else chooses."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import POINTWISE, SAME_VALUES, argument, forward, tensors
from ...rules.remedy import Complement, TurnSign
from ...trace import Event
from .change import Change

TEXTS = {
    "read-elsewhere": {
        "en": "line {line} reads the same result outside of training, where it may be meant as it is",
        "es": "la línea {line} lee el mismo resultado fuera del entrenamiento, donde quizá sea el que se pretende",
        "ja": "{line} 行目は同じ結果を学習以外で読んでおり、そこでは今の値が意図どおりかもしれません",
    },
}


CHOOSES = ops.named("chooses_index", "ranks", "sorts")
NEAR = 4  # calls between what an edit turned over and what is chosen by it


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the readers of what is turned over, other than the loss."""
    if isinstance(change.finding.facts.remedy, (Complement, TurnSign)):
        yield from _called(change)
        yield from _chosen(change)


def _called(change: Change) -> Iterator[tuple[str, dict]]:
    """By the calls of the function that the edits are in: those that a gradient goes through, and the others. A module
    that is asked for a loss gives the same loss in an evaluation."""
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


def _chosen(change: Change) -> Iterator[tuple[str, dict]]:
    """By what chooses the least of what was turned over on a line of the edits, or the most of what is no score of
    classes: it would choose the other end than it did."""
    for event in change.after.events:
        if change.wrote(event.site):
            readers = forward(change.after, event, SAME_VALUES | POINTWISE, NEAR)
            readers = [one for one in readers if one.site is not None and not change.wrote(one.site)]
            scores = any(ops.is_a(one.op, "classifies") for one in readers)
            for one in readers:
                if one.op in CHOOSES and not (scores and _highest(one)):
                    yield "read-elsewhere", {"line": one.site.line}


def _highest(event: Event) -> bool:
    """Whether the largest numbers come first."""
    if ops.is_a(event.op, "takes_count"):
        return event.op == "topk" and argument(event, 3, "largest") is not False
    return event.op == "argmax" or argument(event, 2, "descending") is True
