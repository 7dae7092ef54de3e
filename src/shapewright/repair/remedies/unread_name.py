"""A name, an attribute or a field that the script binds and nothing reads, in the place of another one that is read
twice: nobody binds a name for nothing."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

import libcst as cst

from ...graph.flow import operands
from ...graph.scopes import RECEIVERS, Function
from ...graph.source import Source as Graph
from ...rules.remedy import Misfit
from ...trace import TensorFact
from ..candidate import Candidate, Case
from ..source import Place, Source
from ..unread import leaves_unread

ANSWERS = (Misfit,)
MOST, FEW = 8, 3
TITLE = "unread"
TITLES = {
    TITLE: {
        "en": "use {new}, which nothing reads, in place of {old}",
        "es": "usar {new}, que nada lee, en lugar de {old}",
        "ja": "{old} の代わりに、どこでも読まれていない {new} を使う",
    },
    "other-name": {
        "en": "use {new} in place of {old}",
        "es": "usar {new} en lugar de {old}",
        "ja": "{old} の代わりに {new} を使う",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """On the lines that led to the refused call, the nearest first, and on those that made its operands."""
    lines = [*reversed(case.failure.stack), *case.sites] if case.failure is not None else []
    made, book = 0, Graph(case.trace)
    facts = {one.name: one.fact for one in case.trace.bound}
    for site, source, statement in case.simple(lines):
        for candidate in _on(source, statement, book.tree(site.file), book.function_at(site), facts):
            if made < MOST:
                made += 1
                yield candidate


def _on(
    source: Source, statement: Place, tree: ast.Module, scope: Function | None, facts: dict[str, TensorFact]
) -> Iterator[Candidate]:
    names, read = _names(scope or tree, statement.line), _loads(scope or tree)
    called = {id(call.node.func) for call in source.within(statement, cst.Call)}
    for place in source.within(statement, cst.Name) if names else ():
        own = place.node.value
        if (
            read[own] > 1
            and own not in (*names, *RECEIVERS)
            and id(place.node) not in called
            and not _bound(place, statement)
        ):
            alike = [name for name in names if _alike(facts.get(name), facts.get(own))]
            yield from _written(source, place, own, alike)
    owned = _attributes(tree)
    attributes = Counter(node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_read(node))
    for place in source.within(statement, cst.Attribute):
        base, own = place.node.value, place.node.attr.value
        others = [names for names in owned if own in names]
        unread = [name for names in others for name in names if not attributes[name]]
        if isinstance(base, cst.Name) and len(others) == 1 and attributes[own] > 1:
            yield from _written(source, source.place(place.node.attr), own, unread)


def other_names(case: Case) -> Iterator[Candidate]:
    """Another tensor of the function in the place of one that the refused call reads, where it has the size that was
    asked for: the wrong name may have been written as well as the wrong size. A name that is read there alone stays."""
    asked, bound = {fact.uid for fact in operands(case.event)} if case.event is not None else set(), case.trace.bound
    book = Graph(case.trace)
    scope = book.function_at(case.site)
    here = [o for o in bound if o.site.file == case.site.file and book.function_at(o.site) is scope]
    facts = {one.name: one.fact for one in here if one.site.line < case.site.line}
    made = 0
    for source, call in case.found(case.site, cst.Call, 1):
        heads = {id(place.node.func) for place in source.within(call, cst.Call)}
        for place in source.within(call, cst.Name):
            own = facts.get(place.node.value)
            if own is None or id(place.node) in heads or leaves_unread(case, _as(source, place, place.node.value, "")):
                continue
            for name, fact in facts.items():
                alike = _alike(fact, own) and fact.uid not in asked and fact.shape[:1] == own.shape[:1]
                if alike and fact.shape != own.shape and case.misfit.wanted in fact.sizes and made < FEW:
                    made += 1
                    yield _as(source, place, place.node.value, name)


def _as(source: Source, place: Place, own: str, name: str) -> Candidate:
    return Candidate("other-name", (source.replace(place, name),), 24, {"new": name, "old": own})


def _written(source: Source, place: Place, own: str, names: list[str]) -> Iterator[Candidate]:
    for name in names:
        yield Candidate(TITLE, (source.replace(place, name),), 4, {"new": name, "old": own})


def _alike(one: TensorFact | None, other: TensorFact | None) -> bool:
    """Whether one tensor may stand where another one does: with as many axes, and as numbers of the same kind; what is
    no tensor, for what is none."""
    if one is None or other is None:
        return one is other
    return one.rank == other.rank and one.dtype == other.dtype


def _bound(place: Place, statement: Place) -> bool:
    """Whether a name is what its statement binds."""
    node = statement.node
    small = node.body[0] if isinstance(node, cst.SimpleStatementLine) else node
    targets = [target.target for target in small.targets] if isinstance(small, cst.Assign) else []
    return any(place.node is target or target.deep_equals(place.node) for target in targets)


def _names(scope: Function | ast.Module, line: int) -> list[str]:
    """What a function is given and what is assigned in it above a line, which nothing there reads; of loops, those
    around the line that unpack several values."""
    read = _loads(scope)
    given = [*scope.args.args, *scope.args.kwonlyargs] if isinstance(scope, Function) else []
    names = [one.arg for one in given if one.arg not in RECEIVERS]
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign) and node.lineno < line and isinstance(scope, Function):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
        around = isinstance(node, ast.For) and node.lineno < line <= (node.end_lineno or 0)
        if around and isinstance(node.target, ast.Tuple):
            names += [target.id for target in ast.walk(node.target) if isinstance(target, ast.Name)]
    return [name for name in dict.fromkeys(names) if not read[name] and not name.startswith("_")]


def _attributes(tree: ast.Module) -> list[list[str]]:
    """Of each class what its methods bind of the object, and its fields."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            bound = [n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute) and not _is_read(n)]
            fields = [n.target.id for n in node.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)]
            found.append(list(dict.fromkeys([*bound, *fields])))
    return found


def _loads(tree: ast.AST) -> Counter[str]:
    return Counter(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def _is_read(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load)
