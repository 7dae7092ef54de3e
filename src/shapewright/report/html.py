"""One self-contained page: no script, no font, no request. Light and dark by the reader's system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from ..diagnosis import Diagnosis, Finding, Fix, Remark
from .phrases import phrase
from .wording import place, unchecked, verification

name = "html"
STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --ground: #ffffff; --code: #f6f8fa;
        --error: #b4232c; --warning: #8a5a00; --good: #1a6e34; --shape: #0b5cad; --minus: #ffe9e9; --plus: #e3f7e7; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --soft: #9aa4ae; --line: #363d45; --ground: #14181c; --code: #1c2127; --error: #ff8a8a;
  --warning: #e8b45a;
          --good: #7ddc96; --shape: #7fb8f5; --minus: #43211f; --plus: #1d3a26; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; background: var(--ground); color: var(--ink);
       font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Hiragino Sans", "Noto Sans CJK JP", sans-serif; }
h1 { font-size: 1.15rem; margin: 2.5rem 0 .25rem; overflow-wrap: anywhere; } h1:first-child { margin-top: 0; }
h2 { font-size: 1.1rem; margin: 0 0 .15rem; } h2 b { color: var(--error); margin-right: .5em; }
.warning h2 b { color: var(--warning); }
.summary, .place, small { color: var(--soft); margin: 0; }
section { border-top: 1px solid var(--line); padding: 1.25rem 0; margin-top: 1.25rem; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: .7rem .9rem;
  overflow-x: auto; margin: .6rem 0;
      font: 13.5px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono CJK JP", monospace; }
pre i { color: var(--soft); font-style: normal; user-select: none; }
pre .shape { color: var(--shape); padding-left: 2.5em; }
pre .here { color: var(--error); } .warning pre .here { color: var(--warning); }
pre .minus { background: var(--minus); } pre .plus { background: var(--plus); }
pre .minus, pre .plus { display: inline-block; min-width: 100%; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: .6rem 0; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
.safe { color: var(--good); } .unsafe { color: var(--warning); } ul { padding-left: 1.2rem; margin: .4rem 0; }
"""


def render(diagnoses: Sequence[Diagnosis], *, remarks: bool = False, **_: Any) -> str:
    """The page of all diagnoses."""
    lang = diagnoses[0].lang if diagnoses else "en"
    title = "shapewright: " + ", ".join(diagnosis.script for diagnosis in diagnoses)
    body = "\n".join(part for diagnosis in diagnoses for part in _diagnosis(diagnosis, remarks))
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" '
        f'content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _diagnosis(diagnosis: Diagnosis, remarks: bool) -> Iterator[str]:
    lang, count = diagnosis.lang, len(diagnosis.findings)
    yield f"<h1>{escape(diagnosis.script)}</h1>"
    said = []
    if count:
        said.append(phrase("one" if count == 1 else "many", lang, script=diagnosis.script, count=count))
    elif diagnosis.outcome == "complete":
        said += [phrase("clean", lang, script=diagnosis.script), phrase("complete", lang)]
    if left := unchecked(diagnosis):
        said.append(left)
    said.append(phrase("seconds", lang, seconds=f"{diagnosis.seconds:.1f}", engine=diagnosis.engine or "live"))
    yield f'<p class="summary">{escape(" · ".join(said))}</p>'
    for finding in diagnosis.findings:
        yield _finding(finding, diagnosis)
    for remark in diagnosis.remarks if remarks else ():
        yield _remark(remark, diagnosis)
    if diagnosis.assumptions:
        items = "".join(
            f"<li>{escape(item.note)}"
            + (
                f" <small>({escape(phrase('line', lang, line=diagnosis.line(item.line, item.file)))})</small>"
                if item.line
                else ""
            )
            + "</li>"
            for item in diagnosis.assumptions
        )
        yield f"<section><strong>{escape(phrase('assumed', lang))}</strong><ul>{items}</ul></section>"


def _finding(finding: Finding, diagnosis: Diagnosis) -> str:
    lang = diagnosis.lang
    rows = [(phrase("why", lang), escape(finding.why))] if finding.why else []
    for item in finding.unsaid_origins:
        where = f"{item.file}:{diagnosis.line(item.line, item.file)}" if item.line else ""
        rows.append((phrase("from", lang), escape(", ".join(part for part in (item.axis, item.note, where) if part))))
    listed = "".join(f"<dt>{escape(term)}</dt><dd>{said}</dd>" for term, said in rows)
    site = place(diagnosis, finding.site)
    fixes = "".join(_fix(fix, lang) for fix in finding.fixes[:1])
    return (
        f'<section class="{finding.severity}"><h2><b>{escape(finding.code)}</b>{escape(finding.message)}</h2><p '
        f'class="place">{escape(site)}</p>'
        f"{_source(finding, diagnosis)}<dl>{listed}</dl>{fixes}</section>"
    )


def _source(finding: Finding, diagnosis: Diagnosis) -> str:
    shown = finding.excerpt.lines
    if not shown:
        return ""
    numbers = [diagnosis.line(row.line, finding.excerpt.file) for row in shown]
    gutter = max(map(len, numbers))
    indent = min((len(row.text) - len(row.text.lstrip()) for row in shown if row.text.strip()), default=0)
    lines = []
    for row, number in zip(shown, numbers):
        text = escape(row.text[indent:])
        if row.line == finding.site.line:
            start = max(0, finding.site.column - 1)
            end = finding.site.end_column - 1 if finding.site.end_line == row.line else len(row.text)
            text = (
                escape(row.text[indent:start])
                + f'<span class="here">{escape(row.text[max(start, indent) : end])}</span>'
                + escape(row.text[end:])
            )
        shape = f'<span class="shape">{escape(row.shapes)}</span>' if row.shapes else ""
        lines.append(f"<i>{number:>{gutter}} │ </i>{text}{shape}")
        labels = " · ".join(
            dict.fromkeys(label.text for label in finding.labels if label.site.line == row.line and label.text)
        )
        if labels:
            lines.append(f'<i>{"":>{gutter}} │ </i><span class="shape">{escape(labels)}</span>')
    return "<pre>" + "\n".join(lines) + "</pre>"


def _fix(fix: Fix, lang: str) -> str:
    tag = verification(fix, lang)
    rows = []
    for line in fix.diff.splitlines():
        kind = (
            "plus"
            if line.startswith("+") and not line.startswith("+++")
            else "minus"
            if line.startswith("-") and not line.startswith("---")
            else ""
        )
        rows.append(f'<span class="{kind}">{escape(line)}</span>' if kind else escape(line))
    losers = "".join(
        f"<li>{escape(phrase('not', lang, title=item.title, reason=item.reason))}</li>" for item in fix.rejected
    )
    return (
        f"<dl><dt>{escape(phrase('help', lang))}</dt><dd>{escape(fix.title)} <span "
        f'class="{escape(fix.applicability)}">{escape(tag)}</span></dd></dl>'
        + ("<pre>" + "\n".join(rows) + "</pre>" if rows else "")
        + (f"<ul>{losers}</ul>" if losers else "")
    )


def _remark(remark: Remark, diagnosis: Diagnosis) -> str:
    where = f"{remark.site.file}:{diagnosis.line(remark.site.line, remark.site.file)}"
    return (
        f'<section class="remark"><h2><small>{escape(phrase("remark", diagnosis.lang))}</small> '
        f'{escape(remark.message)}</h2><p class="place">{escape(where)}</p>'
        f"<p>{escape(remark.why)}</p></section>"
    )
