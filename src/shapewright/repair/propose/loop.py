"""Lines that a training loop lacks: `zero_grad`, `step`, `train()`, `eval()`, `.item()`, `.detach()`."""

from __future__ import annotations

import re
from typing import Iterator

import libcst as cst

from ..candidate import Candidate, Case
from ..source import Place, Source


def propose(case: Case) -> Iterator[Candidate]:
    """For loop rules (SW3xx), by the fault that the slug names."""
    if not case.finding.code.startswith("SW3"):
        return
    source = case.source(case.site.file)
    if source is None:
        return
    slug = case.finding.slug
    optimizer, model = _optimizer(case, source), _model(case, source)
    backward = _line(case, source, r"\.backward\(")
    if "zero-grad" in slug or "gradients" in slug:
        if optimizer and backward:
            yield Candidate("zero-grad", (source.line_before(backward, f"{optimizer}.zero_grad()"),), 4, {"code": f"{optimizer}.zero_grad()"})
    if slug == "optimizer-never-steps" and optimizer and backward:
        yield Candidate("step", (source.line_after(source.statement(backward), f"{optimizer}.step()"),), 4, {"code": f"{optimizer}.step()"})
    if model:
        yield from _modes(case, source, model)
    place = source.statement(case.site.line)
    if "graph" in slug or "grow" in slug:
        yield from _item(source, place)
    if "detach" in slug or "state" in slug or "carried" in slug:
        yield from _detached(source, place)


def _modes(case: Case, source: Source, model: str) -> Iterator[Candidate]:
    slug = case.finding.slug
    if slug not in ("trains-in-eval-mode", "evaluates-in-training-mode"):
        return
    lines = [case.site.line, *(origin.site.line for origin in case.facts.origins if origin.site and origin.site.file == source.file)]
    for place in _loops(source, lines):
        body = place.node.body
        first = body.body[0] if isinstance(body, cst.IndentedBlock) and body.body else None
        inside = source.place(first).line if first is not None else None
        for code, title in ((f"{model}.train()", "train-mode"), (f"{model}.eval()", "eval-mode")):
            if inside is not None:
                yield Candidate(title, (source.line_before(inside, code),), 9 if title == "train-mode" else 22, {"code": code})
            yield Candidate(title, (source.line_before(place.line, code),), 8 if title == "eval-mode" else 20, {"code": code})
    if slug == "trains-in-eval-mode":  # back to training where the function that switched it off was called
        for site in dict.fromkeys(site for origin in case.facts.origins for site in origin.stack[:-1] if site.file == source.file):
            statement = source.statement(site.line)
            if statement is not None and not isinstance(statement.node, cst.BaseCompoundStatement):
                yield Candidate("train-mode", (source.line_after(statement, f"{model}.train()"),), 5, {"code": f"{model}.train()"})
    for line in dict.fromkeys(lines):
        statement = source.statement(line)
        if statement is not None and not isinstance(statement.node, cst.BaseCompoundStatement) and not source.text_of(statement).strip().endswith(".eval()"):
            yield Candidate("train-mode", (source.line_after(statement, f"{model}.train()"),), 6, {"code": f"{model}.train()"})
        within = [p for p in source.enclosing(line, cst.With)]
        for place in within[:1]:
            yield Candidate("eval-mode", (source.line_before(place.line, f"{model}.eval()"),), 5, {"code": f"{model}.eval()"})


def _loops(source: Source, lines: list[int]) -> list[Place]:
    found = []
    for line in lines:
        for place in source.enclosing(line, (cst.For, cst.While))[:2]:
            if place not in found:
                found.append(place)
    return found


def _item(source: Source, place: Place | None) -> Iterator[Candidate]:
    if place is None:
        return
    for grown in source.within(place, cst.AugAssign):
        value = source.place(grown.node.value)
        if isinstance(grown.node.value, cst.Name):
            yield Candidate("item", (source.suffix(value, ".item()"),), 5, {"code": ".item()"})
        for name in source.within(value, cst.Name):
            if "loss" in name.node.value.lower():
                yield Candidate("item", (source.suffix(name, ".item()"),), 6, {"code": ".item()"})


def _detached(source: Source, place: Place | None) -> Iterator[Candidate]:
    if place is None:
        return
    for name in source.within(place, cst.Name):
        if re.search(r"(^h$|hidden|state|^h_?n|^c$|memory)", name.node.value, re.IGNORECASE):
            yield Candidate("detach", (source.suffix(name, ".detach()"),), 8, {"code": ".detach()"})
            both = f"tuple(part.detach() for part in {name.node.value})"
            yield Candidate("detach", (source.replace(name, both),), 10, {"code": ".detach()"})


def _optimizer(case: Case, source: Source) -> str:
    """The name by which the script steps its optimiser, else the one it gave it."""
    stepped = re.search(r"^\s*((?:self\.)?\w*opt\w*)\.(?:step|zero_grad)\(", source.text, re.MULTILINE)
    made = re.search(r"^\s*((?:self\.)?\w+)\s*=\s*(?:torch\.)?(?:optim\.)?(?:Adam|AdamW|SGD|RMSprop|Adagrad|NAdam|RAdam|Adadelta)\(", source.text, re.MULTILINE)
    return stepped.group(1) if stepped else made.group(1) if made else ""


def _model(case: Case, source: Source) -> str:
    """The name of the model in the function of the finding: what is called or switched there."""
    scope = source.scope(case.site.line)
    text = source.text_of(scope) if scope is not None else source.text
    for pattern in (r"\b((?:self\.)?\w+)\.(?:train|eval)\(\)", r"\b(\w*(?:model|net)\w*)\("):
        found = re.search(pattern, text) or re.search(pattern, source.text)
        if found and found.group(1) not in ("nn",):
            return found.group(1)
    return ""


def _line(case: Case, source: Source, pattern: str) -> int | None:
    """The first line below the start of the finding's loop or function that matches."""
    around = source.enclosing(case.site.line, (cst.For, cst.While, cst.FunctionDef))
    first, last = (around[0].line, around[0].end_line) if around else (1, len(source.lines))
    return next((number for number in range(first, last + 1) if re.search(pattern, source.lines[number - 1])), None)
