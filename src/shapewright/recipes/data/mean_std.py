"""Mean and standard deviation of a data set in one streaming pass, per channel.

Batches are merged by their counts, means and summed squared deviations (Chan, Golub, LeVeque 1979), in float64: no
cancellation, no second pass, and never the whole set in memory as floats.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor


def mean_std(batches_BCHW: Iterable[Tensor]) -> tuple[Tensor, Tensor]:
    """Population mean and standard deviation per channel.

    Args:
        batches_BCHW: parts of the set; bytes are read as 0…255 and scaled to 0…1. Shape: (samples, channels, ...)

    Returns:
        Mean and standard deviation. Shape: (channels,) each, float32.

    >>> mean, std = mean_std([torch.tensor([[[0.0, 1.0]]]), torch.tensor([[[2.0, 3.0]]])])
    >>> round(mean.item(), 4), round(std.item(), 4)
    (1.5, 1.118)
    """
    count, mean, squares = 0, torch.zeros(1, dtype=torch.float64), torch.zeros(1, dtype=torch.float64)
    for batch in batches_BCHW:
        values = batch.transpose(0, 1).flatten(1).to(torch.float64)
        if batch.dtype == torch.uint8:
            values = values / 255
        size = values.shape[1]
        here = values.mean(1)
        delta = here - mean
        total = count + size
        squares = squares + (values - here[:, None]).square().sum(1) + delta.square() * (count * size / total)
        mean = mean + delta * (size / total)
        count = total
    if not count:
        raise ValueError("an empty data set has no mean")
    return mean.float(), (squares / count).sqrt().float()
