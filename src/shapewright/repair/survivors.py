"""Which of several repairs that keep the invariants is meant: one rule for every kind of edit.

A survivor is safe where no other edit that the script allows survives as well and comes to something else: then the
script says which is meant. Which others there are `readings` says; what two of them come to is told from the
parameters at the end, the numbers that were read and, where nothing learns, the shapes of what was made. Nothing is
run here.
"""

from __future__ import annotations

from collections import deque

from ..graph.flow import tensors
from ..trace import TensorFact, Trace
from .candidate import Candidate, Case
from .invariants import Broken, sizes
from .invariants.change import EXCHANGED, LISTED, Change
from .readings import of_one_line, overlap, readings
from .remedies import order
from .remedies.constructor import BOTH_WAYS
from .remedies.unread_name import other_names
from .verify import Verdict

NEARBY = 20  # the last rank of an axis that the refused size may be along
ROUNDING, READ = 3e-6, 1e-4  # of a parameter's norm, and of a number that was read


def rivals(case: Case, change: Change, found: list[Candidate]) -> list[Candidate]:
    """The other edits that the author could have meant, what the most of the script speaks for first; none where
    another line of the script says which."""
    last = change.candidates[-1]
    if last.title in (order.ATTESTED, BOTH_WAYS):
        return []
    if last.title != LISTED and sizes.settled(change):  # by data that may be another's
        swaps = (order.SWAP, order.ATTESTED, LISTED, *([EXCHANGED] if len(last.edits) > 1 else []))
        swapped = [one for one in found if one.title in swaps and not one.doubt]
        swapped += [one for one in found if one.title == "dim" and one.rank < NEARBY]  # of what was reduced before
        return [*swapped, *other_names(case)]
    return sorted(readings(case, last, found), key=lambda rival: sizes.against(case.trace, rival))


def alike(one: Trace, other: Trace, first: Candidate, second: Candidate) -> bool:
    """Whether two repairs come to the same, up to rounding."""
    return behave_alike(one, other) and not _told_apart(one, other, first, second)


def behave_alike(one: Trace, other: Trace) -> bool:
    """Whether every parameter, as it is at the end, and every number that the script read from a tensor is the same, up
    to rounding."""
    (held, numbers), (theirs, others) = _behaviour(one), _behaviour(other)
    if held != theirs or len(numbers) != len(others):
        return False
    pairs = zip(numbers, others)
    return all(abs(a - b) <= margin or a == b or (a != a and b != b) for (a, margin), (b, _) in pairs)


def open_between(case: Case, winner: Candidate, rival: Candidate, kept: Broken | None, mends_more: bool) -> bool:
    """Whether a rival that comes to something else leaves it open which is meant: where it keeps the invariants, is no
    more than a guess, mends more than the winner does, or is the same edit on another axis, which only broadcasts. Of a
    silent fault, and of two sizes, which axes meet is the author's word, so that no invariant speaks against one."""
    guess = kept is None or kept.kind == "guessed"
    guess = guess or (kept.kind == "repeated" and rival.title == winner.title and overlap(rival, winner))
    return guess or mends_more or not case.finding.is_loud or sizes.comparable(rival, winner)


def against(verdict: Verdict) -> float:
    """How much of the script that a survivor's last edit answers speaks against it."""
    return sizes.against(verdict.asked[-1][0], verdict.candidate)


def contains(wide: Candidate, narrow: Candidate) -> bool:
    """Whether an edit is another one at more places."""
    return wide.title == narrow.title and set(narrow.key) < set(wide.key)


def speaks(trace: Trace, one: Candidate, other: Candidate) -> bool:
    """Whether the script speaks for the first of two: of a name and a bare number that disagree the number gives way,
    of two sizes the one that less of the script speaks against, and an order of layers in which each size that was
    written fits is likelier than another size."""
    if one.title == LISTED and other.title in sizes.KINDS:
        return True
    return sizes.number_gives_way(trace, one, other) or sizes.speaks_for(trace, one, other)


def leave_out(queue: deque[Candidate], candidate: Candidate) -> None:
    """No further sizes on the same line: each comes to the same as this one."""
    place = {(edit.file, edit.line) for edit in candidate.edits}
    for other in list(queue):
        if sizes.comparable(other, candidate) and {(edit.file, edit.line) for edit in other.edits} == place:
            queue.remove(other)


def _told_apart(one: Trace, other: Trace, first: Candidate, second: Candidate) -> bool:
    """Whether two axes for one call make tensors of other shapes there, while nothing that is made there learns:
    numbers of the training say nothing of them then."""
    if {first.title, second.title} != {"dim"} or not of_one_line(first, second):
        return False
    made = [_made(trace, candidate) for trace, candidate in ((one, first), (other, second))]
    learns = any(fact.requires_grad for facts in made for fact in facts)
    return not learns and len({tuple(fact.shape for fact in facts) for facts in made}) > 1


def _made(trace: Trace, candidate: Candidate) -> list[TensorFact]:
    """The tensors that the lines of an edit made."""
    lines = {(edit.file, edit.line) for edit in candidate.edits}
    return [
        fact
        for event in trace.events
        if event.site is not None and (event.site.file, event.site.line) in lines
        for fact in tensors(event.result)
    ]


def _behaviour(trace: Trace) -> tuple[list[tuple], list[tuple[float, float]]]:
    """The parameters of a run, and each number that tells how it ended, with what rounding may change of it."""
    facts = sorted(trace.parameters.values(), key=lambda fact: (fact.name, fact.shape))
    held = [(fact.name, fact.shape) for fact in facts] or sizes.shapes(trace)
    sums = [(number, ROUNDING * fact.sums[1]) for fact in facts for number in fact.sums]
    return held, [*sums, *((fact.value, READ * abs(fact.value)) for fact in trace.host if fact.op == "item")]
