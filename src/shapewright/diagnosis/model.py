"""The data of a diagnosis. Field names are the JSON contract's: they may be extended, never renamed.

Fields marked `repr=False` carry what repair and the renderers need and are not part of the JSON output.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Literal

from ..dataclass import dataclass
from ..rules.facts import Facts
from ..trace import Site

VERSION = 1


@dataclass(frozen=True)
class Edit:
    """Replace the characters from `(line, column)` up to, not including, `(end_line, end_column)`; all count from 1."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    replacement: str

    @property
    def inserts(self) -> bool:
        """Whether it replaces nothing."""
        return (self.line, self.column) == (self.end_line, self.end_column)


@dataclass(frozen=True)
class Rejected:
    """A repair that a person would try first, and what happens to it. Both are texts in the reader's language."""

    title: str
    reason: str


@dataclass(frozen=True)
class Fix:
    """A repair that was run. `applicability` is `safe` (it keeps every invariant of what the author meant) or `unsafe`
    (it runs; `doubt` says what it leaves open); `verified` lists the batch sizes of the runs; `diff` is unified;
    `parts` are the kinds of edit and the fields that `title` is made of."""

    title: str
    applicability: Literal["safe", "unsafe"]
    verified: tuple[int, ...] = ()
    edits: tuple[Edit, ...] = ()
    diff: str = ""
    rejected: tuple[Rejected, ...] = ()
    doubt: str = ""
    parts: tuple[tuple[str, Mapping[str, str]], ...] = field(default=(), repr=False, compare=False)

    @property
    def safe(self) -> bool:
        """Whether it may be written without a person's looking at it."""
        return self.applicability == "safe"


@dataclass(frozen=True)
class OriginNote:
    """Where an offending axis came from. `axis` is its label (`batch=32`), empty where unknown; `line` is 0 where
    unknown; `kind` as in `trace.Origin`."""

    axis: str
    note: str
    file: str = ""
    line: int = 0
    kind: str = ""


@dataclass(frozen=True)
class Label:
    """A place beside the fault with its named shape, such as `input1 (1, 1)`."""

    site: Site
    text: str


@dataclass(frozen=True)
class ExcerptLine:
    """One source line and, at its right, the shapes that it bound."""

    line: int
    text: str
    shapes: str = ""


@dataclass(frozen=True)
class Excerpt:
    """The source lines that a person needs to see, in order; a gap in the numbers is a gap on the page."""

    file: str = ""
    lines: tuple[ExcerptLine, ...] = ()


@dataclass(frozen=True)
class Finding:
    """A fault at a place, with evidence. `severity` is `error` or `warning`."""

    code: str
    slug: str
    severity: str
    message: str
    why: str
    site: Site
    origins: tuple[OriginNote, ...] = ()
    fixes: tuple[Fix, ...] = ()
    labels: tuple[Label, ...] = ()
    excerpt: Excerpt = field(default=Excerpt(), repr=False)
    facts: Facts | None = field(default=None, repr=False, compare=False)

    @property
    def is_loud(self) -> bool:
        """Whether it is the error that ends the run, not a fault that training runs on with."""
        return self.code.startswith("SW1")

    @property
    def unsaid_origins(self) -> tuple[OriginNote, ...]:
        """The origins that `why` does not already name together with their line."""
        cores = [
            origin.note
            for origin in (self.facts.origins if self.facts else ())
            if origin.note and origin.note in self.why
        ]
        return tuple(
            item
            for item in self.origins
            if (item.note or item.axis)
            and not (
                any(core in item.note for core in cores)
                and (not item.line or re.search(rf"(?<!\d){item.line}(?!\d)", self.why))
            )
        )

    def with_fixes(self, fixes: tuple[Fix, ...]) -> Finding:
        """The same finding with `fixes`, best first."""
        return replace(self, fixes=tuple(fixes))


@dataclass(frozen=True)
class Remark:
    """Advice that is no fault: it never changes the exit code."""

    code: str
    slug: str
    message: str
    why: str
    site: Site


@dataclass(frozen=True)
class AssumptionNote:
    """Something that the run made up, as a sentence. `line` is 0 where it has no place."""

    kind: str
    note: str
    line: int = 0
    file: str = ""


def in_cells(line: int, cells: Sequence[tuple[int, int]]) -> str:
    """A line of the joined source as `cell:line`, or as it is where there are no cells.

    >>> in_cells(7, ((1, 1), (3, 6))), in_cells(7, ())
    ('3:2', '7')
    """
    return next((f"{number}:{line - first + 1}" for number, first in reversed(cells) if line >= first), str(line))


@dataclass(frozen=True)
class Diagnosis:
    """Everything said about one script.

    `outcome` is `complete`, `stopped` (at a fault) or `incomplete`; `reason` a sentence, empty when complete;
    `reason_kind` its slug; `end` where the run ended, where that is known; `trained` whether a gradient was computed or
    an optimizer took a step.
    """

    script: str
    outcome: str
    reason: str = ""
    reason_kind: str = ""
    engine: str = ""
    seconds: float = 0.0
    findings: tuple[Finding, ...] = ()
    assumptions: tuple[AssumptionNote, ...] = ()
    remarks: tuple[Remark, ...] = ()
    lang: str = "en"
    version: int = VERSION
    output: str = field(default="", repr=False)
    end: Site | None = None
    cells: tuple[tuple[int, int], ...] = ()  # of a notebook: number and first line of each code cell
    trained: bool = True

    def line(self, number: int, file: str = "") -> str:
        """A line as the reader counts it: `3:2` is the second line of a notebook's third cell."""
        return in_cells(number, self.cells) if file in ("", self.script) else str(number)

    @property
    def told_end(self) -> bool:
        """Whether the findings themselves say why the script stopped: one of them is loud, or the script did not
        stop."""
        return self.outcome != "stopped" or any(finding.is_loud for finding in self.findings)

    @property
    def exit_code(self) -> int:
        """0 complete and clean, 1 findings, 2 not (wholly) checked."""
        if self.findings:
            return 1
        return 0 if self.outcome == "complete" else 2

    def with_findings(self, findings: tuple[Finding, ...]) -> Diagnosis:
        """The same diagnosis with other findings (repair adds fixes this way)."""
        return replace(self, findings=tuple(findings))
