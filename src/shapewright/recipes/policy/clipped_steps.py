"""The optimiser's steps of one update of PPO, RLOO or GRPO, over answers that were sampled and priced."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from shapewright.recipes.loop.run import Run
from shapewright.recipes.loop.sums import Sums
from shapewright.recipes.loop.update import update
from shapewright.recipes.policy.group_loss import group_loss, weight
from shapewright.recipes.policy.prompts import taken
from shapewright.recipes.policy.rollout import Group

FIRST = "first_distance"


def clipped_steps(
    run: Run,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    groups: Sequence[Group],
    number: int,
    *,
    passes: int,
    minibatches: int,
    size: int,
    terms: dict[str, Any],
) -> dict[str, float]:
    """Take the clipped steps of update `number` and return the means of what they showed.

    Args:
        groups: all processes' groups, in the same order in each.
        passes: how often every group is used.
        minibatches: optimiser steps per pass.
        size: groups per micro-batch.
        terms: what `group_loss` takes besides; its `method` decides how groups weigh.
    """
    at_once, watched = len(groups), Sums()

    def loss_sum(piece: Sequence[Group]) -> Tensor:
        loss, seen = group_loss(model, piece, **terms)
        if not watched.values:
            watched.add(**{FIRST: seen["ratio_distance"]})
        watched.add(**seen, count=1.0)
        run.sums.add(loss=loss, count=weight(piece, terms["method"]))
        return loss

    for turn in range(passes):
        shuffled = groups
        if minibatches > 1:
            positions = list(range(turn * at_once, (turn + 1) * at_once))
            shuffled = [groups[at] for at in taken(positions, at_once, run.args.seed + number)]
        for part in range(minibatches):
            together = shuffled[part * at_once // minibatches : (part + 1) * at_once // minibatches]
            mine = run.shard(together)
            pieces = [mine[first : first + size] for first in range(0, len(mine), size)] or [together[:1]]
            total = weight(together, terms["method"])
            how = {"share": bool(mine), "clip": run.args.clip, "sums": run.sums}
            update(run.accelerator, model, optimizer, pieces, loss_sum, total, **how)
    # The first pass must see the very distribution that was sampled from: anything else is a fault, not noise.
    distance = watched.read(FIRST)
    exact = run.accelerator.mixed_precision == "no"
    assert not exact or not distance > 1e-3, f"the first ratio differs from 1 by {distance}"
    return {FIRST: distance} | {key: watched.mean(key) for key in watched.values if key not in ("count", FIRST)}
