"""Lines of a training loop put in their order: `zero_grad`, `backward`, `step`, the scheduler's step; a name or a
switch that is wrong on one line."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ..candidate import Candidate, Case
from ..source import Place, Source


def propose(case: Case) -> Iterator[Candidate]:
    """By the fault that the slug names."""
    source = case.source(case.site.file)
    if source is None:
        return
    slug = case.finding.slug
    if slug in ("step-without-gradient", "gradients-not-cleared", "optimizer-never-steps"):
        yield from _ordered(case, source)
    elif slug == "scheduler-before-optimizer":
        yield from _scheduled(case, source)
    elif slug == "training-loss-reported-as-validation":
        yield from _own_name(case, source)
    elif slug == "dropout-ignores-eval":
        yield from _obeys(case, source)
    elif slug == "hooks-skipped":
        yield from _called(case, source)


def _body(source: Source, line: int) -> list[Place]:
    """The plain statements of the innermost loop or function around a line, in order."""
    for around in source.enclosing(line, (cst.For, cst.While, cst.FunctionDef)):
        if isinstance(around.node.body, cst.IndentedBlock):
            return [source.place(part) for part in around.node.body.body]
    return []


def _ordered(case: Case, source: Source) -> Iterator[Candidate]:
    """`zero_grad` moved above `backward`; `step` moved below it."""
    body = [
        place
        for place in _body(source, case.site.line)
        if place.line == place.end_line or isinstance(place.node, cst.SimpleStatementLine)
    ]
    text = {place.line: source.text_of(place) for place in body}
    backward = next((place for place in body if ".backward(" in text[place.line]), None)
    if backward is None:
        return
    clears = [place for place in body if ".zero_grad(" in text[place.line]]
    steps = [place for place in body if re.match(r"\s*(?:self\.)?\w*(?:opt|optim)\w*\.step\(", text[place.line])]
    for clear in clears:
        if clear.line > backward.line:
            yield Candidate(
                "move-line",
                (source.remove_line(clear.line), source.line_before(backward.line, text[clear.line].strip())),
                3,
                {"code": text[clear.line].strip()},
            )
    for step in steps:
        if step.line < backward.line:
            yield Candidate(
                "move-line",
                (source.remove_line(step.line), source.line_after(backward, text[step.line].strip())),
                4,
                {"code": text[step.line].strip()},
            )


def _scheduled(case: Case, source: Source) -> Iterator[Candidate]:
    """The scheduler's step moved to the end of the loop that it stands in."""
    statement, body = source.statement(case.site.line), _body(source, case.site.line)
    if statement is None or not body or statement.line != statement.end_line:
        return
    last = body[-1]
    code = source.text_of(statement).strip()
    indent = source.lines[statement.line - 1][
        : len(source.lines[statement.line - 1]) - len(source.lines[statement.line - 1].lstrip())
    ]
    end = last.end_line if last.end_column > 1 else last.end_line - 1
    while end > last.line and not source.lines[end - 1].strip():
        end -= 1
    placed = source.line_below(end, indent + code)
    yield Candidate("move-line", (source.remove_line(statement.line), placed), 4, {"code": code})


def _own_name(case: Case, source: Source) -> Iterator[Candidate]:
    """The training loss's name replaced by one that the evaluation's own loop binds."""
    name, statement = case.hint.get("name"), source.statement(case.site.line)
    if not name or statement is None:
        return
    bound = []
    for place in _body(source, case.site.line):
        if isinstance(place.node, cst.SimpleStatementLine) and place.line < statement.line:
            bound += [
                t.target.value
                for a in source.within(place, cst.Assign)
                for t in a.node.targets
                if isinstance(t.target, cst.Name)
            ]
    for rank, other in enumerate(
        sorted(dict.fromkeys(reversed(bound)), key=lambda n: ("loss" not in n, "err" not in n))
    ):
        edits = tuple(source.replace(p, other) for p in source.within(statement, cst.Name) if p.node.value == name)
        if edits:
            yield Candidate("own-name", edits, 5 + rank, {"name": other, "old": name})


def _obeys(case: Case, source: Source) -> Iterator[Candidate]:
    """`F.dropout(x, p)` asks the module for its mode."""
    place = source.at(case.site, cst.Call)
    if place is None:
        return
    edit = source.argument(place, 2, "training", "self.training")
    if edit is not None and source.scope(case.site.line) is not None:
        yield Candidate("mode-asked", (edit,), 2, {"code": "training=self.training"})


def _called(case: Case, source: Source) -> Iterator[Candidate]:
    """`model.forward(x)` becomes `model(x)`."""
    statement = source.statement(case.site.line)
    if statement is None:
        return
    for place in source.within(statement, cst.Call):
        if (
            isinstance(place.node.func, cst.Attribute)
            and place.node.func.attr.value == "forward"
            and place.line <= case.site.line <= place.end_line
        ):
            func = source.place(place.node.func)
            yield Candidate(
                "call",
                (source.replace(func, source.text_of(source.place(place.node.func.value))),),
                4,
                {"code": source.text_of(source.place(place.node.func.value))},
            )
