"""Lines of a training step added, put in their order, or moved into or out of a loop."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import libcst as cst

from ...diagnosis.model import Edit
from ...rules.loop_remedy import InsertCall, MoveIntoLoop, RestartEachRound
from ...rules.remedy import Attach, Detach, MoveLine
from ...trace import Site
from ..candidate import Candidate, Case
from ..declared import in_file
from ..source import Place, Source

ANSWERS = (MoveLine, InsertCall, MoveIntoLoop, RestartEachRound, Attach, Detach)
TITLES = {
    "move-line": {
        "en": "move {code} to the correct place in the training step",
        "es": "mover {code} al lugar correcto del paso de entrenamiento",
        "ja": "{code} を学習ステップの正しい位置へ移す",
    },
    "above-loop": {
        "en": "move {code} above the loop on line {line}",
        "es": "mover {code} encima del bucle de la línea {line}",
        "ja": "{code} を {line} 行目のループの前へ移す",
    },
    "insert": {
        "en": "add {code} to the training step",
        "es": "añadir {code} al paso de entrenamiento",
        "ja": "学習ステップに {code} を加える",
    },
    "into-loop": {
        "en": "move backward and the optimizer step into the loop on line {line}",
        "es": "mover backward y el paso del optimizador dentro del bucle de la línea {line}",
        "ja": "backward とオプティマイザの更新を {line} 行目のループの中へ移す",
    },
    "each-round": {
        "en": "run {code} at the start of each iteration of the loop on line {line}",
        "es": "ejecutar {code} al principio de cada iteración del bucle de la línea {line}",
        "ja": "{line} 行目のループで、各反復の最初に {code} を実行する",
    },
}
STEP = ("zero_grad", "backward", "step", "update", "unscale_", "clip_grad_norm_", "clip_grad_value_")


@in_file
def propose(case: Case, source: Source) -> Iterator[Candidate]:
    """By the remedy, on the lines that the run's landmarks name."""
    remedy = case.remedy
    if isinstance(remedy, MoveLine):
        yield from _moved(source, case.site, remedy)
    elif isinstance(remedy, MoveIntoLoop):
        yield from _into_loop(source, case.site, remedy.line)
    elif isinstance(remedy, RestartEachRound):
        yield from _each_round(source, remedy)
    elif isinstance(remedy, Detach):
        yield from _begun_anew(source, case.site) if remedy.kind == "fresh" else ()
    else:
        yield from _ordered(case, source)
        if isinstance(remedy, InsertCall):
            yield from _inserted(case, source, remedy)


def _moved(source: Source, site: Site, remedy: MoveLine) -> Iterator[Candidate]:
    """The finding's line below another, behind the loop around both, above a loop, or at the end of its own loop."""
    if remedy.above is not None or remedy.spare:
        yield from _above(source, remedy.lines or (site,), remedy)
        return
    yield from _unwrapped(source, remedy)
    statement = source.statement(site.line)
    if statement is None or isinstance(statement.node, cst.BaseCompoundStatement):
        return
    text, gone = source.text_of(statement).strip(), source.removed(statement)
    below, indent = _lower(source, statement, remedy)
    if below is not None and below.line != statement.line:
        made = source.line_below(source.last_line(below), indent + text)
        yield Candidate("move-line", (gone, made), 4, {"code": text})


def _unwrapped(source: Source, remedy: MoveLine) -> Iterator[Candidate]:
    """The one line of a branch in the branch's place."""
    branch = source.statement(remedy.below.line) if remedy.below is not None else None
    if branch is not None and isinstance(branch.node, cst.If) and branch.node.orelse is None:
        body = branch.node.body.body
        if len(body) == 1 and not isinstance(body[0], cst.BaseCompoundStatement):
            text = source.text_of(source.place(body[0])).strip()
            place = Place(branch.node, branch.line, branch.column, *_end(source, branch))
            yield Candidate("move-line", (source.replace(place, text),), 4, {"code": text})


def _end(source: Source, place: Place) -> tuple[int, int]:
    """Where the last line of a statement that says something ends."""
    last = source.last_line(place)
    return last, len(source.lines[last - 1]) + 1


