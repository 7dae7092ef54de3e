"""No edit follows another one to make what that one made fit: then the first of them was in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator

from ...diagnosis.model import Edit
from ...graph.flow import operands
from ...graph.training import ancestors
from ...trace import Event, Trace
from .change import Change

TEXTS = {
    "pursued": {
        "en": "the change on line {line} only makes fit what the change before it made",
        "es": "el cambio de la línea {line} solo hace encajar lo que produjo el cambio anterior",
        "ja": "{line} 行目の変更は、その前の変更で生じた形状に合わせるだけのものです",
    },
}
WRAPS = frozenset({"wrap", "wrap-both", "axis-of-one", "take-axis-both", "squeeze-all"})
NEAR = 8  # calls between the two


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """Of edits in a row that give values other axes, one that answers a call which reads what an earlier one made."""
    pairs = list(zip(change.candidates, change.asked))
    for at, (candidate, (trace, _)) in enumerate(pairs):
        event = trace.failure.event if trace.failure is not None else None
        earlier = [edit for one, _ in pairs[:at] if one.title in WRAPS for edit in one.edits]
        if candidate.title in WRAPS and event is not None and earlier and change.finding.is_loud:
            if any(_made(trace, event, edit) for edit in earlier):
                yield "pursued", {"line": candidate.edits[0].line}


def _made(trace: Trace, event: Event, edit: Edit) -> bool:
    """Whether an operand of a refused call came from a line that an edit wrote."""
    for fact in operands(event):
        for other in ancestors(trace, fact, NEAR).values():
            if other.site is not None and (other.site.file, other.site.line) == (edit.file, edit.line):
                return True
    return False
