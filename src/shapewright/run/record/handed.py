"""Which way the gradient that `backward` is handed pulls."""

from __future__ import annotations

from typing import Any

import torch

from .readable import readable

LARGEST = 1 << 16


def lowers(gradient: Any) -> int:
    """1 where what `backward` begins at is lowered, as without a gradient, -1 where it is raised, and 0 where the
    numbers handed over have two signs or cannot be read."""
    given = gradient if isinstance(gradient, (tuple, list)) else () if gradient is None else (gradient,)
    signs = set[int]()
    for part in (part for part in given if part is not None):
        if not isinstance(part, torch.Tensor) or not readable(part, LARGEST):
            return 0
        signs.update(int(sign) for sign in part.detach().sign().unique().tolist())
    return signs.pop() if len(signs) == 1 else 0 if signs else 1