def _above(source: Source, sites: tuple[Site, ...], remedy: MoveLine) -> Iterator[Candidate]:
    """Plain lines above a loop, in their order, or away."""
    moved = [source.statement(site.line) for site in sorted(sites, key=lambda site: site.line)]
    if not all(place is not None and isinstance(place.node, cst.SimpleStatementLine) for place in moved):
        return
    texts, gone = [source.text_of(place).strip() for place in moved], _gone(source, moved)
    if remedy.spare:
        yield Candidate("drop", gone, 4, {"code": "; ".join(texts)})
        return
    loops = [loop.line for loop in source.enclosing(remedy.above.line, (cst.For, cst.While))]
    for line in loops[-1:] if remedy.outermost else loops[:1]:
        made = source.line_before(line, f"\n{source.indent(line)}".join(texts))
        yield Candidate("above-loop", (*gone, made), 4, {"code": "; ".join(texts), "line": str(line)})


def _gone(source: Source, moved: list[Place]) -> tuple[Edit, ...]:
    """Statements taken away; `pass` is left of a body that held nothing else."""
    nodes = [place.node for place in moved]
    bodies = [place.node.body for place in source.of_kind(cst.IndentedBlock)]
    emptied = [body[0] for body in bodies if all(any(part is node for node in nodes) for part in body)]
    kept = [any(place.node is node for node in emptied) for place in moved]
    return tuple(source.replace(p, "pass") if keeps else source.removed(p) for p, keeps in zip(moved, kept))


def _lower(source: Source, statement: Place, remedy: MoveLine) -> tuple[Place | None, str]:
    """What the line goes below, and how far it is set in there: the end of its body, the line that the remedy names, or
    the end of the loop around that."""
    if remedy.below is None:
        return next(reversed(source.body(statement.line)), None), " " * (statement.column - 1)
    below = source.statement(remedy.below.line) if remedy.below.file == source.file else None
    if below is None or not remedy.out:
        return below, source.indent(below.line) if below is not None else ""
    loops = source.enclosing(statement.line, (cst.For, cst.While))
    for loop in [p for p in loops if p.line <= below.line <= p.end_line][:1]:
        body = map(source.place, reversed(loop.node.body.body))
        return next((place for place in body if place.line != statement.line), None), " " * (loop.column - 1)
    return None, ""


def landmarks(case: Case, source: Source, kind: str) -> list[Place]:
    """The plain statements of this file at which the run saw landmarks of a kind, in order of lines."""
    lines = sorted(
        {
            step.site.line
            for step in case.trace.steps
            if step.kind == kind and step.site and step.site.file == source.file
        }
    )
    found = [source.statement(line) for line in lines]
    return [place for place in found if place is not None and not isinstance(place.node, cst.BaseCompoundStatement)]


def _ordered(case: Case, source: Source) -> Iterator[Candidate]:
    """`zero_grad` moved above `backward`, `step` moved below it, where they are in one body."""
    body = {place.line for place in source.body(case.site.line)}
    for backward in [place for place in landmarks(case, source, "backward") if place.line in body][:1]:
        clears, steps = landmarks(case, source, "zero_grad"), landmarks(case, source, "step")
        late = [(place, 3) for place in clears if place.line > backward.line]
        for place, rank in (*late, *((place, 4) for place in steps if place.line < backward.line)):
            text = source.text_of(place).strip()
            made = source.line_before(backward.line, text) if rank == 3 else source.line_after(backward, text)
            if place.line in body:
                yield Candidate("move-line", (source.removed(place), made), rank, {"code": text})


