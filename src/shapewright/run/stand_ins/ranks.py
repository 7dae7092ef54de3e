"""One rank of several: what its collective calls give, and which it makes.

Alone, a group of one process answers. Of two runs that are a pair each gives the other what it sends (`company`);
further ranks are taken to hold what the other does. Where there is no other, or the two have parted, all are taken to
hold the same values, so that nothing waits; the two runs are compared afterwards (`ending/ranks`).
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import os
import sys
from collections.abc import Callable
from typing import Any

from ...trace import Site
from ...trace.ranks import Awaited, Collective, Ranks
from ..record.readable import readable
from . import company
from .context import Context, current, user_frame

MOST = 4000
LARGEST, KEPT = 1 << 20, 400  # of sums over the ranks that are kept: numbers in each, and how many
WHOLE = frozenset({"barrier", "monitored_barrier"})
STARTED = frozenset({"isend", "irecv"})  # they give what has to be waited for
INNER = frozenset({"isend", "irecv"})  # calls that the library compares with its own


class Calls:
    """What this rank did; `site` gives the user's line that is running."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.grouped = self.divided = self.averaging = False
        self.answering = False  # whether this process answers for the ranks that are not there
        self.guessed = False  # whether an answer was taken to be what this rank holds
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

    def _stepping(self, optimizer: Any, *_: object) -> None:
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

    def added(self, tensor: Any, before: object) -> None:
        """A tensor became the sum of what the ranks hold."""
        site = self.site()
        if site is not None and tensor.is_floating_point() and len(self.sums) < KEPT and not tensor.equal(before):
            self.sums[tensor.data_ptr()] = (tensor.clone(), site)

    def shared(self, name: str, value: object) -> list[Any]:
        """What each rank gives to a call: this one `value`."""
        import torch.distributed as distributed

        size, rank, other = distributed.get_world_size(), distributed.get_rank(), company.given()
        if other is None or rank > 1:
            self.guessed = True
            return [value] * size
        call = self.calls[-1]
        theirs = other.meet((name, call.shape, call.site), value)
        self.guessed = self.guessed or theirs is None or size > 2
        both = [value, theirs[0] if theirs is not None else value]
        return [both[rank], *[both[1 - rank]] * (size - 1)]

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
        found = Ranks(self.grouped, *kept, self.divided, self.averaging, averaged, *rest, tuple(self.awaited))
        other = company.given()
        stuck = other.parted[0] if other is not None and other.parted is not None else None
        return dataclasses.replace(found, guessed=self.guessed, stuck=Collective(*stuck) if stuck is not None else None)


def recorded(distributed: Any, context: Context) -> None:
    """Have the collective calls of a script noted, and answered where it runs as one of several ranks."""
    for name, answer in ANSWERS.items():
        original = getattr(distributed, name, None)
        if original is not None:
            made = _noted(getattr(original, "__wrapped__", original), name, answer, context)
            setattr(distributed, name, made)
            if name in INNER:
                setattr(distributed.distributed_c10d, name, made)


def _noted(original: Callable[..., Any], name: str, answer: Callable[..., Any], context: Context) -> Any:
    import torch

    @functools.wraps(original)
    def call(*args: Any, **options: Any) -> Any:
        ranks = context.ranks
        whole = options.get("group") in (None, torch.distributed.group.WORLD)
        if ranks.grouped and whole and len(ranks.calls) < MOST:
            given = next((value for value in (*args, *options.values()) if isinstance(value, torch.Tensor)), None)
            shape = () if given is None or name in WHOLE else tuple(given.shape)
            ranks.calls.append(Collective(name, shape, ranks.site()))
        if not ranks.answering:
            return original(*args, **options)
        import torch.distributed as distributed

        rank, size = distributed.get_rank(), distributed.get_world_size()

        def share(value: object) -> list[Any]:
            if whole and all(readable(one, LARGEST) for one in _tensors((value, *args))):
                with torch._C.DisableTorchFunction():
                    return ranks.shared(name, value)
            ranks.guessed = True
            return [value] * size

        with torch.no_grad():
            summing = name == "all_reduce" and args[:1] and readable(args[0], LARGEST)
            before = args[0].clone() if summing else None
            done = answer(share, rank, size, *args, **options)
            if before is not None:
                ranks.added(args[0], before)
        return (done or Done()) if options.get("async_op") or name in STARTED else None

    return call


