"""Runs an edited script at the full batch with its ragged end, and at batch one, and says whether the fault is gone and nothing new is there."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from dataclasses import dataclass
from typing import Any

from ..diagnosis.judge import diagnose
from ..diagnosis.model import Diagnosis, Finding
from ..rules.flow import tensors
from ..run.request import RunRequest
from ..settings import Settings
from ..trace import Trace
from .candidate import Candidate
from .patch import edited

TRAINING_NORM = "Expected more than 1 value per channel"
PREPARING = frozenset({"per-sample", "move-first", "permute", "batch-first", "conv-turned", "last-real"})  # after these, a size may have to follow


@dataclass
class Verdict:
    """What the runs of one candidate showed. `state` is `clean`, `further` (the fault is gone, another one came later), `moved` (an edit of
    axes brought another fault forward, as a size that was fitted to the wrong axes), `same` or `worse`; `reason` tells of the first bad run: `(batch size or 0, diagnosis)`."""

    candidate: Candidate
    state: str
    sizes: tuple[int, ...] = ()
    diagnosis: Diagnosis | None = None
    trace: Trace | None = None
    failed_at: int = 0
    texts: dict[str, str] | None = None


class Verifier:
    """Verifies candidates against one diagnosed run.

    Args:
        resident: a running `Resident`.
        request: the request of the diagnosed run.
        trace, diagnosis: what that run showed.
        settings: those of the check.
    """

    def __init__(self, resident: Any, request: RunRequest, trace: Trace, diagnosis: Diagnosis, settings: Settings) -> None:
        self.resident, self.request, self.trace, self.diagnosis, self.settings = resident, request, trace, diagnosis, settings
        self.alone: tuple[Trace, Diagnosis] | None = None

    def request_for(self, candidate: Candidate, batch_size: int | None = None) -> RunRequest:
        """The request that runs the edited script."""
        texts = edited(self.trace.sources, candidate.edits)
        sources = {**self.request.sources, **{os.path.abspath(os.path.join(self.request.cwd or ".", file)): text for file, text in texts.items()}}
        return dataclasses.replace(self.request, sources=sources, batch_size=batch_size, show_output=False)

    def judged(self, candidate: Candidate, finding: Finding, trace: Trace) -> Verdict:
        """The verdict of the run at the script's own batch size."""
        diagnosis = diagnose(trace, self.settings)
        state = self._state(candidate, trace, diagnosis, finding)
        sizes = tuple(sorted(size for size in trace.data.get("batch_sizes", ()) if isinstance(size, int))) or _given(trace)
        return Verdict(candidate, state, sizes, diagnosis, trace)

    def one(self, verdict: Verdict) -> Verdict:
        """Run a survivor at batch one, where a DataLoader decides the size."""
        if not verdict.trace.data.get("batch_sizes"):
            return verdict  # no DataLoader decides the size: what ran is what there is
        trace = self.resident.run(self.request_for(verdict.candidate, 1))
        diagnosis = diagnose(trace, self.settings)
        loud = trace.failure is not None and trace.outcome.state == "stopped"
        if loud and TRAINING_NORM in trace.failure.message:
            return verdict  # normalisation needs two samples, whatever the edit
        if loud and not self._fails_alone(trace):
            verdict.state, verdict.failed_at, verdict.diagnosis = "worse", 1, diagnosis
            return verdict
        verdict.sizes = tuple(sorted({1, *verdict.sizes})) if not loud else verdict.sizes
        return verdict

    def _fails_alone(self, trace: Trace) -> bool:
        """Whether the unedited script fails at batch one at the same place in the same way."""
        if self.alone is None:
            own = self.resident.run(dataclasses.replace(self.request, batch_size=1, probe=False))
            self.alone = (own, diagnose(own, self.settings))
        failure = self.alone[0].failure
        return failure is not None and failure.message == trace.failure.message

    def _state(self, candidate: Candidate, trace: Trace, diagnosis: Diagnosis, finding: Finding) -> str:
        before, now = _marks(self.diagnosis), _marks(diagnosis)
        loud = finding.code.startswith("SW1")
        if diagnosis.outcome == "incomplete" and self.diagnosis.outcome != "incomplete":
            return "worse"
        failure = trace.failure
        if failure is not None and diagnosis.outcome == "stopped":
            was = self.trace.failure
            if was is None:
                return "worse"
            if failure.message == was.message:
                return "same"
            if _progress(trace) > _progress(self.trace):
                return "further"
            return "moved" if candidate.title in PREPARING and candidate.rank <= 16 else "same"
        if not loud and now[_mark(finding)] >= before[_mark(finding)]:
            return "same"
        if not now - before:
            return "clean"
        return "further" if loud and self.diagnosis.outcome == "stopped" and diagnosis.outcome == "complete" else "worse"


def _mark(finding: Finding) -> tuple:
    """What makes two findings one, wherever an edit moved the lines: the rule's group and the function."""
    return (finding.code[:3], finding.site.function)


def _marks(diagnosis: Diagnosis) -> Counter:
    return Counter(_mark(finding) for finding in diagnosis.findings)


def _given(trace: Trace) -> tuple[int, ...]:
    """Batch sizes of what the script's models were given: their inputs' first axis, or the second where a recurrent net reads time first."""
    late = any(event.op in ("lstm", "gru", "rnn_tanh", "rnn_relu") and event.args and event.args[-1] is False for event in trace.events)
    axis = 1 if late else 0
    found = {fact.shape[axis] for step in trace.steps if step.kind == "forward" for fact in [*tensors(step.data["args"])][:1] if fact.rank > axis}
    return tuple(sorted(found))[:4]


def _progress(trace: Trace) -> tuple[int, int]:
    """How far a run came: training iterations, then events."""
    return (max((step.iteration for step in trace.steps), default=0), len(trace.events))
