"""What `shapewright rule CODE` tells, folded below a finding, so that the page needs no other one."""

from __future__ import annotations

import re
from html import escape

from ...diagnosis import Finding
from ...rules import find_rule
from ..catalogue import ALLOW, ENGLISH, SECTIONS, sections, summary
from .sheet import Sheet
from .words import word

CODE = ("Example", "Instead")


def anchor(finding: Finding, sheet: Sheet) -> str:
    """The id of the explanation of a finding's rule; one for all findings of that rule."""
    return f"{sheet.prefix}r{finding.code}"


def explained(finding: Finding, sheet: Sheet) -> str:
    """The folded explanation; empty where the rule is not one of ours."""
    rule = find_rule(finding.code)
    if rule is None or rule.slug != finding.slug:
        return ""
    lang = sheet.lang
    told = [f"<p>{escape(ENGLISH[lang])}</p>"] if lang in ENGLISH else []
    told.append(f"<p>{_prose(summary(rule))}</p>")
    for title, body in sections(rule):
        told.append(f"<h4>{escape(SECTIONS.get(title, {}).get(lang, title))}</h4>")
        told += [_block(block, title in CODE) for block in ([body] if title in CODE else re.split(r"\n\s*\n", body))]
    told.append(f"<p><small>{escape(ALLOW[lang].format(slug=rule.slug))}</small></p>")
    title = escape(word("about", lang, code=rule.code, slug=rule.slug))
    return f'<details class="rule" id="{anchor(finding, sheet)}"><summary>{title}</summary>{"".join(told)}</details>'


def _block(text: str, is_code: bool) -> str:
    if not is_code and not text.startswith("    "):
        return f"<p>{_prose(' '.join(text.split()))}</p>"
    lines = text.strip("\n").splitlines()
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return f"<pre><code>{escape(chr(10).join(line[indent:] for line in lines))}</code></pre>"


def _prose(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
