"""Sums over steps: taken from the last step to the first, kept in the order of the steps, stopped at the ends of
episodes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import libcst as cst

from ...diagnosis.model import Edit
from ...rules.remedy import GateAlone, StopAtFlags, SumFromEnd
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (GateAlone, StopAtFlags, SumFromEnd)
TITLES = {
    "from-the-end": {
        "en": "add up the rewards from the last step to the first: {code}",
        "es": "acumular las recompensas hacia atrás, desde el último paso hasta el primero: {code}",
        "ja": "報酬を最後のステップから最初へ向かって足す: {code}",
    },
    "stop-at-flags": {
        "en": "stop the sum at the end of an episode: {code}",
        "es": "detener la suma al final de un episodio: {code}",
        "ja": "エピソードの終わりで和を止める: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For findings about returns: the loop turned round, what it appends put in front, a running sum taken from the
    end; what comes from the next step multiplied by one minus the flag."""
    source = case.source(case.site.file)
    if isinstance(case.remedy, StopAtFlags):
        if source is not None:
            yield from _stopped(case, source, case.remedy)
        return
    place = source.at(case.site) if source else None
    if place is None:
        return
    if isinstance(case.remedy, GateAlone):
        yield from _gated(source, place, case.remedy.term)
        return
    text = source.text_of(place)
    if case.remedy.backward is None:
        given = (
            source.given(place, 0, "input")
            if isinstance(place.node, cst.Call) and text.startswith("torch.")
            else getattr(place.node.func, "value", None)
        )
        if given is not None:
            inner = source.place(given)
            edit = source.replace(
                place, text.replace(source.text_of(inner), source.text_of(inner) + ".flip(0)", 1) + ".flip(0)"
            )
            yield Candidate("from-the-end", (edit,), 3, {"code": edit.replacement})
        return
    loop = next((one for one in source.enclosing(case.site.line, cst.For) if one.line == case.site.line), None)
    if loop is None:
        return
    kept = {
        source.text_of(source.place(call.node.func.value))
        for call in source.within(loop, cst.Call)
        if isinstance(call.node.func, cst.Attribute) and call.node.func.attr.value == "append"
    }
    inserted = tuple(
        source.replace(call, re.sub(r"\.append\(", ".insert(0, ", source.text_of(call), count=1))
        for call in source.within(loop, cst.Call)
        if len(kept) == 1 and source.text_of(call).startswith(f"{next(iter(kept))}.append(")
    )
    if case.remedy.backward:
        yield Candidate("from-the-end", inserted, 3, {"code": "insert(0, …)"})
        return
    turned = text if re.match(r"^(range\(|[\w.]+$)", text) else f"list({text})"
    edit = source.replace(place, f"reversed({turned})")
    yield Candidate("from-the-end", (edit, *inserted), 3, {"code": edit.replacement})


# ends of episodes
# ----------------------------------------------------------------------------------------------------------------------
def _stopped(case: Case, source: Source, remedy: StopAtFlags) -> Iterator[Candidate]:
    """In the innermost loop around the site that carries a sum, or in each loop of its function."""
    scope = source.scope(case.site.line) or source.place(source.module)
    loops = list(source.within(scope, (cst.For, cst.While)))
    around = [loop for loop in loops if loop.line <= case.site.line <= loop.end_line]
    for loop in around[::-1][:1] or loops:
        ahead = _ahead(source, loop) if isinstance(loop.node, cst.For) else []
        gate, open_terms = _gate(source, loop, ahead, remedy.name)
        if gate and open_terms:
            edits = [source.replace(part, f"{_factor(source, part)} * {gate}") for part in open_terms]
            yield Candidate("stop-at-flags", tuple(edits), 3, {"code": f"… * {gate}"})
            continue
        held = _flag(source, loop, remedy) if ahead else None
        if held is None:
            continue
        flag, edits = held
        keeps = remedy.set > 0.5  # set at most steps: it says which of them go on
        going = flag if keeps else f"(~{flag})" if _dtype(case, remedy) == "bool" else f"(1 - {flag})"
        made = {_target(one.node): source.place(one.node.value) for one in _made(source, loop, remedy.name)}
        meant = {id(part): part for one in ahead for part in _written(source, one, made)}
        edits += [edit for part in meant.values() for edit in _going(source, part, flag, going, keeps)]
        doubt = "guessed" if 0.4 < remedy.set < 0.6 else ""
        yield Candidate("stop-at-flags", tuple(edits), 4, {"code": f"… * {going}"}, doubt=doubt)


