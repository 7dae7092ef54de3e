"""Notes in which numbers the targets of losses are coded that ask for particular ones: -1 and 1, 0 to 1, labels without
the blank; between which numbers most targets and outputs of a regression lie, and what the targets of a sample add
up to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ... import ops
from .readable import readable

if TYPE_CHECKING:
    from .recorder import Recorder

SIGNS = {"cosine_embedding_loss": 2, "margin_ranking_loss": 2, "hinge_embedding_loss": 1, "soft_margin_loss": 1}
BITS = {"binary_cross_entropy_with_logits": 1}
ERRORS = ops.named("measures_error")
EACH = ERRORS | {"binary_cross_entropy"}  # that compare element by element
PER_PLACE = 4
MOST = 6
LOOKED_AT, TAIL = 2048, 20  # values of a regression's targets, and the share that is left out at either end
SLACK = 1e-3  # of numbers from 0 to 1 that were computed
TEN = 10
LARGEST = 1 << 20


class Codes:
    """Watches the recorder's calls. `found` has `(event, op, values)` with the few different values of a target,
    ascending (of many the least and the greatest, where these are out of range), for `ctc_loss`
    `(event, op, (blank, labels that are the blank, labels))`, or for a regression
    `(event, op, (between these, nine of ten))`, `(event, "outputs", (the same of the outputs))` and
    `(event, "sums", (what nine of ten sums along each axis but the first stay below))`."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.found: list[tuple[int, str, tuple]] = []
        self._counts: dict[str, int] = {}

    def note(self, op: str, args: tuple, kwargs: dict) -> None:
        """Called before every recorded operator."""
        if not (op in SIGNS or op in BITS or op in EACH or op == "ctc_loss"):
            return
        self._counts[op] = self._counts.get(op, 0) + 1
        if self._counts[op] > 8 * PER_PLACE:
            return
        with torch._C.DisableTorchFunction():
            output, target = (args[at] if len(args) > at else kwargs.get(("input", "target")[at]) for at in (0, 1))
            told: dict[str, tuple | None] = {}
            if op in ERRORS:
                told = {op: _within(target), "outputs": _within(output)}
            elif op not in EACH:
                told = {op: _blanks(args, kwargs) if op == "ctc_loss" else _values(op, args, kwargs)}
            if op in EACH:
                told["sums"] = _sums(target)
        self.found += [(len(self.recorder.raw), name, values) for name, values in told.items() if values is not None]


def _values(op: str, args: tuple, kwargs: dict) -> tuple[float, ...] | None:
    """The few different values of a target; of many, where they are to lie between 0 and 1 and do not, those within
    which they lie."""
    place = SIGNS.get(op) or BITS[op]
    target = args[place] if len(args) > place else kwargs.get("target")
    if not isinstance(target, torch.Tensor) or not readable(target, LARGEST) or target.requires_grad:
        return None
    values = torch.unique(target.detach())
    if values.numel() <= MOST:
        return tuple(float(value) for value in values)
    ends = float(values[0]), float(values[-1])
    return ends if op in BITS and (ends[0] < -SLACK or ends[1] > 1 + SLACK) else None


def _within(side: object) -> tuple[float, float] | None:
    """Two numbers between which nine of ten targets, or outputs, of a regression lie."""
    if not isinstance(side, torch.Tensor) or not readable(side, LARGEST) or side.numel() < TAIL:
        return None
    flat = side.detach().flatten()
    found = flat[:: max(1, flat.numel() // LOOKED_AT)].double().sort().values
    return float(found[len(found) // TAIL]), float(found[-1 - len(found) // TAIL])


def _sums(target: object) -> tuple[float, ...] | None:
    """What nine of ten sums of a target along each axis but the first stay below."""
    if not isinstance(target, torch.Tensor) or target.dim() < 2 or not readable(target, LARGEST):
        return None
    found, numbers = [], target.detach().double()
    for axis in range(1, target.dim()):
        sums = numbers.sum(axis).flatten().sort().values
        found.append(float(sums[-1 - len(sums) // TEN]) if len(sums) else 0.0)
    return tuple(found)


def _blanks(args: tuple, kwargs: dict) -> tuple[int, int, int] | None:
    given = dict(zip(("log_probs", "targets", "input_lengths", "target_lengths", "blank"), args)) | kwargs
    targets, lengths, blank = given.get("targets"), given.get("target_lengths"), given.get("blank", 0)
    if not isinstance(targets, torch.Tensor) or not readable(targets, LARGEST):
        return None
    lengths = torch.as_tensor(lengths).flatten().tolist()
    if targets.dim() == 2 and len(lengths) == targets.shape[0]:
        real = torch.cat([row[: int(n)].flatten() for row, n in zip(targets, lengths)])
    elif targets.dim() == 1 and sum(lengths) <= targets.numel():
        real = targets[: int(sum(lengths))]
    else:
        return None
    return int(blank), int((real == blank).sum()), int(real.numel())
