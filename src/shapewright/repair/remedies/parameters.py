"""Parameters brought into the optimiser: layers in a list registered, more modules handed over, the optimiser made
after the last change."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.loop_remedy import HandOver
from ...rules.remedy import Attach
from ..candidate import Candidate, Case
from ..source import Source

MADE = re.compile(r"^\s*(?:self\.)?\w+\s*=\s*[\w.]*(?:Adam|AdamW|SGD|RMSprop|Adagrad|NAdam|RAdam|Adadelta|Adamax)\(")


ANSWERS = (Attach, HandOver)
TITLES = {
    "hand-over": {
        "en": "pass {code} to the optimizer too",
        "es": "pasar también {code} al optimizador",
        "ja": "オプティマイザに {code} も渡す",
    },
    "optimizer-later": {
        "en": "create the optimizer after line {line}",
        "es": "crear el optimizador después de la línea {line}",
        "ja": "{line} 行目の後でオプティマイザを作る",
    },
    "register": {
        "en": "register the layers: {code}",
        "es": "registrar las capas: {code}",
        "ja": "層を登録する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For parameters outside the optimiser."""
    if isinstance(case.remedy, Attach):
        yield from _younger(case) if case.remedy.module is not None else _another(case)
        return
    if case.remedy.optimizer is not None:
        yield from _added(case)
        return
    modules = [case.trace.modules[uid] for uid in case.remedy.modules if uid in case.trace.modules]
    for file in case.trace.sources:
        source = case.source(file)
        if source is not None:
            yield from _registered(case, source, modules)
            yield from _whole(case, source)
            yield from _handed(case, source)


def _another(case: Case) -> Iterator[Candidate]:
    """Another of the models that are bound beside the one whose parameters the optimizer was given."""
    source = case.source(case.site.file)
    statement = source.statement(case.site.line) if source is not None else None
    scope = source.scope(case.site.line) if statement is not None else None
    for call in source.within(statement, cst.Call) if statement is not None else ():
        func = call.node.func
        if not isinstance(func, cst.Attribute) or func.attr.value != "parameters":
            continue
        given = source.text_of(source.place(func.value))
        for place in source.of_kind(cst.AssignTarget):
            target = place.node.target
            parts = [part.value for part in target.elements] if isinstance(target, cst.Tuple) else [target]
            names = [source.code(part).strip() for part in parts]
            if place.line >= call.line or source.scope(place.line) is not scope or given not in names:
                continue
            for name in names:
                if f"{name}.parameters()" not in source.text:
                    edit, code = source.replace(source.place(func.value), name), f"{name}.parameters()"
                    yield Candidate("rewrite", (edit,), 4, {"new": code, "old": f"{given}.parameters()"})


def _younger(case: Case) -> Iterator[Candidate]:
    """The optimiser made below the line that makes the model which it is to train."""
    source, module = case.source(case.site.file), case.remedy.module
    statement = source.statement(case.site.line) if source is not None else None
    below = source.statement(module.line) if source is not None and module.file == case.site.file else None
    if statement is None or below is None or "\n" in source.text_of(statement):
        return
    edits = (source.remove_line(statement.line), source.line_after(below, source.text_of(statement).strip()))
    yield Candidate("optimizer-later", edits, 4, {"line": str(module.line)})


def _added(case: Case) -> Iterator[Candidate]:
    """What was unfrozen joins the optimiser, below the line or loop that unfreezes it."""
    optimizer = case.remedy.optimizer
    source = case.source(case.site.file)
    made = (
        re.match(r"\s*((?:self\.)?\w+)\s*=", source.lines[optimizer.line - 1])
        if source is not None and optimizer.file == case.site.file
        else None
    )
    if made is None:
        return
    around = [
        p for p in source.enclosing(case.site.line, cst.For) if re.search(r"\.parameters\(\)", source.lines[p.line - 1])
    ]
    last = around[0] if around else source.statement(case.site.line)
    text = source.text_of(source.place(around[0].node.iter)) if around else source.lines[case.site.line - 1]
    found = (
        re.match(r"\s*([\w.\[\]]+)\.parameters\(\)", text)
        if around
        else re.match(r"\s*([\w.\[\]]+)\.requires_grad_\(", text)
    )
    if found is not None:
        code = f'{made.group(1)}.add_param_group({{"params": {found.group(1)}.parameters()}})'
        yield Candidate("hand-over", (source.line_after(last, code),), 4, {"code": f"{found.group(1)}.parameters()"})


