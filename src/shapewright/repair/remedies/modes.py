"""Training and evaluation mode switched where the model runs in the wrong one."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.loop_remedy import SwitchMode
from ...trace import Site
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (SwitchMode,)
TITLES = {
    "train-mode": {
        "en": "switch back to training mode",
        "es": "volver al modo de entrenamiento",
        "ja": "学習モードに戻す",
    },
    "eval-mode": {
        "en": "switch to evaluation mode before evaluating",
        "es": "pasar a modo de evaluación antes de evaluar",
        "ja": "評価の前に評価モードへ切り替える",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Before the loop or block that runs in the wrong mode, at the head of the one that trains, below the line that
    switched."""
    source, remedy = case.source(case.site.file), case.remedy
    model = _model(case, source) if source is not None else ""
    if not model:
        return
    if remedy.switch is not None and remedy.switch.file == source.file:
        yield from _asked(source, remedy.switch)
    origins = [origin.site for origin in case.facts.origins if origin.site and origin.site.file == source.file]
    lines = list(dict.fromkeys([case.site.line, *(site.line for site in origins)]))
    title, code = ("train-mode", f"{model}.train()") if remedy.training else ("eval-mode", f"{model}.eval()")
    fields = {"code": code}
    for place in _loops(source, lines):
        body = place.node.body
        if remedy.training and isinstance(body, cst.IndentedBlock) and body.body:
            yield Candidate(title, (source.line_before(source.place(body.body[0]).line, code),), 9, fields)
        yield Candidate(title, (source.line_before(place.line, code),), 20 if remedy.training else 8, fields)
    for stack in (origin.stack[:-1] for origin in case.facts.origins) if remedy.training else ():
        lines += [
            site.line for site in stack if site.file == source.file
        ]  # where the function that switched was called
    for line in dict.fromkeys(lines):
        statement = source.statement(line)
        plain = statement is not None and not isinstance(statement.node, cst.BaseCompoundStatement)
        if remedy.training and plain and not source.text_of(statement).strip().endswith(".eval()"):
            yield Candidate(title, (source.line_after(statement, code),), 5 if line != case.site.line else 6, fields)
        for place in source.enclosing(line, cst.With)[:1] if not remedy.training else ():
            yield Candidate(title, (source.line_before(place.line, code),), 5, fields)


def _model(case: Case, source: Source) -> str:
    """How the function of the finding writes the model: the owner of a switch, else what the finding's line calls."""
    scope = source.scope(case.site.line)
    for around in (scope, Place(source.module, 1, 1, len(source.lines) + 1, 1)):
        for call in source.within(around, cst.Call) if around is not None else ():
            func = call.node.func
            if isinstance(func, cst.Attribute) and func.attr.value in ("train", "eval") and not call.node.args:
                return source.text_of(source.place(func.value))
    call = source.at(case.site, cst.Call)
    return source.text_of(source.place(call.node.func)) if call is not None else ""


def _asked(source: Source, switch: Site) -> Iterator[Candidate]:
    """`model.train()` of a function that also evaluates: on only where an argument that may be absent was given, or
    where a flag of the function says so."""
    call, scope = source.at(switch, cst.Call), source.scope(switch.line)
    if call is None or scope is None or call.node.args:
        return
    for parameter in scope.node.params.params:
        name, default = parameter.name.value, source.code(parameter.default).strip() if parameter.default else ""
        code = {"None": f"{name} is not None", "True": name, "False": name}.get(default)
        if code is not None:
            yield Candidate("train-mode", (source.argument(call, 0, "mode", code),), 3, {"code": code})


def _loops(source: Source, lines: list[int]) -> list[Place]:
    return list(
        {(p.line, p.column): p for line in lines for p in source.enclosing(line, (cst.For, cst.While))[:2]}.values()
    )
