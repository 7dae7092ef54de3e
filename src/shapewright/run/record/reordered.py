"""Tells from the graph of autograd whether the rows of what a network answered stand in another order than its samples.
It judges nothing."""

from __future__ import annotations

import torch

BEHIND = 8
REORDERING = frozenset({"Sort", "Index", "IndexSelect", "Flip", "Roll", "Topk"})  # of autograd


def reordered(answer: torch.Tensor) -> bool:
    """Whether the last operators behind an answer put its rows into another order: then they are no samples' rows."""
    node = answer.grad_fn
    for _ in range(BEHIND):
        if node is None or type(node).__name__.removesuffix("0").removesuffix("Backward") in REORDERING:
            break
        node = next((before for before, _ in node.next_functions if before is not None), None)
    else:
        return False
    return node is not None


def reordered_beside(table: torch.Tensor) -> bool:
    """Whether any of the last operators behind a table of scores, on either side, puts rows into another order."""
    nodes = {table.grad_fn}
    for _ in range(BEHIND):
        nodes.discard(None)
        if any(type(node).__name__.removesuffix("0").removesuffix("Backward") in REORDERING for node in nodes):
            return True
        nodes = {before for node in nodes if node is not None for before, _ in node.next_functions}
    return False
