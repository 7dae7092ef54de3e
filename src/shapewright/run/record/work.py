"""Counts work, so that what a run does and what is asked of it depend on the script and never on the clock.

The unit is about a second of one quiet core. It is charged by calls, numbers made and products summed; nothing here
looks at a watch.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn
from torch.nn.parameter import is_lazy

from ... import ops

CALL, NUMBER, PRODUCT = 4e-6, 1e-9, 5e-11
BACKWARD = 3  # a training step costs about three forward passes
CALLS = 4  # of a model that is worth a run with numbers
CONVOLUTIONS = frozenset(f"conv{kind}{n}d" for kind in ("", "_transpose") for n in (1, 2, 3))
MOVING = ("pointwise", "reshapes", "joins", "indexes", "losses")  # each number of a result comes of a few
LARGE = 1_000_000  # numbers that a convolution reads, from which on its work is counted before it is done


class Spent(Exception):
    """A question has used up its work."""


class Work:
    """What is `left` of the work that may be done; charging more raises `error`."""

    def __init__(self, left: float = float("inf"), error: BaseException | type[BaseException] = Spent) -> None:
        self.left, self.error, self.used = left, error, 0.0
        self.times = 0.0  # what was foreseen, of what was left

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
        self.used += work
        if self.left < 0:
            raise self.error

    def call(self, op: str, args: tuple, kwargs: dict, result: object, times: int = 1) -> None:
        """Charge one call of an operator: a layer's weights are multiplied once for each place of its result, unless
        it sums nothing."""
        sums = not ops.is_a(op, *MOVING) and (not op.endswith("_") or ops.is_a(op, "products"))
        self.charge(times * _of_call(args if sums else (), kwargs if sums else {}, result))

    def ahead(self, func: Callable, op: str, args: tuple, kwargs: dict, times: int = 1) -> None:
        """Raise where one large convolution would use up all that is left: no need to wait for it."""
        if op not in CONVOLUTIONS or not args or not isinstance(args[0], torch.Tensor) or args[0].numel() < LARGE:
            return
        with torch._C.DisableTorchFunction():
            shapes = [
                torch.empty(part.shape, dtype=part.dtype, device="meta") if isinstance(part, torch.Tensor) else part
                for part in (*args, *kwargs.values())
            ]
            given, named = tuple(shapes[: len(args)]), dict(zip(kwargs, shapes[len(args) :]))
            try:
                result = func(*given, **named)
            except (RuntimeError, TypeError, ValueError):  # the call itself will say so
                return
        if times * _of_call(given, named, result) > self.left:
            raise self.error

    def foresee(self, module: nn.Module, given: object, asks: bool = False) -> None:
        """Raise where some calls of a model on sequences, which train it unless it is only asked, would use up all that
        is left: each of its weights is multiplied once a step."""
        steps = max(
            (part.numel() for part in _tensors(given) if part.dim() == 2 and not part.is_floating_point()), default=0
        )
        if steps:
            tables = {id(part.weight) for part in module.modules() if isinstance(part, nn.Embedding)}
            weights = sum(
                p.numel()
                for p in nn.Module.parameters(module)
                if not is_lazy(p) and p.dim() >= 2 and id(p) not in tables
            )
            ahead = CALLS * BACKWARD * weights * steps * PRODUCT
            if ahead / (BACKWARD if asks else 1) > self.left:
                self.times = ahead / self.left if self.left > 0 else 0.0
                raise self.error

    def once(self) -> contextlib.AbstractContextManager[None]:
        """A call for the body that a training makes several times: it may use its part of what is left."""
        return self.limited(self.left / CALLS) if self.left < float("inf") else contextlib.nullcontext()


def _of_call(args: tuple, kwargs: dict, result: Any) -> float:
    """The work of one call of an operator."""
    made = result.numel() if isinstance(result, torch.Tensor) else sum(part.numel() for part in _tensors(result))
    first: torch.Tensor | None = None
    inner = 1
    for value in (*args[:16], *kwargs.values()):
        if isinstance(value, torch.Tensor):
            inner = max(inner, _summed(first, value, made) if first is not None else 1)
            first = value if first is None else first
        elif isinstance(value, (tuple, list, dict)):
            parts = [part for part in _tensors(value) if part.dim() >= 2]
            inner = max([inner, *(part.numel() // max(1, part.shape[0]) for part in parts)])
    return CALL + NUMBER * made + PRODUCT * made * min(inner, 1 << 16)


def _summed(first: torch.Tensor, other: torch.Tensor, made: int) -> int:
    """How many products each of the numbers `made` sums: of two matrices as many as they share, of queries and keys
    those of all steps, of a layer as many as one row of its weights has.

    >>> left = torch.empty(8, 100, 16)
    >>> _summed(left, torch.empty(8, 16, 90), 72_000), _summed(left, left, 80_000), _summed(left, left, 12_800)
    (16, 16, 200)
    >>> _summed(left, torch.empty(16, 30), 24_000), _summed(torch.empty(8, 3, 32, 32), torch.empty(64, 3, 5, 5), 9)
    (16, 75)
    """
    shape, width = other.shape, first.shape[-1] if first.dim() >= 2 else 0
    if len(shape) == 2 and width in shape:
        return width
    if len(shape) > 2 and first.shape[:-2] == shape[:-2] and width in shape[-2:]:
        return width if made > first.numel() or width != shape[-1] else 2 * shape[-2]
    return other.numel() // max(1, shape[0]) if len(shape) > 1 else 1


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        yield from _tensors(tuple(value.values()))
    elif isinstance(value, (tuple, list)):
        for part in value[:16]:
            yield from _tensors(part)


work = Work()
"""The meter of the probes of this process, which run one after another."""


def computed(script: Work) -> float:
    """What the operators of this process computed: those of the script and those of the probes."""
    return script.used + work.used
