"""The loss of sampled answers by the method chosen, summed, with the figures worth watching. Needs `price` to have
filled the groups in."""

from collections.abc import Sequence

from torch import Tensor, nn

from shapewright.recipes.policy.kl import k3
from shapewright.recipes.policy.logprobs import entropy, token_logprobs
from shapewright.recipes.policy.masked import masked_mean
from shapewright.recipes.policy.objectives import clipped_policy_loss, clipped_value_loss, sequence_policy_loss
from shapewright.recipes.policy.rollout import Group, in_rows, pack_groups, padded


def weight(groups: Sequence[Group], method: str) -> int:
    """What the summed loss is divided by: answers for RLOO, whose action is an answer, tokens otherwise."""
    answers = [answer for group in groups for answer in group.answers]
    return len(answers) if method == "rloo" else sum(map(len, answers))


def group_loss(
    actor: nn.Module,
    groups: Sequence[Group],
    *,
    method: str,
    temperature: float,
    clip: float,
    value_clip: float = 0.2,
    value_weight: float = 0.1,
    entropy_weight: float = 0.0,
    kl_weight: float = 0.0,
) -> tuple[Tensor, dict[str, Tensor]]:
    """Forward pass and loss of a micro-batch.

    Args:
        actor: an `ActorCritic`, wrapped or not.
        groups: priced groups of one size.
        kl_weight: price of KL within the loss (GRPO: k3 to the reference, token by token).

    Returns:
        The loss times `weight(groups, method)`, Shape: (), and detached figures.
    """
    device = next(actor.parameters()).device
    packed, tokens_S = pack_groups(groups)
    packed, tokens_S = packed.to(device), tokens_S.to(device)
    logits_SV, values_S = actor(packed)
    logprobs_BT, keep_mask_BT = in_rows(token_logprobs(logits_SV, tokens_S, temperature), packed)

    def stored(name: str) -> Tensor:
        return padded([row for group in groups for row in getattr(group, name)])[0].to(device)

    old_BT, advantages_BT = stored("logprobs"), stored("advantages")
    if method == "rloo":
        loss, figures = sequence_policy_loss(logprobs_BT, old_BT, advantages_BT[:, 0], keep_mask_BT, clip)
    else:
        loss, figures = clipped_policy_loss(logprobs_BT, old_BT, advantages_BT, keep_mask_BT, clip)
    figures = {"policy_loss": loss.detach(), **figures}
    if method == "ppo":
        values_BT, _ = in_rows(values_S, packed)
        value_loss, figures["value_clip_fraction"] = clipped_value_loss(
            values_BT, stored("values"), stored("returns"), keep_mask_BT, value_clip
        )
        figures["value_loss"] = value_loss.detach()
        loss = loss + value_weight * value_loss
    if method == "grpo" and kl_weight:
        loss = loss + kl_weight * masked_mean(k3(logprobs_BT, stored("reference")), keep_mask_BT)
    if entropy_weight:
        loss = loss - entropy_weight * entropy(logits_SV, temperature).mean()
    return loss * weight(groups, method), figures
