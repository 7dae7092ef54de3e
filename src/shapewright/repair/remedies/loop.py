"""Lines that a training loop lacks: `zero_grad`, `step`, `train()`, `eval()`, `.item()`, `.detach()`."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    if ("zero-grad" in slug or "gradients" in slug) and optimizer and backward:
        yield Candidate(
            "zero-grad",
            (source.line_before(backward, f"{optimizer}.zero_grad()"),),
            4,
            {"code": f"{optimizer}.zero_grad()"},
        )
    if slug == "optimizer-never-steps" and case.hint.get("name"):
        code = f"{case.hint['name']}.step()"
        yield Candidate("step", (source.line_after(source.statement(case.site.line), code),), 4, {"code": code})
    elif slug == "optimizer-never-steps" and optimizer and backward:
        yield Candidate(
            "step",
            (source.line_after(source.statement(backward), f"{optimizer}.step()"),),
            4,
            {"code": f"{optimizer}.step()"},
        )
    if slug == "method-not-called":
        place = source.at(case.site)
        if place is not None:
            yield Candidate("call", (source.suffix(place, "()"),), 3, {"code": source.text_of(place)})
    if slug == "accumulated-gradients-cleared":
        step, statement = (
            source.statement(case.trace.steps[case.hint["step"]].site.line),
            source.statement(case.site.line),
        )
        if step is not None and statement is not None and "\n" not in source.text_of(statement):
            text = source.text_of(statement).strip()
            yield Candidate(
                "move-line", (source.remove_line(statement.line), source.line_after(step, text)), 4, {"code": text}
            )
    if slug == "freezing-without-effect":
        for assign in source.within(source.statement(case.site.line), cst.Assign):
            old, code = source.place(assign.node.targets[0].target), case.hint["instead"]
            yield Candidate(
                "wrap",
                (source.replace(assign if case.hint["kind"] == "module" else old, code),),
                4,
                {"code": code, "name": source.text_of(old)},
            )
    if slug in ("layers-shared-in-list", "nothing-loaded", "best-never-updated", "plateau-mode-inverted"):
        yield from _rewritten(case, source)
    if slug == "folds-share-one-model":
        yield from _each_fold(case, source)
    if slug == "held-out-data-never-read":
        place = source.at(case.site)
        if place is not None:
            yield Candidate(
                "own-name",
                (source.replace(place, case.hint["held"]),),
                4,
                {"name": case.hint["held"], "old": source.text_of(place)},
            )
    if slug == "scheduler-interval-mismatch":
        yield from _rescheduled(case, source)
    if slug == "clipping-without-effect":
        yield from _clipped(case, source)
    if model:
        yield from _modes(case, source, model)
    place = source.statement(case.site.line)
    if "graph" in slug or "grow" in slug:
        yield from _item(source, place)
    if "detach" in slug or "state" in slug or "carried" in slug:
        yield from _detached(source, place)


def _clipped(case: Case, source: Source) -> Iterator[Candidate]:
    """The clipping moved to where the gradients are: below `backward`."""
    backward, statement = case.trace.steps[case.hint["backward"]].site, source.statement(case.site.line)
    if statement is None or backward.file != source.file or isinstance(statement.node, cst.BaseCompoundStatement):
        return
    text = source.text_of(statement).strip()
    if "\n" not in text and case.hint["kind"] != "empty":
        edits = (source.remove_line(statement.line), source.line_after(source.statement(backward.line), text))
        yield Candidate("move-line", edits, 4, {"code": text})


def _rescheduled(case: Case, source: Source) -> Iterator[Candidate]:
    """The scheduler's step moved out of the loop over batches, into it, or added."""
    statement, kind, step = source.statement(case.site.line), case.hint["kind"], case.hint.get("step")
    after = source.statement(step.line) if step is not None and step.file == source.file else None
    if statement is None or "\n" in source.text_of(statement).strip() or after is None:
        return
    text = source.text_of(statement).strip()
    if kind == "batches":
        loops = [
            p for p in source.enclosing(case.site.line, (cst.For, cst.While)) if p.line <= after.line <= p.end_line
        ]
        if loops:
            last = [
                p
                for p in source.of_kind((cst.SimpleStatementLine, cst.BaseCompoundStatement))
                if p.within(loops[0]) and p is not loops[0] and p.line != statement.line
            ]
            below = max(last, key=lambda p: (p.end_line, p.end_column), default=None)
            if below is not None:
                edit = source.line_after(below, text, " " * (loops[0].column - 1))
                yield Candidate("move-line", (source.remove_line(statement.line), edit), 4, {"code": text})
    elif kind == "epochs":
        yield Candidate(
            "move-line", (source.remove_line(statement.line), source.line_after(after, text)), 4, {"code": text}
        )


