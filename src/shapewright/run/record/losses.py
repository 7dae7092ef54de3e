"""Keeps the targets of the first calls of every loss, for the probes: their values tell what a model is asked to
predict."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import torch

from ... import ops
from ...dataclass import dataclass
from .readable import readable

if TYPE_CHECKING:
    from .recorder import Recorder

LOSSES = frozenset(
    {
        "cross_entropy",
        "nll_loss",
        "mse_loss",
        "l1_loss",
        "smooth_l1_loss",
        "huber_loss",
        "binary_cross_entropy",
        "binary_cross_entropy_with_logits",
    }
)
CLASSES = frozenset({"cross_entropy", "nll_loss"})
PER_PLACE = 4
LARGEST = 1 << 20


@dataclass(frozen=True)
class Asked:
    """One call of a loss: what the model was asked for, in which training iteration, and where. `inside` tells that a
    module computed it."""

    op: str
    target: torch.Tensor
    shape: tuple[int, ...]
    iteration: int
    stack: tuple
    inside: bool
    event: int
    ignored: int | None = -100  # `ignore_index`, `None` where classes are weighted
    reduction: str = "mean"


class Losses:
    """Watches the recorder's calls."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.asked: list[Asked] = []
        self._counts: dict[Any, int] = {}

    def note(self, op: str, args: tuple, kwargs: dict) -> None:
        """Called before every recorded operator."""
        if op not in LOSSES and op != "gather":
            return
        made = args[0] if args else kwargs.get("input")
        target = args[1] if len(args) > 1 else kwargs.get("target")
        if op == "gather":
            with torch._C.DisableTorchFunction():
                target = picked(made, args, kwargs)
        if (
            not isinstance(target, torch.Tensor)
            or not isinstance(made, torch.Tensor)
            or target.requires_grad
            or not readable(target, LARGEST)
        ):
            return
        stack = self.recorder.sources.stack(sys._getframe(2))
        place = stack[-1] if stack else None, torch.is_grad_enabled()  # what is judged before leaves room for training
        self._counts[place] = self._counts.get(place, 0) + 1
        if self._counts[place] <= PER_PLACE:
            with torch._C.DisableTorchFunction():
                self.asked.append(
                    Asked(
                        op,
                        target.detach().clone(),
                        tuple(made.shape),
                        self.recorder.iteration,
                        stack,
                        bool(self.recorder.modules),
                        len(self.recorder.raw),
                        ignored_by(args, kwargs),
                        call.reduction if (call := ops.bind(op, args, kwargs)) is not None else "mean",
                    )
                )

    def alike(self) -> tuple[tuple, ...]:
        """`(event, targets, the value that all of them have or None)` of the kept calls of losses with one number a
        sample."""
        found = []
        for asked in self.asked:
            if (
                readable(asked.target, LARGEST)
                and asked.target.numel() == asked.target.shape[:1].numel()
                and asked.target.numel() > 1
            ):
                first = asked.target.flatten()[0]
                found.append(
                    (asked.event, asked.target.numel(), float(first) if bool((asked.target == first).all()) else None)
                )
        return tuple(found)


def picked(made: Any, args: tuple, kwargs: dict) -> torch.Tensor | None:
    """The classes that `gather` takes of every step's scores, one a step: a likelihood written by hand."""
    dim = args[1] if len(args) > 1 else kwargs.get("dim")
    index = args[2] if len(args) > 2 else kwargs.get("index")
    if not (isinstance(made, torch.Tensor) and isinstance(index, torch.Tensor) and isinstance(dim, int)):
        return None
    last = made.dim() == 3 and dim in (2, -1) and index.shape[-1:] == (1,) and made.requires_grad
    return index.squeeze(-1) if last else None


def ignored_by(args: tuple, kwargs: dict) -> int | None:
    if kwargs.get("weight") is not None or (len(args) > 2 and args[2] is not None):
        return None
    return kwargs.get("ignore_index", -100)
