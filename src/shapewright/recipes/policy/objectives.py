"""The quantities that policy optimisation minimises, each a scalar with the figures worth watching beside it."""

import torch
import torch.nn.functional as F
from torch import Tensor

from shapewright.recipes.policy.masked import masked_mean, masked_var


def clipped_policy_loss(
    logprobs_BT: Tensor, old_logprobs_BT: Tensor, advantages_BT: Tensor, keep_mask_BT: Tensor, clip: float = 0.2
) -> tuple[Tensor, dict[str, Tensor]]:
    """PPO's clipped objective, to be minimised (Schulman et al. 2017, equation 7).

    Args:
        logprobs_BT: of the sampled tokens under the policy now. Shape: (batch, time), as all others.
        old_logprobs_BT: of the same tokens when they were sampled.
        advantages_BT: no gradient flows into them.
        keep_mask_BT: True on answer tokens.
        clip: how far the ratio of probabilities may leave 1 before its gradient is cut.

    Returns:
        The loss (), and `ratio` (mean), `ratio_distance` (largest distance from 1: 0 before the first update),
        `clip_fraction`, `approx_kl`.
    """
    log_ratio_BT = torch.where(keep_mask_BT, logprobs_BT - old_logprobs_BT, 0.0)
    ratio_BT = log_ratio_BT.exp()
    advantages_BT = advantages_BT.detach()
    per_token_BT = torch.maximum(-advantages_BT * ratio_BT, -advantages_BT * ratio_BT.clamp(1 - clip, 1 + clip))
    with torch.no_grad():
        watched = {
            "ratio": masked_mean(ratio_BT, keep_mask_BT),
            "ratio_distance": (ratio_BT - 1).abs().max(),
            "clip_fraction": masked_mean(((ratio_BT - 1).abs() > clip).float(), keep_mask_BT),
            "approx_kl": 0.5 * masked_mean(log_ratio_BT.square(), keep_mask_BT),
        }
    return masked_mean(per_token_BT, keep_mask_BT), watched


def clipped_value_loss(
    values_BT: Tensor, old_values_BT: Tensor, returns_BT: Tensor, keep_mask_BT: Tensor, clip: float = 0.2
) -> tuple[Tensor, Tensor]:
    """Half the squared error of the critic, where a step beyond `clip` from the old value earns nothing.

    Returns:
        The loss (), and the fraction of tokens at which the clipped error was the larger one.
    """
    near_BT = torch.clamp(values_BT, old_values_BT - clip, old_values_BT + clip)
    plain_BT, clipped_BT = (values_BT - returns_BT).square(), (near_BT - returns_BT).square()
    fraction = masked_mean((clipped_BT > plain_BT).float(), keep_mask_BT).detach()
    return 0.5 * masked_mean(torch.maximum(plain_BT, clipped_BT), keep_mask_BT), fraction


def explained_variance(values_BT: Tensor, returns_BT: Tensor, keep_mask_BT: Tensor) -> Tensor:
    """1 - Var(returns - values) / Var(returns): 1 is a perfect critic, 0 one no better than a constant, below 0 worse
    than that."""
    return 1 - masked_var(returns_BT - values_BT, keep_mask_BT) / masked_var(returns_BT, keep_mask_BT).clamp_min(1e-8)


def sequence_policy_loss(
    logprobs_BT: Tensor, old_logprobs_BT: Tensor, advantages_B: Tensor, keep_mask_BT: Tensor, clip: float = 0.2
) -> tuple[Tensor, dict[str, Tensor]]:
    """RLOO: an answer is one action, so the ratio is that of whole answers. Shapes as in `clipped_policy_loss`,
    advantages (batch,)."""
    answer_B1 = torch.where(keep_mask_BT, logprobs_BT, 0.0).sum(-1, keepdim=True)
    old_B1 = torch.where(keep_mask_BT, old_logprobs_BT, 0.0).sum(-1, keepdim=True)
    return clipped_policy_loss(
        answer_B1, old_B1, advantages_B.unsqueeze(-1), torch.ones_like(answer_B1, dtype=torch.bool), clip
    )


def dpo_loss(
    chosen_P: Tensor,
    rejected_P: Tensor,
    reference_chosen_P: Tensor,
    reference_rejected_P: Tensor,
    beta: float = 0.1,
    smoothing: float = 0.0,
) -> tuple[Tensor, dict[str, Tensor]]:
    """Direct preference optimisation (Rafailov et al. 2023, equation 7; `smoothing` as in conservative DPO).

    Args:
        chosen_P: summed logprob of the chosen answer under the policy. Shape: (pairs,), as all others.
        beta: strength of the pull to the reference.
        smoothing: probability that a label is wrong.

    Returns:
        The loss (), and `accuracy`, `margin` (of the implicit rewards), `chosen_reward`, `rejected_reward`.

    Raises:
        ValueError: the shapes are not one and the same `(pairs,)`.
    """
    shapes = {tuple(part.shape) for part in (chosen_P, rejected_P, reference_chosen_P, reference_rejected_P)}
    if len(shapes) != 1 or chosen_P.dim() != 1:
        raise ValueError(f"the four logprobs must all be (pairs,); got {sorted(shapes)}")
    chosen_reward_P = beta * (chosen_P - reference_chosen_P)
    rejected_reward_P = beta * (rejected_P - reference_rejected_P)
    gap_P = chosen_reward_P - rejected_reward_P
    loss = (-(1 - smoothing) * F.logsigmoid(gap_P) - smoothing * F.logsigmoid(-gap_P)).mean()
    with torch.no_grad():
        watched = {
            "accuracy": (gap_P > 0).float().mean(),
            "margin": gap_P.mean(),
            "chosen_reward": chosen_reward_P.mean(),
            "rejected_reward": rejected_reward_P.mean(),
        }
    return loss, watched
