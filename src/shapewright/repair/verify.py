"""Runs an edited script at the full batch with its ragged end, and at batch one, and says whether the fault is gone and
nothing new is there.

Most candidates are refuted by a *brief* run: loops cut after one iteration and the last one, no probes. It is asked
only about faults that it shows in the unedited script, and it never makes a candidate good: what it cannot refute is
run again at the usual length, with probes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import math
import os
from collections import Counter
from collections.abc import Iterator

from ..dataclass import dataclass
from ..diagnosis.judge import diagnose
from ..diagnosis.model import Diagnosis, Finding
from ..run.ending import uncut
from ..run.ending.ranks import compared
from ..run.engines import settle
from ..run.process.parking import UNRESUMABLE
from ..run.process.request import RunRequest
from ..run.process.strain import strain
from ..run.process.supervisor import Resident
from ..settings import Settings
from ..trace import Trace
from ..trace.said import Refusal
from .batch_sizes import given_sizes
from .candidate import Candidate
from .effort import OWN, Effort, begins_briefly, cost, done, foreseen
from .invariants import Broken
from .patch import edited
from .progress import failing_line, is_around, is_below, is_edited, progress
from .resuming import OUTSET, Parked, chosen, parting

BRIEF = {"brief": True, "probe": False}
PROBED = {"brief": True, "probe": True}
ALONE = {"brief": True, "probe": False}  # of the run at batch one only its end is read
WHOLE = 5.0  # seconds that a run with whole loops may take
SEEN = 16  # candidates of which it is decided where a run is made to wait
FEWEST, FEW, SLIGHT = 3, 8, 0.3  # candidates, and units of work, of which brief runs beforehand spare nothing
# After these, a size may have to follow.
PREPARING = frozenset({"per-sample", "move-first", "permute", "batch-first", "conv-turned", "last-real"})


@dataclass
class Verdict:
    """What the runs of one candidate showed. `state` is `clean`, `further` (the fault is gone, another one came later),
    `moved` (an edit of axes brought another fault forward, as a size that was fitted to the wrong axes), `same` or
    `worse`; `brief` tells that the run was; `chain` are the edits in the order in which they were found, `asked` the
    run and the finding that each answers, `texts` what they come to; `broken` is the invariant that a survivor
    breaks, `screened` its brief run."""

    candidate: Candidate
    state: str
    trace: Trace
    settings: Settings
    sizes: tuple[int, ...] = ()
    brief: bool = False
    failed_at: int = 0
    texts: dict[str, str] | None = None
    chain: tuple[Candidate, ...] = ()
    asked: tuple[tuple[Trace, Finding], ...] = ()
    broken: Broken | None = None
    screened: Trace | None = None

    @property
    def is_progress(self) -> bool:
        """Whether the fault is gone though another one is there."""
        return self.state in ("further", "moved")

    @property
    def is_doubtful(self) -> bool:
        """Whether the fault is gone, and what came later, or is missed by rules of the training loop alone, may come of
        a loop that was cut and is soon run whole."""
        if self.state != "further" or uncut.surely_longer(self.trace, WHOLE):
            return False
        missed = self.trace.failure is None and all(one.code.startswith("SW3") for one in self.diagnosis.findings)
        return uncut.doubtful(self.trace) or (missed and uncut.cut(self.trace))

    @property
    def stopped(self) -> bool:
        """Whether the run ended in a failure of the script's."""
        return self.trace.failure is not None and self.trace.outcome.state == "stopped"

    @functools.cached_property
    def diagnosis(self) -> Diagnosis:
        """What is found in the run; asked of few that failed."""
        return diagnose(self.trace, self.settings)