def _going(source: Source, part: Place, flag: str, going: str, keeps: bool) -> Iterator[Edit]:
    """A term multiplied by what says that the episode goes on: where it is multiplied by the flag already, that factor
    alone is turned, as the flag and its opposite leave nothing."""
    own = ast.dump(ast.parse(flag, mode="eval").body)
    read = [node for node in _parts(part.node) if own in ast.dump(ast.parse(source.code(node).strip(), mode="eval"))]
    if not read:
        yield source.replace(part, f"{_factor(source, part)} * {going}")
    elif _inverts(source, read[0]) == keeps:  # else the episode goes on there as it is to
        yield source.replace(source.place(read[0]), going)


def _inverts(source: Source, node: cst.BaseExpression) -> bool:
    """Whether `1 - flag`, `~flag` or `not flag` is in an expression."""
    place = source.place(node)
    taken = (one.node for one in source.within(place, cst.BinaryOperation))
    return any(isinstance(one.operator, cst.Subtract) for one in taken) or any(
        isinstance(one.node.operator, (cst.BitInvert, cst.Not)) for one in source.within(place, cst.UnaryOperation)
    )


def _gated(source: Source, place: Place, at: int) -> Iterator[Candidate]:
    """`r + v * going` for `(r + v) * going`, `where(d, r, r + v)` for `where(d, 0, r + v)`, the same of a fill."""
    for whole in source.within(place, cst.BinaryOperation):
        terms = list(map(source.place, _parts(whole.node, *SUMS)))
        if len(terms) != 2 or not isinstance(whole.node.operator, cst.Add):
            continue
        rest, own, node = source.text_of(terms[1 - at]), source.text_of(terms[at]), place.node
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
            gate = source.place(node.right if whole.node is node.left else node.left)
            code = f"{rest} + {own} * {source.atom(gate)}"
        elif isinstance(node, cst.Call) and source.called(place) == "where" and len(node.args) == 3:
            plain = source.place(next(a.value for a in node.args[1:] if a.value is not whole.node))
            yield Candidate("stop-at-flags", (source.replace(plain, rest),), 3, {"code": rest})
            return
        elif isinstance(node, cst.Call) and source.operand(place) == whole:
            code = f"{rest} + ({own}){source.method(node)}"
        else:
            return
        yield Candidate("stop-at-flags", (source.replace(place, code),), 3, {"code": code})
        return


def _gate(source: Source, loop: Place, ahead: list[Place], flag: str) -> tuple[str, list[Place]]:
    """What some terms are multiplied by that comes from the flag, and the terms that are not."""
    made = _made(source, loop, flag)
    flags, found = {flag, *(_target(one.node) for one in made)}, dict[str, list[Place]]()
    for part in (part for part in ahead if not any(part.within(one) for one in made)):
        gates = [node for node in _parts(part.node) if flags & _names(source, node)]
        found.setdefault(source.atom(source.place(gates[0])) if gates else "", []).append(part)
    return next((gate for gate in found if gate), ""), found.get("", [])


def _made(source: Source, loop: Place, flag: str) -> list[Place]:
    """The assignments of a loop that read the flag and the step alone."""
    made = [one for one in source.within(loop, cst.Assign) if flag in _names(source, one.node.value)]
    return [one for one in made if not _names(source, one.node.value) - {flag, source.code(loop.node.target)}]


def _written(source: Source, part: Place, made: dict[str, Place]) -> list[Place]:
    """A term, or in its place what its factors were bound to that come from the flag."""
    found = [made[name] for node in _parts(part.node) for name in _names(source, node) if name in made]
    return found or [part]


