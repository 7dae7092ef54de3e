"""The page of a diagnosis: headline, place, source with named shapes, underline, why, help, losers, and what was not
checked.

Plain text when not writing to a terminal or where NO_COLOR is set. It decides nothing: order and wording come with the
diagnosis."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from ..diagnosis import Diagnosis, ExcerptLine, Finding, Fix, Label, OriginNote, Remark
from .addresses import address
from .outcomes import NOT_RUN
from .page import TAB, columns_before, cut, padded, window, wrapped
from .phrases import phrase
from .wording import place, unchecked, verification

name = "terminal"
NARROW, WIDE = 40, 120
STYLE = {"error": "bold red", "warning": "bold yellow", "remark": "bold cyan"}
ASSUMPTIONS = 8  # shown on the page; the JSON has all
ORIGINS = 4  # of one finding, on the page
REMARKS = 2  # shown in one line each under a finding
PAGES = 3  # of rules, named under the findings
CHANGED = 12  # diff lines shown on the page
GAP = 6  # cells between the longest line and the shapes beside it


def render(
    diagnoses: Sequence[Diagnosis], *, width: int = 100, color: bool = False, remarks: bool = False, **_: Any
) -> str:
    """The pages of `diagnoses` as text of at most `width` cells per line (40 to 120), with ANSI styles where `color` is
    set."""
    width = min(max(width, NARROW), WIDE)
    lines: list[Text] = []
    for diagnosis in diagnoses:
        lines += [*([Text("")] if lines else []), *_page(diagnosis, width, remarks)]
    return as_text(lines, color)


def page_settings() -> dict[str, Any]:
    """Width and color of the standard output: plain when piped or where NO_COLOR is set."""
    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return {"width": shutil.get_terminal_size((100 if sys.stdout.isatty() else 120, 24)).columns, "color": color}


def as_text(lines: Sequence[Text], color: bool) -> str:
    """Styled lines as one string, with ANSI styles or plain."""
    if not color:
        return "".join(line.plain.rstrip() + "\n" for line in lines)
    from rich.console import Console  # a page without colors needs none

    out = io.StringIO()
    console = Console(
        file=out,
        force_terminal=True,
        color_system="standard",
        width=500,
        no_color=False,
        highlight=False,
        soft_wrap=True,
    )
    for line in lines:
        line.rstrip()
        console.print(line)
    return out.getvalue()


def _page(diagnosis: Diagnosis, width: int, remarks: bool) -> Iterator[Text]:
    lang = diagnosis.lang
    for finding in diagnosis.findings:
        yield from _finding(finding, diagnosis, width)
        yield Text("")
    for remark in diagnosis.remarks if remarks else ():
        yield from _headline(remark, "remark", width)
        where = Text(f"  {place(diagnosis, remark.site)}", style="dim")
        yield where.append(f"  {phrase('remark', lang)}", style=STYLE["remark"])
        yield from _block(phrase("why", lang), remark.why, lang, width)
        yield Text("")
    for code in list(dict.fromkeys(finding.code for finding in diagnosis.findings))[:PAGES]:
        yield Text(phrase("more", lang, code=code), style="dim")
    brief = diagnosis.remarks[:REMARKS] if diagnosis.findings and not remarks else ()
    yield from _listed(
        phrase("remark", lang),
        [(f"{item.code} {item.message}", diagnosis.line(item.site.line, item.site.file)) for item in brief],
        0,
        lang,
        width,
    )
    notes = [(item.note, diagnosis.line(item.line, item.file) if item.line else "") for item in diagnosis.assumptions]
    yield from _listed(phrase("assumed", lang), notes[:ASSUMPTIONS], len(notes[ASSUMPTIONS:]), lang, width)
    yield from _summary(diagnosis, width, hidden=0 if remarks else len(diagnosis.remarks) - len(brief))


def _finding(finding: Finding, diagnosis: Diagnosis, width: int) -> Iterator[Text]:
    lang = diagnosis.lang
    yield from _headline(finding, finding.severity, width)
    where = Text(f"  {place(diagnosis, finding.site)}", style="dim")
    if finding.severity == "warning":
        where.append(f"  {phrase('warning', lang)}", style=STYLE["warning"])
    yield where
    yield from _source(finding, diagnosis, width)
    yield from _block(phrase("why", lang), finding.why, lang, width)
    for origin in chosen(finding.unsaid_origins):
        yield from _block(phrase("from", lang), _origin(origin, diagnosis), lang, width)
    if finding.fixes:
        yield from _help(finding.fixes[0], lang, width)


def _headline(said: Finding | Remark, severity: str, width: int) -> Iterator[Text]:
    """The code, in a terminal with colors a link to the rule's page where its address is known, and the message."""
    page = address(said.code, said.slug)
    code = (said.code, f"{STYLE[severity]} link {page}" if page else STYLE[severity])
    for number, line in enumerate(wrapped(said.message, width - len(said.code) - 1)):
        yield Text.assemble(code if number == 0 else " " * len(said.code), " ", (line, "bold"))


