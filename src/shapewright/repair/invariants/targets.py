"""A loss is given what learns first and what it is held against second."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands
from ...trace import Event
from ..candidate import Candidate
from .change import Change, tree_of

TEXTS = {
    "exchanged": {
        "en": "with this change, {op} gets its target as the first argument, where the prediction belongs",
        "es": "con este cambio, {op} recibe el objetivo como primer argumento, donde va la predicción",
        "ja": "{op} の 1 番目の引数がターゲットになりますが、そこには予測を渡すべきです",
    },
}
ONE_WAY = ops.named("classifies", "binary", "divergences")


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """Where an edit exchanges two values, a loss that the faulty run did not come to."""
    if any(candidate.title == "swap" and _half_swapped(change, candidate) for candidate in change.candidates):
        yield "guessed", {"what": ", ".join(edit.replacement for edit in change.candidates[0].edits)}
    known = {event.site for event in change.before.events if _turned(event)}
    for event in change.after.events if any(c.title == "swap" for c in change.candidates) else ():
        if _turned(event) and event.site not in known:
            yield "exchanged", {"op": event.op}


def _half_swapped(change: Change, candidate: Candidate) -> bool:
    """Whether an edit exchanges two parameters of a function in one call alone, while the function reads both of them
    elsewhere, too: then its caller may have exchanged them."""
    names, at = {edit.replacement for edit in candidate.edits}, {(edit.file, edit.line) for edit in candidate.edits}
    for file, line in at if len(names) == 2 else ():
        for node in ast.walk(tree_of(change.before.sources.get(file, ""))):
            if not isinstance(node, ast.FunctionDef) or not node.lineno < line <= (node.end_lineno or 0):
                continue
            read = [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
            if names <= {given.arg for given in node.args.args} and all(read.count(name) > 1 for name in names):
                return True
    return False


def _turned(event: Event) -> bool:
    """Whether only the second operand of a loss that is not the same both ways learns."""
    sides = operands(event)[:2] if event.op in ONE_WAY else []
    return len(sides) == 2 and not sides[0].requires_grad and sides[1].requires_grad
