"""Watches layers that a model makes while it is being called: new ones in every call have new random weights, and no
optimizer ever has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

MOST = 400


class Passing:
    """The layers that were made inside a call of another module, and the weights that they were called with.

    Args:
        landmark: takes `(kind, stack, data)`; gets a `passing` when one place has made layers with other weights in a
        second call of the same model.
    """

    def __init__(self, landmark: Callable[[str, tuple, dict[str, Any]], None]) -> None:
        self.landmark = landmark
        self.made: dict[int, tuple] = {}
        self.weights: dict[tuple, tuple[int, float]] = {}
        self.told: set[tuple] = set()

    def note_made(self, uid: int, stack: tuple, callers: list[int], call: int) -> None:
        """A module was constructed in the `call`-th outermost call, while `callers` were being called, the outermost
        first."""
        if len(self.made) < MOST:
            self.made[uid] = (stack, callers[0], callers[-1], call)

    def forget(self, uid: int) -> None:
        """The module's weights were loaded: they are not its own."""
        self.made.pop(uid, None)

    def note_called(self, uid: int, module: nn.Module, callers: list[int], output: Any) -> None:
        """A module's call has ended; `callers` are the modules around it."""
        if (
            uid not in self.made
            or any(caller in self.made for caller in callers)
            or not torch.is_grad_enabled()
            or not module.training
        ):
            return
        if not isinstance(output, torch.Tensor) or not output.requires_grad:
            return
        parameters = [p for p in nn.Module.parameters(module) if p.requires_grad and p.is_leaf]
        if not parameters or parameters[0].device.type == "meta":
            return
        stack, model, owner, call = self.made[uid]
        place = (stack[-1:], model)
        total = sum(float(p.detach().double().sum()) for p in parameters)
        before = self.weights.setdefault(place, (call, total))
        if before[0] != call and before[1] != total and place not in self.told:
            self.told.add(place)
            self.landmark(
                "passing",
                stack,
                {
                    "module": uid,
                    "owner": owner,
                    "kind": type(module).__name__,
                    "parameters": sum(p.numel() for p in parameters),
                },
            )
