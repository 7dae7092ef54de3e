"""Parts of one table kept apart: statistics of the rows that are trained on, rows or columns that another part has."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...diagnosis.model import Edit
from ...rules.data_remedy import CutApart, ScaleByKnown
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (CutApart, ScaleByKnown)
TITLES = {
    "known-rows": {
        "en": "compute the statistics on the training rows only: {code}",
        "es": "calcular las estadísticas solo con las filas de entrenamiento: {code}",
        "ja": "統計量を学習用の行だけから計算する: {code}",
    },
    "apart": {
        "en": "make the two parts of the data disjoint: {code}",
        "es": "hacer que las dos partes de los datos no se solapen: {code}",
        "ja": "データの 2 つの部分が重ならないように分ける: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """By the remedy."""
    if isinstance(case.remedy, CutApart):
        yield from _but_one(case) if case.remedy.entries else _parted(case)
    else:
        yield from _scaled(case)


def _scaled(case: Case) -> Iterator[Candidate]:
    """On the finding's line; or, where a function scales what it is given, on the lines that compute the statistics."""
    source, statement = case.statement(case.site)
    found = list(_by_known(case, source, statement)) if statement is not None else []
    yield from found
    for source in case.files() if not found and not case.remedy.own else ():
        for line in source.of_kind(cst.SimpleStatementLine):
            yield from (dataclasses.replace(one, rank=one.rank + 2) for one in _by_known(case, source, line))


