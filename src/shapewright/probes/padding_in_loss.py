"""Does a loss over time average over padding?

The targets of the first losses are laid beside the padding of the model's input: at padded steps they must be what the
loss ignores.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch

from ..trace import ProbeFact, TensorFact
from .asking import Budget
from .padded import NAMED, THROUGH, padding
from .subject import Subject

QUESTION = "padding-in-loss"
ORDER = 25
LAID = frozenset({"getitem", "view", "reshape", "flatten", "narrow", "select", "slice"})


def ask(subject: Subject, budget: Budget) -> Iterator[ProbeFact]:
    """`holds`: no loss counts padding. `data` has `counted` targets at padding, of `of`, their `value`, the `share`,
    `how` the padding is known."""
    batching = subject.batching()
    told = padding(subject, batching) if batching is not None and batching.size >= 2 else None
    if told is None:
        yield next(_by_targets(subject), ProbeFact(QUESTION, None, subject.uid, data={"why": "no padding is certain"}))
        return
    time_first = next(iter(batching.axes.values())) == 1
    for asked in subject.losses():
        if asked.op not in ("cross_entropy", "nll_loss") or asked.ignored is None or asked.reduction == "none":
            continue
        wide, rest = divmod(asked.target.numel(), batching.size)
        if rest or not 0 <= told.longest - wide <= 1 or asked.target.is_floating_point():
            continue
        target = (
            asked.target.reshape(wide, batching.size).t() if time_first else asked.target.reshape(batching.size, wide)
        )
        lengths = torch.tensor(told.lengths)[:, None]
        tails = target[torch.arange(wide)[None] >= lengths]
        tails = tails[tails != asked.ignored]  # what a library fills in at the end is left out by the loss
        real = target[torch.arange(wide)[None] < (lengths - 1).clamp(min=1)]
        if (
            tails.numel() > 1
            and bool((tails == tails[0]).all())
            and int(tails[0]) != asked.ignored
            and not bool((real == tails[0]).all())
        ):
            stack = subject.run.sources.sites(asked.stack)
            yield ProbeFact(
                QUESTION,
                False,
                subject.uid,
                stack[-1] if stack else None,
                stack,
                data={
                    "counted": tails.numel(),
                    "of": target.numel(),
                    "value": int(tails[0]),
                    "share": tails.numel() / target.numel(),
                    "how": told.how,
                    "where": told.site,
                    "model": type(subject.module).__name__,
                    "event": asked.event,
                },
            )
            return
    yield next(_by_targets(subject), ProbeFact(QUESTION, True, subject.uid))


def _by_targets(subject: Subject) -> Iterator[ProbeFact]:
    """Losses whose targets were themselves made by `pad_sequence`, as a translation's are: its padding value is among
    them and not ignored."""
    raw = subject.run.recorder.raw
    for asked in subject.run.losses.asked:
        if (
            asked.op not in ("cross_entropy", "nll_loss")
            or asked.iteration != subject.capture.step
            or asked.ignored is None
            or asked.reduction == "none"
        ):
            continue
        if asked.target.is_floating_point() or not 0 <= asked.event < len(raw):
            continue
        args, kwargs = raw[asked.event][2], raw[asked.event][3]
        made = _padded(raw, args[1] if len(args) > 1 else kwargs.get("target"))
        if made is None:
            continue
        rows = [part.shape[0] for part in made[2][0] if isinstance(part, TensorFact) and part.shape]
        value = int(made[3].get("padding_value", made[2][2] if len(made[2]) > 2 else 0))
        room = sum(max(rows) - n for n in rows)
        counted = int((asked.target == value).sum())
        if (
            value != asked.ignored and room // 2 < counted <= room and counted
        ):  # no more than the padding: no real target has that number
            stack, where = subject.run.sources.sites(asked.stack), subject.run.sources.sites(made[1])
            yield ProbeFact(
                QUESTION,
                False,
                subject.uid,
                stack[-1] if stack else None,
                stack,
                data={
                    "counted": counted,
                    "of": asked.target.numel(),
                    "value": value,
                    "share": counted / asked.target.numel(),
                    "how": "pad_sequence",
                    "where": where[-1] if where else None,
                    "model": type(subject.module).__name__,
                    "event": asked.event,
                },
            )


def _padded(raw: list, fact: object) -> tuple | None:
    """The `pad_sequence` call behind a tensor that has since only been cut and laid out anew."""
    for _ in range(10):
        if not isinstance(fact, TensorFact) or not 0 <= fact.producer < len(raw):
            return None
        event = raw[fact.producer]
        if event[0] in NAMED:
            return event if event[2] and isinstance(event[2][0], tuple) else None
        fact = (
            next((part for part in event[2] if isinstance(part, TensorFact) and part.shape is not None), None)
            if event[0] in THROUGH | LAID
            else None
        )
    return None
