"""Tries the modules of a source that only defines them: built where nothing has to be given, called with an input that
their first layer takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

from ..record.assume import Assumptions

SIDES = (32, 28, 64, 224)
BATCH, STEPS = 4, 7
CONVOLUTIONS = {nn.Conv1d: 1, nn.Conv2d: 2, nn.Conv3d: 3}


def tried(namespace: dict[str, object], assumptions: Assumptions) -> int:
    """Build and call the modules that `namespace` defines; how many could be called.

    Raises what a module raises whose input is certain: its first layer is linear, recurrent or an embedding."""
    made = 0
    for name, kind in list(namespace.items()):
        if not (isinstance(kind, type) and issubclass(kind, nn.Module) and kind.__module__ == "__main__"):
            continue
        if _required(kind.__init__) or len(_required(kind.forward)) != 1:
            continue
        module = kind()
        inputs = list(_inputs(module))
        for number, (shape, make) in enumerate(inputs, 1):
            try:
                module(make())
            except (RuntimeError, ValueError, IndexError, TypeError):
                if number < len(inputs) or len(inputs) > 1:
                    continue
                raise
            assumptions.add("module-tried", name=name, shape=shape)
            made += 1
            break
    return made


def _required(function: Callable[..., Any]) -> list[str]:
    """The arguments of a method that must be given."""
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return [part.name for part in parameters if part.default is part.empty and part.kind not in variable]


def _inputs(module: nn.Module) -> Iterator[tuple[tuple[int, ...], Callable[[], torch.Tensor]]]:
    """Inputs that the first layer of a module takes, each with its shape."""

    def numbers(*shape: int) -> tuple[tuple[int, ...], Callable[[], torch.Tensor]]:
        return shape, lambda: torch.randn(shape)

    for layer in module.modules():
        if isinstance(layer, nn.Linear):
            yield numbers(BATCH, layer.in_features)
        elif isinstance(layer, nn.Embedding):
            most = layer.num_embeddings
            yield (BATCH, STEPS), lambda most=most: torch.randint(0, most, (BATCH, STEPS))
        elif isinstance(layer, nn.RNNBase):
            yield numbers(BATCH, STEPS, layer.input_size)
        elif type(layer) in CONVOLUTIONS:
            for side in SIDES:
                yield numbers(BATCH, layer.in_channels, *[side] * CONVOLUTIONS[type(layer)])
        else:
            continue
        return
