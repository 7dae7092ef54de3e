"""What a script does to one side of a comparison done to the other one: a division by a temperature, a wrapper that is
called, the second of two names that were bound together, the calls that a statement beside it makes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands
from ...graph.imports import library
from ...graph.scopes import RECEIVERS
from ...graph.training import ancestors
from ...rules.loop_remedy import CallOwner, DoLikewise, ReadSibling
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..declared import at
from ..operands import Operand, expressions, written
from ..source import Place, Source

ANSWERS = (CallOwner, DoLikewise, Misfit, ReadSibling)
TITLES = {
    "likewise": {
        "en": "scale both operands in the same way: {code}",
        "es": "escalar los dos operandos de la misma manera: {code}",
        "ja": "両方のオペランドを同じようにスケーリングする: {code}",
    },
    "as-beside": {
        "en": "do the same as on line {line}: {code}",
        "es": "hacer lo mismo que en la línea {line}: {code}",
        "ja": "{line} 行目と同じようにする: {code}",
    },
}
SIGNS = (cst.Divide, cst.Multiply)
NEAR = 60  # calls before the refused one that are looked at
SHAPED = ops.named("views", "flattens", "turns", "squeezes", "unsqueezes")


def propose(case: Case) -> Iterator[Candidate]:
    """By the remedy."""
    for kind, answer in KINDS.items():
        if isinstance(case.remedy, kind):
            yield from answer(case)


@at(cst.Call, method=True)
def _owner(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """The object for its method."""
    place, code = source.place(call.node.func), source.text_of(source.place(call.node.func.value))
    yield Candidate("rewrite", (source.replace(place, code),), 4, {"new": code, "old": source.text_of(place)})


def _refused(case: Case) -> Iterator[Candidate]:
    """What gives other operands their axes, given to one that the call refused."""
    yield from _shaped(case)
    yield from _as_beside(case)
    yield from _chained(case)


def _as_beside(case: Case) -> Iterator[Candidate]:
    """`k = keys(x).view(b, t, h, d)` below `q = queries(x).view(b, t, h, d).transpose(1, 2)`: the calls that end the
    statements of the same form in the same body, for what a refused operand was bound to."""
    for operand in written(case)[:3]:
        source = operand.source
        bound = [source.binding(read.node.value, operand.place.line) for read in source.within(operand.place, cst.Name)]
        for place in (place for place in bound if place is not None):
            beside = [p for p in source.body(place.line) if isinstance(p.node, cst.SimpleStatementLine)]
            values = [source.place(one.node.value) for line in beside for one in source.within(line, cst.Assign)]
            for value in values:
                for own, other in _pairs(source, place, value):
                    yield from _compared(source, own, other)


def _pairs(source: Source, own: Place, other: Place) -> Iterator[tuple[Place, Place]]:
    """Two expressions, and what stands at the same place within two calls of the same function."""
    yield own, other
    calls = isinstance(own.node, cst.Call) and isinstance(other.node, cst.Call)
    if calls and len(own.node.args) == len(other.node.args) and source.called(own) == source.called(other):
        for one, beside in zip(own.node.args, other.node.args):
            yield from _pairs(source, source.place(one.value), source.place(beside.value))


def _compared(source: Source, place: Place, other: Place) -> Iterator[Candidate]:
    """One call more, less or other on what is of the same form."""
    own, inner = _form(source, place), _receiver(source, place)
    before = _receiver(source, other)
    if before is not None and isinstance(place.node, cst.Call) and _form(source, before) == own:
        code = source.method(other.node)
        yield _done(source, place, source.atom(place) + code, other, code)
    elif isinstance(getattr(inner, "node", None), cst.Call) and _form(source, other) == _form(source, inner):
        yield _done(source, place, source.text_of(inner), other, source.text_of(inner))
    elif inner is not None and before is not None and _form(source, before) == _form(source, inner):
        code = source.method(other.node)
        if code != source.method(place.node):
            yield _done(source, place, source.atom(inner) + code, other, code)


@at(cst.Call, method=True)
def _chained(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """`k.view(b, t, d)` beside `q.view(b, t, h, d).transpose(1, 2)`: what the statements beside it do to their own."""
    lines = [p for p in source.body(call.line) if isinstance(p.node, cst.SimpleStatementLine)]
    values = [source.place(one.node.value) for line in lines for one in source.within(line, cst.Assign)]
    own = next((value for value in values if value.line <= call.line <= value.end_line), None)
    root, now = _chain(source, own) if own is not None else (None, "")
    found: dict[str, list[Place]] = {}
    for value in values if now else ():
        other, code = _chain(source, value)
        if code not in ("", now) and _form(source, other) == _form(source, root):
            found.setdefault(code, []).append(value)
    for code, alike in found.items():
        edit, fields = source.replace(own, source.text_of(root) + code), {"code": code, "line": str(alike[0].line)}
        yield Candidate("as-beside", (edit,), 3 if len(alike) > 1 else 7, fields)


def _chain(source: Source, place: Place) -> tuple[Place, str]:
    """What methods that only move, merge or split axes are called on, one on the other, and their text."""
    root = place
    while (inner := _receiver(source, root)) is not None:
        root = inner
    return root, source.text_of(place).removeprefix(source.text_of(root))


def _done(source: Source, place: Place, text: str, other: Place, code: str) -> Candidate:
    return Candidate("as-beside", (source.replace(place, text),), 5, {"code": code, "line": str(other.line)})


def _receiver(source: Source, place: Place) -> Place | None:
    """What a method that only moves, merges or splits axes is called on."""
    func = place.node.func if isinstance(place.node, cst.Call) else None
    if not isinstance(func, cst.Attribute) or func.attr.value not in SHAPED or library(source.text, source.code(func)):
        return None
    return source.place(func.value)


def _form(source: Source, place: Place) -> str:
    """An expression with its names, and those of the object's own parts, left out."""
    return _Nameless.form(source, place)


