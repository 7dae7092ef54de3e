"""The evaluation phase: `eval()`, no gradients, and back to what was before, also after an error."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch
from torch import nn


@contextlib.contextmanager
def evaluation(*models: nn.Module) -> Iterator[None]:
    """Dropout off, BatchNorm on its running statistics, no graph; the former modes return afterwards."""
    former = [(module, module.training) for model in models for module in model.modules()]
    for model in models:
        model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module, training in former:
            module.training = training
