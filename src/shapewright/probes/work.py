"""Counts the work of replays, so that what is asked depends on the script and never on the clock.

The unit is about a second of one quiet core. It is charged by calls, numbers made and products summed; nothing here
looks at a watch.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch

CALL, NUMBER, PRODUCT = 4e-6, 1e-9, 5e-11


class Spent(Exception):
    """A question has used up its work."""


class Work:
    """What is `left` of the work that may be done; charging more raises Spent."""

    def __init__(self) -> None:
        self.left = float("inf")

    @contextlib.contextmanager
    def limited(self, most: float) -> Iterator[None]:
        """At most `most` for the body; what it used is taken off what there was before."""
        before = self.left
        self.left = given = min(before, most)
        try:
            yield
        finally:
            self.left = before - (given - self.left)

    def charge(self, work: float) -> None:
        """Use up some work."""
        self.left -= work
        if self.left < 0:
            raise Spent

    def call(self, args: tuple, kwargs: dict, result: Any) -> None:
        """Charge one call of an operator: a layer's weights are multiplied once for each place of its result."""
        made = sum(part.numel() for part in _tensors(result))
        weights = [part for part in (*_tensors(args), *_tensors(tuple(kwargs.values()))) if part.dim() >= 2]
        inner = max((part.numel() // max(1, part.shape[0]) for part in weights[1:]), default=1)
        self.charge(CALL + NUMBER * made + PRODUCT * made * min(inner, 1 << 16))


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value[:16]:
            yield from _tensors(part)


work = Work()
"""The meter of this process: probes run one after another."""
