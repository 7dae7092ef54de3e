"""What is kept of a model made a copy: its state, or the model under a second name."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...diagnosis.model import Edit
from ...graph.imports import library
from ...rules.remedy import KeepCopy
from ..candidate import Candidate, Case
from ..declared import at, on_line
from ..source import Place, Source

ANSWERS = (KeepCopy,)
TITLES = {
    "copy": {
        "en": "create a new tensor instead of changing the tensor that backward needs: {code}",
        "es": "crear un tensor nuevo en vez de cambiar el que backward necesita: {code}",
        "ja": "backward に必要なテンソルを書き換えず、新しく作る: {code}",
    },
    "keep-copy": {
        "en": "store a copy: {code}",
        "es": "guardar una copia: {code}",
        "ja": "コピーを保存する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """At the expression that keeps no copy."""
    yield from _state(case) if case.remedy.state and not case.remedy.code else _bound(case)


@at(cst.Call)
def _state(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """The state, copied."""
    outer, text = _shallow(source, place), source.text_of(place)
    copied, extra = _deepcopy(source, text)
    known = re.search(r"^import (?:[\w, ]*\b)?copy\b|^from copy import", source.text, re.MULTILINE) is not None
    yield Candidate("keep-copy", (source.replace(outer, copied), *extra), 5 if known else 7, {"code": copied})
    cloned = f"{{name: value.clone() for name, value in {text}.items()}}"
    yield Candidate("keep-copy", (source.replace(outer, cloned),), 6, {"code": cloned})


@on_line
def _bound(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """What the line binds to a second name, copied."""
    for assign in source.within(statement, cst.Assign):
        value = source.place(assign.node.value)
        if case.remedy.code:
            yield Candidate("keep-copy", (source.suffix(value, case.remedy.code),), 4, {"code": case.remedy.code})
            continue
        text = case.remedy.name or source.text_of(_within_copy(source, value))
        made = source.binding(text, case.site.line) if re.fullmatch(r"\w+", text) else None
        again = source.text_of(made) if made is not None and isinstance(made.node, cst.Call) else ""
        copied, extra = _deepcopy(source, text)
        yield Candidate("keep-copy", (source.replace(value, copied), *extra), 5, {"code": copied})
        name = source.text_of(assign).split("=")[0].strip()
        if "copy" not in source.text and "\n" not in again and re.match(r"[\w.]+\(", again):
            load = source.line_after(statement, f"{name}.load_state_dict({text}.state_dict())")
            yield Candidate("keep-copy", (source.replace(value, again), load), 4, {"code": again})


def _shallow(source: Source, place: Place) -> Place:
    """The copy around a call that copies only the container: `.copy()`, `dict(...)`, `copy.copy(...)`."""
    for outer in source.enclosing(place.line, cst.Call):
        text = source.text_of(outer).replace(" ", "")
        inner = source.text_of(place).replace(" ", "")
        if text in (f"{inner}.copy()", f"dict({inner})", f"copy.copy({inner})", f"OrderedDict({inner})"):
            return outer
    return place


def _within_copy(source: Source, value: Place) -> Place:
    """What a shallow copy is made of."""
    node = value.node
    name = source.code(node.func) if isinstance(node, cst.Call) and len(node.args) == 1 else ""
    return source.place(node.args[0].value) if library(source.text, name) == "copy" else value


def _deepcopy(source: Source, text: str) -> tuple[str, tuple[Edit, ...]]:
    """`copy.deepcopy(text)` as the script may write it, with the import that it needs."""
    if re.search(r"^from copy import .*\bdeepcopy\b", source.text, re.MULTILINE):
        return f"deepcopy({text})", ()
    if re.search(r"^import (?:[\w, ]*\b)?copy\b", source.text, re.MULTILINE):
        return f"copy.deepcopy({text})", ()
    first = next(
        (
            place
            for place in source.of_kind(cst.SimpleStatementLine)
            if isinstance(place.node.body[0], (cst.Import, cst.ImportFrom))
            and "__future__" not in source.text_of(place)
        ),
        None,
    )
    return f"copy.deepcopy({text})", (source.line_before(first.line, "import copy"),) if first is not None else ()
