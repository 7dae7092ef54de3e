"""What a model is asked to predict, as far as its own input tells: the token itself, the next one, the one after that,
or the one before."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch

from .. import ops
from ..dataclass import dataclass
from ..run.record.losses import Asked
from ..run.record.tape import Slot
from .parts import leaves
from .subject import Subject

BITS = 8.0  # that the tokens tell: four different ones, or six of three kinds
SHIFTS = (0, 1, 2, -1)
NUMBERS = ops.named("measures_error") | {"sub"}
SERIES = 4  # steps of real numbers that are the next ones: by chance none is
CUTTING = ("reshapes", "keeps_values", "cuts_out", "masks")  # groups of operators: values stay, or are ignored


@dataclass(frozen=True)
class Shift:
    """The targets of a loss are the input tokens `by` steps later, or earlier where it is less than 0. `path` leads to
    the input, whose time axis is `axis` and holds `steps`. `real` tells that they are real numbers."""

    by: int
    path: tuple
    axis: int
    steps: int
    compared: int
    loss: Any
    real: bool = False


def shift(subject: Subject) -> Shift | None:
    """The one shift that holds for every token of a captured call, or `None`."""
    found: list[Shift] = []
    capture = subject.capture
    for asked in subject.run.losses.asked:
        if (
            asked.op not in ("cross_entropy", "nll_loss", "gather")
            or asked.target.is_floating_point()
            or asked.iteration != capture.step
        ):
            continue
        for path, leaf in leaves((capture.args, capture.kwargs)):
            if "labels" in path or not isinstance(leaf, torch.Tensor):
                continue
            tokens = tokens_of(leaf) if leaf.dim() == 2 + leaf.is_floating_point() else None
            if tokens is not None:
                found += _matches(tokens, path, asked)
    if any(item.by for item in found):  # targets handed in beside the tokens are no tokens
        found = [item for item in found if item.by]
    if len({item.by for item in found}) > 1:  # nor are those that the loss cuts its targets from
        found = [item for item in found if not asked_of(subject, item.loss, item.path)]
    by = {item.by for item in found}
    return found[0] if len(by) == 1 else next(_series(subject), None) if not found else None


def _series(subject: Subject) -> Iterator[Shift]:
    """Real numbers of which the next ones are asked for, as a recorded loss compares them with what this model was
    given then; the captured call may be another one."""
    tape, batching = subject.run.tape, subject.batching()
    own = dict(leaves((subject.capture.args, subject.capture.kwargs)))
    for closed in tape.closed if tape is not None and batching is not None else ():
        values = {slot: leaf.value for slot, leaf in closed.leaves.items() if leaf.value.is_floating_point()}
        given = [
            ((at, key), values[slot.index])
            for entry in closed.entries
            if entry.call is subject.module
            for at, part in enumerate((entry.args, entry.kwargs))
            for key, slot in (part.items() if isinstance(part, dict) else enumerate(part))
            if isinstance(slot, Slot) and slot.index in values and isinstance(own.get((at, key)), torch.Tensor)
        ]
        for entry in closed.entries:
            reads = entry.reads[:2]
            asked = [values[slot] for slot in reads if slot in values]
            if entry.op not in NUMBERS or len(reads) != 2 or len(asked) != 1:
                continue
            loss = Asked(entry.op, asked[0], (), closed.iteration, entry.stack, False, entry.event)
            for path, leaf in given:
                for axis, compared in _next(leaf, asked[0], batching.axes.get(path, 0)):
                    if own[path].dim() == leaf.dim():
                        yield Shift(1, path, axis, own[path].shape[axis], compared, loss, True)


def _next(leaf: torch.Tensor, target: torch.Tensor, batch: int) -> Iterator[tuple[int, int]]:
    """`(axis, compared)` along which all of the target is the input one step later; none where the input was turned
    round, so that its first step is asked for at the end."""
    axes = [axis for axis, size in enumerate(leaf.shape) if size > 1]
    given, asked = leaf.squeeze(), target.squeeze()
    if given.dim() != asked.dim() or not 1 <= given.dim() <= 3:
        return
    for at, axis in enumerate(axes):
        wide = min(asked.shape[at], given.shape[at] - 1)
        if axis == batch or wide < SERIES or not 0 <= given.shape[at] - asked.shape[at] <= 1:
            continue
        later, own = given.narrow(at, 1, wide), given.narrow(at, 0, wide)
        wanted = asked.narrow(at, 0, wide)
        turned = asked.shape[at] == given.shape[at] and torch.equal(asked.select(at, -1), given.select(at, 0))
        if later.shape == wanted.shape and torch.equal(later, wanted) and not torch.equal(own, wanted) and not turned:
            yield axis, wanted.numel()


def asked_of(subject: Subject, asked: Any, path: tuple) -> bool:
    """Whether the targets of a loss were cut from an input."""
    raw, given = subject.run.recorder.raw, subject.facts().get(path)
    args = raw[asked.event][2] if asked.event < len(raw) and raw[asked.event][0] == asked.op else ()
    target = args[1] if len(args) > 1 else None
    if given is None or target is None:
        return False
    return target.uid == given.uid or subject.descends(target.producer, {given.uid}, *CUTTING)


def tokens_of(value: torch.Tensor) -> torch.Tensor | None:
    """Whole numbers, or those that one-hot rows stand for."""
    if value.dtype in (torch.long, torch.int):
        return value
    if value.is_floating_point() and value.dim() > 1 and value.shape[-1] > 2:
        ones = bool(((value == 0) | (value == 1)).all()) and bool((value.sum(-1) == 1).all())
        return value.argmax(-1) if ones else None
    return None


def by_sample(target: torch.Tensor, count: int, axis: int) -> torch.Tensor:
    """The targets of `count` samples, (samples, steps), whose tokens have their time along `axis`."""
    return target.reshape(count, -1) if axis else target.reshape(-1, count).t()


def _matches(tokens: torch.Tensor, path: tuple, asked: Any) -> list[Shift]:
    found = []
    for axis in (1, 0):
        rows = tokens if axis == 1 else tokens.t()
        count, steps = rows.shape
        target = asked.target
        if steps < 4 or target.numel() % count or not 0 <= steps - target.numel() // count <= 2:
            continue
        wanted = by_sample(target, count, axis)
        fitting = [(by, n) for by in SHIFTS if (n := _agree(rows, wanted, by))]
        if len(fitting) == 1:
            found.append(Shift(fitting[0][0], path, axis, steps, fitting[0][1], asked))
    return found


def moved(rows: torch.Tensor, wanted: torch.Tensor, by: int) -> tuple[torch.Tensor, torch.Tensor]:
    """What is asked for beside the tokens `by` steps later, (samples, steps) both."""
    wanted, rows = wanted[:, max(0, -by) :], rows[:, max(0, by) :]
    width = min(wanted.shape[1], rows.shape[1])
    return wanted[:, :width], rows[:, :width]


def _agree(rows: torch.Tensor, wanted: torch.Tensor, by: int) -> int:
    """How many tokens were compared, 0 where any differs or they are too few to tell. Ignored targets and the padding
    at the ends count neither way."""
    left, right = moved(rows, wanted, by)
    last = rows[:, -1:]
    counted = (left >= 0) & ~((right == last) & (left == last) & (right.roll(1, 1) == last))
    if not bool((left[counted] == right[counted]).all()):
        return 0
    values = left[counted]
    kinds = values.unique().numel()
    return len(values) if kinds > 2 and len(values) * math.log2(kinds) >= BITS else 0