class _Nameless(ast.NodeTransformer):
    """Names, and the object's own parts, without what they are called; with `numbers`, numbers without their values."""

    numbers = False

    @classmethod
    def form(cls, source: Source, place: Place, numbers: bool = False) -> str:
        """The text of a tree that is left of an expression."""
        without = cls()
        without.numbers = numbers
        return ast.dump(without.visit(ast.parse(source.code(place.node).strip(), mode="eval")))

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(0) if self.numbers else node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name("", ast.Load())

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id in RECEIVERS:
            return ast.Name("", ast.Load())
        return self.generic_visit(node)


def _shaped(case: Case) -> Iterator[Candidate]:
    """`cell(x, state.reshape(-1, d))` with `x.reshape(-1, d)`: what gives one operand its axes given to the other."""
    found = written(case)[:2]
    for one, other in (found, found[::-1]) if len(found) == 2 else ():
        yield from _picked(case, one, other)
        func = one.place.node.func if isinstance(one.place.node, cst.Call) else None
        if not isinstance(func, cst.Attribute) or func.attr.value not in SHAPED:
            continue
        if library(one.source.text, one.source.code(func)) or one.fact.rank >= other.fact.rank:
            continue
        code = one.source.method(one.place.node)
        edit = other.source.suffix(other.place, code)
        yield Candidate("wrap", (edit,), 8, {"code": code, "name": other.text})


def _picked(case: Case, one: Operand, other: Operand) -> Iterator[Candidate]:
    """`labels[train]` beside `scores[train]` or `model(inputs[train])`: the rows that were picked of one operand, or of
    what it was computed from, picked of the other."""
    for event in reversed(ancestors(case.trace, one.fact, NEAR).values()):
        index = event.args[1] if len(event.args) == 2 and ops.is_a(event.op, "brackets") else None
        if index is None or operands(event)[0].sizes[:1] != other.fact.sizes[:1]:
            continue
        if any(isinstance(part, int) for part in (index if isinstance(index, tuple) else (index,))):
            continue  # one row for all is no choice of rows
        for source, place in case.found(event.site, cst.Subscript):
            if source is other.source and source.scope(place.line) is source.scope(other.place.line):
                code = source.text_of(place).removeprefix(source.text_of(source.place(place.node.value))).strip()
                yield Candidate("wrap", (source.suffix(other.place, code),), 5, {"code": code, "name": other.text})
                return


