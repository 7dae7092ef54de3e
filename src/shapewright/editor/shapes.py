"""Observed shapes as inlay hints and hovers."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from lsprotocol import types

from ..diagnosis import Diagnosis
from ..diagnosis.excerpt import shape_text
from ..graph.bound import Bound, Called, Reading
from ..report.wording import origin_note
from ..trace import Axis
from .positions import Lines, joined, moved
from .words import constraint, say

NAME = re.compile(r"[^\W\d]\w*")


def hints(reading: Reading, text: str, lines: Lines, wanted: types.Range, lang: str) -> list[types.InlayHint]:
    """A hint at the end of each statement that bound tensors and was not changed since it ran."""
    where = moved(reading.text, text)
    by_line: dict[int, list[Bound]] = {}
    for bound in reading.bound:
        by_line.setdefault(bound.end_line if _simple(bound, reading) else bound.line, []).append(bound)
    made = []
    for old, several in by_line.items():
        line = where(old)
        if line is None or not wanted.start.line <= line - 1 <= wanted.end.line:
            continue
        told = several[:4]
        label = told[0].text if len(told) == 1 else " · ".join(f"{bound.name} {bound.text}" for bound in told)
        made.append(
            types.InlayHint(
                position=lines.end(line),
                label=label,
                kind=types.InlayHintKind.Type,
                padding_left=True,
                tooltip=say("first", lang),
            )
        )
    return made


def _simple(bound: Bound, reading: Reading) -> bool:
    """Whether the statement is one whose end is its own, not that of a block."""
    text = reading.text.splitlines()
    return 0 < bound.end_line <= len(text) and not text[bound.end_line - 1].rstrip().endswith(":")


def hover(
    reading: Reading, diagnosis: Diagnosis, text: str, lines: Lines, position: types.Position, lang: str
) -> types.Hover | None:
    """What is known of the name or the operator at a position; `None` where nothing is."""
    where = moved(text, reading.text)
    line = where(position.line + 1)
    if line is None or position.line >= len(lines.lines):
        return None
    row, column = lines.lines[position.line], lines.column(position)
    word = next((found for found in NAME.finditer(row) if found.start() < column <= found.end() + 1), None)
    parts: list[str] = []
    if word is not None:
        bound = _bound(reading, word.group(), line)
        if bound is not None:
            parts.append(_told(bound, lang))
    heads = _heads(reading.text)
    here = [
        call
        for call in reading.called
        if (call.line, call.column) <= (line, column) <= (call.end_line, call.end_column or 10_000)
        and line <= heads.get((call.line, call.end_line), line)
    ]
    if here:
        inner = min(here, key=lambda call: (call.end_line - call.line, call.end_column - call.column))
        parts += [_call(call, lang) for call in here if (call.line, call.column) == (inner.line, inner.column)][:3]
    for finding in diagnosis.findings:
        if finding.site.line <= line <= max(finding.site.end_line, finding.site.line):
            parts.append(f"**{finding.code}** {finding.message}" + (f"\n\n{finding.why}" if finding.why else ""))
    if not parts:
        return None
    span = lines.span(position.line + 1, word.start() + 1, position.line + 1, word.end() + 1) if word else None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, joined(parts)), span)


def _bound(reading: Reading, name: str, line: int) -> Bound | None:
    """The binding of a name that a line sees: the last one at or above it in the same function, else around it."""
    found = [bound for bound in reading.bound if bound.name == name]
    if not found:
        return None
    spans = _functions(reading.text)
    here = _innermost(spans, line)
    for scope in (here, None):
        inside = [bound for bound in found if _innermost(spans, bound.line) == scope]
        above = [bound for bound in inside if bound.line <= line]
        if above or inside:
            return (above or inside[:1])[-1]
    return None


def _functions(text: str) -> list[tuple[int, int]]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    return [(node.lineno, node.end_lineno or node.lineno) for node in ast.walk(tree) if isinstance(node, kinds)]


def _heads(text: str) -> dict[tuple[int, int], int]:
    """The last line of the head of each statement that has a body, by the statement's first line and last."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return {}
    return {
        (node.lineno, node.end_lineno or node.lineno): max(node.body[0].lineno - 1, node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try)) and node.body
    }


def _innermost(spans: Sequence[tuple[int, int]], line: int) -> tuple[int, int] | None:
    around = [span for span in spans if span[0] <= line <= span[1]]
    return max(around, default=None)


def _told(bound: Bound, lang: str) -> str:
    kind = f" {bound.dtype}" if bound.dtype else ""
    rows = [f"`{bound.name}` **{bound.text}**{kind}"]
    rows += [_axis(number, axis, lang) for number, axis in enumerate(bound.axes)]
    return "\n".join(rows)


def _axis(number: int, axis: Axis, lang: str) -> str:
    told = [f"- {number}: `{axis.label}`"]
    if axis.origin is not None:
        told.append(origin_note(axis.origin, lang))
        site = axis.origin.site
        if site is not None and site.line:
            told.append(f"{site.file.rsplit('/', 1)[-1]}:{site.line}")
    return ", ".join(part for part in told if part)


def _call(call: Called, lang: str) -> str:
    given = " · ".join(f"{fact.name} {shape_text(fact)}".strip() for fact in call.operands)
    made = " · ".join(shape_text(fact) for fact in call.result)
    rows = [f"`{call.op}`: {given}" + (f" → {made}" if made else "")]
    kind, pattern = call.constraint
    if kind:
        rows.append("- " + " — ".join(part for part in (pattern and f"`{pattern}`", constraint(kind, lang)) if part))
    return "\n".join(rows)
