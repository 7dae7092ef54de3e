"""Lightning: what its own loops are cut to where it is installed (`installed`), and where it is not, the protocol by
which a `Trainer` calls a module's own hooks, in one process, without loggers, checkpoints and precision. Every other
name of it is unknown."""

from __future__ import annotations

import random
from typing import Any

import torch

from ..unknown import unknown_name

VERSION = "2.5.0"


def seed_everything(seed: int | None = None, workers: bool = False, verbose: bool = True) -> int:
    """Seed Python, NumPy and torch."""
    import numpy

    chosen = int(seed or 0)
    random.seed(chosen)
    numpy.random.seed(chosen)
    torch.manual_seed(chosen)
    return chosen


def named(name: str) -> Any:
    """What stands for a name that nothing is known of."""
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown_name(name, "pytorch_lightning")