def _by_known(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """The statistics of a line taken of each part that a later line takes of what it binds, or, of rows apart, of the
    other table that is bound with them, before that one is scaled itself."""
    found = [(place, source.operand(place)) for place in source.within(statement, cst.Call)]
    asked = [(place, of) for place, of in found if of is not None and ops.is_a(source.called(place), "reduces")]
    names = {source.text_of(of) for _, of in asked if isinstance(of.node, cst.Name)}
    if len(names) != 1 or len(names) != len({source.text_of(of) for _, of in asked}):
        return
    name, scope = names.pop(), source.scope(statement.line)
    lines = [p for p in source.of_kind(cst.SimpleStatementLine) if source.scope(p.line) is scope]
    if case.remedy.own:
        judged = case.facts.fields["name"]
        yield from _of_others(source, statement, [of for _, of in asked], lines, str(judged))
        return
    known, parts = bound(source, statement) | {name}, dict[str, bool]()  # of each part, whether it has a name
    for line in lines:
        for cut in source.within(line, cst.Subscript):
            if _of(source, cut) in (known if line.line > statement.line else {name}) and line is not statement:
                part = source.text_of(cut)[len(_of(source, cut)) :]
                parts[part] = parts.get(part, False) or bool(bound(source, line))
    for at, part in enumerate(parts):
        edits = tuple(source.replace(of, name + part) for _, of in asked)
        doubt = "" if _halved(part, [one for one, named in parts.items() if named]) else "guessed"
        rank = 4 + bool(doubt) + at  # what is trained on is cut off first
        yield Candidate("known-rows", edits, rank, {"code": name + part}, doubt=doubt)


def _halved(part: str, parts: list[str]) -> bool:
    """Whether a part and another one, both with names, are all that there is: `[:n]` and `[n:]`, or `[a]` and `[b]` and
    no third. Scaled with the statistics of the wrong one, the other would show it."""
    one = part.strip("[] ")
    edge = one.strip(": ")
    if one.count(":") == 1 and "," not in one and one != edge:
        other = f"{edge}:" if one.startswith(":") else f":{edge}"
        return part in parts and other in [text.strip("[] ") for text in parts]
    return one.isidentifier() and part in parts and len(parts) == 2


def _of_others(
    source: Source, statement: Place, asked: list[Place], lines: list[Place], judged: str
) -> Iterator[Candidate]:
    """The same of the other name of a pair; the line above the one that scales the other."""
    own = source.text_of(asked[0])
    groups = [bound(source, line) for line in lines if line.line < statement.line]
    loops = [source.place(one.node.iter) for one in source.within(statement, cst.CompFor)]
    groups += [{p.node.value for p in source.within(one, cst.Name)} for one in loops]
    held = {p.node.target.value for p in source.within(statement, cst.CompFor) if isinstance(p.node.target, cst.Name)}
    for group in groups:
        others = sorted(group - {own, judged})
        for other in others if own in group | held else ():
            edits = [source.replace(of, other) for of in asked]
            above = [p for p in lines if p.line < statement.line and bound(source, p) == {other}]
            for line in above[-1:]:
                renamed = statement.node.visit(_Renamed([of.node for of in asked], other))
                text = source.code(renamed.with_changes(leading_lines=())).strip()
                edits = [source.removed(statement), source.line_before(line.line, text)]
            doubt = "guessed" if len(others) > 1 else ""
            yield Candidate("known-rows", tuple(edits), 4, {"code": other}, doubt=doubt)


class _Renamed(cst.CSTTransformer):
    """Puts a name in the place of some nodes."""

    def __init__(self, nodes: list[cst.CSTNode], name: str) -> None:
        super().__init__()
        self.nodes, self.name = nodes, name

    def on_leave(self, original: cst.CSTNode, updated: cst.CSTNode) -> cst.CSTNode:
        return cst.Name(self.name) if any(original is node for node in self.nodes) else updated


def bound(source: Source, statement: Place) -> set[str]:
    """The names that a statement binds."""
    targets = list(source.within(statement, cst.AssignTarget))
    return {p.node.value for target in targets for p in source.within(target, cst.Name)}


# parts that overlap
# ----------------------------------------------------------------------------------------------------------------------
def _parted(case: Case) -> Iterator[Candidate]:
    """Of a name that is read whole beside a part of it, the rest, in every statement of that form; of two parts that
    overlap, the first up to where the second begins, or the second from where the first ends."""
    near = list(case.simple(case.sites))
    cuts = [(source, cut) for _, source, line in near for cut in source.within(line, cst.Subscript)]
    for source in dict.fromkeys(source for _, source, _ in near):
        scopes = {id(source.scope(line.line)) for _, home, line in near if home is source}
        lines = [p for p in source.of_kind(cst.SimpleStatementLine) if id(source.scope(p.line)) in scopes]
        asked = {line.line for _, home, line in near if home is source}
        rests: dict[str, dict[Edit, int]] = {}
        for line in lines:
            for whole in (source.place(name) for value in _values(source, line) for name in _wholes(value)):
                for rest in _rests(case, source, whole, lines):
                    rests.setdefault(rest, {})[source.suffix(whole, rest)] = line.line
        for rest, edits in rests.items():
            if asked & set(edits.values()):
                yield Candidate("apart", tuple(edits), 4, {"code": rest})
    for source, first in cuts:
        for home, second in cuts:
            one, other = first.node.slice[0].slice, second.node.slice[0].slice
            start = other.lower if isinstance(other, cst.Slice) else other.value
            if home is not source or not isinstance(one, cst.Slice) or None in (one.upper, start) or first == second:
                continue
            if _of(source, first) == _of(source, second):
                stop, begin = source.place(one.upper), source.place(start)
                for rank, (place, new) in enumerate(((stop, begin), (begin, stop))):
                    edit = source.replace(place, source.text_of(new))
                    code = f"{source.text_of(place)} → {source.text_of(new)}"
                    yield Candidate("apart", (edit,), 5 + rank, {"code": code}, doubt="guessed")


def _but_one(case: Case) -> Iterator[Candidate]:
    """All of a list that the finding's line reads but its first or last entry, which another line reads alone."""
    near = [(source, line) for _, source, line in case.simple(case.sites)]
    for source, line in near[:1]:
        cuts = [cut for home, other in near if home is source for cut in source.within(other, cst.Subscript)]
        bases = [cut.node.value for cut in cuts]
        for name in source.within(line, cst.Name):
            for cut in cuts if not any(name.node is base for base in bases) else ():
                index = source.text_of(cut)[len(_of(source, cut)) :].replace(" ", "")
                rest = {"[-1]": "[:-1]", "[0]": "[1:]"}.get(index, "")
                if rest and _of(source, cut) == name.node.value:
                    yield Candidate("apart", (source.suffix(name, rest),), 4, {"code": name.node.value + rest})


def _values(source: Source, line: Place) -> list[cst.BaseExpression]:
    """What a line assigns or gives back."""
    return [one.node.value for one in source.within(line, (cst.Assign, cst.Return)) if one.node.value is not None]


def _rests(case: Case, source: Source, whole: Place, lines: list[Place]) -> set[str]:
    """What is left of a name by the parts of it that its own line, or else another one, takes."""
    for near in (True, False):
        at = [line for line in lines if (line.line <= whole.line <= line.end_line) == near]
        cuts = [cut for line in at for cut in source.within(line, cst.Subscript)]
        found = {_rest(case, source, cut) for cut in cuts if _of(source, cut) == whole.node.value}
        if found - {""}:
            return found if len(found) == 1 else set()  # of three parts nobody says which the rest is of
    return set()


def _wholes(node: cst.BaseExpression) -> Iterator[cst.Name]:
    """The names whose whole value an expression hands on: alone, in a tuple, in a branch, or converted."""
    if isinstance(node, cst.Name):
        yield node
    parts = [part.value for part in node.elements] if isinstance(node, cst.Tuple) else []
    parts += [node.body, node.orelse] if isinstance(node, cst.IfExp) else []
    parts += [node.args[0].value] if isinstance(node, cst.Call) and len(node.args) == 1 else []
    for part in parts:
        yield from _wholes(part)


def _of(source: Source, cut: Place) -> str:
    """What is cut."""
    return source.text_of(source.place(cut.node.value))


def _rest(case: Case, source: Source, cut: Place) -> str:
    """The part that a cut leaves: `[:n]` of `[n:]`, all columns but the first or last one."""
    parts, columns = [element.slice for element in cut.node.slice], case.remedy.columns
    last = parts[-1]
    if columns and len(parts) == 2 and isinstance(last, cst.Index):
        at, width = source.code(last.value).strip(), case.facts.fields.get("width")
        return "[:, 1:]" if at == "0" else f"[:, :{at}]" if at in ("-1", str(int(width or 0) - 1)) else ""
    if columns or len(parts) != 1 or not isinstance(last, cst.Slice) or last.step is not None:
        return ""
    low, high = (source.code(part).strip() if part is not None else "" for part in (last.lower, last.upper))
    return f"[{high}:]" if high and not low else f"[:{low}]" if low and not high else ""
