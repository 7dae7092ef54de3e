"""Losses over the scores of pairs. Scores are `(pairs,)`, whatever the batch: a stray axis would broadcast to every
score against every other."""

import torch
import torch.nn.functional as F
from torch import Tensor


def bradley_terry(
    chosen_P: Tensor, rejected_P: Tensor, margin_P: Tensor | None = None, centring: float = 0.0
) -> Tensor:
    """-log sigmoid(chosen - rejected - margin), the negative log-likelihood of the Bradley–Terry model, summed.

    Args:
        chosen_P: Shape: (pairs,).
        rejected_P: Shape: (pairs,).
        margin_P: how much better the chosen answer is (Touvron et al. 2023, section 3.2.2). Shape: (pairs,).
        centring: weight of (chosen + rejected)², which pulls the mean score to zero (Eisenstein et al. 2023); only
        differences are identified without it.

    Returns:
        Sum over pairs. Shape: ().

    Raises:
        ValueError: a shape is not the one `(pairs,)`.

    Example:
        >>> round(bradley_terry(torch.tensor([0.0]), torch.tensor([0.0])).item(), 4)
        0.6931
    """
    _check(chosen_P, rejected_P, margin_P)
    gap_P = chosen_P - rejected_P if margin_P is None else chosen_P - rejected_P - margin_P
    return (-F.logsigmoid(gap_P) + centring * (chosen_P + rejected_P).square()).sum()


def margin_ranking(
    chosen_P: Tensor, rejected_P: Tensor, margin_P: Tensor | None = None, centring: float = 0.0, margin: float = 1.0
) -> Tensor:
    """max(0, margin - (chosen - rejected)), as `MarginRankingLoss` with target 1, summed.

    Args:
        margin_P: margins pair by pair, in place of `margin`. Shape: (pairs,).
        margin: above 0: at torch's default of 0 no gradient is left once the gap is positive.

    Returns:
        Sum over pairs. Shape: ().

    Raises:
        ValueError: a shape is not the one `(pairs,)`, or the margin is not above 0.

    Example:
        >>> margin_ranking(torch.tensor([0.25]), torch.tensor([0.0])).item()
        0.75
    """
    _check(chosen_P, rejected_P, margin_P)
    if margin_P is None and margin <= 0:
        raise ValueError(
            f"a margin of {margin} leaves no gradient once the chosen answer scores higher; take one above 0"
        )
    wanted = margin if margin_P is None else margin_P
    return (torch.clamp(wanted - (chosen_P - rejected_P), min=0) + centring * (chosen_P + rejected_P).square()).sum()


def _check(chosen_P: Tensor, rejected_P: Tensor, margin_P: Tensor | None) -> None:
    shapes = [tuple(part.shape) for part in (chosen_P, rejected_P, margin_P) if part is not None]
    if len(set(shapes)) != 1 or chosen_P.dim() != 1:
        raise ValueError(f"scores of pairs must all be (pairs,), but are {' and '.join(map(str, shapes))}")
