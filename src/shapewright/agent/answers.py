"""What the tools answer: plain typed data, short enough for a model's context."""

from __future__ import annotations

from collections.abc import Iterator

from ..dataclass import dataclass
from ..diagnosis import Diagnosis, Finding
from ..report.wording import unchecked, verification

MOST = 12  # findings, assumptions, origins
LONGEST = 6000  # characters of one text


@dataclass
class Repair:
    """A repair of one finding: `safe` ones were run and keep what the script means; `diff` is unified."""

    title: str
    safe: bool
    verified: str
    diff: str


@dataclass
class Fault:
    """One finding. `shapes` are the operands' named shapes, `origins` say where the offending axes came from."""

    code: str
    slug: str
    severity: str
    file: str
    line: int
    message: str
    why: str
    shapes: list[str]
    origins: list[str]
    repairs: list[Repair]


@dataclass
class CheckAnswer:
    """`outcome` is `complete`, `stopped` (at a fault) or `incomplete`; only `complete` without faults is a clean bill.
    `left_off` counts the faults beyond those listed."""

    script: str
    outcome: str
    unchecked: str
    faults: list[Fault]
    left_off: int
    assumptions: list[str]
    seconds: float


@dataclass
class FixAnswer:
    """`diff` is the whole patch; `written` the files that were changed; `left` how many findings stay."""

    script: str
    diff: str
    repaired: list[str]
    written: list[str]
    left: int
    note: str


@dataclass
class WalkLine:
    """A line and the shapes that it made when it first ran."""

    line: int
    source: str
    shapes: str


@dataclass
class WalkAnswer:
    """The lines of one file that made tensors; `next_line` is where to go on, 0 at the end."""

    file: str
    files: list[str]
    lines: list[WalkLine]
    next_line: int
    outcome: str


@dataclass
class TextAnswer:
    """One text; `known` is false where nothing is known of what was asked."""

    known: bool
    text: str


def cut(text: str) -> str:
    """The text, or its beginning where it is long."""
    return text if len(text) <= LONGEST else text[:LONGEST] + "\n…"


def check_answer(diagnosis: Diagnosis) -> CheckAnswer:
    """What `check` answers."""
    return CheckAnswer(
        diagnosis.script,
        diagnosis.outcome,
        unchecked(diagnosis),
        [_fault(finding, diagnosis) for finding in diagnosis.findings[:MOST]],
        max(0, len(diagnosis.findings) - MOST),
        [item.note for item in diagnosis.assumptions[:MOST]],
        diagnosis.seconds,
    )


def _fault(finding: Finding, diagnosis: Diagnosis) -> Fault:
    return Fault(
        finding.code,
        finding.slug,
        finding.severity,
        finding.site.file,
        finding.site.line,
        finding.message,
        finding.why,
        list(dict.fromkeys(label.text for label in finding.labels))[:MOST],
        list(dict.fromkeys(_origins(finding)))[:MOST],
        [Repair(fix.title, fix.safe, verification(fix, diagnosis.lang), cut(fix.diff)) for fix in finding.fixes[:3]],
    )


def _origins(finding: Finding) -> Iterator[str]:
    for item in finding.origins:
        where = f"{item.file}:{item.line}" if item.line else ""
        yield ", ".join(part for part in (item.axis, item.note, where) if part)