def _tensors(value: Any) -> list[Any]:
    """The tensors in `value` and the sequences in it."""
    import torch

    if isinstance(value, torch.Tensor):
        return [value]
    return [one for part in value for one in _tensors(part)] if isinstance(value, (tuple, list)) else []


class Done:
    """A call that has ended, or that ends with `wait`."""

    def __init__(self, ending: Callable[[], None] | None = None) -> None:
        self._ending = ending

    def wait(self, *_: object) -> bool:
        """At once, or when the other has sent what is asked for."""
        ending, self._ending = self._ending, None
        if ending is not None:
            ending()
        return True

    def is_completed(self) -> bool:
        """Always: what is not there yet is waited for."""
        return self.wait()


def _one(parts: list[Any], op: object) -> Any:
    """What the ranks hold of one tensor, made one as `op` says."""
    import torch

    name = str(op).rpartition(".")[2].upper()
    made = parts[0].clone()
    for part in parts[1:]:
        if name == "PRODUCT":
            made.mul_(part)
        elif name in ("MAX", "MIN"):
            made.copy_((torch.maximum if name == "MAX" else torch.minimum)(made, part))
        elif name in ("BAND", "BOR", "BXOR"):
            made.copy_(getattr(torch, f"bitwise_{name[1:].lower()}")(made, part))
        else:
            made.add_(part)
    return made.div_(len(parts)) if name == "AVG" else made


def _asked(args: tuple[object, ...], options: dict[str, object]) -> Any:
    """The operation that a call states, by default a sum."""
    given = [value for value in (*args, options.get("op")) if value is not None and not isinstance(value, int)]
    return given[0] if given else "SUM"


def _reduce(share: Share, rank: int, size: int, tensor: Any, *args: Any, **options: Any) -> None:
    parts, op = share(tensor), _asked(args, options)
    if all(part is tensor for part in parts) and "SUM" in str(op).upper():
        tensor.mul_(size)
    else:
        tensor.copy_(_one(parts, op))


def _to_one(share: Share, rank: int, size: int, tensor: Any, dst: int = 0, *args: Any, **options: Any) -> None:
    made = _one(share(tensor), _asked(args, options))
    if rank == dst:
        tensor.copy_(made)


def _broadcast(share: Share, rank: int, size: int, tensor: Any, src: int = 0, *_: object, **__: object) -> None:
    parts = share(tensor)
    if parts[src] is not tensor:
        tensor.copy_(parts[src])


def _gather(share: Share, rank: int, size: int, tensor_list: Any, tensor: Any, *_: Any, **__: Any) -> None:
    if len(tensor_list) != size:
        raise ValueError(f"all_gather expects a list of {size} tensors, one of each rank, but got {len(tensor_list)}")
    for place, part in zip(tensor_list, share(tensor)):
        place.copy_(part)


def _gather_into(
    share: Share, rank: int, size: int, output_tensor: Any, input_tensor: Any, *_: object, **__: object
) -> None:
    import torch

    if output_tensor.numel() != size * input_tensor.numel():
        raise ValueError("output tensor size must be equal to world_size times input tensor size")
    output_tensor.copy_(torch.cat([part.reshape(-1) for part in share(input_tensor)]).reshape(output_tensor.shape))


def _gather_one(share: Share, rank: int, size: int, tensor: Any, gather_list: Any = None, *_: Any, **__: Any) -> None:
    for place, part in zip(gather_list or (), share(tensor)):
        place.copy_(part)


def _scatter(
    share: Share, rank: int, size: int, tensor: Any, scatter_list: Any = None, src: int = 0, *_: Any, **__: Any
) -> None:
    parts = share(list(scatter_list) if scatter_list else None)
    if parts[src]:
        tensor.copy_(parts[src][rank])


