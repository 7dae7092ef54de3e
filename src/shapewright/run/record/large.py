"""Tells whether the numbers of an input are large: those of one column, or pictures of whole steps of brightness that
were divided by a number below 1. It judges nothing."""

from __future__ import annotations

import torch

from ...trace import LargeInput, Site

LARGE = 1000.0
PLANES, SIZE, LOOKED = 2, 8, 20_000  # axes of a picture, their least size, and numbers that are looked at
FEWEST, LEAST, MOST, STEP = 32, 100, 256, 1.5  # different values; whole steps between the ends; one step
EVEN = 0.02


def large(value: torch.Tensor, where: Site) -> LargeInput | None:
    """What is large in a batch of real numbers, `(samples, …, columns)`."""
    with torch._C.DisableTorchFunction(), torch.no_grad():
        means = value.abs().reshape(-1, value.shape[-1]).mean(0)
        column = int(means.argmax())
        rest = (means.sum() - means[column]) / max(1, len(means) - 1)
        if float(means[column]) >= LARGE:
            return LargeInput(where, column, float(means[column]), float(rest))
        return _stretched(value, where)


def _stretched(value: torch.Tensor, where: Site) -> LargeInput | None:
    """Pictures of no more values than 8 bits tell, with more than one between each and the next."""
    if value.dim() <= PLANES or min(value.shape[-PLANES:]) < SIZE:
        return None
    first = value[:, 0] if value.dim() > PLANES + 1 else value  # each color may have a scale of its own
    values = first.flatten()[:LOOKED].double().unique()
    if len(values) < FEWEST:
        return None
    apart = values.diff()
    step, span = float(apart.min()), float(values[-1] - values[0])
    if step <= STEP or not LEAST <= span / step < MOST:
        return None
    if float((apart / step - (apart / step).round()).abs().max()) > EVEN:
        return None
    return LargeInput(where, -1, float(values.abs().max()), step)