def _parts(node: cst.BaseExpression, *signs: type[cst.BaseBinaryOp]) -> Iterator[cst.BaseExpression]:
    """What a product (or what these signs join) is made of."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, signs or cst.Multiply):
        yield from _parts(node.left, *signs)
        yield from _parts(node.right, *signs)
    else:
        yield node


def _factor(source: Source, part: Place) -> str:
    """A term as it may be multiplied."""
    product = isinstance(part.node, cst.BinaryOperation) and isinstance(part.node.operator, cst.Multiply)
    return source.text_of(part) if product else source.atom(part)


def _dtype(case: Case, remedy: StopAtFlags) -> str:
    known = (one.fact.dtype for one in case.trace.bound if one.name == remedy.name and remedy.place is None)
    return next(known, "")


def _ahead(source: Source, loop: Place) -> list[Place]:
    """The terms of the loop's sums that come from the next step: of what was bound in the round before, of an entry one
    further on, and what is multiplied by the same discount."""
    steps = [place for place in source.within(loop, (cst.Assign, cst.AugAssign)) if _target(place.node)]
    known: set[str] = set()
    read: set[str] = set()
    for place in steps:
        read |= _names(source, place.node.value)
        if isinstance(place.node, cst.AugAssign):
            read.add(_target(place.node))
        known |= {_target(place.node)} & read
    carried, discounts, found = frozenset(known), set(), []
    step = source.code(loop.node.target)
    for _ in (False, True):  # a discount may be read before it is known as one
        found = []
        for place in steps:
            terms = list(_parts(place.node.value, *SUMS))
            late = [part for part in terms if _later(source, part, known, step, discounts)]
            own, scaled = (
                _target(place.node) in carried,
                isinstance(getattr(place.node, "operator", None), cst.MultiplyAssign),
            )
            if scaled and own:
                found.append(source.place(place.node.value))
            elif late and len(terms) == 1 and not own:
                known.add(_target(place.node))
            elif late and (len(terms) > len(late) or own):
                found += [source.place(part) for part in late]
            discounts |= {
                name for part in late if _names(source, part) & carried for name in _factors(source, part, known)
            }
    return found


def _target(node: cst.Assign | cst.AugAssign) -> str:
    """The name that a statement binds."""
    target = node.target if isinstance(node, cst.AugAssign) else node.targets[0].target
    return target.value if isinstance(target, cst.Name) else "[]" if isinstance(target, cst.Subscript) else ""


def _names(source: Source, node: cst.CSTNode) -> set[str]:
    return {part.node.value for part in source.within(source.place(node), cst.Name)}


def _factors(source: Source, node: cst.BaseExpression, known: set[str]) -> Iterator[str]:
    """What a product multiplies its parts by: plain names and numbers."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
        yield from _factors(source, node.left, known)
        yield from _factors(source, node.right, known)
    elif isinstance(node, (cst.Name, cst.Attribute, cst.Float)) and source.code(node) not in known:
        yield source.code(node)


def _later(source: Source, node: cst.BaseExpression, known: set[str], step: str, discounts: set[str]) -> bool:
    """Whether a term comes from the next step."""
    if _names(source, node) & known or set(_factors(source, node, known)) & discounts:
        return True
    return any(
        isinstance(part.node.left, cst.Name)
        and part.node.left.value == step
        and isinstance(part.node.operator, cst.Add)
        for whole in source.within(source.place(node), cst.SubscriptElement)
        for part in source.within(whole, cst.BinaryOperation)
    )


def _flag(source: Source, loop: Place, remedy: StopAtFlags) -> tuple[str, list] | None:
    """How the loop calls the flag of a step, and the edits that it takes to have it at hand."""
    given, target, step = loop.node.iter, loop.node.target, source.code(loop.node.target)
    names = [part.value for part in target.elements] if isinstance(target, cst.Tuple) else []
    if remedy.place is not None:
        name = names[remedy.place] if remedy.place < len(names) else None
        if not isinstance(name, cst.Name):
            return None
        return ("ended", [source.replace(source.place(name), "ended")]) if name.value == "_" else (name.value, [])
    zipped = given if isinstance(given, cst.Call) and source.code(given.func) == "zip" else None
    while zipped is None and isinstance(given, cst.Call) and len(given.args) == 1:
        given = given.args[0].value  # reversed(list(zip(…)))
        zipped = given if isinstance(given, cst.Call) and source.code(given.func) == "zip" else None
    for name, one in zip(names, zipped.args if zipped is not None else ()):
        if remedy.name in _names(source, one.value) and isinstance(name, cst.Name):
            return name.value, []
    for part in source.within(loop, cst.Subscript):
        index = source.text_of(part)[len(source.code(part.node.value)) :]
        if isinstance(part.node.value, cst.Name) and re.fullmatch(rf"\[(:, ?)*{re.escape(step)}(, ?:)*\]", index):
            return f"{remedy.name}{index}", []
    read = [part for part in source.within(source.place(loop.node.iter), cst.Name) if part.node.value not in CALLED]
    if isinstance(target, cst.Name) and len(read) == 1 and zipped is None:
        whole = source.text_of(source.place(loop.node.iter))
        beside = re.sub(rf"\b{read[0].node.value}\b", remedy.name, whole)
        return "ended", [
            source.replace(source.place(target), f"{step}, ended"),
            source.replace(source.place(loop.node.iter), f"zip({whole}, {beside})"),
        ]
    return None


SUMS = (cst.Add, cst.Subtract)
CALLED = frozenset({"reversed", "list", "tuple", "range", "len", "enumerate", "np", "numpy", "torch", "flip"})
