"""How does a loss move as the answers get surer: of what is true, and of what is wrong?

A recorded loss is computed again from its tape with scores that tell the truth, or something wrong, ever more surely. A
loss that falls without end as right scores grow has no least value; one that falls as wrong scores grow teaches nothing
of the samples that are most wrong. It judges nothing beyond that.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch
from torch import nn

from ..run.record.tape import Closed, Entry
from ..trace import Answer, IdealAnswers, ProbeFact
from .ideal import answers, replaced
from .metrics import SURE, fits, predictions
from .pairing import played

if TYPE_CHECKING:
    from ..run.process.child import Run

FEWEST = 8
SURER = (10.0, 20.0, 40.0)  # scores of what is right
WRONG = (0.5, 2.5, 8.0)  # scores of what is wrong
LEAST, EVEN, HALF = 0.01, 0.05, 0.5


def ask_sureness(run: Run) -> Iterator[ProbeFact[Answer]]:
    """At most one answer for each recorded loss."""
    for closed in run.tape.closed if run.tape is not None else ():
        made = answers(closed)
        own = played(closed, {})[made[0][1]] if len(made) == 1 else None
        found = _moved(closed, made[0][0], made[0][1], own) if own is not None else None
        if found is not None:
            entry, data = found
            sites = run.sources.sites(entry.stack)
            yield ProbeFact(IdealAnswers.QUESTION, False, data, -1, sites[-1] if sites else None, sites, entry.event)


def _moved(closed: Closed, model: Entry, slot: int, own: torch.Tensor) -> tuple[Entry, IdealAnswers] | None:
    """The call that reads the truth, and what was seen."""
    if not own.is_floating_point() or own.dim() < 1 or own.numel() < FEWEST:
        return None
    if bool((own <= 0).all()) or bool((own >= 0).all()):
        return None  # probabilities, their logarithms, or distances: no scores that may be anything
    held = ((at, leaf.value) for at, leaf in closed.leaves.items() if not isinstance(leaf.value, nn.Parameter))
    truths = {at: value for at, value in held if fits(own, value)}
    first = next(iter(truths.values()), None)
    if first is None or any(not torch.equal(one.float(), first.float()) for one in truths.values()):
        return None
    made = predictions(own, first)
    if made is None:
        return None
    right = [replaced(closed, {slot: made["right"] * (sure / SURE)}) for sure in SURER]
    wrong = [replaced(closed, {slot: made["wrong"] * (sure / SURE)}) for sure in WRONG]
    known = {made: entry for entry in closed.entries for made in entry.reads if made in truths}
    read = next(iter(known.values()), closed.entries[-1])
    events = tuple(entry.event for entry in closed.entries if entry.event >= 0)[-8:]
    name, rows = type(model.call).__name__, len(own)
    steps = [after - before for before, after in itertools.pairwise(right)]
    if right[-1] < 0 and steps[0] < -LEAST and abs(steps[1] / steps[0] - 2) < EVEN:
        return read, IdealAnswers("unbounded", name, rows, right[0], right[-1], events)
    falling = 0 < wrong[2] < wrong[1] < wrong[0] and wrong[2] < HALF * wrong[0]
    if falling and replaced(closed, {slot: made["right"]}) < wrong[0]:
        return read, IdealAnswers("surer", name, rows, wrong[0], wrong[2], events)
    return None