def _scaled(case: Case) -> Iterator[Candidate]:
    """The same operator and number on the first operand of a call."""
    done, onto = case.trace.events[case.remedy.done], case.trace.events[case.remedy.onto]
    for source, scale in case.found(done.site, cst.BinaryOperation):
        for other, call in case.found(onto.site, cst.Call):
            node = next(expressions(call.node), None)
            if node is None or not isinstance(scale.node.operator, SIGNS):
                return
            named = operands(done)[0].name if operands(done) else ""
            left, sign, right = (
                source.code(part).strip() for part in (scale.node.left, scale.node.operator, scale.node.right)
            )
            number = left if sign == "*" and right == named else right
            code = f"{other.atom(other.place(node))} {sign} {number}"
            fields, doubt = {"code": code, "value": code}, "" if case.remedy.sure else "guessed"
            whole = f"({code})" if node is getattr(call.node.func, "value", None) else code
            yield Candidate("likewise", (other.replace(other.place(node), whole),), 4, fields, doubt=doubt)


def _siblings(case: Case) -> Iterator[Candidate]:
    """The names that one statement, loop or signature binds beside the one that is read: those that nothing reads
    first."""
    sites, drawn = case.remedy.sites, case.remedy.drawn and case.event is not None
    outer = [one for one in reversed(case.event.stack) if one not in sites] if drawn else []
    places = ((*found, near) for near, site in enumerate((*sites, *outer)) for found in case.found(site))
    for source, place, near in places:
        yield from _made_otherwise(case, source, place, near) if isinstance(place.node, cst.Call) else ()
        for read in reversed(list(source.within(place, cst.Name))):
            groups = [names for names in _bound(source, place.line) if read.node.value in names]
            others = [name for names in groups for name in names if name != read.node.value]
            left = {name for name in others if len([p for p in source.of_kind(cst.Name) if p.node.value == name]) < 2}
            for name in others:
                sure = case.remedy.sure or left == {name}  # of several that nothing reads any may be meant
                fields = {"new": name, "old": read.node.value, "value": name}
                edits, rank = (source.replace(read, name),), 4 + near + 3 * (name not in left)
                yield Candidate("rewrite", edits, rank, fields, doubt="" if sure else "guessed")
            if not others and isinstance(place.node, cst.Call):
                yield from _alike(case, source, place, read, near)
                yield from _drawn_again(case, source, read, near)


def _made_otherwise(case: Case, source: Source, call: Place, near: int) -> Iterator[Candidate]:
    """Arguments that a library's function makes of sizes alone, such as `torch.zeros(n)`, made by the function that
    another call of the same is given in that place: `torch.ones(n)`."""
    calls = [one.node for one in source.of_kind(cst.Call) if _func(source, one) == _func(source, call)]
    for place, given in enumerate(call.node.args):
        own = source.place(given.value)
        beside = [source.place(one.args[place].value) for one in calls if len(one.args) > place]
        if not _fills(source, own):
            continue
        alike = [one for one in beside if _fills(source, one) and len(one.node.args) == len(own.node.args)]
        names = {_func(source, one) for one in alike} - {_func(source, own)}
        for name in sorted(names):
            fields = {"new": name, "old": _func(source, own), "value": name}
            edits, doubt = (source.replace(source.place(own.node.func), name),), "" if case.remedy.sure else "guessed"
            yield Candidate("rewrite", edits, 4 + near, fields, doubt=doubt if len(names) == 1 else "guessed")


def _func(source: Source, call: Place) -> str:
    return source.text_of(source.place(call.node.func))


def _fills(source: Source, place: Place) -> bool:
    """Whether a library's function makes a tensor of one number."""
    made = isinstance(place.node, cst.Call) and library(source.text, source.code(place.node.func))
    name = source.called(place) if made else ""
    return ops.is_a(name, "fills_constant") and not ops.is_a(name, "fills_given")


