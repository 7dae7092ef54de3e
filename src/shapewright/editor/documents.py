"""What is known of the scripts that are open."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field, replace

from ..dataclass import dataclass
from ..diagnosis import Diagnosis, Finding
from ..graph.bound import Reading, readings
from ..trace import Trace
from .positions import moved


@dataclass
class Checked:
    """The last check of one script: its diagnosis, the texts that ran and the shapes seen, by absolute path. The trace
    itself is let go: it can be large."""

    diagnosis: Diagnosis
    texts: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, Reading] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    final: bool = True
    early: bool = False
    at_first: frozenset[str] = frozenset()  # the codes that were found before the probes were asked

    @staticmethod
    def of(trace: Trace, diagnosis: Diagnosis, arguments: tuple[str, ...], final: bool, early: bool) -> Checked:
        """What to keep of a run."""
        read = readings(trace)
        texts = {file: reading.text for file, reading in read.items()}
        return Checked(diagnosis, texts, read, arguments, final, early)

    def after(self, before: Checked | None) -> Checked:
        """This check, shown after `before`: while the probes are not asked yet, what only they told before stays on the
        lines that did not change."""
        if not self.early:
            known = before.at_first if before is not None else frozenset()
            return replace(self, at_first=known)
        codes = frozenset(finding.code for finding in self.diagnosis.findings)
        known = before.at_first | codes if before is not None else codes
        kept = (
            [self._kept(item, before) for item in before.diagnosis.findings if item.code not in known] if before else []
        )
        late = [item for item in kept if item is not None]
        diagnosis = self.diagnosis.with_findings((*self.diagnosis.findings, *late))
        return replace(self, diagnosis=diagnosis, at_first=codes)

    def _kept(self, finding: Finding, before: Checked) -> Finding | None:
        file = os.path.abspath(finding.site.file or before.diagnosis.script)
        if file not in self.texts or file not in before.texts:
            return None
        where = moved(before.texts[file], self.texts[file])
        line, end = where(finding.site.line), where(max(finding.site.end_line, finding.site.line))
        if line is None or end is None:
            return None
        return replace(finding, site=replace(finding.site, line=line, end_line=end), fixes=())
