"""Parameters brought into the optimizer: layers in a list registered, more modules handed over, the optimizer made
after the last change."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.loop_remedy import HandOver
from ...rules.remedy import Attach
from ...trace import ModuleFact, Site
from ..candidate import Candidate, Case
from ..declared import in_file, on_line
from ..source import Place, Source
from .lines import landmarks

MADE = re.compile(r"^\s*(?:self\.)?\w+\s*=\s*[\w.]*(?:Adam|AdamW|SGD|RMSprop|Adagrad|NAdam|RAdam|Adadelta|Adamax)\(")


HOLDERS = {"nn.ModuleList": (cst.List, cst.ListComp, cst.Tuple), "nn.ModuleDict": (cst.Dict, cst.DictComp)}
ANSWERS = (Attach, HandOver)
TITLES = {
    "hand-over": {
        "en": "also pass {code} to the optimizer",
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
    """For parameters outside the optimizer."""
    if isinstance(case.remedy, Attach):
        yield from _younger(case) if case.remedy.module is not None else _another(case)
    elif case.remedy.optimizer is not None:
        yield from _added(case, case.remedy.optimizer)
    else:
        modules = [case.trace.modules[uid] for uid in case.remedy.modules if uid in case.trace.modules]
        for source in case.files():
            yield from _registered(case, source, modules)
            yield from _whole(case) if case.site.file == source.file else ()
            yield from _handed(case, source)


@on_line
def _another(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """Another of the models that are made beside the one whose parameters the optimizer was given, which no optimizer
    has."""
    scope = source.scope(case.site.line)
    for call in source.methods(statement, "parameters"):
        owner = source.place(call.node.func.value)
        given = source.text_of(owner)
        beside: dict[str, int] = {}
        for place in source.of_kind(cst.AssignTarget):
            target = place.node.target
            parts = [part.value for part in target.elements] if isinstance(target, cst.Tuple) else [target]
            names = [source.code(part).strip() for part in parts]
            if place.line < call.line and source.scope(place.line) is scope:
                models = names if given in names else [name for name in names if _module_at(case, source, name)]
                beside |= {name: 4 if given in names else 5 for name in models if name not in beside}
        held = [source.text_of(place) for place in landmarks(case, source, "optimizer")]
        for name, rank in beside.items():
            if not any(f"{name}.parameters()" in text for text in held):
                fields = {"new": f"{name}.parameters()", "old": f"{given}.parameters()"}
                yield Candidate("rewrite", (source.replace(owner, name),), rank, fields)


@on_line
def _younger(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """The optimizer made below the line that makes the model which it is to train."""
    module, text = case.remedy.module, source.text_of(statement).strip()
    below = source.statement(module.line) if module.file == case.site.file else None
    if below is not None:
        edits = (source.removed(statement), source.line_after(below, text))
        yield Candidate("optimizer-later", edits, 4, {"line": str(module.line)})


@in_file
def _added(case: Case, source: Source, optimizer: Site) -> Iterator[Candidate]:
    """What was unfrozen joins the optimizer, below the line or loop that unfreezes it."""
    here = optimizer.file == case.site.file
    made = re.match(r"\s*((?:self\.)?\w+)\s*=", source.lines[optimizer.line - 1]) if here else None
    loops = [p for p in source.enclosing(case.site.line, cst.For) if ".parameters()" in source.lines[p.line - 1]]
    last = loops[0] if loops else source.statement(case.site.line)
    text = source.text_of(source.place(last.node.iter)) if loops else source.lines[case.site.line - 1]
    found = re.match(r"\s*([\w.\[\]]+)\." + (r"parameters\(\)" if loops else r"requires_grad_\("), text)
    if made is not None and found is not None:
        given = f"{found.group(1)}.parameters()"
        code = f'{made.group(1)}.add_param_group({{"params": {given}}})'
        yield Candidate("hand-over", (source.line_after(last, code),), 4, {"code": given})


def _registered(case: Case, source: Source, modules: list[ModuleFact]) -> Iterator[Candidate]:
    """A list, tuple or dict of layers on `self` becomes a ModuleList or ModuleDict."""
    sites = [m.site for m in modules if m.site is not None] + case.sites[1:]
    for line in {site.line for site in sites if site.file == source.file} | {case.site.line}:
        statement = source.statement(line)
        if statement is None:
            continue
        for value in (source.place(place.node.value) for place in source.within(statement, cst.Assign)):
            kind = next((kind for kind, nodes in HOLDERS.items() if isinstance(value.node, nodes)), None)
            if kind is not None:
                text = source.text_of(value)
                text = f"[{text}]" if isinstance(value.node, cst.Tuple) else text  # its brackets stay around it
                yield Candidate("register", (source.replace(value, f"{kind}({text})"),), 4, {"code": kind})
        appended = re.match(r"\s*((?:self\.)\w+)\.append\(", source.lines[line - 1])
        for place in source.of_kind(cst.Assign) if appended else ():
            if source.text_of(place).replace(" ", "") == f"{appended.group(1)}=[]":
                edit = source.replace(source.place(place.node.value), "nn.ModuleList()")
                yield Candidate("register", (edit,), 4, {"code": "nn.ModuleList"})


@on_line
def _whole(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """The whole model, where the optimizer was given a part of it."""
    for call in source.methods(statement, "parameters"):
        node = call.node.func.value
        place = source.place(node)
        while isinstance(node, (cst.Attribute, cst.Subscript)):
            node = node.value
            new, rank = source.code(node), 5 if isinstance(node, cst.Name) else 7
            yield Candidate("hand-over", (source.replace(place, new),), rank, {"code": f"{new}.parameters()"})


def _handed(case: Case, source: Source) -> Iterator[Candidate]:
    """The optimizer's line given the other module's parameters too, or moved below the last line that made a module."""
    funcs = (source.code(c.node.func).strip() for c in source.of_kind(cst.Call))
    called = dict.fromkeys(name for name in funcs if name.removeprefix("self.").isidentifier())
    for number, line in enumerate(source.lines, 1):
        given = re.search(r"([\w.]+)\.parameters\(\)", line)
        if not MADE.match(line):
            continue
        own = given.group(1) if given is not None else ""
        for name in (name for name in called if own not in ("", name) and _module_at(case, source, name)):
            new = f"{name}.parameters()"
            other = case.remedy.instead
            if other and number != case.site.line:
                continue
            edited = line.replace(given.group(0), new if other else f"[*{own}.parameters(), *{new}]", 1)
            edit = source.replace(source.place_of_line(number), edited)
            fields = {"new": new, "old": given.group(0)} if other else {"code": new}
            yield Candidate("rewrite" if other else "hand-over", (edit,), 6, fields)
        lines = [p for p in source.of_kind(cst.SimpleStatementLine) if p.line > number]
        below = [p for p in lines if p.line == case.site.line or _replaces(source, p, own)]
        last, statement = max(below, key=lambda p: p.line, default=None), source.statement(number)
        if last is None or statement is None:
            continue
        if source.scope(last.line) is source.scope(number):
            edits = (source.removed(statement), source.line_after(last, source.text_of(statement).strip()))
            yield Candidate("optimizer-later", edits, 8, {"line": str(last.line)})


def _module_at(case: Case, source: Source, name: str) -> bool:
    """Whether a name is bound where a module is made."""
    sites = (site for module in case.trace.modules.values() for site in (module.site, *module.stack))
    made = {site.line for site in sites if site is not None and site.file == source.file}
    bound = [t.target for p in source.of_kind(cst.Assign) if p.line in made for t in p.node.targets]
    parts = (part for t in bound for part in ([one.value for one in t.elements] if isinstance(t, cst.Tuple) else [t]))
    return any(source.code(part).strip() == name for part in parts)


def _replaces(source: Source, place: Place, own: str) -> bool:
    """Whether a line gives a model that an optimizer was given another layer."""
    line = source.lines[place.line - 1]
    return bool(own and re.match(rf"\s*{re.escape(own)}[.\[]", line)) and "=" in line and "nn." in line
