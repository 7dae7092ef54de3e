"""What a check says of each rule's first faulty script, kept beside the pages: making a page then runs nothing.

`python -m shapewright.report.docs` runs the scripts of which the report is missing or stale."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, field, replace
from pathlib import Path

from ..dataclass import dataclass
from ..rules import Rule
from .language import LANGUAGES

NAME = "train.py"


@dataclass(frozen=True)
class Report:
    """`script` marks the script that was run, `error` is what torch itself says of it, `page` the English report and
    its repair; `said` holds message, reason and help by language."""

    script: str
    error: str
    page: str
    said: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def is_remark(self) -> bool:
        """Whether it is advice that is no fault."""
        return "  remark\n" in self.page


def kept(folder: Path, rule: Rule) -> Report | None:
    """The report that is kept for a rule, whatever its age; `None` where there is none."""
    path = folder / f"{rule.code}.json"
    return Report(**json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


def is_stale(rule: Rule, report: Report | None) -> bool:
    """Whether the script or the rule's texts changed since the report was made."""
    if report is None or report.script != mark(rule):
        return True
    return any(
        not any(re.fullmatch(_pattern(text), said[part], re.S) for text in rule.messages[lang].values())
        for lang, said in report.said.items()
        for part in ("message", "why")
    )


def mark(rule: Rule) -> str:
    """A mark of the rule's first faulty script."""
    return hashlib.sha256(first_script(rule).encode()).hexdigest()[:12]


def first_script(rule: Rule) -> str:
    """The rule's first faulty script as it is shown and run."""
    first = next(iter(rule.faulty), "")
    return str(first[0] if isinstance(first, (tuple, list)) else first).strip() + "\n"


def make(folder: Path, rules: Iterable[Rule]) -> list[str]:
    """Run the scripts of those `rules` of which the report is stale, and keep what is said. Returns the codes of those
    whose script the rule did not speak of."""
    from ..run.process.supervisor import Resident

    folder.mkdir(parents=True, exist_ok=True)
    due = [rule for rule in rules if is_stale(rule, kept(folder, rule))]
    silent = []
    with Resident() as resident:
        for rule in due:
            report = _made(rule, resident)
            if report is None:
                silent.append(rule.code)
            else:
                text = json.dumps(asdict(report), ensure_ascii=False, indent=1) + "\n"
                (folder / f"{rule.code}.json").write_text(text, encoding="utf-8")
    return silent


def _made(rule: Rule, resident: object) -> Report | None:
    from ..checking import examine
    from ..diagnosis import diagnose
    from ..repair.titles import title
    from ..settings import Settings
    from . import terminal

    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path(NAME).write_text(first_script(rule), encoding="utf-8")
            trace, diagnosis = examine(NAME, resident=resident, repair=True, lang="en", timeout=240, opinions=True)
        finally:
            os.chdir(before)
    if rule.code not in {*(one.code for one in diagnosis.findings), *(one.code for one in diagnosis.remarks)}:
        diagnosis = diagnose(trace, Settings(lang="en", opinions=True), [rule])  # an earlier rule spoke of it instead
    finding = next((one for one in diagnosis.findings if one.code == rule.code), None)
    remark = next((one for one in diagnosis.remarks if one.code == rule.code), None)
    if finding is None and remark is None:
        return None
    shown = replace(
        diagnosis,
        findings=(finding,) if finding else (),
        remarks=(remark,) if remark and not finding else (),
        assumptions=(),
    )
    page = terminal.render([shown], width=100, remarks=True).rpartition("\n\n")[0]
    parts = finding.fixes[0].parts if finding and finding.fixes else ()
    said: dict[str, dict[str, str]] = {}
    for lang in LANGUAGES:
        again = diagnose(trace, Settings(lang=lang, opinions=True), [rule])
        told = [(one.code, one.message, one.why) for one in again.findings]
        told += [(one.code, one.message, one.why) for one in again.remarks]
        for code, message, why in told:
            if code == rule.code and lang not in said:
                said[lang] = {"message": message, "why": why, "help": title(parts, lang)}
    failure = trace.failure
    error = "\n".join(f"{failure.kind}: {failure.message}".splitlines()[:6]) if failure and rule.group == "loud" else ""
    return Report(mark(rule), re.sub(r"/tmp/\S+/", "", error), page, said)


def _pattern(template: str) -> str:
    """A regular expression that every filled `template` matches."""
    parts = re.findall(r"([^{]*)(\{\w+[^{}]*\})?", template)
    return "".join(re.escape(text) + (".*?" if field else "") for text, field in parts)
