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
NEAR, SMOOTH = 1e-4, 0.1  # of the deviation of a series


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """One answer about a model whose training calls hand their states on."""
    calls = [(capture, told) for capture, told in subject.others if capture.learns]
    for (one, before), (other, told) in itertools.pairwise(calls):
        state = _handed_on(one.output, (other.args, other.kwargs))
        if other.step != one.step + 1 or other.step in subject.run.loops.jumps:
            continue  # what a cut loop left out lies between them
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
        shuffled = bool(_unordered(subject, told) - _unordered(subject, before))
        if rows >= LEAST or shuffled:
            holds = following > rows // 2 and not shuffled if rows >= LEAST else not shuffled
            yield subject.says(holds, StateCarried(subject.name, rows, following, shuffled), other.stack)
            return
    inputs = [_series(capture) for capture, _ in calls]
    joined = [_joined(one, other) for one, other in itertools.pairwise(inputs)]
    if len(joined) > 1 and all(joined[:-1]):  # the last turn of a loop that was cut is not the next one
        data = StateCarried(subject.name, len(inputs[0]), len(inputs[0]), dropped=True, none=True)
        yield subject.says(False, data, calls[1][0].stack)
        return
    yield ProbeFact(QUESTION, None, Unasked("no state is handed on"), subject.uid)


def _series(call: Capture) -> torch.Tensor:
    """`(sequence, step)` of real numbers, where a call is given those alone; empty for any other."""
    given = [leaf for _, leaf in leaves((call.args, call.kwargs)) if isinstance(leaf, torch.Tensor)]
    series = given[0] if len(given) == 1 and given[0].is_floating_point() else torch.zeros(0, 0)
    series = series[..., 0] if series.dim() == 3 and series.shape[2] == 1 else series
    series = series.t() if series.dim() == 2 and series.shape[1] == 1 else series
    return series if series.dim() == 2 and series.shape[1] > 4 else torch.zeros(0, 0)


def _joined(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether each sequence is another and goes on where the one before it ended: it begins with the number that that
    one ended with, or with the next one of a smooth curve, which the last four foretell."""
    if not len(one) or len(one) != len(other) or (one.shape == other.shape and torch.equal(one, other)):
        return False
    curve = one[:, -4:] @ one.new_tensor([-1.0, 4.0, -6.0, 4.0])
    rough = max(float(part.diff(4, 1).abs().max()) for part in (one, other))
    spread = float(one.std())
    near, next_one = (float((end - other[:, 0]).abs().max()) for end in (one[:, -1], curve))
    return spread > 0 and (near <= NEAR * spread or next_one <= 2 * rough < SMOOTH * spread)


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
    read = next((leaf for _, leaf in leaves(one.args) if isinstance(leaf, torch.Tensor) and leaf.dim() >= 2), None)
    told, before = tokens_of(tokens) if tokens.dim() == 3 else None, read
    if told is not None and read is not None:
        tokens, before = told, tokens_of(read)
    batching = subject.batching()
    first = batching is not None and next(iter(batching.axes.values())) == 1
    rowed = [size in state.shape[-2:-1] for size in tokens.shape[:2]]
    if rowed[0] != rowed[1]:  # one axis alone is as long as the state has rows
        first = rowed[1]
    if before is None or before.dim() != 2 or tokens.dim() != 2:
        return 0, 0
    rows, own = (part.t() if first else part for part in (tokens, before))
    for asked in subject.run.losses.asked:
        target = asked.target
        if asked.iteration != one.step or target.numel() != own.numel() or len(own) != len(rows):
            continue  # the last chunk may be shorter
        choices = [target.reshape(own.shape), target.reshape(own.t().shape).t()]
        wanted = [row for row in choices if bool((own[:, 1:] == row[:, :-1]).double().mean() > MOSTLY)]
        if not wanted:  # tags or classes: none of them is what is read next
            continue
        return rows.shape[0], max(int((rows[:, 0] == row[:, -1]).sum()) for row in wanted)
    return 0, 0


def _unordered(subject: Subject, told: dict) -> set[int]:
    """The axes of a batch whose rows are known to come in no order. The next call has the same one where it is given
    another part of the same rows."""
    unordered = subject.run.loading.unordered | subject.run.recorder.drawn.unordered
    facts = [fact for fact in told.get("args") or () if isinstance(fact, TensorFact)]
    return {uid for fact in facts[:1] for axis in fact.axes[:2] for uid, _ in axis.uids[:1]} & unordered
