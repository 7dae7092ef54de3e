"""What a model is given prepared as in training: `net(x[60:] / 255)` below `net(x[:60] / 255)`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.loop_remedy import PrepareAsThere
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source

ANSWERS = (PrepareAsThere,)
TITLES = {
    "prepared": {
        "en": "prepare the input as on line {line}: {code}",
        "es": "preparar la entrada como en la línea {line}: {code}",
        "ja": "入力を {line} 行目と同じように準備する: {code}",
    },
}


@at(cst.Call, site=lambda case: case.remedy.onto or case.site)
def propose(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """The arithmetic by which the other call's argument was made, begun with the own tensor."""
    remedy: PrepareAsThere = case.remedy
    for given in call.node.args[remedy.at : remedy.at + 1]:
        own, made = source.place(given.value), _made(case, source, remedy)
        first = _first(made.node) if made is not None else None
        if first is not None and first is not made.node and isinstance(own.node, (cst.Name, cst.Subscript)):
            head, text = source.place(first), source.text_of(made)
            at = head.column - made.column if head.line == made.line else text.index(source.text_of(head))
            code = text[:at] + source.text_of(own) + text[at + len(source.text_of(head)) :]
            doubt = "guessed" if isinstance(made.node, cst.Call) and _draws(case, made) else ""
            fields = {"line": str(made.line), "code": code}
            yield Candidate("prepared", (source.replace(own, code),), 4, fields, doubt=doubt)


def _draws(case: Case, made: Place) -> bool:
    """Whether something is drawn at random where a line prepares its input: in training alone, maybe."""
    drawn = (event for event in case.trace.events if ops.is_a(event.op, "draws"))
    return any(site.line == made.line for event in drawn for site in event.stack)


def _made(case: Case, source: Source, remedy: PrepareAsThere) -> Place | None:
    """What computes the argument of the other call, or what the other place binds."""
    home, other = case.at(remedy.there, cst.Call)
    if home is not source:
        return None
    if other is not None and remedy.at < len(other.node.args):
        there = source.place(other.node.args[remedy.at].value)
        bound = source.binding(there.node.value, there.line) if isinstance(there.node, cst.Name) else None
        return bound if bound is not None else there
    statement = source.statement(remedy.there.line)
    assigned = list(source.within(statement, cst.Assign)) if statement is not None else []
    return source.place(assigned[0].node.value) if assigned else None


def _first(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The tensor that arithmetic begins with: `x` of `(x - low) / (high - low)`, or that a function of one argument is
    given."""
    if isinstance(node, cst.Call) and len(node.args) == 1 and node.args[0].keyword is None:
        return node.args[0].value if isinstance(node.args[0].value, (cst.Name, cst.Subscript)) else None
    while isinstance(node, cst.BinaryOperation):
        node = node.left
    return node if isinstance(node, (cst.Name, cst.Subscript)) else None
