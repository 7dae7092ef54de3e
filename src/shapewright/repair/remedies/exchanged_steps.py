"""Two steps of a function done the other way round: `y = f(x); return g(y)` becomes `y = g(x); return f(y)`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import libcst as cst

from ...rules.loop_remedy import SwapSteps
from ..candidate import Candidate, Case
from ..declared import in_file
from ..source import Place, Source
from .apart import bound

ANSWERS = (SwapSteps,)
TITLES = {
    "steps": {
        "en": "do this step first: {code}",
        "es": "hacer antes este paso: {code}",
        "ja": "この処理を先に行う: {code}",
    },
}


@in_file
def propose(case: Case, source: Source) -> Iterator[Candidate]:
    """Each pair of statements directly below each other, of which the first binds one name of one other."""
    scope = source.scope(case.site.line)
    if scope is None:
        return
    known = bound(source, scope) | {one.name.value for one in scope.node.params.params}
    for block in source.within(scope, cst.IndentedBlock):
        for one, other in itertools.pairwise(source.place(part) for part in block.node.body):
            first, second = _step(source, one), _step(source, other)
            target = first.node.targets[0].target if first is not None and isinstance(first.node, cst.Assign) else None
            if second is None or not isinstance(target, cst.Name) or second.node.value is None:
                continue
            values = [source.place(step.node.value) for step in (first, second)]
            names = {name.node.value for name in source.within(values[0], cst.Name)} & (known - {target.value})
            if len(names) == 1 and target.value in {name.node.value for name in source.within(values[1], cst.Name)}:
                texts = _named(source, values[1], target.value, *names), _named(source, values[0], *names, target.value)
                edits = tuple(source.replace(place, text) for place, text in zip(values, texts))
                yield Candidate("steps", edits, 4, {"code": " ".join(texts[0].split())})


def _step(source: Source, statement: Place) -> Place | None:
    """The assignment or return that a line is."""
    return next(source.within(statement, (cst.Assign, cst.Return)), None) if _plain(statement) else None


def _plain(statement: Place) -> bool:
    return isinstance(statement.node, cst.SimpleStatementLine) and len(statement.node.body) == 1


def _named(source: Source, place: Place, old: str, new: str) -> str:
    """The text of an expression that reads another name."""
    return re.sub(rf"(?<![\w.]){re.escape(old)}\b", new, source.text_of(place))
