"""The dispatch mode of the dry engine: every operator, forward and backward, runs on shapes wherever a large or learned
tensor takes part.

Small data stays real: a tensor made by the script is shape-only above `LIVE_NUMEL` elements or when `LIVE_BYTES` are
spent; parameters are always shape-only. An operator with one shape-only operand gives shape-only results; its real
operands are turned into shapes for that call, after the checks that only values allow (an index out of range).
Operators that depend on data live in `data_dependent`. It does not answer Python's questions (`tolist`, `numpy`,
`device`): `dry` does.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .data_dependent import CHECKS, HANDLERS, Reader
from .memory import UNKNOWN, Memory
from .values import filled, follow

aten = torch.ops.aten
LIVE_NUMEL = 1 << 20
LIVE_BYTES = 512 << 20
SPARE_NUMEL = 4096
LIKELY_LARGE = 1 << 22
FALLBACK_NUMEL = 1 << 20
POINTWISE_NUMEL = 1 << 25

FACTORIES = frozenset(
    {
        "empty",
        "empty_strided",
        "zeros",
        "ones",
        "full",
        "rand",
        "randn",
        "randint",
        "normal",
        "eye",
        "linspace",
        "logspace",
        "new_empty",
        "new_zeros",
        "new_ones",
        "new_full",
        "new_empty_strided",
        "tril_indices",
        "triu_indices",
        "scalar_tensor",
    }
)
# their result may be far larger than their operands
GROWING = frozenset(
    {
        "repeat",
        "constant_pad_nd",
        "upsample_nearest2d",
        "upsample_bilinear2d",
        "kron",
        "cdist",
        "tile",
        "scatter",
        "diag_embed",
    }
)
# they read the numbers of one operand on the CPU whatever the device of the other
READING = frozenset({"_pad_packed_sequence", "_pack_padded_sequence_backward", "split_with_sizes"})


class Unsupported(RuntimeError):
    """The dry engine cannot run an operator. `execute` ends the run as incomplete: it is no fault of the script's."""


@functools.cache
def short(func: Any) -> str:
    """`add_` for `aten.add_.Tensor`."""
    return func.overloadpacket.__name__


@functools.cache
def _traits(func: Any) -> tuple[str, bool, bool]:
    """Short name, whether 0-dim CPU operands may stay, and whether it writes into its first operand."""
    pointwise = torch.Tag.pointwise in func.tags
    arguments = func._schema.arguments
    writes = bool(arguments) and arguments[0].alias_info is not None and arguments[0].alias_info.is_write
    return func.overloadpacket.__name__, pointwise, writes


class Shapes(TorchDispatchMode):
    """The mode.

    Args:
        reader: answers value reads and notes them.
    """

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader
        self.memory = Memory()
        self.spent = 0

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # nothing is compiled under this mode: torch's guard around each call would only cost time

    def __torch_dispatch__(self, func: object, types: object, args: tuple = (), kwargs: dict | None = None) -> Any:
        kwargs = kwargs or {}
        name, pointwise, writes = _traits(func)
        shapes, reals = _sorted((*args, *kwargs.values()))
        if not shapes:
            return self._real(func, name, args, kwargs, reals)
        handler = HANDLERS.get(name)
        if handler is not None:
            answer = handler(self.reader, func, args, kwargs)
            if answer is not NotImplemented:
                return answer
        target, given = None, args
        if reals and name not in READING:
            check = CHECKS.get(name)
            if check is not None:
                check(args, kwargs)
            if writes and isinstance(args[0], torch.Tensor) and not args[0].is_meta:
                target = args[0]
            args = _converted(args, pointwise)
            kwargs = {
                key: value if key == "out" else _converted((value,), pointwise)[0] for key, value in kwargs.items()
            }
        if kwargs.get("device") is not None:
            kwargs["device"] = torch.device("meta")
        if kwargs.get("pin_memory"):
            kwargs["pin_memory"] = False
        if kwargs.get("generator") is not None:
            kwargs["generator"] = None
        key = self.memory.key(func, args, kwargs)
        result = UNKNOWN if key is None else self.memory.recall(key, args)
        if result is UNKNOWN:
            result = self._run(func, args, kwargs)
            if key is not None:
                self.memory.keep(key, func, result)
        if target is not None:  # the real tensor cannot become a shape: it keeps its old numbers
            return target
        follow(name, given, result)
        return result

    def _run(self, func: Any, args: tuple, kwargs: dict) -> Any:
        """Call the shape function; where there is none, run the operator on small made-up numbers."""
        try:
            return func(*args, **kwargs)
        except NotImplementedError as missing:
            if not _small(func, args, kwargs):
                raise Unsupported(f"{func} has no shape function") from missing
        except (RuntimeError, IndexError, ValueError, AssertionError):
            if not _small(func, args, kwargs):
                raise
        # the CPU's own answer: a result, or the error text that the user knows
        writes = _traits(func)[2]
        real = _mapped(args, _numbers)
        if writes and isinstance(real[0], torch.Tensor):
            real = (real[0].contiguous(), *real[1:])
        result = func(*real, **{key: _mapped((value,), _numbers)[0] for key, value in kwargs.items()})
        return args[0] if writes else _mapped((result,), to_shape)[0]

    def _real(self, func: Any, name: str, args: tuple, kwargs: dict, reals: list[torch.Tensor]) -> Any:
        """No operand is shape-only: run it really unless the result is large."""
        if name in FACTORIES:
            size = _numel(name, args)
            if size > self._limit():
                return self._meta(func, args, kwargs)
            self.spent += size * 4
        elif name in GROWING or (len(reals) > 1 and _most(args, reals) > LIKELY_LARGE):
            if not _traits(func)[2] and "out" not in kwargs:
                try:
                    shape = self._meta(func, _mapped(args, to_shape), _mapped_values(kwargs))
                except NotImplementedError:
                    shape = None
                if (
                    isinstance(shape, torch.Tensor)
                    and shape.numel() > self._limit()
                    and shape.numel() > 4 * max(t.numel() for t in reals)
                ):
                    return shape
        return func(*args, **kwargs)

    def _limit(self) -> int:
        return LIVE_NUMEL if self.spent < LIVE_BYTES else SPARE_NUMEL

    @staticmethod
    def _meta(func: Any, args: tuple, kwargs: dict) -> Any:
        kwargs = dict(kwargs)
        if any(argument.name == "device" for argument in func._schema.arguments):
            kwargs["device"] = torch.device("meta")
        kwargs.pop("pin_memory", None)
        if kwargs.get("generator") is not None:
            kwargs["generator"] = None
        return func(*args, **kwargs)


