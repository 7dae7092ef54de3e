"""Plays a captured call again in evaluation mode, with randomness settled, and records every operator's result when
asked to.

Noise is replaced by its middle (`randn` by zeros, `rand` by halves, dropout by nothing), so that two plays differ only
by their inputs.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import field
from typing import Any

import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.overrides import TorchFunctionMode

from .. import ops
from ..dataclass import dataclass
from ..run.record.facts import fact
from ..run.record.names import SILENT, canonical
from ..run.record.seeds import seed_all
from ..run.record.work import work
from .align import Change, difference, tolerance
from .parts import leaves, rebuilt
from .state import evaluating
from .subject import Subject

ZEROS = ops.named("draws_normal")
HALVES = {"rand", "rand_like", "uniform_"}
DROPOUTS = ops.named("drops") - {"native_dropout"}  # it returns its mask as well


@dataclass(slots=True)
class Played:
    """What one operator did: `operands` are `(operator, leaf)` of the recorded results that it read, `results` its
    tensors."""

    op: str
    stack: tuple
    modules: tuple[int, ...]
    operands: tuple[tuple[int, int], ...]
    results: tuple[torch.Tensor, ...]
    args: Any = ()
    kwargs: Any = None
    result: Any = None
    lead: bool = False  # the first argument is a recorded result


@dataclass
class Play:
    """One play: the output's leaves by path, the operators, and for each output leaf the operator that made it."""

    outputs: dict[tuple, torch.Tensor]
    played: list[Played] = field(default_factory=list)
    makers: dict[tuple, tuple[int, int]] = field(default_factory=dict)


def play(subject: Subject, inputs: tuple[tuple, dict], record: bool = False, seed: int = 0) -> Play:
    """Call the subject's module with `inputs`. Raises whatever the model raises."""
    args, kwargs = rebuilt(inputs, lambda path, leaf: leaf.clone() if isinstance(leaf, torch.Tensor) else leaf)
    seed_all(seed)
    watch = _Watch(subject, record)
    with evaluating(subject.module), _fitted(subject, inputs), torch.no_grad(), watch:
        handles = watch.follow() if record else ()
        try:
            output = subject.module(*args, **kwargs)
        finally:
            for handle in handles:
                handle.remove()
    outputs = {path: leaf.detach() for path, leaf in leaves(output) if isinstance(leaf, torch.Tensor)}
    made = Play(outputs, watch.played)
    if record:
        made.makers = {
            path: watch.index[id(leaf)]
            for path, leaf in leaves(output)
            if isinstance(leaf, torch.Tensor) and id(leaf) in watch.index
        }
    return made


def apart(whole: Play, other: Play, path: tuple, change: Change | None = None) -> bool:
    """Whether an output of two plays differs by more than the arithmetic explains; without a `change` nothing was
    cut."""
    left, right = whole.outputs[path], other.outputs[path]
    largest, scale, _ = difference(left, right, change or Change(1, (0,)))
    return largest > tolerance(left.dtype, scale)


def is_random(subject: Subject, whole: Play, path: tuple) -> bool:
    """Whether that output of `whole`, played with all inputs, is another with other random numbers."""
    return apart(whole, play(subject, subject.inputs, seed=1), path)


@contextlib.contextmanager
def _fitted(subject: Subject, inputs: tuple[tuple, dict]) -> Iterator[None]:
    """Parameters that count the samples have as many places as there are samples, all like the first one, while the
    body runs."""
    batching = subject.batching() if subject.sized else None
    if batching is None:
        yield
        return
    path, axis = next(iter(batching.axes.items()))
    count = dict(leaves(inputs))[path].shape[axis]
    saved = [(p, p.data) for p, _ in subject.sized]
    try:
        for p, along in subject.sized:
            p.data = p.data.narrow(along, 0, 1).repeat_interleave(count, along)
        yield
    finally:
        for p, data in saved:
            p.data = data


@contextlib.contextmanager
def settled(seed: int = 0) -> Iterator[None]:
    """Noise is replaced by its middle and every generator seeded while the body runs."""
    seed_all(seed)
    with _Watch(None, False):
        yield


class _Watch(TorchFunctionMode):
    def __init__(self, subject: Subject | None, record: bool) -> None:
        super().__init__()
        self.subject, self.record = subject, record
        self.played: list[Played] = []
        self.index: dict[int, tuple[int, int]] = {}
        self.alive: list[torch.Tensor] = []
        self.modules: list[int] = []

    def follow(self) -> tuple:
        """Keep the stack of modules while they are being called."""
        known = self.subject.run.modules.known

        def enter(module: nn.Module, args: Any) -> None:
            entry = known.get(id(module))
            self.modules.append(entry.uid if entry is not None else -1)

        def leave(module: nn.Module, args: Any, output: Any) -> None:
            self.modules.pop()

        return register_module_forward_pre_hook(enter), register_module_forward_hook(leave)

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        op = canonical(func)
        if op in SILENT:
            return func(*args, **kwargs)
        if op in DROPOUTS:
            result = args[0] if args else kwargs["input"]
            return result
        if op == "scaled_dot_product_attention" and kwargs.get("dropout_p"):
            kwargs = {**kwargs, "dropout_p": 0.0}
        result = func(*args, **kwargs)
        work.call(op, args, kwargs, result)
        if isinstance(result, torch.Tensor):
            if op in ZEROS:
                result = result.zero_() if op.endswith("_") else torch.zeros_like(result)
            elif op in HALVES:
                result = result.fill_(0.5) if op.endswith("_") else torch.full_like(result, 0.5)
        if self.record:
            self._keep(op, args, kwargs, result)
        return result

    def _keep(self, op: str, args: tuple, kwargs: dict, result: Any) -> None:
        operands = tuple(
            self.index[id(leaf)]
            for _, leaf in leaves((args, kwargs))
            if isinstance(leaf, torch.Tensor) and id(leaf) in self.index
        )
        made = [leaf for _, leaf in leaves(result) if isinstance(leaf, torch.Tensor)]
        run = self.subject.run
        self.played.append(
            Played(
                op,
                run.sources.stack(sys._getframe(2)),
                tuple(self.modules),
                operands,
                tuple(leaf.detach().clone() for leaf in made),
                fact(args, run.notes),
                {key: fact(value, run.notes) for key, value in kwargs.items()},
                fact(result, run.notes),
                lead=bool(args) and isinstance(args[0], torch.Tensor) and id(args[0]) in self.index,
            )
        )
        for place, leaf in enumerate(made):
            self.alive.append(leaf)
            self.index[id(leaf)] = (len(self.played) - 1, place)
