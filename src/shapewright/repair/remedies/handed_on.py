"""What a call in a loop ends with handed to the call of the next round."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...diagnosis.model import Edit
from ...rules.loop_remedy import HandOn
from ..candidate import Candidate, Case
from ..declared import on_line
from ..source import Place, Source

ANSWERS = (HandOn,)
TITLES = {
    "hand-on": {
        "en": "keep the state for the next iteration: {code}",
        "es": "guardar el estado para la siguiente iteración: {code}",
        "ja": "状態を次の反復に引き継ぐ: {code}",
    },
}


@on_line
def propose(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """As it is, or off its graph where a step of the loop ends with `backward`."""
    loop = next(iter(source.enclosing(statement.line, (cst.For, cst.While))), None)
    body = loop.node.body.body if loop is not None and isinstance(loop.node.body, cst.IndentedBlock) else ()
    for name, edits in _handed(source, statement, loop) if body else ():
        several = f"tuple(part.detach() for part in {name})"
        for rank, cut in enumerate(("", f"{name}.detach()", several)):
            line = (source.line_after(source.place(body[-1]), f"{name} = {cut}", source.indent(statement.line)),)
            yield Candidate("hand-on", (*edits, *(line if cut else ())), 4 + rank, {"code": cut or name})


def _handed(source: Source, statement: Place, loop: Place) -> Iterator[tuple[str, tuple[Edit, ...]]]:
    """The part of a result that was thrown away bound to the state's name, or the result itself; a call that is given
    no state given the one that it left, which is none before the loop."""
    for assign in source.within(statement, cst.Assign):
        call, target = source.place(assign.node.value), source.place(assign.node.targets[0].target)
        if not isinstance(call.node, cst.Call) or not call.node.args:
            continue
        parts = [source.place(part.value) for part in getattr(target.node, "elements", ())]
        given = [source.place(part.value) for part in call.node.args[1:]]
        state = next((part for part in reversed(given) if isinstance(part.node, (cst.Name, cst.Tuple))), None)
        if state is not None and len(parts) == 2:
            yield source.text_of(state), (source.replace(parts[1], source.text_of(state)),)
        elif state is not None and not parts:
            name = source.text_of(state)
            yield name, (source.line_after(statement, f"{name} = {source.text_of(target)}"),)
        elif not given and len(parts) == 2:
            name = source.text_of(parts[1]) if source.text_of(parts[1]) != "_" else "state"
            known = source.binding(name, loop.line) is not None
            first = source.place(call.node.args[0].value)
            edits = [source.replace(first, f"{source.text_of(first)}, {name}"), source.replace(parts[1], name)]
            yield name, tuple(edits if known else [*edits, source.line_before(loop.line, f"{name} = None")])
