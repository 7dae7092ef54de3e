"""Statistics over the kept entries of a padded tensor. A keep mask is True where the entry is real."""

import torch
from torch import Tensor


def masked_mean(values: Tensor, keep_mask: Tensor) -> Tensor:
    """Mean of all kept entries together: every token weighs the same.

    (A mean of row means weighs the tokens of short answers more: Dr. GRPO, trl#3138.)

    Args:
        values: any shape.
        keep_mask: same shape, True where real; at least one entry must be.

    Example:
        >>> masked_mean(torch.tensor([1.0, 3.0, 9.0]), torch.tensor([True, True, False])).item()
        2.0
    """
    _same_shape(values, keep_mask)
    return torch.where(keep_mask, values, 0.0).sum() / keep_mask.sum()


def masked_var(values: Tensor, keep_mask: Tensor) -> Tensor:
    """Biased variance (divided by the count) of the kept entries, as lm-human-preferences computes it."""
    return masked_mean((values - masked_mean(values, keep_mask)).square(), keep_mask)


def whiten(values: Tensor, keep_mask: Tensor, *, keep_mean: bool = False, epsilon: float = 1e-8) -> Tensor:
    """Scale the kept entries to variance 1, and shift them to mean 0 unless the mean is kept on purpose.

    lm-human-preferences calls `keep_mean=False` `shift_mean=True`; trlx gives the same word the opposite sense, hence
    another name here.

    Args:
        values: Shape: (batch, time).
        keep_mask: Shape: (batch, time).
        keep_mean: whitened rewards keep their mean (a reward's sign matters), whitened advantages lose it.

    Returns:
        Shape: (batch, time); zero where not kept.

    Example:
        >>> whiten(torch.tensor([1.0, 3.0]), torch.tensor([True, True])).tolist()
        [-1.0, 1.0]
        >>> whiten(torch.tensor([1.0, 3.0]), torch.tensor([True, True]), keep_mean=True).tolist()
        [1.0, 3.0]
    """
    mean = masked_mean(values, keep_mask)
    whitened = (values - mean) * torch.rsqrt(masked_var(values, keep_mask) + epsilon)
    return torch.where(keep_mask, whitened + mean if keep_mean else whitened, 0.0)


def _same_shape(values: Tensor, keep_mask: Tensor) -> None:
    if values.shape != keep_mask.shape:
        raise ValueError(f"values {tuple(values.shape)} and keep_mask {tuple(keep_mask.shape)} must have one shape")