def _small(func: Any, args: tuple, kwargs: dict) -> bool:
    """Whether the operator may run on real numbers: its operands are small, or it is a product of matrices that do not
    fit and so fails at once."""
    tensors, _ = _sorted((*args, *kwargs.values()))
    if sum(tensor.numel() for tensor in tensors) <= (
        POINTWISE_NUMEL if torch.Tag.pointwise in func.tags else FALLBACK_NUMEL
    ):
        return True
    if short(func) in ("mm", "bmm", "addmm", "baddbmm"):
        left, right = tensors[-2:]
        return left.shape[-1] != right.shape[-2]
    return False


def to_shape(tensor: torch.Tensor) -> torch.Tensor:
    """The shape of a real tensor as a shape-only tensor (no graph)."""
    if tensor.is_meta or tensor.layout != torch.strided:
        return tensor
    return torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device="meta")


def _numbers(tensor: torch.Tensor) -> torch.Tensor:
    return filled(tensor) if tensor.is_meta else tensor


def _sorted(values: tuple) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """Shape-only and real tensors among `values`, lists opened."""
    shapes: list[torch.Tensor] = []
    reals: list[torch.Tensor] = []
    for value in values:
        if isinstance(value, torch.Tensor):
            (shapes if value.is_meta else reals).append(value)
        elif isinstance(value, (list, tuple)):
            for part in value:
                if isinstance(part, torch.Tensor):
                    (shapes if part.is_meta else reals).append(part)
    return shapes, reals


def _converted(values: tuple, pointwise: bool) -> tuple:
    """Real operands as shapes. A 0-dim one of a pointwise operator stays: it may be a wrapped Python number, with other
    promotion."""
    return _mapped(values, lambda tensor: tensor if pointwise and tensor.dim() == 0 else to_shape(tensor))


def _mapped(values: tuple, change: Callable[[torch.Tensor], torch.Tensor]) -> tuple:
    return tuple(
        change(value)
        if isinstance(value, torch.Tensor)
        else type(value)(change(part) if isinstance(part, torch.Tensor) else part for part in value)
        if type(value) in (list, tuple)
        else value
        for value in values
    )


def _mapped_values(kwargs: dict) -> dict:
    return {key: _mapped((value,), to_shape)[0] for key, value in kwargs.items()}


def _most(args: tuple, tensors: list[torch.Tensor]) -> int:
    """As many numbers as a result may have: those of a list are joined, others may be spread over each other."""
    counts = [max(1, tensor.numel()) for tensor in tensors]
    return sum(counts) if isinstance(args[0], (list, tuple)) else math.prod(counts)


def _numel(name: str, args: tuple) -> int:
    """Elements that a factory is asked for."""
    if name in ("linspace", "logspace"):
        return int(args[2]) if len(args) > 2 else 0
    if name == "eye":
        return int(args[0]) * int(args[1] if len(args) > 1 and isinstance(args[1], int) else args[0])
    sizes = next((value for value in args if isinstance(value, (list, tuple, torch.Size))), ())
    product = 1
    for size in sizes:
        product *= int(size)
    return product
