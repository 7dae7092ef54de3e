"""A backward pass through remote calls goes through calls of this process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from ..context import Context


def patch(module: ModuleType, context: Context) -> None:
    """Replace the context, whose gradients end with it, the backward pass, and what reads the gradients."""
    reached: list[Any] = []  # tensors that have a gradient in the context under way

    @contextlib.contextmanager
    def begun() -> Iterator[int]:
        yield 0
        for tensor in reached:
            tensor.grad = None
        reached.clear()

    def backward(context_id: int, roots: list[Any], retain_graph: bool = False) -> None:
        import torch

        reached.extend(_leaves(roots))
        torch.autograd.backward(roots, retain_graph=retain_graph)

    module.context = begun
    module.backward = backward
    module.get_gradients = lambda context_id: {tensor: tensor.grad for tensor in reached}


def _leaves(roots: list[Any]) -> list[Any]:
    """The tensors whose gradients a backward pass from these gives."""
    waiting, seen, found = [root.grad_fn for root in roots], set(), []
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        found += [node.variable] if hasattr(node, "variable") else []
        waiting += [following for following, _ in node.next_functions]
    return found
