"""What is done at random to one part of a sample done to the other part, too."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.data_remedy import TurnBoth
from ..candidate import Candidate, Case
from ..declared import on_line
from ..source import Place, Source
from .apart import bound

ANSWERS = (TurnBoth,)
TITLES = {
    "both-parts": {
        "en": "apply the same random transform to both parts of the sample: {code}",
        "es": "aplicar la misma transformación aleatoria a las dos partes de la muestra: {code}",
        "ja": "サンプルの両方の部分に同じランダムな変換を適用する: {code}",
    },
}


@on_line
def propose(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """The line again below it, for the other name; where the other's own call is in reach, that with the arguments of
    the first, an axis counted from the end."""
    scope = source.scope(statement.line)
    returns = [one.node.value for one in source.within(scope, cst.Return)] if scope is not None else []
    parts = [element.value for element in getattr(returns[-1], "elements", ())] if returns else []
    wanted = max(case.remedy.part, case.remedy.beside)
    known = bound(source, scope) | {one.name.value for one in scope.node.params.params} if parts else set()
    names = [
        [p.node.value for p in source.within(source.place(part), cst.Name) if p.node.value in known] for part in parts
    ]
    if len(names) <= wanted or not all(names):
        return
    one, other = names[case.remedy.part][0], names[case.remedy.beside][0]
    block = next(iter(source.enclosing(statement.line, cst.IndentedBlock)), statement)
    own, beside = _given(source, statement, one), _given(source, block, other)
    if own is not None and beside is None and source.text_of(statement).strip().count("\n") == 0:
        line = re.sub(rf"\b{one}\b", other, source.text_of(statement).strip())
        plain = all(
            ops.is_a(source.called(call), "turns_round", "keeps_values") for call in source.within(own, cst.Call)
        )
        computes = next(source.within(own, (cst.BinaryOperation, cst.Comparison)), None) or not plain
        edit, doubt = source.line_after(statement, line), "guessed" if computes else ""
        yield Candidate("both-parts", (edit,), 4, {"code": line}, doubt=doubt)
    elif own is not None and beside is not None:
        for mine, theirs in zip(source.within(own, cst.Call), source.within(beside, cst.Call)):
            for near, far in zip(mine.node.args, theirs.node.args):
                place, code = source.place(far.value), source.text_of(source.place(near.value))
                same = source.called(mine) == source.called(theirs) and place != source.operand(theirs)
                if same and code != source.text_of(place):
                    yield Candidate("both-parts", (source.replace(place, code),), 5, {"code": code})


def _given(source: Source, block: Place, name: str) -> Place | None:
    """What is assigned to a name in a block, alone or in a tuple."""
    for assign in source.within(block, cst.Assign):
        target, value = assign.node.targets[0].target, assign.node.value
        pairs = [(target, value)]
        if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple):
            pairs = [(a.value, b.value) for a, b in zip(target.elements, value.elements)]
        for own, given in pairs:
            if isinstance(own, cst.Name) and own.value == name:
                return source.place(given)
    return None
