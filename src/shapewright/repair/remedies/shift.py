"""Targets moved one step on, or moved once instead of twice."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import TARGET_LOSSES, chain, operands, tensors
from ...graph.training import ancestors, answers, of_kind
from ...rules.remedy import Misfit, Shift
from ...trace import TensorFact
from ..candidate import Candidate, Case
from ..declared import at, in_file
from ..operands import written
from ..source import Place, Source

ANSWERS = (Misfit, Shift)
FAR = 8
TITLES = {
    "shift": {
        "en": "compare the output of each step with the next token: {code}",
        "es": "comparar la salida de cada paso con el token siguiente: {code}",
        "ja": "各ステップの出力を次のトークンと比べる: {code}",
    },
    "shift-once": {
        "en": "remove {code}, so that the targets are shifted only once",
        "es": "quitar {code}, para que los objetivos se desplacen una sola vez",
        "ja": "{code} を取り除き、ターゲットを一度だけずらす",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For findings about the shift of next-token targets, and where only the model's input was cut, or they were."""
    if isinstance(case.remedy, Misfit):
        yield from _other_end(case)
    elif case.remedy.places:
        for site in case.remedy.places:
            for source, place in case.found(site, cst.Subscript):
                if _cut(source, place, "[:,:-1]"):
                    yield _recut(source, place, "[:, 1:]")
    else:
        yield from _once(case) if case.remedy.back else itertools.chain(_shifted(case), _subtracted(case))


def _other_end(case: Case) -> Iterator[Candidate]:
    """Targets that a loss, or a `gather` of their scores, refuses, read from a sequence of which another line of the
    function reads all but the last step, cut at the other end; or all of it, where they are cut already."""
    scored = case.event is not None and (case.event.op in TARGET_LOSSES or ops.is_a(case.event.op, "points"))
    found = written(case)[1:2] if scored else []
    for target in found:
        source = target.source
        scope = source.scope(target.place.line) or source.place(source.module)
        cuts = list(source.within(scope, cst.Subscript))
        for name in source.within(target.place, cst.Name):
            own = [cut for cut in cuts if cut.node.value is name.node]
            others = [cut for cut in cuts if source.text_of(source.place(cut.node.value)) == name.node.value]
            if not own and any(_cut(source, cut, "[:,:-1]") for cut in others):
                edit = source.replace(name, f"{name.node.value}[:, 1:]")
                yield Candidate("shift", (edit,), 4, {"code": edit.replacement})
            calls = source.within(scope, cst.Call) if own and _cut(source, own[0], "[:,1:]") else ()
            given = [source.place(argument.value) for call in calls for argument in call.node.args]
            for whole in (one for one in given if source.text_of(one) == name.node.value):
                edit = source.replace(whole, f"{name.node.value}[:, :-1]")
                yield Candidate("shift", (edit,), 4, {"code": edit.replacement})


