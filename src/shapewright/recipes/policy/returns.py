"""From the scores of sampled answers to the advantage of every token, by the method chosen; all answers of an update
are taken together."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from shapewright.recipes.policy.advantages import gae, group_relative, leave_one_out, token_rewards
from shapewright.recipes.policy.kl import k1, k3
from shapewright.recipes.policy.masked import masked_mean, whiten
from shapewright.recipes.policy.objectives import explained_variance
from shapewright.recipes.policy.rollout import Group, padded

ESTIMATORS = {"k1": k1, "k3": k3}


@dataclass(frozen=True)
class Pricing:
    """How scores become advantages.

    Attributes:
        method: `"ppo"`, `"rloo"` or `"grpo"`.
        estimator: `"k1"` or `"k3"`.
        gamma, lam: of GAE (PPO).
        whiten_rewards: scale PPO's rewards to variance 1, their mean kept.
    """

    method: str
    estimator: str = "k1"
    gamma: float = 1.0
    lam: float = 0.95
    whiten_rewards: bool = False


def price(groups: Sequence[Group], pricing: Pricing, coefficient: float) -> dict[str, float]:
    """Fill in every group's advantages and returns, token by token; returns the figures of these answers.

    PPO and RLOO pay for KL within the reward, GRPO within its loss.
    """
    logprobs_BT, keep_mask_BT = padded([row for group in groups for row in group.logprobs])
    reference_BT, _ = padded([row for group in groups for row in group.reference])
    values_BT, _ = padded([row for group in groups for row in group.values])
    scores_B = torch.tensor([score for group in groups for score in group.scores])
    size = len(groups[0].answers)
    kl_BT = torch.where(keep_mask_BT, ESTIMATORS[pricing.estimator](logprobs_BT, reference_BT), 0.0)
    figures = {"score": scores_B.mean().item(), "kl": kl_BT.sum(1).mean().item()}
    if pricing.method == "ppo":
        rewards_BT = token_rewards(scores_B, kl_BT, keep_mask_BT, coefficient)
        if pricing.whiten_rewards:
            rewards_BT = whiten(rewards_BT, keep_mask_BT, keep_mean=True)
        advantages_BT, returns_BT = gae(rewards_BT, values_BT, keep_mask_BT, pricing.gamma, pricing.lam)
        figures["explained_variance"] = explained_variance(values_BT, returns_BT, keep_mask_BT).item()
        figures["value"] = masked_mean(values_BT, keep_mask_BT).item()
        advantages_BT = whiten(advantages_BT, keep_mask_BT)
    else:
        if pricing.method == "rloo":
            advantages_B = leave_one_out(scores_B - coefficient * kl_BT.sum(1), size)
        else:
            advantages_B = group_relative(scores_B, size)
        advantages_BT = torch.where(keep_mask_BT, advantages_B.unsqueeze(-1), 0.0)
        returns_BT = torch.zeros_like(advantages_BT)
    lengths = keep_mask_BT.sum(1).tolist()
    figures["length"] = sum(lengths) / len(lengths)
    advantages, returns = _lists(advantages_BT, lengths), _lists(returns_BT, lengths)
    for number, group in enumerate(groups):
        group.advantages = advantages[number * size : (number + 1) * size]
        group.returns = returns[number * size : (number + 1) * size]
    return figures


def strayed(figures: dict[str, float], limit: float) -> str:
    """Why a run should stop: the figures are not finite, or the policy is farther from its start than `limit` nats an
    answer; "" if neither."""
    if not math.isfinite(figures["kl"]) or not math.isfinite(figures["score"]):
        return f"the answers' KL is {figures['kl']} and their score {figures['score']}"
    if figures["kl"] > limit:
        return (
            f"the policy has left its start: {figures['kl']:.1f} nats an answer, more than {limit:g}, at a score of "
            f"{figures['score']:.3f}"
        )
    return ""


def _lists(values_BT: Tensor, lengths: list[int]) -> list[list[float]]:
    return [row[:length] for row, length in zip(values_BT.tolist(), lengths)]
