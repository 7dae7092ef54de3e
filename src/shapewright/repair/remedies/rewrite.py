"""One expression, argument or function name as the rule says it; a line above the finding's."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import libcst as cst

from ...rules.loop_remedy import RenameKeys, UseOther
from ...rules.remedy import CallOther, InsertLine, Rewrite, SetArgument, TakePart
from ..candidate import Candidate, Case, offered
from ..declared import at
from ..source import ATOMS, Place, Source

ANSWERS = (Rewrite, SetArgument, CallOther, InsertLine, RenameKeys, TakePart, UseOther)
TITLES = {
    "flag": {
        "en": "set the argument in the call: {code}",
        "es": "indicar el argumento en la llamada: {code}",
        "ja": "呼び出しで引数を指定する: {code}",
    },
    "rewrite": {
        "en": "write {new} in place of {old}",
        "es": "escribir {new} en lugar de {old}",
        "ja": "{old} を {new} に書き換える",
    },
    "line": {"en": "add the line {code}", "es": "añadir la línea {code}", "ja": "{code} の行を加える"},
}


def propose(case: Case) -> Iterator[Candidate]:
    """The edit itself; nothing is searched for."""
    remedy = case.remedy
    site = getattr(remedy, "site", None) or case.site
    source = case.source(site.file)
    if source is None:
        return
    if isinstance(remedy, Rewrite):
        place = _place(source, site, remedy)
        if place is not None:
            code = remedy.code.replace("{}", source.atom(place))
            bare = _receives(source.at(site, cst.Call), place) and not getattr(place.node, "lpar", ())
            if bare and not isinstance(cst.parse_expression(code), ATOMS):
                code = f"({code})"
            made = _written(source, place, code)
            yield dataclasses.replace(made, doubt="guessed") if remedy.guessed else made
    elif isinstance(remedy, SetArgument):
        where, call = case.module_call(remedy.module) or (source, source.at(site, cst.Call))
        yield from offered(
            "flag",
            where.argument(call, remedy.position, remedy.keyword, remedy.value) if call is not None else None,
            4,
            {"code": f"{remedy.keyword}={remedy.value}"},
            doubt="guessed" if remedy.guessed else "",
        )
    elif isinstance(remedy, CallOther):
        call = source.at(site, cst.Call)
        func = call.node.func if call is not None else None
        name = func.attr if isinstance(func, cst.Attribute) else func
        if isinstance(name, cst.Name):
            made = _written(source, source.place(name), remedy.name)
            yield dataclasses.replace(made, doubt="guessed") if remedy.guessed else made
    elif isinstance(remedy, InsertLine):
        under = source.statement(site.line) if remedy.below else None
        line = (
            source.line_after(under, remedy.code) if under is not None else source.line_before(site.line, remedy.code)
        )
        edits = (line, *source.imported(remedy.needs))
        yield Candidate("line", edits, 4, {"code": remedy.code}, doubt="guessed" if remedy.guessed else "")
    elif isinstance(remedy, RenameKeys):
        yield from _renamed(case)
    elif isinstance(remedy, TakePart):
        for number, origin in enumerate(case.facts.origins):
            place = source.at(origin.site, cst.Call)
            for late, part in ((0, ".values"), (6, ".indices")) if place is not None else ():
                made = _written(source, place, source.atom(place) + part, 3 + late + 2 * number)
                yield dataclasses.replace(made, doubt="guessed") if late else made
    elif isinstance(remedy, UseOther):
        yield from _other(source, case.site.line, remedy)


def _written(source: Source, place: Place, code: str, rank: int = 4) -> Candidate:
    return Candidate("rewrite", (source.replace(place, code),), rank, {"new": code, "old": source.text_of(place)})


def _place(source: Source, site, remedy: Rewrite) -> Place | None:
    """What is rewritten: the span of the site, or an argument of the call there, of which the receiver is the first
    where it has no other."""
    if remedy.argument is None:
        return source.at(site, (cst.BaseExpression, cst.BaseSmallStatement))
    call = source.at(site, cst.Call)
    given = source.given(call, *remedy.argument) if call is not None else None
    if given is None and call is not None and not call.node.args and isinstance(call.node.func, cst.Attribute):
        given = call.node.func.value
    return source.place(given) if given is not None else None


def _receives(call: Place | None, place: Place) -> bool:
    """Whether a call is that of a method of some expression."""
    return call is not None and getattr(call.node.func, "value", None) is place.node


@at(cst.Call, arguments=1)
def _renamed(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """The state's names without their prefix, or with the one that the model has."""
    remedy, given = case.remedy, source.place(call.node.args[0].value)
    name = f"name.removeprefix({remedy.prefix!r})" if remedy.prefix else f"{remedy.added!r} + name"
    code = f"{{{name}: value for name, value in {source.atom(given)}.items()}}".replace("'", '"')
    if remedy.prefix or remedy.added:
        yield _written(source, given, code)


def _other(source: Source, line: int, remedy: UseOther) -> Iterator[Candidate]:
    """Another name that the loop or function around binds above the line, the nearest first; of a branch, in what it
    tests and in what it assigns."""
    statement, name = source.statement(line), remedy.name
    branch = statement.node if statement is not None and isinstance(statement.node, cst.If) else None
    assigned = [source.place(part.node.value) for part in source.within(statement, cst.Assign)] if branch else []
    meant = source.at(remedy.site) if remedy.site is not None else statement
    parts = [source.place(branch.test), *assigned] if branch is not None else [meant]
    bound: list[str] = []
    for place in source.body(line) if statement is not None else ():
        if isinstance(place.node, cst.SimpleStatementLine) and place.line < statement.line:
            targets = [t.target for a in source.within(place, cst.Assign) for t in a.node.targets]
            bound += [target.value for target in targets if isinstance(target, cst.Name)]
    for rank, other in enumerate(remedy.others or dict.fromkeys(reversed(bound))):
        read = [p for part in parts for p in source.within(part, cst.Name) if p.node.value == name]
        plain = {id(given.node.value) for part in parts for given in source.within(part, cst.Arg)}
        edits = tuple(
            source.replace(p, other if other.isidentifier() or id(p.node) in plain else f"({other})") for p in read
        )
        if edits:
            doubt = "guessed" if remedy.guessed else ""
            yield Candidate("rewrite", edits, 5 + rank, {"new": other, "old": name, "value": other}, doubt=doubt)
