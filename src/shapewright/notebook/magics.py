"""The magics: `%%shapewright` rehearses a cell after those that ran before it, in the sandbox and with loops cut, then
runs it in the notebook; `%shapewright notebook` checks the cells that ran, or a notebook file."""

from __future__ import annotations

import atexit
import dataclasses
import os
import shlex
import traceback
from collections.abc import Sequence
from typing import Any

from IPython.core.magic import Magics, line_magic, magics_class
from IPython.core.magic import cell_magic as cell
from IPython.display import display

from ..checking import found_in, with_repairs
from ..diagnosis import Diagnosis
from ..explain.answer import explain
from ..explain.page import render
from ..report.language import language
from ..report.phrases import phrase
from ..run.process.supervisor import Resident
from ..run.script.notebook import plain_lines
from .shown import Shown

NAME = "notebook.py"


@magics_class
class ShapewrightMagics(Magics):
    """One warm resident process for the kernel's life."""

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self._resident: Resident | None = None

    @line_magic
    def shapewright(self, line: str) -> None:
        """Check the cells that ran, or a file."""
        words = shlex.split(line)
        if not words or words[0] in ("-h", "--help", "help"):
            print(phrase("notebook_help", language()))
        elif words == ["notebook"]:
            display(Shown(self._checked(self._ran())))
        else:
            self._tell(words)

    @cell("shapewright")
    def shapewright_cell(self, line: str, cell: str) -> None:
        """Rehearse a cell, then run it in the notebook's own state; what it raises is explained."""
        number = len(self.shell.history_manager.input_hist_raw) - 1
        diagnosis = self._checked([*self._ran(), (number, f"# %%shapewright {line}\n{cell}")])
        here = [finding for finding in diagnosis.findings if _in_last(finding.site.line, diagnosis)]
        if here:
            display(Shown(diagnosis.with_findings(tuple(here))))
            if "--run" not in line.split():
                return
        result = self.shell.run_cell(cell, store_history=False)
        error = result.error_in_exec
        if error is not None:
            text = "".join(traceback.format_exception(error))
            explanation = explain(text, language())
            if explanation.known:
                print(render(explanation, width=100, color=False))

    def _tell(self, words: Sequence[str]) -> None:
        found = found_in(words[0], tuple(words[1:]), resident=self._warm(), cwd=os.getcwd())
        display(Shown(with_repairs(found, self._warm())))

    def _ran(self) -> list[tuple[int, str]]:
        """The cells that ran, by the numbers that stand beside them, this one left out."""
        entered = list(enumerate(self.shell.history_manager.input_hist_raw))
        return [(number, text) for number, text in entered[1:-1] if text.strip()]

    def _checked(self, cells: Sequence[tuple[int, str]]) -> Diagnosis:
        """The diagnosis of some cells as one script, its lines counted in cells."""
        lines: list[str] = []
        starts = []
        for number, text in cells:
            starts.append((number, len(lines) + 1))
            lines += [*plain_lines(text), ""]
        found = found_in(NAME, resident=self._warm(), texts={os.path.abspath(NAME): "\n".join(lines) + "\n"})
        diagnosis = with_repairs(found, self._warm()) if found.diagnosis.findings else found.diagnosis
        return dataclasses.replace(diagnosis, cells=tuple(starts))

    def _warm(self) -> Resident:
        if self._resident is None or not self._resident.alive:
            if self._resident is not None:
                self._resident.close()
            self._resident = Resident()
            atexit.register(self._resident.close)
        return self._resident


def _in_last(line: int, diagnosis: Diagnosis) -> bool:
    """Whether a line is in the last cell."""
    return not diagnosis.cells or line >= diagnosis.cells[-1][1]


def load(shell: Any) -> None:
    """Register the magics with a shell."""
    shell.register_magics(ShapewrightMagics(shell))
