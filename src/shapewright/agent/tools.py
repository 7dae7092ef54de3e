"""The tools themselves: check, fix, walk, explain, rule. They see only what lies under the folders that they were
given, and nothing is written but by `fix` when it is told to write."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence

from ..checking import examine
from ..explain.answer import explain
from ..explain.page import render
from ..graph.bound import readings
from ..repair.all import read_text, repair_rounds
from ..repair.patch import Changed, diff, write
from ..repair.search import Budget
from ..report.catalogue import rule_page
from ..report.language import language
from ..report.terminal import as_text
from ..rules import find_rule
from ..run.process.supervisor import Resident
from .answers import CheckAnswer, FixAnswer, TextAnswer, WalkAnswer, WalkLine, check_answer, cut

LINES = 120  # of one page of a walk
WIDTH = 100


class Outside(ValueError):
    """A path that lies under none of the folders."""


class Tools:
    """The tools with one warm resident process.

    Args:
        folders: what may be seen.
        lang: the language of the answers.
    """

    def __init__(self, folders: Sequence[str], lang: str = "") -> None:
        self.folders = [os.path.realpath(folder) for folder in folders]
        self.lang = language(lang)
        self._resident = Resident()
        self._alone = threading.Lock()  # the resident answers one at a time

    def close(self) -> None:
        """End the resident process."""
        self._resident.close()

    def check(self, script: str, args: Sequence[str] = (), repair: bool = True, timeout: float = 60.0) -> CheckAnswer:
        """As the tool `check`."""
        path = self.inside(script)
        with self._alone:
            _, diagnosis = examine(
                path, tuple(args), resident=self._warm(), repair=repair, timeout=timeout, lang=self.lang
            )
        return check_answer(diagnosis)

    def fix(self, script: str, args: Sequence[str] = (), save: bool = False, unsafe: bool = False) -> FixAnswer:
        """As the tool `fix`."""
        path = self.inside(script)
        with self._alone:
            resident = self._warm()
            trace, diagnosis = examine(path, tuple(args), resident=resident, repair=False, lang=self.lang)
            if not diagnosis.findings or path.endswith(".ipynb"):
                note = diagnosis.reason if diagnosis.outcome != "complete" else ""
                return FixAnswer(path, "", [], [], len(diagnosis.findings), note)
            texts, done, left = repair_rounds(
                path,
                resident,
                tuple(args),
                unsafe=unsafe,
                budget=Budget(60, 60.0),
                begun=(trace, diagnosis),
                lang=self.lang,
            )
        before = {file: trace.sources.get(file) or read_text(file) for file in texts}
        told = [f"{finding.code}: {finding.fixes[0].title}" for finding in done if finding.fixes]
        answer = FixAnswer(path, cut(diff(before, texts)), told, [], left, "")
        if save and texts:
            for file in texts:
                self.inside(file)
            try:
                write({file: (before[file], text) for file, text in texts.items()})
                answer.written = sorted(texts)
            except Changed as refused:
                answer.note = str(refused)
        return answer

    def walk(self, script: str, args: Sequence[str] = (), file: str = "", start: int = 1) -> WalkAnswer:
        """As the tool `walk`."""
        path = self.inside(script)
        with self._alone:
            trace, diagnosis = examine(path, tuple(args), resident=self._warm(), repair=False, lang=self.lang)
        read = {name: reading for name, reading in readings(trace).items() if self._allowed(name)}
        wanted = self.inside(file) if file else os.path.abspath(path)
        reading = read.get(wanted)
        by_line: dict[int, list[str]] = {}
        for bound in reading.bound if reading else ():
            by_line.setdefault(bound.line, []).append(f"{bound.name} {bound.text}")
        source = reading.text.splitlines() if reading else []
        numbers = [number for number in sorted(by_line) if start <= number <= len(source)]
        lines = [WalkLine(n, source[n - 1].strip(), " · ".join(by_line[n])) for n in numbers[:LINES]]
        rest = numbers[LINES] if len(numbers) > LINES else 0
        return WalkAnswer(wanted, sorted(read), lines, rest, diagnosis.outcome)

    def explain(self, text: str) -> TextAnswer:
        """As the tool `explain`."""
        explanation = explain(text, self.lang)
        return TextAnswer(explanation.known, cut(render(explanation, width=WIDTH, color=False)))

    def rule(self, code: str) -> TextAnswer:
        """As the tool `rule`."""
        found = find_rule(code)
        if found is None:
            return TextAnswer(False, "")
        return TextAnswer(True, cut(as_text(list(rule_page(found, self.lang, WIDTH)), False)))

    def inside(self, path: str) -> str:
        """The real path of a file under one of the folders; a relative path is one below the first of them.

        Raises:
            Outside: it lies elsewhere, links included.
        """
        whole = os.path.realpath(os.path.join(self.folders[0], path))
        if not self._allowed(whole):
            raise Outside(f"{path} is outside the folders that this server was started with: {', '.join(self.folders)}")
        return whole

    def _allowed(self, path: str) -> bool:
        whole = os.path.realpath(path)
        return any(whole == folder or whole.startswith(folder.rstrip(os.sep) + os.sep) for folder in self.folders)

    def _warm(self) -> Resident:
        if not self._resident.alive:
            self._resident.close()
            self._resident = Resident()
        return self._resident
