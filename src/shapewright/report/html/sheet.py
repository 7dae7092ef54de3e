"""What the parts of one script's page share: its trace, its axes, its anchors, and how an axis is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from ...diagnosis import Diagnosis
from ...diagnosis.paths import as_given
from ...graph.flow import shown
from ...trace import Axis, Site, Trace
from ..phrases import ORIGINS, phrase
from .axes import AxisBook, Entry
from .words import word

COLORS = 8
JOINTS = re.compile(r"(?<=[^\W\d])(?=\.\w)|(?<=\))(?=\.\w)|(?<=\w\()(?=[\w*])")  # where code is best broken


def breakable(code: str, *, names: bool = False) -> str:
    """Code as HTML that breaks before `.name` and after `(` rather than inside a name, where a line is too long;
    with `names` also after an underscore, for narrow places.

    >>> breakable("model(x).squeeze(-1)")
    'model(<wbr>x)<wbr>.squeeze(-1)'
    """
    said = "<wbr>".join(map(escape, JOINTS.split(code)))
    return said.replace("_", "_<wbr>") if names else said


class Sheet:
    """One script's part of the page. `trace` is `None` where only the diagnosis is known."""

    def __init__(self, diagnosis: Diagnosis, trace: Trace | None, number: int) -> None:
        self.diagnosis, self.trace, self.lang = diagnosis, trace, diagnosis.lang
        self.prefix = f"s{number}"
        self.book = AxisBook(trace) if trace is not None else None
        files = sorted(
            (trace.sources if trace else {}), key=lambda file: as_given(file, diagnosis.script) != diagnosis.script
        )
        self.files = (
            {as_given(file, diagnosis.script): (at, trace.sources[file]) for at, file in enumerate(files)}
            if (trace)
            else {}
        )

    def anchor(self, file: str, line: int) -> str:
        """The id of a source line on the page, empty where that file is not shown."""
        at = self.files.get(as_given(file, self.diagnosis.script))
        return f"{self.prefix}f{at[0]}L{line}" if at is not None and line > 0 else ""

    def place(self, file: str, line: int, text: str = "") -> str:
        """A link to a source line; plain text where the line is not shown."""
        if not line:
            return ""
        name = as_given(file, self.diagnosis.script)
        said = text or f"{name}:{self.diagnosis.line(line, name)}"
        anchor = self.anchor(file, line)
        return f'<a href="#{anchor}">{escape(said)}</a>' if anchor else escape(said)

    def line(self, site: Site | None) -> str:
        """`line 12`, linked; with the file's name where it is another one."""
        if site is None or not site.line:
            return ""
        name = as_given(site.file, self.diagnosis.script)
        if name != self.diagnosis.script:
            return self.place(site.file, site.line)
        return self.place(site.file, site.line, phrase("line", self.lang, line=self.diagnosis.line(site.line, name)))

    def chip(self, axis: Axis) -> str:
        """One axis: its size and, where it is known, its role; a link to the line that it came from."""
        role = f"<small>{escape(axis.role)}</small>" if axis.role else ""
        entry = self.book.entry(axis) if self.book is not None else None
        if entry is None:
            return f'<span class="axis plain">{axis.size}{role}</span>'
        name = f"{self.prefix}a{entry.number}"
        target = self.anchor(entry.site.file, entry.site.line) if entry.site else ""
        return (
            f'<a class="axis c{entry.number % COLORS}" href="#{target or name}" data-axis="{name}" '
            f'aria-describedby="{name}">{axis.size}{role}</a>'
        )

    def shape(self, axes: Iterable[Axis]) -> str:
        """A whole shape as chips."""
        drawn = [self.chip(axis) for axis in axes]
        return f'<span class="shape">{"".join(drawn) or "()"}</span>'

    def legend(self) -> str:
        """Every axis that the page drew, with its origin and where it was seen; also what the hover card shows."""
        if self.book is None or not self.book.entries:
            return ""
        items = "".join(self._entry(entry) for entry in self.book.entries.values())
        return (
            f'<details class="legend" id="{self.prefix}axes"><summary>{escape(word("axes", self.lang))}</summary>'
            f"<ul>{items}</ul></details>"
        )

    def _entry(self, entry: Entry) -> str:
        lang = self.lang
        role = f" · {escape(entry.role)}" if entry.role else ""
        rows = [f"<p><b>{escape(word('axis', lang, size=entry.size))}</b>{role}</p>"]
        origin = self._origin(entry)
        rows.append(f"<p>{escape(word('made_at', lang))}: {origin or escape(word('no_origin', lang))}</p>")
        steps = [
            f"<li>{self.line(site)} <code>{escape(name)}</code> "
            f"{escape(word('place', lang, place=place, shape=shown(shape)))}</li>"
            for site, name, shape, place in entry.history
        ]
        if steps:
            rows.append(f"<p>{escape(word('seen_in', lang))}</p><ul>{''.join(steps)}</ul>")
        return f'<li id="{self.prefix}a{entry.number}" class="c{entry.number % COLORS}">{"".join(rows)}</li>'

    def _origin(self, entry: Entry) -> str:
        """The line that made the axis, with its text: `made by torch.randn(256, 8), line 5`."""
        site = entry.site
        if site is None:
            return escape(entry.note)
        at = self.files.get(as_given(site.file, self.diagnosis.script))
        lines = at[1].splitlines() if at else []
        text = lines[site.line - 1] if 0 < site.line <= len(lines) else ""
        if site.end_line in (0, site.line) and site.end_column > site.column:
            text = text[site.column - 1 : site.end_column - 1]
        text = " ".join(text.split()) or entry.note
        if re.match(r"(for|async for|with) ", text):
            text = entry.note or text
        said = ORIGINS.get(entry.kind, ORIGINS["unknown"])[self.lang].format(note=text) if text else ""
        return ", ".join(part for part in (escape(said), self.line(site)) if part)