class Verifier:
    """Verifies candidates against one diagnosed run.

    Args:
        resident: a running `Resident`.
        request: the request of the diagnosed run.
        trace, diagnosis: what that run showed.
        settings: those of the check.
        known: the verdict on that run, where it was one of a candidate.
    """

    def __init__(
        self,
        resident: Resident,
        request: RunRequest,
        trace: Trace,
        diagnosis: Diagnosis,
        settings: Settings,
        known: Verdict | None = None,
    ) -> None:
        self.resident, self.request, self.trace = resident, request, trace
        self.diagnosis, self.settings = diagnosis, settings
        self.effort = Effort(math.inf)  # what its runs draw on
        self.alone: Trace | None = None
        self.parked: Parked | None = None
        self.resumed: dict[int, float] = {}  # by the ticket of a run that goes on, the work that it does not do again
        self.beside: tuple[tuple, int] | None = None  # the run at batch one that is under way, and whose it is
        self._short: dict[bool, tuple[Trace, Diagnosis]] = {}  # brief runs of the unedited script, by `probe`
        if (known is not None and known.brief) or begins_briefly(trace):
            self._short[False] = (trace, diagnosis)
        self._manners: dict[tuple, dict[str, bool]] = {}

    def screening(self, finding: Finding, count: int = 0) -> dict[str, bool]:
        """How candidates for a finding are screened: the shortest manner of run in which the unedited script shows the
        finding; nothing where only a run of the usual length does, or where that one is as soon done. `count` tells how
        many candidates there are, where it is known."""
        if self.request.whole or self.request.batch_size or self.trace.engine == "dry":
            return {}
        loud = finding.is_loud
        if 0 < count <= FEWEST * (not loud) or (count and foreseen(self.trace) < SLIGHT and (loud or count <= FEW)):
            self._manners.setdefault(marked(finding), {})
        if marked(finding) not in self._manners:
            manners = [BRIEF] if loud else [BRIEF, PROBED]
            missing = {
                manner["probe"]: self.resident.submit(dataclasses.replace(self.request, show_output=False, **manner))
                for manner in manners
                if manner["probe"] not in self._short
            }
            for probes, ticket in missing.items():
                trace = self._result(ticket)
                self._short[probes] = (trace, diagnose(trace, self.settings))
            self._manners[marked(finding)] = next(
                (manner for manner in manners if self._shows(finding, *self._short[manner["probe"]])), {}
            )
        return self._manners[marked(finding)]

    def _shows(self, finding: Finding, trace: Trace, diagnosis: Diagnosis) -> bool:
        """Whether a run of the unedited script shows the finding as often as the diagnosed run did."""
        was, now = self.trace.failure, trace.failure
        if was is not None and (now is None or now.message != was.message):
            return False
        if was is not None and finding.is_loud:
            return True
        return _marks(diagnosis)[marked(finding)] >= _marks(self.diagnosis)[marked(finding)]

    def park(self, found: list[Candidate], manner: dict[str, bool]) -> None:
        """Have one run of the unedited script wait where the runs of candidates part, so that each goes on from there,
        and does not do again what came before. Where no loop was cut until then, it is one of the usual length with
        probes, from which brief runs go on as well."""
        if self.parked is not None or self.request.whole or self.trace.engine == "dry":
            return
        if (part := parting(self.trace)) is None:
            return
        places = chosen([part.point(candidate) for candidate in found[:SEEN]], part, done(self.trace))
        if not places:
            return
        spared = tuple(OUTSET + done(self.trace) * part.above(place) for place in places)
        shared = all(map(part.precedes_cuts, places))
        kept = {} if shared else manner
        lines = tuple(place[-1] for place in places)
        waits = dataclasses.replace(self.request, show_output=False, park=lines, **kept)
        ticket = self.resident.submit(dataclasses.replace(waits, versions=tuple(self._texts(found))))
        self.effort.spend(OWN + spared[-1])
        if self.resident.result(ticket).outcome.reason == "parked":
            self.parked = Parked(ticket, part, places, spared, kept, shared)

    def _texts(self, found: list[Candidate]) -> Iterator[str]:
        """The script as the first candidates edit it, where they edit no other file."""
        for candidate in found[:SEEN]:
            with contextlib.suppress(ValueError):  # edits that overlap
                texts = edited(self.trace.sources, candidate.edits)
                if set(texts) == {self.trace.script}:
                    yield texts[self.trace.script]

    def begin_alone(self, candidate: Candidate) -> None:
        """Begin the run at batch one of a candidate that will hardly be refuted beside its full one."""
        if self.trace.data.batch_sizes and self.beside is None:
            self.beside = candidate.key, self.submitted(candidate, ALONE, 1)

    def leave_alone(self) -> None:
        """End the run at batch one that is no longer asked for."""
        if self.beside is not None:
            self.resident.cancel(self.beside[1])
            self.beside = None

    def release(self) -> None:
        """End the run that waits."""
        if self.parked is not None:
            self.resident.cancel(self.parked.ticket)
            self.parked = None

    def submitted(self, candidate: Candidate, manner: dict[str, bool], batch_size: int | None = None) -> int:
        """The ticket of a candidate's run, from where it parts from the unedited script where that can be.

        Raises:
            ValueError: edits overlap.
        """
        request, waits = self.request_for(candidate, batch_size, **manner), self.parked
        number = waits.number(candidate, manner, batch_size) if waits is not None and not request.whole else -1
        if number < 0:
            return self.resident.submit(request)
        ticket = self.resident.submit(request, (waits.ticket, number))
        self.resumed[ticket] = waits.spared[number]
        return ticket

    def ran(self, candidate: Candidate, ticket: int, manner: dict[str, bool], batch_size: int | None = None) -> Trace:
        """The trace of a submitted run; one that could not go on from where the waiting run stands is run from the
        start, one of the usual length that outgrew its budget as a check would run it."""
        trace, request = self._result(ticket), self.request_for(candidate, batch_size, **manner)
        trace = self.run(request) if trace.outcome.reason == UNRESUMABLE else trace
        first = [trace]
        if manner:
            return trace
        return self._compared(request, settle(request, lambda asked: first.pop() if first else self.run(asked)))

    def ask_whole(self) -> RunRequest:
        """From now on loops run whole: what a cut leaves out may be what the script counts on. The request before."""
        before, limit = self.request, min(self.request.timeout, WHOLE)
        self.request = dataclasses.replace(before, whole=True, timeout=limit)
        return before

    def _compared(self, request: RunRequest, trace: Trace) -> Trace:
        """The trace with what ranks do differently, where the unedited script's tells that."""
        told = self.trace.data.ranks
        return compared(request, trace, self) if told is not None and told.grouped else trace

    def run(self, request: RunRequest) -> Trace:
        """One run, on the account of the search."""
        trace = self.resident.run(request)
        self.effort.spend(cost(trace))
        return trace

    def pair(self, request: RunRequest) -> tuple[Trace, Trace]:
        """The runs of two ranks, on the account of the search."""
        both = self.resident.pair(request)
        self.effort.spend(sum(map(cost, both)))
        return both

    def _result(self, ticket: int) -> Trace:
        trace = self.resident.result(ticket)
        spared = self.resumed.pop(ticket, 0.0)
        least = OWN - OUTSET if spared else OWN
        self.effort.spend(least if trace.outcome.reason == UNRESUMABLE else max(cost(trace) - spared, least))
        return trace

    def request_for(self, candidate: Candidate, batch_size: int | None = None, **manner: bool) -> RunRequest:
        """The request that runs the edited script, in a manner of `screening`.

        Raises:
            ValueError: edits overlap.
        """
        texts = edited(self.trace.sources, candidate.edits)
        sources = {
            **self.request.sources,
            **{os.path.abspath(os.path.join(self.request.cwd or ".", file)): text for file, text in texts.items()},
        }
        patient = dataclasses.replace(
            self.request, timeout=self.request.timeout * strain()
        )  # a limit of work, not time
        return dataclasses.replace(patient, sources=sources, batch_size=batch_size, show_output=False, **manner)

    def judged(self, candidate: Candidate, finding: Finding, trace: Trace, brief: bool = False) -> Verdict:
        """The verdict of the run at the script's own batch size; `brief` where it was run in a manner of
        `screening`."""
        verdict = Verdict(candidate, "", trace, self.settings, brief=brief)
        verdict.state = self._state(verdict, finding)
        verdict.sizes = tuple(sorted(size for size in trace.data.batch_sizes if isinstance(size, int)))
        if not verdict.sizes and verdict.state == "clean" and not brief:
            verdict.sizes = given_sizes(trace)
        return verdict

    def confirmed(self, verdict: Verdict, finding: Finding) -> Verdict:
        """The verdict on what a brief run did not refute: a run of the usual length with probes, and one at batch one,
        side by side."""
        candidate = verdict.candidate
        alone = self.submitted(candidate, ALONE, 1) if verdict.trace.data.batch_sizes else None
        full = self.judged(candidate, finding, self.ran(candidate, self.submitted(candidate, {}), {}))
        if alone is None:
            return self.one(full) if full.state == "clean" else full
        if full.state != "clean":
            self.resident.cancel(alone)
            return full
        return self.one(full, self.ran(candidate, alone, ALONE, 1))

    def one(self, verdict: Verdict, trace: Trace | None = None) -> Verdict:
        """Run a survivor at batch one, where a DataLoader decides the size."""
        if not verdict.trace.data.batch_sizes:
            return verdict  # no DataLoader decides the size: what ran is what there is
        if trace is None and self.beside is not None and self.beside[0] == verdict.candidate.key:
            trace, self.beside = self.ran(verdict.candidate, self.beside[1], ALONE, 1), None
        alone = {} if self.request.whole else ALONE
        trace = trace or self.ran(verdict.candidate, self.submitted(verdict.candidate, alone, 1), ALONE, 1)
        loud = trace.failure is not None and trace.outcome.state == "stopped"
        if loud and Refusal.ONE_VALUE in trace.failure.said:
            return verdict  # normalisation needs two samples, whatever the edit
        if loud and not self._fails_alone(trace):
            verdict.state, verdict.failed_at, verdict.diagnosis = "worse", 1, diagnose(trace, self.settings)
            return verdict
        verdict.sizes = tuple(sorted({1, *verdict.sizes})) if not loud else verdict.sizes
        return verdict

    def fails_alike(self, verdict: Verdict) -> bool:
        """Whether a call of the same operator fails as in the unedited script, elsewhere."""
        return _refused(verdict.trace) == _refused(self.trace) != ""

    def _next_alike(self, trace: Trace) -> bool:
        """Whether another module of the same kind failed than in the unedited script, after more calls."""
        was, now = self.trace.failure, trace.failure
        before, after = self.trace.modules.get(was.module), trace.modules.get(now.module)
        return (
            before is not None
            and after is not None
            and before.path != after.path
            and len(trace.events) > len(self.trace.events)
        )

    def _done(self, trace: Trace) -> bool:
        """Whether the call that was refused was made now, and the next one of the same statement is refused."""
        was, now = self.trace.failure.event, trace.failure.event
        if was is None or now is None or was.site is None or was.op == now.op:
            return False
        lines = failing_line(self.trace)[1], failing_line(trace)[1]
        made = [
            sum(event.op == was.op and event.site is not None and event.site.line == line for event in run.events)
            for run, line in ((self.trace, was.site.line), (trace, now.site.line if now.site is not None else 0))
        ]
        return lines[0] == lines[1] and made[1] > made[0]

    def _fails_alone(self, trace: Trace) -> bool:
        """Whether the unedited script fails at batch one at the same place in the same way."""
        if self.alone is None:
            self.alone = self.run(dataclasses.replace(self.request, batch_size=1, **ALONE))
        failure = self.alone.failure
        return failure is not None and failure.message == trace.failure.message

    def _state(self, verdict: Verdict, finding: Finding) -> str:
        """Asks for the diagnosis only of a run that came to its end."""
        candidate, trace = verdict.candidate, verdict.trace
        start = self._short[self._manners[marked(finding)]["probe"]][0] if verdict.brief else self.trace
        loud = finding.is_loud
        if trace.outcome.state == "incomplete" and (loud or start.outcome.state != "incomplete"):
            if loud and self.trace.outcome.state == "stopped" and uncut.doubtful(trace):
                if progress(trace) > progress(start):
                    return "further"  # what comes later may count on loops that were cut
            again = trace.outcome.fields.get("message") == start.outcome.fields.get("message")
            return "same" if again and start.outcome.state == "incomplete" else "worse"
        failure = trace.failure
        if failure is not None and trace.outcome.state == "stopped":
            was = self.trace.failure
            if was is None:
                return "worse"
            again = failing_line(trace) == failing_line(self.trace) or is_edited(candidate, trace)
            if failure.message == was.message and again and not self._next_alike(trace) and not self._done(trace):
                return "same"
            if progress(trace) > progress(start) or is_below(failure.site, was.site, candidate):
                return "further"
            return "moved" if candidate.title in PREPARING and candidate.rank <= 16 else "same"
        before, now = _marks(self.diagnosis), _marks(verdict.diagnosis)
        if not loud and now[marked(finding)] >= before[marked(finding)]:
            return "further" if is_around(finding, verdict.diagnosis, candidate) else "same"
        if not now - before:
            return "clean"
        return (
            "further"
            if loud and self.trace.outcome.state == "stopped" and trace.outcome.state == "complete"
            else "worse"
        )


def _refused(trace: Trace) -> str:
    """The operator that failed, or the kind of the module that refused its input."""
    failure = trace.failure
    if failure is None or failure.event is not None:
        return failure.event.op if failure is not None else ""
    return trace.modules[failure.module].kind if failure.module in trace.modules else ""


def marked(finding: Finding) -> tuple:
    """What makes two findings one, wherever an edit moved the lines: the rule's group and the function."""
    return (finding.code[:3], finding.site.function)


def _marks(diagnosis: Diagnosis) -> Counter:
    return Counter(marked(finding) for finding in diagnosis.findings)