def _drawn_again(case: Case, source: Source, read: Place, near: int) -> Iterator[Candidate]:
    """What a name was bound to, drawn a second time for one of its two readings; of a statement that binds two names at
    once, for each of them."""
    name, scope = read.node.value, source.scope(read.line)
    bound = source.binding(name, read.line)
    drawn = {site.line for event in case.trace.events if ops.is_a(event.op, "draws") for site in event.stack}
    if not case.remedy.drawn or bound is None or bound.line not in drawn or not isinstance(bound.node, cst.Call):
        return
    code = source.text_of(bound)
    assign = next(one for one in source.of_kind(cst.Assign) if one.node.value is bound.node)
    names = [source.code(target.target).strip() for target in assign.node.targets]
    if len(names) > 1:
        whole = f"{', '.join(names)} = {', '.join([code] * len(names))}"
        yield Candidate(
            "rewrite", (source.replace(assign, whole),), 4 + near, {"new": whole, "old": source.text_of(assign)}
        )
        return
    reads = [one for one in source.within(scope or source.place(source.module), cst.Name) if one.node.value == name]
    if sum(one.line > bound.line for one in reads) == 2:
        fields = {"new": code, "old": name, "value": code}
        yield Candidate("rewrite", (source.replace(read, code),), 4 + near, fields)


def _alike(case: Case, source: Source, call: Place, read: Place, near: int) -> Iterator[Candidate]:
    """The names that a statement next to it binds to a call of the same form, of those that another call of the same
    function is given in the same place: `ones = torch.ones(n, 1)` beside `zeros = torch.zeros(n, 1)`."""
    at = next((at for at, given in enumerate(call.node.args) if given.value is read.node), None)
    others = [one for one in source.of_kind(cst.Call) if source.called(one) == source.called(call) != ""]
    given = [one.node.args[at].value for one in others if at is not None and len(one.node.args) > at]
    told = {node.value for node in given if isinstance(node, cst.Name)} - {read.node.value}
    bound = {name: place for place in source.of_kind(cst.Assign) for name in _targets(place)}
    own = bound.get(read.node.value)
    near_by = {name for name, place in bound.items() if own is not None and _next_to(source, own, place)}
    beside = {name for name in near_by if _made(source, own) and _made(source, bound[name]) == _made(source, own)}
    for name in sorted(told & beside):
        doubt = "" if case.remedy.sure and len(told & beside) == 1 else "guessed"
        fields = {"new": name, "old": read.node.value, "value": name}
        yield Candidate("rewrite", (source.replace(read, name),), 4 + near, fields, doubt=doubt)


def _next_to(source: Source, one: Place, other: Place) -> bool:
    """Whether two statements of one body stand directly below each other."""
    touching = one.end_line + 1 == other.line or other.end_line + 1 == one.line
    return touching and one.column == other.column and source.scope(one.line) is source.scope(other.line)


def _targets(place: Place) -> list[str]:
    """The name that an assignment binds."""
    targets = [target.target for target in place.node.targets]
    return [target.value for target in targets if isinstance(target, cst.Name)]


def _made(source: Source, place: Place) -> str:
    """The form of the call that an assignment binds, whichever function and numbers; nothing where it is no call."""
    value = place.node.value
    if not isinstance(value, cst.Call):
        return ""
    given = [source.place(argument.value) for argument in value.args]
    return " ".join(["call", *(_Nameless.form(source, one, numbers=True) for one in given)])


def _bound(source: Source, line: int) -> Iterator[list[str]]:
    """The names that were bound together, where they may be read on a line, the nearest first."""
    scope = source.scope(line)
    groups: list[tuple[int, list[str]]] = []
    for place in source.of_kind((cst.Assign, cst.For)):
        if place.line > line or source.scope(place.line) is not scope:
            continue
        target = place.node.target if isinstance(place.node, cst.For) else place.node.targets[0].target
        parts = [part.value for part in target.elements] if isinstance(target, cst.Tuple) else []
        groups.append((place.line, [part.value for part in parts if isinstance(part, cst.Name)]))
    if scope is not None:
        groups.append((scope.line, [parameter.name.value for parameter in scope.node.params.params[1:]]))
    for _, names in sorted(groups, reverse=True):
        if len(names) > 1:
            yield names


KINDS = {CallOwner: _owner, DoLikewise: _scaled, Misfit: _refused, ReadSibling: _siblings}
