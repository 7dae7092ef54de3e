"""Does anything keep the learned weights of a loss from vanishing?

Parameters that losses alone are multiplied with, in the training step or in a module that is given losses, are moved
far to either side, and the step's loss is computed again from its tape. A loss that falls all the way has no minimum:
the weights run off, and the terms are switched off or turned round. So are the scales of a model without targets, a
normalizing flow, where the loss reads them as well: what scales all outputs by a factor has to cost less there.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import torch
from torch import nn

from .. import ops
from ..run.record.losses import LOSSES
from ..run.record.tape import Closed, Entry
from ..trace import Answer, LossWeights, ProbeFact
from .ideal import answers
from .pairing import played

if TYPE_CHECKING:
    from ..run.process.child import Run

MOST = 64  # numbers
SHIFTS = (10.0, 20.0, 1000.0)
SUNK = (10.0, 20.0, 40.0)  # logarithms of a scale
DOUBLE, NEAR = math.log(2), 1e-3
Move = Callable[[torch.Tensor, float], torch.Tensor]


def _added(one: torch.Tensor, by: float) -> torch.Tensor:
    return one.add_(by)


def _scaled(one: torch.Tensor, by: float) -> torch.Tensor:
    return one.mul_(math.exp(by))


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
        else:
            for entry, scale, uid in _scaling(closed):
                if id(scale) in lowered and not scale._backward_hooks and any(_sinks(closed, scale)):
                    sites = run.sources.sites(entry.stack)
                    data = LossWeights(scale.numel(), False, uid)
                    yield ProbeFact(data.QUESTION, False, data, -1, sites[-1] if sites else None, sites, entry.event)
                    break


def _scaling(closed: Closed) -> Iterator[tuple[Entry, nn.Parameter, int]]:
    """Where a loss first reads a parameter of the model that alone gives it anything, with the uid of its tensor."""
    makes = [entry for entry in closed.entries if isinstance(entry.call, nn.Module)]
    read = {slot for entry in makes for slot in entry.reads}
    for slot, leaf in closed.leaves.items():
        if not isinstance(leaf.value, nn.Parameter) and leaf.value.numel() > 1 and slot not in read:
            return  # targets
    own = {id(one) for entry in makes for one in nn.Module.parameters(entry.call)}
    for slot, leaf in closed.leaves.items():
        first = next((one for one in closed.entries if slot in one.reads and one not in makes), None)
        if id(leaf.value) in own and first is not None:
            yield first, leaf.value, leaf.fact.uid


def _sinks(closed: Closed, scale: nn.Parameter) -> Iterator[bool]:
    """Whether a parameter, or its exponential, scales all that the models give, and the loss falls without end as the
    scale sinks: one answer for each of both."""
    whole, made = played(closed, {}), [slot for _, slot in answers(closed)]
    for move in (_added, _scaled):
        with _moved([scale], DOUBLE, move):
            twice = played(closed, {})
        scales = [torch.allclose(twice[slot], 2 * whole[slot], NEAR, NEAR) for slot in made]
        if not scales or not all(scales) or any(not whole[slot].any() for slot in made):
            continue
        costs = [_cost(closed, [scale], -by, move) for by in (0.0, *SUNK)]
        falls = [one - two for one, two in itertools.pairwise(costs)]
        yield falls[0] > 0 and falls[1] > 0 and abs(falls[2] / falls[1] - 2) < 0.1


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


def _cost(closed: Closed, weights: list[nn.Parameter], shift: float, move: Move = _added) -> float:
    """The loss with all weights moved."""
    with _moved(weights, shift, move):
        return float(played(closed, {})[closed.loss])


@contextlib.contextmanager
def _moved(weights: list[nn.Parameter], by: float, move: Move) -> Iterator[None]:
    """All weights are moved while the body runs."""
    kept = [one.detach().clone() for one in weights]
    with torch.no_grad(), contextlib.ExitStack() as restoring:
        for one, value in zip(weights, kept):
            restoring.callback(one.copy_, value)
            move(one, by)
        yield