def _source(finding: Finding, diagnosis: Diagnosis, width: int) -> Iterator[Text]:
    shown = finding.excerpt.lines
    if not shown:
        return
    numbers = [diagnosis.line(row.line, finding.excerpt.file) for row in shown]
    gutter = max(map(len, numbers))
    lines = [row.text.expandtabs(TAB) for row in shown]
    indent = min((len(text) - len(text.lstrip()) for text in lines if text.strip()), default=0)
    room = width - gutter - 3
    texts = [text[indent:] for text in lines]
    right = _column([(cell_len(text), cell_len(row.shapes)) for text, row in zip(texts, shown) if row.shapes], room)
    before = 0
    for row, number, text in zip(shown, numbers, texts):
        if before and row.line > before + 1:
            yield Text(f"{'':>{gutter}} ⋮", style="dim")
        before = row.line
        spans = _spans(finding, row, indent)
        text, moved = window(text, room, *spans[0]) if spans else (cut(text, room), 0)
        yield from _row(row, number, text, gutter, right, room)
        yield from _underline(finding, row, [(start - moved, end - moved) for start, end in spans], gutter, room)


def _column(sizes: Sequence[tuple[int, int]], room: int) -> int:
    """Where shapes are shown beside their lines, from `(cells of the line, cells of its shapes)`; 0 where no line has
    room. A longer line than those that set the column has its shapes below it."""
    for longest in sorted({line for line, _ in sizes}, reverse=True):
        if longest + GAP + max(shapes for line, shapes in sizes if line <= longest) <= room:
            return longest + GAP
    return 0


