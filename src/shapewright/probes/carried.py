"""Is the state that one batch left behind handed in with the next, though the next does not go on where it ended?

Nothing is played: the inputs and outputs of calls that follow each other are compared. Truncated backpropagation is
told by its values: each row begins with the very number that the row before was asked for last.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import torch

from ..run.record.modules import Capture
from ..trace import Answer, ProbeFact, StateCarried, TensorFact, Unasked
from .parts import leaves
from .subject import Subject

QUESTION = "state-carried"
ORDER = 17
LEAST = 4


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """One answer about a model whose training calls hand their states on."""
    calls = [(capture, told) for capture, told in subject.others if capture.training and capture.grad]
    for (one, _), (other, told) in itertools.pairwise(calls):
        if other.step != one.step + 1 or not _handed_on(one.output, (other.args, other.kwargs)):
            continue
        tokens = next(
            (leaf for _, leaf in leaves(other.args) if isinstance(leaf, torch.Tensor) and leaf.dim() >= 2), None
        )
        rows, following = _following(subject, one, tokens) if tokens is not None else (0, 0)
        shuffled = _shuffled(subject, told)
        if rows >= LEAST or shuffled:
            holds = following > rows // 2 and not shuffled if rows >= LEAST else not shuffled
            yield subject.says(holds, StateCarried(subject.name, rows, following, shuffled), other.stack)
            return
    yield ProbeFact(QUESTION, None, Unasked("no state is handed on"), subject.uid)


def _handed_on(output: object, inputs: tuple) -> bool:
    """Whether a state among the outputs, beyond the answer itself, is an input of the next call."""
    given = [leaf for _, leaf in leaves(inputs) if isinstance(leaf, torch.Tensor) and leaf.is_floating_point()]
    states = [leaf for path, leaf in leaves(output) if path and path[0] != 0 and isinstance(leaf, torch.Tensor)]
    return any(
        state.shape == leaf.shape and state.numel() > 1 and torch.equal(state, leaf) and bool((state != 0).any())
        for state in states
        for leaf in given
    )


def _following(subject: Subject, one: Capture, tokens: torch.Tensor) -> tuple[int, int]:
    """How many rows there are, and how many begin with the number that the row before was asked for last."""
    for asked in subject.run.losses.asked:
        target = asked.target
        if asked.iteration != one.step or target.numel() != tokens.numel() or tokens.dim() != 2:
            continue
        rows, last = tokens, target.reshape(tokens.shape)
        found = [
            (len(given[:, 0]), int((given[:, 0] == asked_for[:, -1]).sum()))
            for given, asked_for in (
                (rows, last),
                (rows.t(), last.t()),
                (rows, target.reshape(tokens.t().shape).t()),
                (rows.t(), target.reshape(tokens.t().shape)),
            )
        ]
        return max(found, key=lambda pair: (2 * pair[1] > pair[0] >= LEAST, pair[0] >= LEAST))
    return 0, 0


def _shuffled(subject: Subject, told: dict) -> bool:
    """Whether the rows of the batch are known to come in no order."""
    unordered = subject.run.loading.unordered | subject.run.recorder.drawn.unordered
    facts = [fact for fact in told.get("args") or () if isinstance(fact, TensorFact)]
    return any(uid in unordered for fact in facts[:1] for axis in fact.axes[:2] for uid, _ in axis.uids[:1])
