"""Tries the modules of a source that only defines them: built where nothing has to be given, called with an input that
their first layer takes; where it is asked for, with sizes and inputs that are made up (`making`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

import torch
from torch import nn

from ...trace import Outcome
from ..record.assume import Assumptions
from .making import BATCH, CONVOLUTIONS, SIDES, STEPS, Made, required

SECONDS = 12.0  # of processor time for all classes


def tried(namespace: dict[str, Any], assumptions: Assumptions, build: bool = False) -> tuple[int, list[str]]:
    """Build and call the modules that `namespace` defines: how many could be called, and those that could not be built.

    Raises what a module raises whose input is certain: its first layer is linear, recurrent or an embedding."""
    made = 0
    kinds = {
        name: kind
        for name, kind in namespace.items()
        if isinstance(kind, type) and issubclass(kind, nn.Module) and kind.__module__ == "__main__"
    }
    for name, kind in kinds.items():
        if required(kind.__init__) or len(required(kind.forward)) != 1:
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
    return _made_up(kinds, assumptions) if build and not made else (made, [])


def without(why: str, called: int, left: list[str], file: str) -> Outcome:
    """How a run ends of which nothing was called, for the reason `why`, or nothing of the modules that are `left`."""
    return Outcome("incomplete", "untried" if called else why, {"file": file, "names": ", ".join(left)})


def _made_up(kinds: dict[str, type[nn.Module]], assumptions: Assumptions) -> tuple[int, list[str]]:
    """Build and call modules with sizes and inputs that are made up: how many could be called, and the others."""
    defaults = {
        part.name: part.default
        for kind in kinds.values()
        for part in inspect.signature(kind.__init__).parameters.values()
        if type(part.default) in (int, float, str)
    }
    called, left, until = 0, [], process_time() + SECONDS
    for name, kind in kinds.items():
        one = Made(kind, defaults)
        if one.found(until):
            assumptions.add("module-made", name=name, shape=", ".join(map(str, one.shapes)) or "()")
            called += 1
        else:
            left.append(name)
    return called, left


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