def _registered(case: Case, source: Source, modules) -> Iterator[Candidate]:
    """A list, tuple or dict of layers on `self` becomes a ModuleList or ModuleDict."""
    lines = {m.site.line for m in modules if m.site is not None and m.site.file == source.file} | {case.site.line}
    lines |= {
        origin.site.line for origin in case.facts.origins if origin.site is not None and origin.site.file == source.file
    }
    for line in lines:
        statement = source.statement(line)
        if statement is None:
            continue
        for place in source.within(statement, cst.Assign):
            value = source.place(place.node.value)
            text = source.text_of(value)
            if isinstance(value.node, (cst.List, cst.ListComp, cst.Tuple)):
                yield Candidate(
                    "register", (source.replace(value, f"nn.ModuleList({text})"),), 4, {"code": "nn.ModuleList"}
                )
            elif isinstance(value.node, (cst.Dict, cst.DictComp)):
                yield Candidate(
                    "register", (source.replace(value, f"nn.ModuleDict({text})"),), 4, {"code": "nn.ModuleDict"}
                )
        appended = re.match(r"\s*((?:self\.)\w+)\.append\(", source.lines[line - 1])
        if appended:
            for place in source.places:
                if isinstance(place.node, cst.Assign) and source.text_of(place).replace(" ", "") in (
                    f"{appended.group(1)}=[]",
                ):
                    yield Candidate(
                        "register",
                        (source.replace(source.place(place.node.value), "nn.ModuleList()"),),
                        4,
                        {"code": "nn.ModuleList"},
                    )


def _whole(case: Case, source: Source) -> Iterator[Candidate]:
    """The whole model, where the optimizer was given a part of it."""
    statement = source.statement(case.site.line) if case.site.file == source.file else None
    for call in source.within(statement, cst.Call) if statement is not None else ():
        func = call.node.func
        if not isinstance(func, cst.Attribute) or func.attr.value != "parameters":
            continue
        node, place = func.value, source.place(func.value)
        while isinstance(node, (cst.Attribute, cst.Subscript)):
            node = node.value
            new, rank = source.code(node), 5 if isinstance(node, cst.Name) else 7
            yield Candidate("hand-over", (source.replace(place, new),), rank, {"code": f"{new}.parameters()"})


def _handed(case: Case, source: Source) -> Iterator[Candidate]:
    """The optimiser's line given the other module's parameters too, or moved below the last line that made a module."""
    for number, line in enumerate(source.lines, 1):
        if not MADE.match(line):
            continue
        statement = source.statement(number)
        called = dict.fromkeys(
            p.node.func.value
            for p in source.places
            if isinstance(p.node, cst.Call) and isinstance(p.node.func, cst.Name)
        )
        bound = {
            t.target.value
            for p in source.places
            if isinstance(p.node, cst.Assign)
            for t in p.node.targets
            if isinstance(t.target, cst.Name)
        }
        given = re.search(r"([\w.]+)\.parameters\(\)", line)
        if given is not None:
            for name in called:
                if name in bound and name != given.group(1) and _module_at(case, source, name):
                    edited = line.replace(given.group(0), f"[*{given.group(1)}.parameters(), *{name}.parameters()]", 1)
                    yield Candidate(
                        "hand-over",
                        (source.replace(source.place_of_line(number), edited),),
                        6,
                        {"code": f"{name}.parameters()"},
                    )
        below = [
            p
            for p in source.places
            if isinstance(p.node, cst.SimpleStatementLine)
            and p.line > number
            and (p.line == case.site.line or _replaces(case, source, p, given))
        ]
        if below and statement is not None and "\n" not in source.text_of(statement):
            last = max(below, key=lambda p: p.line)
            if source.scope(last.line) is source.scope(number):
                yield Candidate(
                    "optimizer-later",
                    (source.remove_line(number), source.line_after(last, line.strip())),
                    8,
                    {"line": str(last.line)},
                )


def _module_at(case: Case, source: Source, name: str) -> bool:
    """Whether a line that binds `name` made a module."""
    made = {m.site.line for m in case.trace.modules.values() if m.site is not None and m.site.file == source.file}
    made |= {s.line for m in case.trace.modules.values() for s in m.stack if s.file == source.file}
    return any(
        isinstance(p.node, cst.Assign)
        and p.line in made
        and any(isinstance(t.target, cst.Name) and t.target.value == name for t in p.node.targets)
        for p in source.places
    )


def _replaces(case: Case, source: Source, place, given) -> bool:
    return (
        given is not None
        and bool(re.match(rf"\s*{re.escape(given.group(1))}[.\[]", source.lines[place.line - 1]))
        and "=" in source.lines[place.line - 1]
        and "nn." in source.lines[place.line - 1]
    )