def _rewritten(case: Case, source: Source) -> Iterator[Candidate]:
    """One expression written otherwise: layers made one by one, names without their prefix, a first value, a mode."""
    place, hint = source.at(case.site), case.hint
    if place is not None and hint.get("one"):
        code = f"[{hint['items'][1:-1]} for _ in range({hint['times']})]"
        yield Candidate("wrap", (source.replace(place, code),), 4, {"code": code, "name": source.text_of(place)})
    elif (
        place is not None
        and isinstance(place.node, cst.Call)
        and (hint.get("prefix") or hint.get("added"))
        and place.node.args
    ):
        given = source.place(place.node.args[0].value)
        text = source.atom(given)
        name = f"name.removeprefix({hint['prefix']!r})" if hint["prefix"] else f"{hint['added']!r} + name"
        code = f"{{{name}: value for name, value in {text}.items()}}".replace("'", '"')
        yield Candidate("wrap", (source.replace(given, code),), 4, {"code": code, "name": text})
    elif hint.get("first") is not None:
        first = source.at(hint["first"])
        if first is not None:
            yield Candidate(
                "number",
                (source.replace(first, 'float("inf")'),),
                4,
                {"new": 'float("inf")', "old": source.text_of(first)},
            )
    elif place is not None and hint.get("mode") and isinstance(place.node, cst.Call):
        edit = source.argument(place, 1, "mode", f'"{hint["mode"]}"')
        if edit is not None:
            yield Candidate("flag", (edit,), 4, {"code": f'mode="{hint["mode"]}"'})


def _each_fold(case: Case, source: Source) -> Iterator[Candidate]:
    """The lines that make the model and its optimiser moved to the head of the loop over folds."""
    made = [source.statement(line) for line in case.hint["lines"]]
    texts = [source.text_of(place).strip() for place in made if place is not None]
    if texts and not any("\n" in text for text in texts):
        first = case.hint["loop"]
        indent = source.lines[first - 1][: len(source.lines[first - 1]) - len(source.lines[first - 1].lstrip())]
        edits = (
            *(source.remove_line(place.line) for place in made),
            source.line_before(first, f"\n{indent}".join(texts)),
        )
        yield Candidate("each-round", edits, 4, {"line": str(case.site.line)})


def _modes(case: Case, source: Source, model: str) -> Iterator[Candidate]:
    slug = case.finding.slug
    if slug not in ("trains-in-eval-mode", "evaluates-in-training-mode"):
        return
    switch = case.hint.get("switch")
    if switch is not None and switch.file == source.file:
        yield from _asked(source, switch)
    lines = [
        case.site.line,
        *(origin.site.line for origin in case.facts.origins if origin.site and origin.site.file == source.file),
    ]
    for place in _loops(source, lines):
        body = place.node.body
        first = body.body[0] if isinstance(body, cst.IndentedBlock) and body.body else None
        inside = source.place(first).line if first is not None else None
        for code, title in ((f"{model}.train()", "train-mode"), (f"{model}.eval()", "eval-mode")):
            if inside is not None:
                yield Candidate(
                    title, (source.line_before(inside, code),), 9 if title == "train-mode" else 22, {"code": code}
                )
            yield Candidate(
                title, (source.line_before(place.line, code),), 8 if title == "eval-mode" else 20, {"code": code}
            )
    if slug == "trains-in-eval-mode":  # back to training where the function that switched it off was called
        for site in dict.fromkeys(
            site for origin in case.facts.origins for site in origin.stack[:-1] if site.file == source.file
        ):
            statement = source.statement(site.line)
            if statement is not None and not isinstance(statement.node, cst.BaseCompoundStatement):
                yield Candidate(
                    "train-mode", (source.line_after(statement, f"{model}.train()"),), 5, {"code": f"{model}.train()"}
                )
    for line in dict.fromkeys(lines):
        statement = source.statement(line)
        if (
            statement is not None
            and not isinstance(statement.node, cst.BaseCompoundStatement)
            and not source.text_of(statement).strip().endswith(".eval()")
        ):
            yield Candidate(
                "train-mode", (source.line_after(statement, f"{model}.train()"),), 6, {"code": f"{model}.train()"}
            )
        within = [p for p in source.enclosing(line, cst.With)]
        for place in within[:1]:
            yield Candidate(
                "eval-mode", (source.line_before(place.line, f"{model}.eval()"),), 5, {"code": f"{model}.eval()"}
            )


def _asked(source: Source, switch) -> Iterator[Candidate]:
    """`model.train()` of a function that also evaluates: on only where an optimiser was given, or where a flag of the
    function says so."""
    call, scope = source.at(switch, cst.Call), source.scope(switch.line)
    if call is None or scope is None or call.node.args:
        return
    for parameter in scope.node.params.params:
        name = parameter.name.value
        if re.search(r"opt", name, re.IGNORECASE):
            yield Candidate(
                "train-mode",
                (source.argument(call, 0, "mode", f"{name} is not None"),),
                3,
                {"code": f"{name} is not None"},
            )
        elif re.search(r"^(is_)?train(ing)?$", name):
            yield Candidate("train-mode", (source.argument(call, 0, "mode", name),), 3, {"code": name})


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
    made = re.search(
        r"^\s*((?:self\.)?\w+)\s*=\s*(?:torch\.)?(?:optim\.)?(?:Adam|AdamW|SGD|RMSprop|Adagrad|NAdam|RAdam|Adadelta)\(",
        source.text,
        re.MULTILINE,
    )
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
