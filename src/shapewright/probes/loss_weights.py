"""Does anything keep the learned weights of a loss from vanishing?

Parameters that losses alone are multiplied with, in the training step or in a module that is given losses, are moved
far to either side, and the step's loss is computed again from its tape. A loss that falls all the way has no minimum:
the weights run off, and the terms are switched off or turned round.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch
from torch import nn

from .. import ops
from ..run.record.losses import LOSSES
from ..run.record.tape import Closed, Entry
from ..trace import Answer, LossWeights, ProbeFact
from .pairing import played

if TYPE_CHECKING:
    from ..run.process.child import Run

MOST = 64  # numbers
SHIFTS = (10.0, 20.0, 1000.0)


def ask_loss_weights(run: Run) -> Iterator[ProbeFact[Answer]]:
    """One answer for each loss that has no minimum in its weights."""
    groups = [group for optimizer in run.landmarks.optimizers.values() for group in optimizer.param_groups]
    lowered = {id(one) for group in groups if not group.get("maximize") for one in group["params"]}
    for closed in run.tape.closed if run.tape is not None else ():
        for entry, weights in _weighing(closed):
            free = all(id(one) in lowered and not one._backward_hooks for one in weights)
            if weights and free and (rising := _falls(closed, weights)) is not None:
                sites = run.sources.sites(entry.stack)
                count = sum(one.numel() for one in weights)
                data = LossWeights(count, rising)
                yield ProbeFact(data.QUESTION, False, data, -1, sites[-1] if sites else None, sites, entry.event)
                break


def _weighing(closed: Closed) -> Iterator[tuple[Entry, list[nn.Parameter]]]:
    """Where losses are multiplied, with the parameters that they are multiplied with."""
    terms: set[int] = set()  # slots of losses, and of what lists or adds them
    of_weights: dict[int, list[nn.Parameter]] = {
        slot: [leaf.value]
        for slot, leaf in closed.leaves.items()
        if isinstance(leaf.value, nn.Parameter) and leaf.value.numel() <= MOST
    }
    for entry in closed.entries:
        reads, made = set(entry.reads), entry.results.values()
        if entry.op in LOSSES or isinstance(entry.call, nn.modules.loss._Loss):
            terms.update(made)
        elif isinstance(entry.call, nn.Module):
            own = [one for one in nn.Module.parameters(entry.call) if one.requires_grad]
            if reads and reads <= terms and sum(one.numel() for one in own) <= MOST:
                yield entry, own
        elif reads and reads <= terms:
            terms.update(made)
        elif reads and reads <= of_weights.keys():
            own = [one for slot in reads for one in of_weights[slot]]
            of_weights |= {slot: own for slot in made}
        elif ops.is_a(entry.op, "scales", "products") and reads & terms:
            own = [one for slot in reads - terms for one in of_weights.get(slot, [])]
            if reads <= terms | of_weights.keys():
                yield entry, own


def _falls(closed: Closed, weights: list[nn.Parameter]) -> bool | None:
    """Whether the loss falls as the weights rise without end (`True`) or sink (`False`); `None` where it has a
    minimum between."""
    for rising in (True, False):
        costs = [_cost(closed, weights, shift if rising else -shift) for shift in (0.0, *SHIFTS)]
        if all(math.isfinite(one) for one in costs) and all(one > two for one, two in itertools.pairwise(costs)):
            return rising
    return None


def _cost(closed: Closed, weights: list[nn.Parameter], shift: float) -> float:
    """The loss with all weights moved."""
    kept = [one.detach().clone() for one in weights]
    with torch.no_grad(), contextlib.ExitStack() as restoring:
        for one, value in zip(weights, kept):
            restoring.callback(one.copy_, value)
            one.add_(shift)
        return float(played(closed, {})[closed.loss])
