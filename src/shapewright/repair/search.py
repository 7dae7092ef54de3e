"""Searches for a repair: candidates in order of promise, each run; a survivor of all batch sizes wins; what only gets
further is built upon."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Iterable, Iterator

from ..dataclass import dataclass
from ..diagnosis.model import Finding, Fix, Rejected
from ..trace import Trace
from . import survivors
from .candidate import Candidate, Case
from .effort import Effort, begins_briefly
from .invariants import Broken, broken, doubts, sizes
from .invariants.change import Change
from .patch import between, diff, edited
from .progress import found_again
from .remedies import candidates
from .survivors import against, behave_alike, leave_out
from .titles import reason, title
from .verify import BRIEF, Verdict, Verifier
from .widened import everywhere, kindred

THIN = ("wrap", "wrap-both", "take-axis-both", "squeeze-axis", "drop", "like")
LINGER = 2.0  # units of work that a search goes on for a safe repair after an unsafe one
AHEAD, FIRST = 2, 2  # runs under way at a time, and candidates that are run alone
CAUSE = 9  # the last rank of an edit at the cause itself
UNSURE, SURE, FEW = 6, 2, 3  # run again at the usual length (an error seldom comes of brevity), and with whole loops


@dataclass(frozen=True)
class Budget:
    """How long to look: candidates a finding, units of work a finding, edits in a row."""

    candidates: int = 24
    work: float = 12.0
    depth: int = 3


class Search:
    """The search for one finding's repair.

    Args:
        verifier: runs the candidates.
        budget: how many candidates, how many edits in a row.
        effort: what the runs may cost.
        origin: the search that this one builds upon, with the edits made `earlier` and what they answered.
    """

    def __init__(
        self,
        verifier: Verifier,
        budget: Budget,
        effort: Effort,
        origin: Search | None = None,
        earlier: tuple[Candidate, ...] = (),
        answered: tuple[tuple[Trace, Finding], ...] = (),
    ) -> None:
        self.verifier, self.resident, self.trace, self.settings, self.budget = (
            verifier,
            verifier.resident,
            verifier.trace,
            verifier.settings,
            budget,
        )
        self.lang = self.settings.lang or "en"
        self.effort = verifier.effort = effort
        self.origin, self.earlier, self.answered = origin or self, earlier, answered
        self.finding: Finding | None = None
        self.tried = 0
        self.under_way: deque[tuple[Candidate, int]] = deque()
        self.refuted: set[tuple] = set()
        self.winner: Verdict | None = None
        self.unsafe: list[Verdict] = []

    def fixes(self, finding: Finding, losers: bool = True) -> tuple[Fix, ...]:
        """The winner, with the losers that a person would try named where they are wanted; nothing where no candidate
        survives. A safe one wins over any unsafe one."""
        case = Case(self.trace, finding)
        self.finding = finding
        found = candidates(case)
        tempting = [c for c in found if c.tempting][:3]
        plain = [c for c in found if not c.tempting]
        if not finding.is_loud:  # a silent fault shows wherever it is written: one edit leaves the others
            plain = [wide for candidate in plain for wide in (candidate, *everywhere(case, [candidate]))]
        self.verifier.screening(finding, len(plain))
        winner, further = self._first_clean(finding, plain, case)
        if winner is None and further and not self._manner(finding):
            winner, wider = self._surviving(finding, everywhere(case, _in_order(further)), {})
            further = [*wider, *further]
        if winner is None and not self.unsafe:
            winner = self._with_whole_loops(finding, further) or self._build_upon(finding, further, 1)
        if winner is not None and not winner.broken:
            winner = self._determined(case, winner, plain)
        winner = winner or self._likeliest() or self._revealing(finding, further)
        if winner is None:
            return ()
        self.winner = winner
        chain = winner.chain
        edits = chain[0].edits if len(chain) == 1 else between(self.trace.sources, winner.texts)
        parts = tuple(candidate.part for candidate in chain)
        name = title(parts, self.lang)
        rejected = [self._aside(verdict) for verdict in self.unsafe if verdict is not winner and losers]
        rejected = [other for other in rejected if other.title != name][:1]
        if not rejected and losers and any(c.title in THIN for c in chain):
            rejected = list(self._rejected(finding, tempting))
        doubt = winner.broken.text(self.lang) if winner.broken else ""
        shown = diff(self.trace.sources, winner.texts)
        kind = "unsafe" if doubt else "safe"
        return (Fix(name, kind, winner.sizes, edits, shown, tuple(rejected), doubt, parts),)

    def _with_whole_loops(self, finding: Finding, further: list[Verdict]) -> Verdict | None:
        """Of the edits after which only what a cut loop left out may be missing, the first that survives whole runs."""
        doubtful = [verdict for verdict in further if verdict.is_doubtful and not self.verifier.fails_alike(verdict)]
        if not doubtful or self.unsafe or self.earlier:
            return None
        request = self.verifier.ask_whole()
        self.effort = self.verifier.effort = Effort(LINGER, self.effort.whole)
        self.tried -= FEW
        winner = self._surviving(finding, [verdict.candidate for verdict in doubtful[:FEW]], {})[0]
        if winner is None:
            self.verifier.request = request
        return winner

    def _judged(self, verdict: Verdict, finding: Finding) -> Verdict:
        """A survivor with what it comes to, all edits together, and the invariant that it breaks."""
        sources = self.origin.trace.sources
        made = {**self.trace.sources, **edited(self.trace.sources, verdict.candidate.edits)}
        verdict.texts = {file: text for file, text in made.items() if text != sources.get(file)}
        verdict.chain = (*self.earlier, verdict.candidate)
        verdict.asked = (*self.answered, (self.trace, finding))
        verdict.broken = broken(self._change(verdict))
        return verdict

    def _change(self, verdict: Verdict) -> Change:
        origin = self.origin
        return Change(origin.trace, verdict.trace, origin.finding, verdict.texts, verdict.chain, verdict.asked)

    def _determined(self, case: Case, winner: Verdict, found: list[Candidate]) -> Verdict:
        """The winner, with a doubt where another reading of the script runs as well and comes to something else: the
        script does not say then which is meant. Where the script speaks for the other one, that one."""
        finding, last = case.finding, winner.chain[-1]
        rivals = survivors.rivals(case, self._change(winner), found)
        if not rivals:
            return winner
        self.effort = self.verifier.effort = self.effort.rest()
        own = len(winner.chain) == len(self.earlier) + 1 and not self._manner(finding)  # it can be run briefly here
        manner = self.verifier.screening(finding) if winner.screened or own else {}
        rivals = [rival for rival in rivals if self._run(rival, manner) not in self.refuted]
        self.tried -= len(rivals)
        left, queue = len(rivals), deque(rivals)
        for rival in self._screened(finding, queue, manner, confirming=False):
            if rival.state == "further" and self.verifier.fails_alike(rival):  # it is written at other places, too
                queue.extendleft(everywhere(case, [rival.candidate]))
            left = len(queue) + len(self.under_way)
            run = self._screening(winner, last, manner) if rival.state == "clean" else None
            if run is None or survivors.alike(rival.trace, run, rival.candidate, last):
                continue
            kept = self._judged(rival, finding).broken
            mends_more = len(rival.diagnosis.findings) < len(winner.diagnosis.findings)
            wider = mends_more and kept is None and survivors.contains(rival.candidate, last)
            if not survivors.open_between(case, last, rival.candidate, kept, mends_more):
                continue
            if wider or survivors.speaks(self.trace, rival.candidate, last):
                whole = self.verifier.confirmed(rival, finding) if manner else self.verifier.one(rival)
                doubt = self._judged(whole, finding).broken if whole.state == "clean" else kept
                if whole.state == "clean" and (doubt is None or doubt.kind == "guessed"):
                    winner, rival = whole, winner
                    if wider:  # a fault that was written at several places is one fault
                        last = winner.candidate
                        continue
            new, line = title([rival.candidate.part], self.lang), rival.candidate.edits[0].line
            winner.broken = Broken("either", {"new": new, "line": line})
            break
        if left and winner.broken is None:  # what was not asked is not known
            winner.broken = Broken("guessed", {"what": doubts.subject(last)})
        return winner

    def _screening(self, winner: Verdict, last: Candidate, manner: dict[str, bool]) -> Trace:
        """A winner's run in the manner in which its rivals are run."""
        if manner:
            winner.screened = winner.screened or self.verifier.ran(last, self.verifier.submitted(last, manner), manner)
        return winner.screened or winner.trace

    def _likeliest(self) -> Verdict | None:
        """The first unsafe survivor; of sizes alone the one that least of the script speaks against."""
        first, *others = self.unsafe or [None]
        if first is None or first.candidate.title not in sizes.KINDS:
            return first
        alike = [first, *(verdict for verdict in others if verdict.candidate.title in sizes.KINDS)]
        return min(alike, key=against)

    def _revealing(self, finding: Finding, further: list[Verdict]) -> Verdict | None:
        """The first edit with which a script that stopped runs to its end, though something else is found there."""
        for verdict in further if finding.is_loud else ():
            found = verdict.diagnosis.findings
            if verdict.trace.outcome.state == "complete" and found and not found_again(finding, verdict.diagnosis):
                if self._judged(verdict, finding).broken is None:
                    verdict.broken = Broken("reveals", {"code": found[0].code, "line": found[0].site.line})
                return verdict
        return None

    def _aside(self, verdict: Verdict) -> Rejected:
        """An unsafe survivor as the page names it beside a safe one."""
        name = title((candidate.part for candidate in verdict.chain), self.lang)
        return Rejected(name, verdict.broken.text(self.lang))

    def _first_clean(
        self, finding: Finding, found: Iterable[Candidate], case: Case | None = None
    ) -> tuple[Verdict | None, list[Verdict]]:
        """Screen candidates in order until one that a brief run does not refute survives everywhere. Those whose brief
        run showed another fault than the one to repair are widened, where `case` is given, to every place where the
        same expression stands. Where nothing survives, those are asked again at the usual length of which the brief run
        may have shown what comes of its brevity; the others are not asked twice."""
        manner = self._manner(finding)
        winner, others = self._surviving(finding, found, manner, case)
        if winner is not None or not manner:
            return winner, others if not manner else []
        if case is not None:
            winner, wider = self._surviving(finding, everywhere(case, _in_order(others)), manner, case)
            if winner is not None:
                return winner, []
            others = [*wider, *others]
        settled = [verdict for verdict in others if verdict.stopped and verdict.state != "worse"]
        doubtful = sorted((one for one in others if one not in settled), key=lambda one: not one.is_progress)
        again = [verdict.candidate for verdict in doubtful][: SURE if finding.is_loud else UNSURE]
        self.tried -= len(again)  # no new ones
        winner, others = self._surviving(finding, again, {})
        return winner, [*others, *settled]

    def _surviving(
        self, finding: Finding, found: Iterable[Candidate], manner: dict[str, bool], case: Case | None = None
    ) -> tuple[Verdict | None, list[Verdict]]:
        """The first candidate that survives, and those before it that showed another fault: after brief runs all of
        them, else those that got further. One after which the same call fails elsewhere is widened at once, where
        `case` is given: a fault that was written several times is one fault."""
        others: list[Verdict] = []
        queue = deque(found)
        for verdict in self._screened(finding, queue, manner):
            brief = bool(manner)
            if verdict.state != "clean":
                self.refuted.add(self._run(verdict.candidate, manner))
                if verdict.state == "same" and verdict.stopped:  # a longer run stops there, too, and a brief one
                    self.refuted |= {self._run(verdict.candidate, how) for how in ({}, BRIEF)}
            elif (manner or finding.is_loud) and self._no_better(verdict, finding):
                leave_out(queue, verdict.candidate)
                continue
            else:
                screened, brief = verdict.trace if manner else None, False
                verdict = self.verifier.confirmed(verdict, finding) if manner else self.verifier.one(verdict)
                verdict.screened = screened
                if verdict.state == "clean":
                    if self._judged(verdict, finding).broken is None:
                        return verdict, others
                    self.origin.unsafe.append(verdict)
                    self.effort.lingering(LINGER)
                    continue
            if verdict.state == "further" and case is not None and self.verifier.fails_alike(verdict):
                queue.extendleft(everywhere(case, [verdict.candidate]) or kindred(case, verdict.candidate))
            if verdict.is_progress or (brief and verdict.state == "worse"):
                others.append(verdict)
            coming = [*(candidate for candidate, _ in self.under_way), *list(queue)[:1]]
            caused = finding.is_loud and any(candidate.rank <= CAUSE for candidate in coming)  # none is passed over
            if self.effort.nearly_spent and any(other.is_progress for other in others) and not caused:
                break  # the rest is for what the best of them ran into next
        return None, others

    def _manner(self, finding: Finding) -> dict[str, bool]:
        """How candidates are screened: an error in the first round comes as soon in a run of the usual length."""
        return {} if finding.is_loud and begins_briefly(self.trace) else self.verifier.screening(finding)

    def _no_better(self, verdict: Verdict, finding: Finding) -> bool:
        """Whether another size in the same place was found that comes to the same, and that neither breaks less nor
        has more of the script against it: a second one need not be confirmed."""
        unsafe = [one for one in self.origin.unsafe if sizes.comparable(one.candidate, verdict.candidate)]
        run = [(one, one.screened if verdict.brief else one.trace) for one in unsafe]
        alike = [one for one, trace in run if trace and behave_alike(trace, verdict.trace)]
        if not alike or self._judged(verdict, finding).broken is None:
            return False
        return min(map(against, alike)) <= against(verdict)

    def _behind(self, candidate: Candidate) -> bool:
        """Whether an edit of sizes could be no more than a possibility, and one is known that less of the script speaks
        against: it need not be run."""
        open_ = bool(candidate.doubt or self.earlier) and candidate.title in sizes.KINDS
        known = [against(one) for one in self.origin.unsafe if one.candidate.title in sizes.KINDS] if open_ else []
        return bool(known) and min(known) <= sizes.against(self.trace, candidate)

    def _screened(
        self, finding: Finding, queue: deque[Candidate], manner: dict[str, bool], confirming: bool = True
    ) -> Iterator[Verdict]:
        """The verdicts of one run each, in order; `AHEAD` runs are under way at a time, but none beside a silent
        fault's remedy, which is seldom refuted. What is put into the queue meanwhile is run next. Where a clean run is
        confirmed (`confirming`), it has the machine to itself meanwhile: the others are run again."""
        self.under_way = tickets = deque()
        ahead = AHEAD if manner or finding.is_loud else 1
        self.verifier.park(list(queue), manner)
        try:
            while (queue or tickets) and not self.effort.over:
                most = ahead if manner or self.tried >= FIRST else 1  # of long runs, what is likely the last is alone
                while queue and len(tickets) < most and self.tried < self.budget.candidates:
                    candidate = queue.popleft()
                    if confirming and self._behind(candidate):
                        continue
                    try:
                        tickets.append((candidate, self.verifier.submitted(candidate, manner)))
                        if ahead == 1:  # the other processor is free
                            self.verifier.begin_alone(candidate)
                    except ValueError:
                        continue  # edits that overlap
                    self.tried += 1
                if not tickets:
                    return
                candidate, ticket = tickets.popleft()
                verdict = self.verifier.judged(
                    candidate, finding, self.verifier.ran(candidate, ticket, manner), bool(manner)
                )
                before = len(queue)
                if verdict.state == "clean" and confirming:
                    self._waiting(queue, tickets)
                yield verdict
                if len(queue) > before:
                    first = [queue.popleft() for _ in range(len(queue) - before)]
                    self._waiting(queue, tickets)
                    queue.extendleft(reversed(first))
        finally:
            for _, ticket in tickets:
                self.resident.cancel(ticket)
            self.verifier.leave_alone()

    def _run(self, candidate: Candidate, manner: dict[str, bool]) -> tuple:
        """What makes two runs one."""
        return candidate.key, bool(manner), self.verifier.request.whole

    def _waiting(self, queue: deque[Candidate], tickets: deque[tuple[Candidate, int]]) -> None:
        """Runs under way are put back into the queue."""
        while tickets:
            other, under_way = tickets.pop()
            self.resident.cancel(under_way)
            queue.appendleft(other)
            self.tried -= 1

    def _build_upon(self, finding: Finding, further: list[Verdict], depth: int) -> Verdict | None:
        """Repair what a candidate that got further ran into next."""
        if depth >= self.budget.depth:
            return None
        for verdict in sorted(
            further, key=lambda v: (v.state == "moved", v.candidate.rank, -len(v.candidate.edits), v.candidate.size)
        )[:4]:
            if self.effort.over or not verdict.diagnosis.findings:
                continue
            texts = {**self.trace.sources, **edited(self.trace.sources, verdict.candidate.edits)}
            request = self.verifier.request_for(verdict.candidate)
            trace = dataclasses.replace(verdict.trace, sources={**verdict.trace.sources, **texts})
            verifier = Verifier(self.resident, request, trace, verdict.diagnosis, self.settings, verdict)
            budget = dataclasses.replace(self.budget, depth=self.budget.depth - 1)
            next_finding = verdict.diagnosis.findings[0]
            earlier, answered = (*self.earlier, verdict.candidate), (*self.answered, (self.trace, finding))
            inner = Search(verifier, budget, self.effort, self.origin, earlier, answered)
            found = [c for c in candidates(Case(trace, next_finding)) if not c.tempting]
            made = {one.what for one in earlier if "code" in one.fields}
            alike = sorted(found, key=lambda one: one.what not in made)  # what was written elsewhere comes first
            winner, beyond = inner._first_clean(next_finding, alike)
            if winner is not None and winner.candidate.what not in made:
                winner = inner._determined(Case(trace, next_finding), winner, found)
            if winner is None and not self.origin.unsafe:
                winner = inner._build_upon(next_finding, beyond, depth + 1)
            verifier.release()
            if winner is not None and not found_again(finding, winner.diagnosis):
                return winner
        return None

    def _rejected(self, finding: Finding, tempting: list[Candidate]) -> Iterable[Rejected]:
        """What happens to the edits that a person would try first."""
        manner = self.verifier.screening(finding)
        for candidate in tempting:
            trace = self.verifier.ran(candidate, self.verifier.submitted(candidate, manner), manner)
            verdict = self.verifier.judged(candidate, finding, trace, bool(manner))
            if verdict.state == "clean":
                verdict = self.verifier.one(verdict)
            if verdict.state == "clean":
                if self._judged(verdict, finding).broken is None:
                    continue
                yield self._aside(verdict)
                return
            shown = verdict.diagnosis.findings[0] if verdict.diagnosis and verdict.diagnosis.findings else None
            failure = verdict.trace.failure
            alone = verdict.failed_at == 1 or (failure is not None and set(verdict.sizes) == {1})
            kind = "alone" if alone else "fails" if failure is not None else "silent" if shown else "same"
            line = shown.site.line if shown else failure.site.line if failure and failure.site else 0
            message = shown.message if shown else failure.message if failure else ""
            yield Rejected(title([candidate.part], self.lang), reason(kind, self.lang, line, message))
            return


def _in_order(verdicts: list[Verdict]) -> list[Candidate]:
    return sorted((verdict.candidate for verdict in verdicts), key=lambda candidate: (candidate.rank, candidate.size))
