"""Does a loss over time average over padding?

The targets of the first losses are laid beside the padding of the model's input: at padded steps they must be what the loss ignores.
"""

from __future__ import annotations

from typing import Iterator

import torch

from ..trace import ProbeFact
from .asking import Budget
from .padded import padding
from .subject import Subject

QUESTION = "padding-in-loss"
ORDER = 25


def ask(subject: Subject, budget: Budget) -> Iterator[ProbeFact]:
    """`holds`: no loss counts padding. `data` has `counted` targets at padding, of `of`, their `value`, the `share`, `how` the padding is known."""
    batching = subject.batching()
    told = padding(subject, batching) if batching is not None and batching.size >= 2 else None
    if told is None:
        yield ProbeFact(QUESTION, None, subject.uid, data={"why": "no padding is certain"})
        return
    time_first = next(iter(batching.axes.values())) == 1
    for asked in subject.run.losses.asked:
        if asked.op not in ("cross_entropy", "nll_loss") or asked.iteration != subject.capture.step or asked.ignored is None or asked.reduction == "none":
            continue
        wide, rest = divmod(asked.target.numel(), batching.size)
        if rest or not 0 <= told.longest - wide <= 1 or asked.target.is_floating_point():
            continue
        target = asked.target.reshape(wide, batching.size).t() if time_first else asked.target.reshape(batching.size, wide)
        lengths = torch.tensor(told.lengths)[:, None]
        tails = target[torch.arange(wide)[None] >= lengths]
        real = target[torch.arange(wide)[None] < (lengths - 1).clamp(min=1)]
        if tails.numel() and bool((tails == tails[0]).all()) and int(tails[0]) != asked.ignored and not bool((real == tails[0]).all()):
            stack = subject.run.sources.sites(asked.stack)
            yield ProbeFact(QUESTION, False, subject.uid, stack[-1] if stack else None, stack, data={
                "counted": tails.numel(), "of": target.numel(), "value": int(tails[0]), "share": tails.numel() / target.numel(), "how": told.how,
                "where": told.site, "model": type(subject.module).__name__, "event": asked.event,
            })
            return
    yield ProbeFact(QUESTION, True, subject.uid)
