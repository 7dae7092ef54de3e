"""A finding, its repair, remarks and assumptions as parts of the page. It decides nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from html import escape
from itertools import zip_longest

from ...diagnosis import Finding, Fix, Remark
from ..addresses import address
from ..phrases import phrase
from ..terminal import changes, chosen
from ..wording import place, verification
from .figure import figure
from .route import route
from .rule import anchor, explained
from .sheet import Sheet, breakable
from .words import word

Side = tuple[int, str]
SIDE = 56  # characters of a line that has room beside another


def finding_part(finding: Finding, number: int, sheet: Sheet) -> str:
    """One finding: headline, place, the axes' way (its lines where that is unknown), why, origins, repair."""
    diagnosis, lang = sheet.diagnosis, sheet.lang
    rows = [(phrase("why", lang), escape(finding.why))] if finding.why else []
    for item in chosen(finding.unsaid_origins):
        parts = [breakable(part, names=True) for part in (item.axis, item.note) if part]
        parts += [sheet.place(item.file, item.line)] if item.line else []
        rows.append((phrase("from", lang), ", ".join(parts)))
    listed = "".join(f"<dt>{escape(term)}</dt><dd>{said}</dd>" for term, said in rows)
    way = route(finding, sheet.trace, sheet.book) if sheet.trace is not None and sheet.book is not None else None
    link = address(finding.code, finding.slug)
    code = f'<a href="{escape(link)}">{finding.code}</a>' if link else escape(finding.code)
    site = sheet.place(finding.site.file, finding.site.line, place(diagnosis, finding.site))
    first = next(one for one in diagnosis.findings if one.code == finding.code)
    rule, more = explained(first, sheet), escape(phrase("more", lang, code=finding.code))
    told = rule if first is finding else ""
    if rule:
        more = f'<a href="#{anchor(first, sheet)}">{more}</a>'
    return (
        f'<section class="finding {finding.severity}" id="{sheet.prefix}n{number}" tabindex="-1"><h2><b>{code}</b> '
        f'{escape(finding.message)}</h2><p class="place">{site} · <code>{escape(finding.slug)}</code> · '
        f"<small>{more}</small></p>{figure(way, sheet) if way else _excerpt(finding, sheet)}"
        f"<dl>{listed}</dl>{''.join(_fix(fix, lang) for fix in finding.fixes[:1])}{told}</section>"
    )


def _excerpt(finding: Finding, sheet: Sheet) -> str:
    """The lines of the finding with their shapes, as the terminal has them."""
    shown = finding.excerpt.lines
    if not shown:
        return ""
    lines = []
    indent = min((len(row.text) - len(row.text.lstrip()) for row in shown if row.text.strip()), default=0)
    for row in shown:
        text = breakable(row.text[indent:])
        if row.line == finding.site.line:
            start = max(indent, finding.site.column - 1)
            end = finding.site.end_column - 1 if finding.site.end_line == row.line else len(row.text)
            before, bad, after = (breakable(row.text[a:b]) for a, b in ((indent, start), (start, end), (end, None)))
            text = f"{before}<mark>{bad}</mark>{after}"
        number = sheet.diagnosis.line(row.line, finding.excerpt.file)
        said = f'<span class="said">{escape(row.shapes)}</span>' if row.shapes else ""
        labels = " · ".join(
            dict.fromkeys(label.text for label in finding.labels if label.site.line == row.line and label.text)
        )
        if labels and row.line == finding.site.line:
            said += f'<span class="said">{escape(labels)}</span>'
        lines.append(f'<li class="row"><i class="no">{number}</i><code>{text}</code>{said}</li>')
    return f'<ol class="code">{"".join(lines)}</ol>'


def _fix(fix: Fix, lang: str) -> str:
    losers = "".join(
        f"<li>{escape(phrase('not', lang, title=item.title, reason=item.reason))}</li>" for item in fix.rejected
    )
    return (
        f'<div class="fix"><p><b>{escape(phrase("help", lang))}</b> {breakable(fix.title)} <span '
        f'class="{escape(fix.applicability)}">{escape(verification(fix, lang))}</span></p>{_diff(fix, lang)}'
        + (f"<ul>{losers}</ul>" if losers else "")
        + "</div>"
    )


def _diff(fix: Fix, lang: str) -> str:
    """Before and after, side by side where there is room."""
    rows = list(changes(fix.diff))
    if not rows:
        return ""
    pairs = []
    for old, new in _sides(rows):
        went = _side(old, new, "minus", "del") if old else "<td></td>"
        came = _side(new, old, "plus", "ins") if new else "<td></td>"
        pairs.append(f"<tr>{went}{came}</tr>")
    heads = "".join(f'<th scope="col">{escape(word(name, lang))}</th>' for name in ("before", "after"))
    tall = " tall" if any(len(text) > SIDE for _, _, text in rows) else ""
    return f'<table class="diff{tall}"><thead><tr>{heads}</tr></thead><tbody>{"".join(pairs)}</tbody></table>'


def _side(one: Side, other: Side | None, kind: str, tag: str) -> str:
    """One line with what differs from its other side marked."""
    text, against = one[1], other[1] if other else ""
    same = len(os.path.commonprefix([text, against]))
    tail = len(os.path.commonprefix([text[same:][::-1], against[same:][::-1]]))
    changed = text[same : len(text) - tail]
    joint = "<wbr>" if changed.startswith(".") else ""
    said = f"{breakable(text[:same])}{joint}<{tag}>{breakable(changed)}</{tag}>{breakable(text[len(text) - tail :])}"
    said = said if other and changed else breakable(text)
    return f'<td class="{kind}"><div><i class="no">{one[0]}</i><code>{said}</code></div></td>'


def _sides(rows: list[tuple[int, str, str]]) -> Iterator[tuple[Side | None, Side | None]]:
    """What went and what came, beside one another within each run of changed lines."""
    went: list[Side] = []
    came: list[Side] = []
    for number, sign, text in rows:
        if sign == "-" and came:
            yield from zip_longest(went, came)
            went, came = [], []
        (went if sign == "-" else came).append((number, text))
    yield from zip_longest(went, came)


def remark_part(remark: Remark, sheet: Sheet, *, whole: bool) -> str:
    """Advice that is no fault, in one item; `whole` with its reason."""
    where = sheet.place(remark.site.file, remark.site.line)
    head = f"<b>{escape(remark.code)}</b> {escape(remark.message)} <small>({where})</small>"
    return f"<li>{head}{f'<br>{escape(remark.why)}' if whole else ''}</li>"


def assumptions(sheet: Sheet) -> str:
    """What the run made up."""
    diagnosis, lang = sheet.diagnosis, sheet.lang
    if not diagnosis.assumptions:
        return ""
    items = "".join(
        f"<li>{escape(item.note)}"
        + (
            " <small>("
            + sheet.place(
                item.file or diagnosis.script,
                item.line,
                phrase("line", lang, line=diagnosis.line(item.line, item.file)),
            )
            + ")</small>"
            if item.line
            else ""
        )
        + "</li>"
        for item in diagnosis.assumptions
    )
    return f'<section class="assumed"><h3>{escape(word("assumed", lang))}</h3><ul>{items}</ul></section>'
