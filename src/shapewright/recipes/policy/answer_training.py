"""PPO, RLOO and GRPO: sample answers, score them, price them, take clipped steps; update by update."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from shapewright.recipes.loop.run import Diverged, Run
from shapewright.recipes.policy.clipped_steps import clipped_steps
from shapewright.recipes.policy.kl import AdaptiveKL, FixedKL
from shapewright.recipes.policy.language_model import ActorCritic
from shapewright.recipes.policy.prompts import taken
from shapewright.recipes.policy.returns import Pricing, price, strayed
from shapewright.recipes.policy.rollout import Drawing, Group
from shapewright.recipes.policy.samplers import Sampler, gap
from shapewright.recipes.policy.sampling import uniforms


def optimise_answers(
    args: Any,
    run: Run,
    model: nn.Module,
    actor: ActorCritic,
    optimizer: torch.optim.Optimizer,
    control: FixedKL | AdaptiveKL,
    learn: list[list[int]],
    drawing: Drawing,
    sampler: Sampler,
    scored: Callable[[list[Group]], None],
    evaluate: Callable[[], dict[str, float]],
) -> None:
    """Make the updates that are still to do.

    Args:
        args: the recipe's settings.
        learn: the prompts, as token ids.
        scored: fills in what is known of answers once they are there.
        evaluate: the metrics on held-out prompts.
    """
    processes = run.accelerator.num_processes
    at_once = args.batch_size * args.accumulate * processes
    size = 1 if args.method == "ppo" else args.answers
    pricing = Pricing(args.method, args.kl_estimator, args.gamma, args.lam, args.whiten_rewards)
    weights = {"value_weight": args.value_weight, "entropy_weight": args.entropy_bonus}
    terms = {"method": args.method, "clip": args.ratio_clip, "value_clip": args.value_clip, **weights}
    terms["temperature"] = args.temperature
    how = {"passes": args.inner_epochs, "minibatches": args.minibatches, "size": args.batch_size}

    def sampled(number: int) -> list[Group]:
        """All processes' answers of an update, in the same order in each."""
        which = taken(list(range(number * at_once, (number + 1) * at_once)), len(learn), args.seed)
        mine = [Group(learn[at], []) for at in run.shard(which)]
        drawn_GRT = uniforms(at_once * size, args.max_new, args.seed, number).view(at_once, size, -1)
        sampler(actor, mine, run.shard(drawn_GRT), drawing)
        scored(mine)
        return run.together(mine)

    order = run.order(args.evaluate_every * at_once, args.batch_size, shuffle=False)
    while run.state.step < args.updates and run.goes_on(args.updates):
        for batch in run.batches(order, f"update {run.state.step + 1}"):
            number = run.state.step
            groups = sampled(number)
            figures = price(groups, pricing, control.coefficient)
            if reason := strayed(figures, args.kl_stop):
                remedy = "A smaller --lr or a larger --kl-coefficient is the usual remedy"
                raise Diverged(f"update {number}: {reason}; {run.kept()}. {remedy}")
            figures["entropy"] = sum(group.entropy for group in groups) / at_once
            figures["kl_coefficient"] = control.coefficient
            if (distance := gap(groups)) is not None:
                figures["sampler_gap"] = distance
            ended = [answer[-1] == drawing.eos_id for group in groups for answer in group.answers]
            figures["ended"] = sum(ended) / len(ended)
            terms["kl_weight"] = control.coefficient
            figures |= clipped_steps(run, model, optimizer, groups, number, **how, terms=terms)
            control.update(figures["kl"], at_once * size)
            run.board.scalars({f"train/{key}": value for key, value in figures.items()}, number + 1)
            run.board.histogram(
                "rewards/train", torch.tensor([score for group in groups for score in group.scores]), number + 1
            )
            if number + 1 >= args.updates:
                run.tick(batch.total)
                break
        metrics = evaluate()
        run.board.scalars(
            {f"test/{key.removeprefix('test_')}": value for key, value in metrics.items()}, run.state.step
        )
        run.end_epoch(metrics)
