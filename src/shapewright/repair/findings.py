"""All findings of a check repaired: each by its own search, or by what an earlier one's repair does for it."""

from __future__ import annotations

from collections.abc import Iterable

from ..diagnosis.model import Diagnosis, Finding, Fix
from ..run.process.request import RunRequest
from ..run.process.supervisor import Resident
from ..settings import Settings
from ..trace import Trace
from .effort import Effort
from .progress import found_again
from .search import Budget, Search
from .verify import Verdict, Verifier


def repaired(
    resident: Resident,
    request: RunRequest,
    trace: Trace,
    diagnosis: Diagnosis,
    settings: Settings,
    budget: Budget = Budget(),
) -> Diagnosis:
    """The diagnosis with a fix for each finding that has one; the search for all of them together is bounded by what
    the check itself took."""
    findings = []
    whole = Effort.of_check(trace)
    verifier = Verifier(resident, request, trace, diagnosis, settings)
    won: list[tuple[Verdict, tuple[Fix, ...]]] = []
    for finding in diagnosis.findings:
        fixes = next((made for verdict, made in won if not found_again(finding, verdict.diagnosis)), ())
        if not fixes and editable(trace, finding):
            search = Search(verifier, budget, whole.part(budget.work))
            fixes = search.fixes(finding)
            verifier.release()
            if fixes and search.winner is not None:
                won.append((search.winner, fixes))
        findings.append(finding.with_fixes(fixes))
    return diagnosis.with_findings(tuple(findings))


def first_repaired(
    verifier: Verifier, budget: Budget, findings: Iterable[Finding], unsafe: bool = False
) -> tuple[int, Finding, Verdict] | None:
    """The first of the findings that has a safe fix (or, with `unsafe`, any): its number, itself with the fix, and the
    run that verified it."""
    for number, finding in enumerate(findings):
        if editable(verifier.trace, finding):
            search = Search(verifier, budget, Effort.of_check(verifier.trace).part(budget.work))
            fixes = search.fixes(finding, losers=False)
            verifier.release()
            if search.winner is not None and (unsafe or search.winner.broken is None):
                return number, finding.with_fixes(fixes), search.winner
    return None


def editable(trace: Trace, finding: Finding) -> bool:
    """Whether the finding stands in a text of the user's that can be edited: not in a notebook or a library."""
    if finding.facts is None or not finding.site.file:
        return False
    return any(not file.endswith(".ipynb") for file in trace.sources) and not trace.script.endswith(".ipynb")
