"""Is the state that one batch left behind handed in with the next where that goes on where it ended, and only there?

Nothing is played: the inputs and outputs of calls that follow each other are compared. Truncated backpropagation is
told by its values: each row begins with the very number that the row before was asked for last.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

import torch

from ..run.record.modules import Capture
from ..trace import Answer, ProbeFact, StateCarried, TensorFact, Unasked
from .parts import leaves
from .shifted import tokens_of
from .subject import Subject

QUESTION = "state-carried"
ORDER = 17
LEAST, MOSTLY = 4, 0.8


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """One answer about a model whose training calls hand their states on."""
    calls = [(capture, told) for capture, told in subject.others if capture.training and capture.grad]
    for (one, _), (other, told) in itertools.pairwise(calls):
        state = _handed_on(one.output, (other.args, other.kwargs))
        if other.step != one.step + 1:
            continue
        tokens = next(
            (leaf for _, leaf in leaves(other.args) if isinstance(leaf, torch.Tensor) and leaf.dim() >= 2), None
        )
        if state is None:
            left = _left(one, other) if tokens is not None else None
            rows, following = _following(subject, one, tokens, left) if left is not None else (0, 0)
            if rows >= LEAST and following > MOSTLY * rows:
                yield subject.says(False, StateCarried(subject.name, rows, following, dropped=True), other.stack)
                return
            continue
        rows, following = _following(subject, one, tokens, state) if tokens is not None else (0, 0)
        shuffled = _shuffled(subject, told)
        if rows >= LEAST or shuffled:
            holds = following > rows // 2 and not shuffled if rows >= LEAST else not shuffled
            yield subject.says(holds, StateCarried(subject.name, rows, following, shuffled), other.stack)
            return
    yield ProbeFact(QUESTION, None, Unasked("no state is handed on"), subject.uid)


def _left(one: Capture, other: Capture) -> torch.Tensor | None:
    """The state among the outputs of a call, where the next call begins with zeros in its place, or with what this one
    began with."""
    given, begun = (
        [leaf for _, leaf in leaves((call.args[1:], call.kwargs)) if isinstance(leaf, torch.Tensor)]
        for call in (other, one)
    )
    for path, state in leaves(one.output):
        if not path or path[0] == 0 or not isinstance(state, torch.Tensor) or state.dim() < 2:
            continue
        own = [leaf for leaf in given if leaf.shape == state.shape and leaf.is_floating_point()]
        anew = all(not bool(leaf.any()) or any(map(functools.partial(torch.equal, leaf), begun)) for leaf in own)
        if own and anew and bool(state.any()):
            return state
    return None


def _handed_on(output: object, inputs: tuple) -> torch.Tensor | None:
    """The state among the outputs, beyond the answer itself, that is an input of the next call."""
    given = [leaf for _, leaf in leaves(inputs) if isinstance(leaf, torch.Tensor) and leaf.is_floating_point()]
    states = [leaf for path, leaf in leaves(output) if path and path[0] != 0 and isinstance(leaf, torch.Tensor)]
    for state in states:
        if state.numel() > 1 and bool((state != 0).any()):
            if any(state.shape == leaf.shape and torch.equal(state, leaf) for leaf in given):
                return state
    return None


def _following(subject: Subject, one: Capture, tokens: torch.Tensor, state: torch.Tensor) -> tuple[int, int]:
    """How many rows there are, and how many begin with the number that the row before was asked for last."""
    begun, told = tokens.shape, tokens_of(tokens) if tokens.dim() == 3 else None
    tokens = tokens if told is None else told
    batching = subject.batching()
    first = batching is not None and next(iter(batching.axes.values())) == 1
    rowed = [size in state.shape[-2:-1] for size in tokens.shape[:2]]
    if rowed[0] != rowed[1]:  # one axis alone is as long as the state has rows
        first = rowed[1]
    for asked in subject.run.losses.asked:
        target = asked.target
        if asked.iteration != one.step or target.numel() != tokens.numel() or tokens.dim() != 2:
            continue
        rows = tokens.t() if first else tokens
        choices = [target.reshape(tokens.shape), target.reshape(tokens.t().shape).t()]
        read = next((leaf for _, leaf in leaves(one.args) if getattr(leaf, "shape", None) == begun), None)
        before = read if told is None or read is None else tokens_of(read)
        wanted = [choice.t() if first else choice for choice in choices]
        if before is not None and before.shape == tokens.shape:
            own = before.t() if first else before
            wanted = [row for row in wanted if bool((own[:, 1:] == row[:, :-1]).double().mean() > MOSTLY)]
        if not wanted:  # tags or classes: none of them is what is read next
            continue
        return rows.shape[0], max(int((rows[:, 0] == row[:, -1]).sum()) for row in wanted)
    return 0, 0


def _shuffled(subject: Subject, told: dict) -> bool:
    """Whether the rows of the batch are known to come in no order."""
    unordered = subject.run.loading.unordered | subject.run.recorder.drawn.unordered
    facts = [fact for fact in told.get("args") or () if isinstance(fact, TensorFact)]
    return any(uid in unordered for fact in facts[:1] for axis in fact.axes[:2] for uid, _ in axis.uids[:1])
