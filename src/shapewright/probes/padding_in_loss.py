"""Does a loss over time average over padding?

The targets of the first losses are laid beside the padding of the model's input: at padded steps they must be what the
loss ignores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from ..trace import Answer, PaddingInLoss, ProbeFact, Site, TensorFact, Unasked
from .padded import NAMED, THROUGH, padding
from .subject import Subject

QUESTION = "padding-in-loss"
ORDER = 25
LAID = frozenset({"getitem", "view", "reshape", "flatten", "narrow", "select", "slice"})


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """`holds`: no loss counts padding."""
    batching = subject.batching()
    told = padding(subject, batching) if batching is not None and batching.size >= 2 else None
    if told is None:
        yield next(_by_targets(subject), ProbeFact(QUESTION, None, Unasked("no padding is certain"), subject.uid))
        return
    time_first = next(iter(batching.axes.values())) == 1
    for asked in (asked for asked in subject.losses() if _counts(asked)):
        tails = _tails(asked, told.lengths, told.longest, time_first)
        if tails is not None:
            yield _says(subject, asked, tails, told.site)
            return
    yield next(_by_targets(subject), subject.says(True, PaddingInLoss()))


def _counts(asked: Any) -> bool:
    """Whether a loss is an average over classes that may leave one number out."""
    return (
        asked.op in ("cross_entropy", "nll_loss")
        and asked.ignored is not None
        and asked.reduction != "none"
        and not asked.target.is_floating_point()
    )


def _tails(asked: Any, lengths: Sequence[int], longest: int, time_first: bool) -> torch.Tensor | None:
    """The targets beyond each length, where they are one number that the loss does not ignore and that no real target
    need have: it is told by where it stands, never by how often."""
    wide, rest = divmod(asked.target.numel(), len(lengths))
    if rest or not 0 <= longest - wide <= 1:
        return None
    target = asked.target.reshape(wide, -1).t() if time_first else asked.target.reshape(-1, wide)
    ends = torch.tensor(lengths)[:, None]
    tails = target[torch.arange(wide)[None] >= ends]
    tails = tails[tails != asked.ignored]  # what a library fills in at the end is left out by the loss
    real = target[torch.arange(wide)[None] < (ends - 1).clamp(min=1)]
    if tails.numel() < 2 or bool((tails != tails[0]).any()) or int(tails[0]) == asked.ignored:
        return None
    return None if bool((real == tails[0]).all()) else tails


def _says(subject: Subject, asked: Any, tails: torch.Tensor, where: Site | None) -> ProbeFact[Answer]:
    data = PaddingInLoss(tails.numel(), asked.target.numel(), int(tails[0]), where, asked.event)
    return subject.says(False, data, asked.stack)


def _by_targets(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """Losses whose targets were themselves made by `pad_sequence`, as a translation's are."""
    raw = subject.run.recorder.raw
    for asked in subject.run.losses.asked:
        if not _counts(asked) or asked.iteration != subject.capture.step or not 0 <= asked.event < len(raw):
            continue
        args, kwargs = raw[asked.event][2], raw[asked.event][3]
        made = _padded(raw, args[1] if len(args) > 1 else kwargs.get("target"))
        if made is None:
            continue
        rows = [part.shape[0] for part in made[2][0] if isinstance(part, TensorFact) and part.shape]
        value = int(made[3].get("padding_value", made[2][2] if len(made[2]) > 2 else 0))
        for time_first in (True, False):
            for less in (0, 1):  # a target whose first entry was cut off is one shorter
                tails = _tails(asked, [n - less for n in rows], max(rows), time_first) if rows else None
                if tails is not None and int(tails[0]) == value and tails.numel() == sum(max(rows) - n for n in rows):
                    where = subject.run.sources.sites(made[1])
                    yield _says(subject, asked, tails, where[-1] if where else None)
                    return


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
