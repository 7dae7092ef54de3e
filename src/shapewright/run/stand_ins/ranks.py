"""One rank of several: what its collective calls give, and which it makes.

Alone, a group of one process answers. As rank `r` of `n` the other ranks are taken to hold the same values, so that
nothing waits for another process; two such runs are compared afterwards (`ending/ranks`).
"""

from __future__ import annotations

import functools
import itertools
import os
import sys
from collections.abc import Callable
from typing import Any

from ...trace import Site
from ...trace.ranks import Awaited, Collective, Ranks
from ..record.readable import readable
from .context import Context, user_frame

MOST = 4000
LARGEST, KEPT = 1 << 20, 400  # of sums over the ranks that are kept: numbers in each, and how many
WHOLE = frozenset({"barrier", "monitored_barrier"})
STARTED = frozenset({"isend", "irecv"})  # they give what has to be waited for


class Calls:
    """What this rank did; `site` gives the user's line that is running."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.grouped = self.divided = self.averaging = False
        self.answering = False  # whether this process answers for the ranks that are not there
        self.calls: list[Collective] = []
        self.wrapped: list[Site] = []
        self.models: list[Any] = []  # the wrappers through which a model was called to learn
        self.saved: list[tuple[str, Site]] = []
        self.sums: dict[int, tuple[Any, Site]] = {}  # by their storage
        self.summed: dict[Site, None] = {}
        self.rates: set[float] = set()
        self.awaited: list[Awaited] = []

    def follow(self) -> None:
        """Look at what every optimizer is about to step with."""
        from torch.optim.optimizer import register_optimizer_step_pre_hook

        register_optimizer_step_pre_hook(self._stepping)

    def _stepping(self, optimizer: Any, *_: Any) -> None:
        import torch

        if not self.context.active or not isinstance(optimizer, torch.optim.SGD):  # others take gradients of any size
            return
        with torch._C.DisableTorchFunction():
            self.rates |= {float(group["lr"]) for group in optimizer.param_groups}
            for grad in (one.grad for group in optimizer.param_groups for one in group["params"]):
                if grad is None or not readable(grad, LARGEST):
                    continue
                total, site = self.sums.get(grad.data_ptr(), (None, None))
                if total is not None and total.shape == grad.shape and bool((total == grad).all() & grad.any()):
                    self.summed[site] = None

    def added(self, tensor: Any, before: Any) -> None:
        """A tensor became the sum of what the ranks hold."""
        site = self.site()
        if site is not None and tensor.is_floating_point() and len(self.sums) < KEPT and not tensor.equal(before):
            self.sums[tensor.data_ptr()] = (tensor.clone(), site)

    def site(self) -> Site | None:
        """The user's line that is running."""
        frame = user_frame(sys._getframe(1))
        if frame is None:
            return None
        code = frame.f_code
        line, end, column, end_column = next(itertools.islice(code.co_positions(), frame.f_lasti // 2, None))
        file, line = self.context.display(code.co_filename), line or frame.f_lineno
        return Site(file, line, (column or 0) + 1, end or line, (end_column or 0) + 1, code.co_name)

    def lacked(self, names: list[str]) -> None:
        """A wrapper lacks the gradients of these parameters at the user's line."""
        if not self.awaited and (site := self.site()) is not None:
            self.awaited.append(Awaited(site, tuple(names)))

    def wrote(self, path: str) -> None:
        """A file is written at the user's line."""
        if self.context.rank is not None and (site := self.site()) is not None:
            self.saved.append((os.path.abspath(path), site))

    def facts(self, uid: Callable[[Any], int], read: tuple[tuple[int, Site], ...]) -> Ranks | None:
        """Plain data; `None` for a script of one process. `uid` gives a parameter's identity."""
        if not (self.grouped or self.wrapped):
            return None
        averaged = frozenset(uid(p) for model in self.models for p in model.averaged)
        kept = (tuple(part) for part in (self.calls, self.wrapped))
        rest = (tuple(self.saved), read, tuple(self.summed), frozenset(self.rates))
        return Ranks(self.grouped, *kept, self.divided, self.averaging, averaged, *rest, tuple(self.awaited))


def recorded(distributed: Any, context: Context) -> None:
    """Have the collective calls of a script noted, and answered where it runs as one of several ranks."""
    for name, answer in ANSWERS.items():
        original = getattr(distributed, name, None)
        if original is not None:
            setattr(distributed, name, _noted(getattr(original, "__wrapped__", original), name, answer, context))


def _noted(original: Callable[..., Any], name: str, answer: Callable[..., Any], context: Context) -> Any:
    import torch

    @functools.wraps(original)
    def call(*args: Any, **options: Any) -> Any:
        ranks = context.ranks
        group = options.get("group")
        if ranks.grouped and group is None and len(ranks.calls) < MOST:
            given = next((value for value in (*args, *options.values()) if isinstance(value, torch.Tensor)), None)
            shape = () if given is None or name in WHOLE else tuple(given.shape)
            ranks.calls.append(Collective(name, shape, ranks.site()))
        if not ranks.answering:
            return original(*args, **options)
        import torch.distributed as distributed

        with torch.no_grad():
            summing = name == "all_reduce" and args[:1] and readable(args[0], LARGEST)
            before = args[0].clone() if summing else None
            answer(distributed.get_rank(), distributed.get_world_size(), *args, **options)
            if before is not None:
                ranks.added(args[0], before)
        return Done() if options.get("async_op") or name in STARTED else None

    return call


class Done:
    """A call that has ended."""

    def wait(self, *_: Any) -> bool:
        """At once."""
        return True

    def is_completed(self) -> bool:
        """Always."""
        return True


def _reduce(rank: int, size: int, tensor: Any, *args: Any, **options: Any) -> None:
    asked = [value for value in (*args, options.get("op")) if value is not None and not isinstance(value, int)]
    if not asked or "SUM" in str(asked[0]).upper():
        tensor.mul_(size)


def _to_one(rank: int, size: int, tensor: Any, dst: int = 0, *args: Any, **options: Any) -> None:
    _reduce(rank, size, tensor, *args, **options)


def _gather(rank: int, size: int, tensor_list: Any, tensor: Any, *_: Any, **__: Any) -> None:
    if len(tensor_list) != size:
        raise ValueError(f"all_gather expects a list of {size} tensors, one of each rank, but got {len(tensor_list)}")
    for place in tensor_list:
        place.copy_(tensor)


def _gather_into(rank: int, size: int, output_tensor: Any, input_tensor: Any, *_: Any, **__: Any) -> None:
    import torch

    if output_tensor.numel() != size * input_tensor.numel():
        raise ValueError("output tensor size must be equal to world_size times input tensor size")
    output_tensor.copy_(torch.cat([input_tensor] * size).reshape(output_tensor.shape))


def _gather_one(rank: int, size: int, tensor: Any, gather_list: Any = None, *_: Any, **__: Any) -> None:
    for place in gather_list or ():
        place.copy_(tensor)


def _scatter(rank: int, size: int, tensor: Any, scatter_list: Any = None, *_: Any, **__: Any) -> None:
    if scatter_list:
        tensor.copy_(scatter_list[rank])


def _reduce_scatter(rank: int, size: int, output: Any, given: Any, *args: Any, **options: Any) -> None:
    if not isinstance(given, (list, tuple)) and given.numel() != size * output.numel():
        raise ValueError("input tensor must be the same size as output size times world size")
    part = given[rank] if isinstance(given, (list, tuple)) else given.chunk(size)[rank]
    output.copy_(part.reshape(output.shape))
    _reduce(rank, size, output, *args, **options)


def _exchange(rank: int, size: int, output: Any, given: Any, *_: Any, **__: Any) -> None:
    for place, value in zip(*(part if isinstance(part, (list, tuple)) else [part] for part in (output, given))):
        place.copy_(value)


def _objects(rank: int, size: int, object_list: Any, obj: Any, *_: Any, **__: Any) -> None:
    object_list[:] = [obj] * size


def _nothing(rank: int, size: int, *_: Any, **__: Any) -> None:
    """The other ranks hold the same."""


ANSWERS: dict[str, Callable[..., Any]] = {
    "all_reduce": _reduce,
    "reduce": _to_one,
    "broadcast": _nothing,
    "all_gather": _gather,
    "all_gather_into_tensor": _gather_into,
    "gather": _gather_one,
    "scatter": _scatter,
    "reduce_scatter": _reduce_scatter,
    "reduce_scatter_tensor": _reduce_scatter,
    "all_to_all": _exchange,
    "all_to_all_single": _exchange,
    "barrier": _nothing,
    "monitored_barrier": _nothing,
    "broadcast_object_list": _nothing,
    "all_gather_object": _objects,
    "send": _nothing,
    "recv": _nothing,
    "isend": _nothing,
    "irecv": _nothing,
}
