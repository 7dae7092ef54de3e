"""One self-contained page: no font, no request, light and dark by the reader's system. `render` of the diagnoses; with
their traces also the picture of the axes' way, the source with its shapes, the modules and the training step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ...diagnosis import Diagnosis
from ...trace import Trace
from ..phrases import phrase
from ..terminal import REMARKS
from ..wording import unchecked
from .model import step, tree
from .parts import assumptions, finding_part, remark_part
from .sheet import Sheet
from .source import sources
from .words import word

name = "html"


def render(diagnoses: Sequence[Diagnosis], *, traces: Sequence[Trace] = (), remarks: bool = False, **_: Any) -> str:
    """The page of all diagnoses; `traces`, where they are given, in the same order."""
    lang = diagnoses[0].lang if diagnoses else "en"
    title = "shapewright: " + ", ".join(diagnosis.script for diagnosis in diagnoses)
    sheets = [Sheet(diagnosis, traces[at] if at < len(traces) else None, at) for at, diagnosis in enumerate(diagnoses)]
    body = "\n".join(part for sheet in sheets for part in _script(sheet, remarks) if part)
    style, behavior = ((Path(__file__).parent / file).read_text(encoding="utf-8") for file in ("page.css", "page.js"))
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" '
        f'content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n<style>{style}</style>\n'
        f'</head>\n<body>\n<main>\n{body}\n</main>\n<div id="card" role="tooltip" hidden></div>\n'
        f"<script>{behavior}</script>\n</body>\n</html>\n"
    )


def _script(sheet: Sheet, remarks: bool) -> Iterator[str]:
    diagnosis, lang = sheet.diagnosis, sheet.lang
    first, *rest = _summary(diagnosis)
    yield f'<header><h1>{escape(first)}</h1><p class="summary">{escape(" · ".join(rest))}</p>'
    if len(diagnosis.findings) > 1:
        links = "".join(
            f'<li><a href="#{sheet.prefix}n{number}">{escape(finding.code)}</a> {escape(finding.message)}</li>'
            for number, finding in enumerate(diagnosis.findings)
        )
        yield f'<nav aria-label="{escape(word("findings", lang))}"><ul>{links}</ul></nav>'
    yield "</header>"
    for number, finding in enumerate(diagnosis.findings):
        yield finding_part(finding, number, sheet)
    yield step(sheet)
    yield sources(sheet)
    yield tree(sheet)
    told = diagnosis.remarks if remarks else diagnosis.remarks[:REMARKS] if diagnosis.findings else ()
    if told:
        items = "".join(remark_part(remark, sheet, whole=remarks) for remark in told)
        if left := len(diagnosis.remarks) - len(told):
            said = phrase("remarks_one" if left == 1 else "remarks", lang, count=left)
            items += f"<li><small>{escape(said)}</small></li>"
        yield f'<section class="remarks"><h3>{escape(word("remarks", lang))}</h3><ul>{items}</ul></section>'
    yield assumptions(sheet)
    yield sheet.legend()


def _summary(diagnosis: Diagnosis) -> Iterator[str]:
    lang, count = diagnosis.lang, len(diagnosis.findings)
    if count:
        yield phrase("one" if count == 1 else "many", lang, script=diagnosis.script, count=count)
    elif diagnosis.outcome == "complete":
        yield phrase("clean", lang, script=diagnosis.script)
        yield phrase("complete" if diagnosis.trained else "complete_untrained", lang)
    else:
        yield diagnosis.script
    if left := unchecked(diagnosis):
        yield left
    yield phrase("seconds", lang, seconds=f"{diagnosis.seconds:.1f}", engine=diagnosis.engine or "live")
