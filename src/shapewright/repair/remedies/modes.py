"""Training and evaluation mode switched where the model runs in the wrong one."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.loop_remedy import SwitchMode
from ...trace import Site
from ..candidate import Candidate, Case
from ..declared import in_file
from ..source import Place, Source

ANSWERS = (SwitchMode,)
TITLES = {
    "train-mode": {
        "en": "switch to training mode",
        "es": "pasar a modo de entrenamiento",
        "ja": "学習モードに切り替える",
    },
    "eval-mode": {
        "en": "switch to evaluation mode before evaluating",
        "es": "pasar a modo de evaluación antes de evaluar",
        "ja": "評価の前に評価モードへ切り替える",
    },
}


@in_file
def propose(case: Case, source: Source) -> Iterator[Candidate]:
    """Before the loop or block that runs in the wrong mode, at the head of the one that trains, below the line that
    switched."""
    remedy, model = case.remedy, _model(case, source)
    if not model:
        return
    if remedy.switch is not None and remedy.switch.file == source.file:
        yield from _asked(source, remedy.switch)
    lines = list(dict.fromkeys(site.line for site in case.sites if site.file == source.file))
    title, code = ("train-mode", f"{model}.train()") if remedy.training else ("eval-mode", f"{model}.eval()")
    for line, rank in _above(source, lines, remedy.training):
        yield Candidate(title, (source.line_before(line, code),), rank, {"code": code})
    alone = source.statement(case.site.line) if not remedy.training else None
    if alone is not None and not isinstance(alone.node, cst.BaseCompoundStatement):
        yield Candidate(title, (source.line_before(alone.line, code),), 9, {"code": code})
    callers = (site for origin in case.facts.origins for site in origin.stack[:-1])  # of the function that switched
    for line in dict.fromkeys((*lines, *(site.line for site in callers if site.file == source.file))):
        statement = source.statement(line) if remedy.training else None
        plain = statement is not None and not isinstance(statement.node, cst.BaseCompoundStatement)
        if plain and not source.text_of(statement).strip().endswith(".eval()"):
            yield Candidate(title, (source.line_after(statement, code),), 5 + (line == case.site.line), {"code": code})


def _above(source: Source, lines: list[int], training: bool) -> Iterator[tuple[int, int]]:
    """The lines above which a switch may stand, with their ranks: at the head of a loop that trains, before a loop or
    block that evaluates."""
    around = {(p.line, p.column): p for line in lines for p in source.enclosing(line, (cst.For, cst.While))[:2]}
    for place in around.values():
        body = place.node.body
        if training and isinstance(body, cst.IndentedBlock) and body.body:
            yield source.place(body.body[0]).line, 9
        yield place.line, 20 if training else 8
    blocks = (place for line in lines for place in source.enclosing(line, cst.With)[:1])
    yield from ((place.line, 5) for place in blocks if not training)


def _model(case: Case, source: Source) -> str:
    """How the function of the finding writes the model: the owner of a switch, else what the finding's line calls."""
    scope, whole = source.scope(case.site.line), Place(source.module, 1, 1, len(source.lines) + 1, 1)
    asked = source.at(case.site, cst.Call)
    for around in (scope, whole) if scope is not None else (whole,):
        for call in source.methods(around, "train", "eval"):
            if not call.node.args:
                return source.text_of(source.place(call.node.func.value))
        if asked is not None and isinstance(asked.node.func, cst.Name):  # what another function switches is its own
            return asked.node.func.value
    return source.text_of(source.place(asked.node.func)) if asked is not None else ""


def _asked(source: Source, switch: Site) -> Iterator[Candidate]:
    """`model.train()` of a function that also evaluates: on only where an argument that may be absent was given, or
    where a flag of the function says so: one with such a default, or that branches or the recording of gradients
    follow."""
    call, scope = source.at(switch, cst.Call), source.scope(switch.line)
    if call is None or scope is None or call.node.args:
        return
    for parameter in scope.node.params.params:
        name, default = parameter.name.value, source.code(parameter.default).strip() if parameter.default else ""
        code = {"None": f"{name} is not None", "True": name, "False": name, "": name * _decides(source, scope, name)}
        code = code.get(default)
        if code:
            yield Candidate("flag", (source.argument(call, 0, "mode", code),), 3, {"code": f"mode={code}"})


def _decides(source: Source, scope: Place, name: str) -> bool:
    """Whether a function tests a parameter by itself, or records gradients as it says."""
    tested = [place.node.test for place in source.within(scope, (cst.If, cst.IfExp))]
    calls = (place for place in source.within(scope, cst.Call) if source.called(place) == "set_grad_enabled")
    tested += [given.value for place in calls for given in place.node.args]
    return any(isinstance(test, cst.Name) and test.value == name for test in tested)
