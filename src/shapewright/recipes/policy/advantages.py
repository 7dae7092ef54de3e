"""Advantages: how much better an answer, or a token, was than expected."""

import torch
from torch import Tensor


def token_rewards(scores_B: Tensor, kl_BT: Tensor, keep_mask_BT: Tensor, coefficient: float) -> Tensor:
    """Rewards token by token: the price of the KL everywhere, the answer's score on its last real token.

    The last token is found by counting, not by looking for pads, so the eos itself carries the score (trl#3750 put it
    on the first pad).

    Args:
        scores_B: one score per answer. Shape: (batch,).
        kl_BT: per-token KL estimate. Shape: (batch, time).
        keep_mask_BT: True on the answer's tokens, which stand at the left without gaps; every row has one.
        coefficient: price of one nat.

    Returns:
        Shape: (batch, time), zero beyond the end.

    Example:
        >>> token_rewards(torch.tensor([1.0]), torch.ones(1, 3), torch.tensor([[True, True, False]]), 0.5).tolist()
        [[-0.5, 0.5, 0.0]]
    """
    if scores_B.shape != kl_BT.shape[:1]:
        raise ValueError(f"scores {tuple(scores_B.shape)} must be (batch,) for kl {tuple(kl_BT.shape)}")
    rewards_BT = torch.where(keep_mask_BT, -coefficient * kl_BT, 0.0)
    last_B1 = keep_mask_BT.sum(-1, keepdim=True) - 1
    return rewards_BT.scatter_add(1, last_B1, scores_B.unsqueeze(-1).to(rewards_BT))


def gae(
    rewards_BT: Tensor, values_BT: Tensor, keep_mask_BT: Tensor, gamma: float = 1.0, lam: float = 0.95
) -> tuple[Tensor, Tensor]:
    """Generalised advantage estimation (Schulman et al. 2016, equation 16); the value after the last token is 0.

    Args:
        rewards_BT: Shape: (batch, time).
        values_BT: value before each token was chosen. Shape: (batch, time).
        keep_mask_BT: True on real tokens, at the left without gaps.
        gamma: discount; 1 for answers, whose whole reward comes at the end.
        lam: 1 takes whole returns, 0 one step.

    Returns:
        Advantages and returns (`advantages + values`), both (batch, time) and zero beyond the end.

    Example:
        >>> keep = torch.tensor([[True, True]])
        >>> gae(torch.tensor([[0.0, 1.0]]), torch.tensor([[0.5, 0.5]]), keep, lam=1.0)[0].tolist()
        [[0.5, 0.5]]
    """
    values_BT = torch.where(keep_mask_BT, values_BT, 0.0)
    rewards_BT = torch.where(keep_mask_BT, rewards_BT, 0.0)
    following_BT = torch.cat([values_BT[:, 1:], torch.zeros_like(values_BT[:, :1])], 1)
    deltas_BT = rewards_BT + gamma * following_BT - values_BT
    carried_B = torch.zeros_like(values_BT[:, 0])
    advantages = []
    for time in reversed(range(values_BT.shape[1])):
        carried_B = deltas_BT[:, time] + gamma * lam * carried_B
        advantages.append(carried_B)
    advantages_BT = torch.stack(advantages[::-1], 1)
    advantages_BT = torch.where(keep_mask_BT, advantages_BT, 0.0)
    return advantages_BT, advantages_BT + values_BT


def leave_one_out(scores_B: Tensor, group: int) -> Tensor:
    """RLOO (Ahmadian et al. 2024): each answer's score less the mean score of the other answers to its prompt.

    Args:
        scores_B: scores, the answers to one prompt side by side. Shape: (prompts * group,).
        group: answers per prompt, at least 2.

    Returns:
        Shape: (prompts * group,).

    Example:
        >>> leave_one_out(torch.tensor([1.0, 3.0]), 2).tolist()
        [-2.0, 2.0]
    """
    grouped_PG = _grouped(scores_B, group)
    others_PG = (grouped_PG.sum(1, keepdim=True) - grouped_PG) / (group - 1)
    return (grouped_PG - others_PG).flatten()


def group_relative(scores_B: Tensor, group: int, *, scale: bool = True, epsilon: float = 1e-4) -> Tensor:
    """GRPO (Shao et al. 2024): scores less their group's mean, divided by its standard deviation (unbiased, as in TRL).

    Args:
        scale: False leaves the deviation out (Dr. GRPO: dividing favours questions that are nearly all right or all
        wrong).

    Example:
        >>> group_relative(torch.tensor([1.0, 3.0]), 2, scale=False).tolist()
        [-1.0, 1.0]
    """
    grouped_PG = _grouped(scores_B, group)
    centred_PG = grouped_PG - grouped_PG.mean(1, keepdim=True)
    return (centred_PG / (grouped_PG.std(1, keepdim=True) + epsilon) if scale else centred_PG).flatten()


def _grouped(scores_B: Tensor, group: int) -> Tensor:
    if group < 2 or scores_B.dim() != 1 or scores_B.numel() % group:
        raise ValueError(
            f"{tuple(scores_B.shape)} scores cannot be taken in groups of {group}: at least 2 answers per prompt are "
            f"needed"
        )
    return scores_B.view(-1, group)