def _reduce_scatter(share: Share, rank: int, size: int, output: Any, given: Any, *args: Any, **options: Any) -> None:
    if not isinstance(given, (list, tuple)) and given.numel() != size * output.numel():
        raise ValueError("input tensor must be the same size as output size times world size")
    parts = [
        part[rank] if isinstance(part, (list, tuple)) else part.reshape(-1).chunk(size)[rank]
        for part in share(list(given) if isinstance(given, (list, tuple)) else given)
    ]
    output.copy_(_one(parts, _asked(args, options)).reshape(output.shape))


def _exchange(share: Share, rank: int, size: int, output: Any, given: Any, *args: Any, **options: Any) -> None:
    import torch

    if isinstance(output, (list, tuple)):
        for place, part in zip(output, share(list(given))):
            place.copy_(part[rank])
        return
    named = options.get("input_split_sizes", args[1] if len(args) > 1 else None)
    pieces = given.split(list(named) if named else [len(given) // size] * size)
    output.copy_(torch.cat([part[rank] for part in share(list(pieces))]).reshape(output.shape))


def _objects(share: Share, rank: int, size: int, object_list: Any, obj: object, *_: object, **__: object) -> None:
    object_list[:] = share(obj)


def _objects_to_one(
    share: Share, rank: int, size: int, obj: object, object_gather_list: Any = None, *_: object, **__: object
) -> None:
    parts = share(obj)
    if object_gather_list is not None:
        object_gather_list[:] = parts


def _objects_of_one(
    share: Share, rank: int, size: int, object_list: Any, src: int = 0, *_: object, **__: object
) -> None:
    object_list[:] = share(list(object_list))[src]


def _scattered(
    share: Share, rank: int, size: int, output: Any, given: Any = None, src: int = 0, *_: Any, **__: Any
) -> None:
    parts = share(list(given) if given else None)
    if parts[src]:
        output[0] = parts[src][rank]


def _meet(share: Share, rank: int, size: int, *_: object, **__: object) -> None:
    share(None)


def _send(share: Share, rank: int, size: int, tensor: Any, dst: int = 0, *_: Any, **__: Any) -> None:
    other = company.given()
    if other is not None and dst == 1 - rank:
        other.send(tensor if readable(tensor, LARGEST) else None)


def _receive(share: Share, rank: int, size: int, tensor: Any, src: int | None = None, *_: object, **__: object) -> None:
    other, context = company.given(), current()
    ranks = context.ranks if context is not None else None
    if other is None or ranks is None or src not in (None, 1 - rank):
        letter = None
    else:
        letter = other.receive(("recv", tuple(tensor.shape), ranks.site()))
    if letter is not None and letter[0] is not None:
        tensor.copy_(letter[0].reshape(tensor.shape))
    elif ranks is not None:
        ranks.guessed = True


def _receive_later(share: Share, rank: int, size: int, *args: Any, **options: Any) -> Done:
    return Done(functools.partial(_receive, share, rank, size, *args, **options))


Share = Callable[[Any], list[Any]]
ANSWERS: dict[str, Callable[..., Any]] = {
    "all_reduce": _reduce,
    "reduce": _to_one,
    "broadcast": _broadcast,
    "all_gather": _gather,
    "all_gather_into_tensor": _gather_into,
    "gather": _gather_one,
    "scatter": _scatter,
    "reduce_scatter": _reduce_scatter,
    "reduce_scatter_tensor": _reduce_scatter,
    "all_to_all": _exchange,
    "all_to_all_single": _exchange,
    "barrier": _meet,
    "monitored_barrier": _meet,
    "broadcast_object_list": _objects_of_one,
    "all_gather_object": _objects,
    "gather_object": _objects_to_one,
    "scatter_object_list": _scattered,
    "send": _send,
    "recv": _receive,
    "isend": _send,
    "irecv": _receive_later,
}
