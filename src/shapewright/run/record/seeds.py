"""The random numbers of what is played again: torch's, Python's and NumPy's from one seed."""

from __future__ import annotations

import random
import sys

import torch


def seed_all(seed: int) -> None:
    """Seed the generators that a script on the CPU draws from. `torch.manual_seed` also writes a stack down for each
    kind of accelerator, which takes longer than most of what is played."""
    torch.default_generator.manual_seed(seed)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)