@at(cst.Call, arguments=2)
def _shifted(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """`logits[:, :-1]` against `targets[:, 1:]`, as far as both are written in the loss's call."""
    sides = [source.place(argument.value) for argument in place.node.args[:2]]
    given = operands(case.event) if case.event is not None else []
    kept = next(_cuts_out(case, given[1]), None) if len(given) > 1 else None
    here = list(source.within(sides[1], cst.Subscript))
    cuts = [(source, part) for part in here] + ([kept[:2]] if kept else [])
    for owner, part in cuts:  # cut where the model's input is cut: at the other end then
        if _cut(owner, part, "[:,:-1]"):
            yield _recut(owner, part, "[:, 1:]")
    if any(_cut(source, part, "[:,1:]") for part in here):
        scope = source.scope(place.line)
        for part in source.within(scope, cst.Subscript) if scope is not None else source.of_kind(cst.Subscript):
            if part.line < place.line and _cut(source, part, "[:,1:]"):  # the input is cut like the targets
                yield _recut(source, part, "[:, :-1]")
    if kept is not None and _cut(kept[0], kept[1], "[:,1:]"):
        yield from _cut_alike(*kept[:2])
    written = "".join([source.text_of(place), *([kept[0].text_of(kept[1])] if kept is not None else [])]).replace(
        " ", ""
    )
    doubt = "guessed" if any(cut in written for cut in ("[:,1:]", "[:,:-1]")) or _begun_by_another(case, given) else ""
    made = [_sliced(source, side, cut) for side, cut in zip(sides, ("[:, :-1]", "[:, 1:]"))]
    if all(made):
        yield Candidate("shift", tuple(made), 5, {"code": "[:, :-1] / [:, 1:]"}, doubt=doubt)
    for cut in _cuts_out(case, given[1]) if len(given) > 1 else ():
        yield from _window(given[1], cut)


def _begun_by_another(case: Case, given: list[TensorFact]) -> bool:
    """Whether what a network says comes of another network, too: it can tell the first token as well, from a start."""
    if case.trace is None or not given:
        return False
    before = ancestors(case.trace, given[0])
    calls = [
        step for step in of_kind(case.trace, "forward") if step.data["learns"] and not answers(step).isdisjoint(before)
    ]
    last = calls[-1] if calls else None
    handed = list(tensors((last.data["args"], last.data["kwargs"]))) if last is not None else []
    return any(fact.requires_grad and fact.kind != "parameter" for fact in handed)


def _subtracted(case: Case) -> Iterator[Candidate]:
    """Of a loss that is written as a difference, the side that learns nothing, where it is cut out of the whole."""
    first = operands(case.event)[:1] if case.event is not None else []
    near = [case.event, *(event for fact in first for event in chain(case.trace, fact, lambda _: True, FAR))]
    made = next((one for one in near if one is not None and ops.is_a(one.op, "subtracts")), None)
    sides = operands(made) if made is not None else []
    for fact in sides if len(sides) == 2 else ():
        for cut in _cuts_out(case, fact) if not fact.requires_grad else ():
            yield from _window(fact, cut)


def _recut(source: Source, part: Place, cut: str) -> Candidate:
    edit = source.replace(part, f"{source.text_of(source.place(part.node.value))}{cut}")
    return Candidate("shift", (edit,), 3, {"code": edit.replacement})


def _window(fact: TensorFact, found: tuple[Source, Place, cst.Slice]) -> Iterator[Candidate]:
    """`text[i:i + n]`, where the targets are cut out of the whole: one step later. The input has a cut of its own. That
    measurements are foretold by one step, another cut of the script tells."""
    source, place, cut = found
    measured = fact.dtype.startswith("float")
    told = not measured or any(_cut(source, part, ",1:]") for part in source.of_kind(cst.Subscript))
    if cut.lower is not None:
        bounds = [f"{source.code(edge).strip()} + 1" if edge is not None else "" for edge in (cut.lower, cut.upper)]
        edit = source.replace(source.place(cut), ":".join(bounds))
        code = source.text_of(place).replace(source.code(cut), edit.replacement)
        yield Candidate("shift", (edit,), 4, {"code": code}, doubt="" if told else "guessed")


def _one_less(text: str) -> str:
    """A sum with one of its numbers one less; nothing where it adds none.

    >>> _one_less("i + 2 + length"), _one_less("start + 1"), _one_less("i + length")
    ('i + 1 + length', 'start', '')
    """
    terms: list[str] = []
    node = ast.parse(text, mode="eval").body
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        terms.insert(0, ast.unparse(node.right))
        node = node.left
    terms.insert(0, ast.unparse(node))
    at = next((at for at, term in enumerate(terms) if term.isdigit() and term != "0"), None)
    if at is None or len(terms) == 1:
        return ""
    less = int(terms[at]) - 1
    return " + ".join([*terms[:at], *([str(less)] if less else []), *terms[at + 1 :]])


def _cut_alike(source: Source, cut: Place) -> Iterator[Candidate]:
    """Another cut of the same sequence, made where the targets were cut like the model's input: it ends one earlier."""
    scope = source.scope(cut.line)
    for part in source.of_kind(cst.Subscript):
        same = source.text_of(part) == source.text_of(cut) and source.scope(part.line) is scope
        if same and (part.line, part.column) != (cut.line, cut.column):
            yield _recut(source, part, "[:, :-1]")


def _cuts_out(case: Case, fact: TensorFact) -> Iterator[tuple[Source, Place, cst.Slice]]:
    """Where a tensor was cut out of another, the last cut first, with the slice as written."""
    for event in chain(case.trace, fact, lambda _: True, FAR):
        for source, place in case.found(event.site if event.op == "getitem" else None, cst.Subscript):
            cut = place.node.slice[-1].slice
            if isinstance(cut, cst.Slice) and (cut.lower or cut.upper) and cut.step is None:
                yield source, place, cut


def _cut(source: Source, part: Place, cut: str) -> bool:
    return source.text_of(part).replace(" ", "").endswith(cut)


def _sliced(source: Source, side: Place, cut: str):
    """The innermost name of a side, with the cut put behind it; a `view` after it becomes `reshape`. `None` where it is
    flat already."""
    text = source.text_of(side)
    found = re.match(
        r"^([A-Za-z_][\w.]*?(?:\[[^\]]*\])?)((?:\.(?:view|reshape|flatten|transpose|permute|contiguous)\(.*\))?)$",
        text,
        re.DOTALL,
    )
    if found is None:
        return None
    name, rest = found.groups()
    return source.replace(side, name + cut + rest.replace(".view(", ".reshape("))


def _once(case: Case) -> Iterator[Candidate]:
    """The model's call given the whole sequence for both, or the loss's own shift taken away; where the targets are cut
    out of the whole two steps later, one step."""
    given = operands(case.event) if case.event is not None else []
    for source, place, cut in _cuts_out(case, given[1]) if len(given) > 1 else ():
        edges = [_one_less(source.code(edge).strip()) for edge in (cut.lower, cut.upper) if edge is not None]
        if len(edges) == 2 and all(edges):
            edit = source.replace(source.place(cut), ":".join(edges))
            code = source.text_of(place).replace(source.code(cut), edit.replacement)
            yield Candidate("shift", (edit,), 4, {"code": code})
    for _, source, statement in case.simple(case.sites):
        cuts = [p for p in source.within(statement, cst.Subscript) if re.search(r"(:-1|1:)\]$", source.text_of(p))]
        edits = tuple(source.replace(p, source.text_of(source.place(p.node.value))) for p in cuts)
        for some, rank in ((edits, 5), *(((edit,), 9) for edit in edits if len(edits) > 1)) if edits else ():
            yield Candidate("shift-once", some, rank, {"code": source.text_of(cuts[0])})
        for assign in source.within(statement, cst.Assign):  # a line of its own that shifts what it binds again
            target, value = assign.node.targets[0].target, source.place(assign.node.value)
            own = [p for p in cuts if isinstance(target, cst.Name) and source.text_of(p).startswith(f"{target.value}[")]
            if own and source.block_of(statement.line)[1] > 0 and isinstance(value.node, cst.Call):
                yield Candidate("shift-once", (source.removed(statement),), 4, {"code": source.text_of(own[0])})
        rolled = [p for p in source.within(statement, cst.Call) if re.search(r"\broll\(", source.text_of(p)[:20])]
        for place, inner in ((place, source.operand(place)) for place in rolled):
            yield Candidate("shift-once", (source.replace(place, source.text_of(inner)),), 6, {"code": "roll"})
    yield from _bindings(case)


@in_file
def _bindings(case: Case, source: Source) -> Iterator[Candidate]:
    """The two names of the model's call, bound one line above as `x, y = t[:, :-1], t[:, 1:]`."""
    for place in source.of_kind(cst.SimpleStatementLine):
        text = source.text_of(place)
        value = text.split("=", 1)[-1].replace(".clone()", "").replace(".contiguous()", "")
        if "[:, :-1]" in text and "[:, 1:]" in text and "(" not in value:
            edit = source.replace(place, text.replace("[:, :-1]", "").replace("[:, 1:]", ""))
            yield Candidate("shift-once", (edit,), 8, {"code": "[:, 1:]"})