def _inserted(case: Case, source: Source, remedy: InsertCall) -> Iterator[Candidate]:
    """`zero_grad` above the `backward` before a step of the same optimizer, `step` below `backward`, or below the
    finding's line where the rule knows the optimizer."""
    backwards = landmarks(case, source, "backward")
    places: list[tuple[str, Place]] = []
    if remedy.name and (statement := source.statement(case.site.line)) is not None:
        places = [(remedy.name, statement)]
    elif remedy.method == "zero_grad":
        for step in landmarks(case, source, "step"):
            before = [place for place in backwards if place.line < step.line]
            places += [(name, before[-1]) for name in _owners(source, step, "step") if before]
    for optimizer in landmarks(case, source, "optimizer") if not places else ():
        near = [place for place in backwards if place.line >= case.site.line] or backwards
        names = [source.code(a.node.targets[0].target).strip() for a in source.within(optimizer, cst.Assign)]
        places += [(name, near[0]) for name in names if near]
    for near, (name, at) in enumerate(dict.fromkeys(places)):
        code = f"{name}.{remedy.method}()"
        edit = source.line_before(at.line, code) if remedy.method == "zero_grad" else source.line_after(at, code)
        yield Candidate("insert", (edit,), 4 + near, {"code": code})


def _owners(source: Source, place: Place, method: str) -> list[str]:
    """What a statement calls a method of."""
    return [source.text_of(source.place(call.node.func.value)) for call in source.methods(place, method)]


def _into_loop(source: Source, site: Site, line: int) -> Iterator[Candidate]:
    """`zero_grad`, `backward`, clipping and `step` go to the end of the loop's body."""
    loop = next((p for p in source.of_kind((cst.For, cst.While)) if p.line == line), None)
    if loop is None or not isinstance(loop.node.body, cst.IndentedBlock):
        return
    block, at = source.block_of(loop.line)
    plain = [place for place in block[at + 1 :] if isinstance(place.node, cst.SimpleStatementLine)]
    moved = [place for place in plain if _steps(source, place)]
    if not any(place.line <= site.line <= place.end_line for place in moved):
        return
    body = loop.node.body.body
    indent = source.indent(source.place(body[0]).line)
    lines = [source.text_of(place).strip() for place in moved]
    edits = [source.line_after(source.place(body[-1]), f"\n{indent}".join(lines), indent)]
    edits += [source.removed(place) for place in moved]
    yield Candidate("into-loop", tuple(edits), 4, {"line": str(line)})


def _steps(source: Source, place: Place) -> bool:
    """Whether a statement calls a method of a step."""
    return any(source.called(call) in STEP for call in source.within(place, cst.Call))


def _each_round(source: Source, remedy: RestartEachRound) -> Iterator[Candidate]:
    """Lines that stand above a loop, such as those that make the model of each fold, moved to the head of its body."""
    made = [place for line in remedy.lines if (place := source.statement(line)) is not None]
    texts = [source.text_of(place).strip() for place in made]
    if texts:
        head = source.line_before(remedy.first, f"\n{source.indent(remedy.first)}".join(texts))
        edits = (*_gone(source, made), head)
        loop = source.enclosing(remedy.first, (cst.For, cst.While))[:1]
        fields = {"line": str(loop[0].line if loop else remedy.first), "code": "; ".join(texts)}
        yield Candidate("each-round", edits, 4, fields)


def _begun_anew(source: Source, site: Site) -> Iterator[Candidate]:
    """A state that the statement at a site binds anew from itself, begun in an outer loop or above all of them: at the
    head of each loop between, the outermost first, with all its parts. The author carries it on within a loop inside
    of that one; where there is none, it may as well be the samples that are to come in order."""
    statement, scope = source.statement(site.line), source.scope(site.line)
    targets = source.within(statement, cst.AssignTarget) if statement is not None else ()
    names = {part.node.value for target in targets for part in source.within(target, cst.Name)}
    loops = [one for one in source.enclosing(site.line, (cst.For, cst.While)) if source.scope(one.line) is scope]
    found = [[place for one in loops if (place := source.binding(name, one.line)) is not None][:1] for name in names]
    lines = sorted({source.statement(place.line).line for places in found for place in places})
    between = [one for one in loops if lines and not any(one.line <= line <= one.end_line for line in lines)]
    for rank, loop in enumerate(reversed(between)):
        first = source.place(loop.node.body.body[0]).line
        for made in _each_round(source, RestartEachRound(first, tuple(lines))):
            doubt = "guessed" if rank == len(between) - 1 else ""
            yield dataclasses.replace(made, rank=min(rank, 2), doubt=doubt)