def _row(row: ExcerptLine, number: str, text: str, gutter: int, right: int, room: int) -> Iterator[Text]:
    line = Text.assemble((f"{number:>{gutter}} │ ", "dim"), text)
    beside = bool(row.shapes) and cell_len(text) + GAP <= right
    if beside:
        line.append(" " * (right - cell_len(text)))
        line.append(row.shapes, style="cyan")
    yield line
    if row.shapes and not beside:
        indent = min(len(text) - len(text.lstrip()) + TAB, room // 2)
        for part in wrapped(row.shapes, room - indent):
            yield Text.assemble((f"{'':>{gutter}} │ ", "dim"), " " * indent, (part, "cyan"))


def _labels(finding: Finding, row: ExcerptLine) -> list[Label]:
    return [label for label in finding.labels if label.site.line == row.line and label.site.file == finding.site.file]


def _spans(finding: Finding, row: ExcerptLine, indent: int) -> list[tuple[int, int]]:
    """The cells of `row` to underline: the labelled spans on it, or the fault's own; none on other lines."""
    here = finding.site.line == row.line
    sites = [label.site for label in _labels(finding, row)]
    columns = {(site.column, site.end_column if site.end_line == row.line else len(row.text) + 1) for site in sites}
    if here and (not columns or len(columns) > 3):
        columns = {
            (finding.site.column, finding.site.end_column if finding.site.end_line == row.line else len(row.text) + 1)
        }
    spans = []
    for start, end in sorted(columns):
        first = columns_before(row.text, start) - indent
        spans.append((first, max(first + 1, columns_before(row.text, min(end, len(row.text) + 1)) - indent)))
    return spans


def _underline(
    finding: Finding, row: ExcerptLine, spans: list[tuple[int, int]], gutter: int, room: int
) -> Iterator[Text]:
    """A line below `row` that underlines `spans`, with the labels at its right."""
    if not spans:
        return
    marks = ""
    for first, last in spans:
        if first < cell_len(marks):
            continue
        marks += " " * (first - cell_len(marks)) + "─" * (last - first)
    marks = marks[:room]
    texts = [label.text for label in _labels(finding, row) if label.text]
    if finding.site.line == row.line:
        texts += [label.text for label in finding.labels if label.site.file != finding.site.file and label.text]
    said = " · ".join(dict.fromkeys(texts))
    edge = (f"{'':>{gutter}} │ ", "dim")
    style = STYLE["warning" if finding.severity == "warning" else "error"]
    if not said or cell_len(marks) + 1 + cell_len(said) <= room:
        yield Text.assemble(edge, (marks, style), (f" {said}", "cyan"))
        return
    yield Text.assemble(edge, (marks, style))
    start = min(len(marks) - len(marks.lstrip()), max(0, room - cell_len(said)))
    for line in wrapped(said, room - start):
        yield Text.assemble(edge, " " * start, (line, "cyan"))


def _margin(lang: str) -> int:
    return 2 + max(cell_len(phrase(word, lang)) for word in ("why", "from", "help"))


def _block(label: str, text: str, lang: str, width: int, style: str = "") -> Iterator[Text]:
    margin = _margin(lang)
    if not text:
        return
    for number, line in enumerate(one for part in text.splitlines() for one in wrapped(part, width - margin)):
        yield Text.assemble((padded(label if number == 0 else "", margin), "bold"), (line, style))


def chosen(origins: Sequence[OriginNote]) -> list[OriginNote]:
    """The origins that the page has room for: those of a known kind before others, in their own order. The JSON has
    all."""
    ranked = sorted(range(len(origins)), key=lambda at: origins[at].kind == "unknown")
    return [origins[at] for at in sorted(ranked[:ORIGINS])]


def _origin(origin: OriginNote, diagnosis: Diagnosis) -> str:
    where = f"{origin.file}:{diagnosis.line(origin.line, origin.file)}" if origin.line else ""
    return ", ".join(part for part in (origin.axis, origin.note, where) if part)


def _help(fix: Fix, lang: str, width: int) -> Iterator[Text]:
    margin = _margin(lang)
    tag = verification(fix, lang)
    style = "green" if fix.safe else "yellow"
    fits = margin + cell_len(fix.title) + 4 + cell_len(tag) <= width
    lines = list(_block(phrase("help", lang), fix.title, lang, width))
    if fits:
        lines[0].append(" " * max(4, min(width, 100) - cell_len(lines[0].plain) - cell_len(tag)))
        lines[0].append(tag, style=style)
    yield from lines
    if not fits:
        yield from (Text.assemble(" " * margin, (line, style)) for line in wrapped(tag, width - margin))
    rows = list(changes(fix.diff))
    gutter = max((len(str(number)) for number, _, _ in rows), default=1)
    room = width - margin - gutter - 3
    for (number, sign, _), text in zip(rows[:CHANGED], _cut_rows(rows[:CHANGED], room)):
        yield Text.assemble(" " * margin, (f"{number:>{gutter}} {sign} {text}", "green" if sign == "+" else "red"))
    if len(rows) > CHANGED:
        yield Text(" " * margin + "…")
    for item in fix.rejected:
        for line in wrapped(phrase("not", lang, title=item.title, reason=item.reason), width - margin):
            yield Text(" " * margin + line, style="dim")


def changes(diff: str) -> Iterator[tuple[int, str, str]]:
    """`(line, sign, text)` of the changed lines of a unified diff, dedented together."""
    rows: list[tuple[int, str, str]] = []
    old = new = 0
    for line in diff.splitlines():
        head = re.match(r"@@ -(\d+)(?:,\d+)? \+(\d+)", line)
        if head:
            old, new = int(head.group(1)), int(head.group(2))
        elif line.startswith(("---", "+++")) and not old:
            continue
        elif line.startswith("-"):
            rows.append((old, "-", line[1:]))
            old += 1
        elif line.startswith("+"):
            rows.append((new, "+", line[1:]))
            new += 1
        elif old:
            old, new = old + 1, new + 1
    indent = min((len(text) - len(text.lstrip()) for _, _, text in rows if text.strip()), default=0)
    yield from ((number, sign, text[indent:]) for number, sign, text in _paired(rows))


def _cut_rows(rows: Sequence[tuple[int, str, str]], room: int) -> Iterator[str]:
    """The texts of changed lines, cut to `room` cells; where an old line stands before its new one, so that what
    differs is seen."""
    texts = [text.expandtabs(TAB) for _, _, text in rows]
    at = 0
    while at < len(rows):
        if [sign for _, sign, _ in rows[at : at + 2]] == ["-", "+"]:
            old, new = texts[at : at + 2]
            same = len(os.path.commonprefix([old, new]))
            tail = len(os.path.commonprefix([old[same:][::-1], new[same:][::-1]]))
            end = max(cell_len(text[: len(text) - tail]) for text in (old, new))
            yield from (window(text, room, cell_len(old[:same]), end)[0] for text in (old, new))
            at += 2
        else:
            yield cut(texts[at], room)
            at += 1


def _paired(rows: list[tuple[int, str, str]]) -> Iterator[tuple[int, str, str]]:
    """Old and new of each line together, where as many lines came as went."""
    while rows:
        length = next((at for at in range(1, len(rows)) if rows[at - 1][1] == "+" and rows[at][1] == "-"), len(rows))
        block, rows = rows[:length], rows[length:]
        went, came = [row for row in block if row[1] == "-"], [row for row in block if row[1] == "+"]
        yield from (row for pair in zip(went, came) for row in pair) if len(went) == len(came) else block


def _listed(label: str, items: Sequence[tuple[str, str]], left: int, lang: str, width: int) -> Iterator[Text]:
    """Sentences with their lines behind one label, and how many were left out."""
    margin = cell_len(label) + 2
    for number, (said, at) in enumerate(items):
        where = f" ({phrase('line', lang, line=at)})" if at else ""
        for row, line in enumerate(wrapped(said + where, width - margin)):
            yield Text.assemble((padded(label if number + row == 0 else "", margin), "bold"), (line, "dim"))
    if left:
        yield Text(" " * margin + f"… +{left}", style="dim")


def _summary(diagnosis: Diagnosis, width: int, hidden: int) -> Iterator[Text]:
    """One line that always says what was found and what was not checked."""
    lang, count = diagnosis.lang, len(diagnosis.findings)
    parts = []
    if count:
        parts.append(phrase("one" if count == 1 else "many", lang, script=diagnosis.script, count=count))
    elif diagnosis.outcome == "complete":
        end = "complete" if diagnosis.trained else "complete_untrained"
        parts += [phrase("clean", lang, script=diagnosis.script), phrase(end, lang)]
    else:
        parts.append(diagnosis.script)
    if left := unchecked(diagnosis):
        parts.append(left)
    assumed = len(diagnosis.assumptions)
    if assumed:
        parts.append(phrase("assumptions_one" if assumed == 1 else "assumptions", lang, count=assumed))
    if hidden and count:
        parts.append(phrase("remarks_one" if hidden == 1 else "remarks", lang, count=hidden))
    if diagnosis.reason_kind not in NOT_RUN:
        parts.append(phrase("seconds", lang, seconds=f"{diagnosis.seconds:.1f}", engine=diagnosis.engine or "live"))
    style = "bold" if count else "bold green" if diagnosis.outcome == "complete" else "bold yellow"
    for line in wrapped(" · ".join(parts), width):
        yield Text(line, style=style)
