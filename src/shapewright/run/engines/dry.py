"""The dry engine: parameters and all that is computed from them are shapes, so a model of any size takes its step in
seconds and megabytes.

Two modes: `Shapes` answers operators below autograd; `Questions` answers what Python asks of a tensor above it (device,
numbers, printing). Small data stays real (`shapes` says how small). Where a number is asked for that does not exist, a
plausible one is given and noted as `value-assumed`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

from ... import ops
from ...trace import Site
from ..device.answers import HANDLERS, handler
from ..device.places import name_of
from ..device.simulated import RECURRENT, Devices
from ..record.assume import Assumptions
from ..record.names import canonical
from ..record.tape import writes
from .data_dependent import Reader
from .shapes import Shapes, to_shape
from .values import filled

Tensor = torch.Tensor
SHOWN = 1 << 24
# beside the recurrent ones, operators that refuse operands on two devices before the dispatch mode sees them
COMPARING = frozenset({"take_along_dim"})
PUTTING = frozenset({"fill_", "copy_", "setitem"})  # their last operand replaces numbers


class Dry:
    """See the module."""

    name = "dry"

    def __init__(self, assumptions: Assumptions, place: Callable[[], Site | None], kind: str = "") -> None:
        self.reader = Reader(assumptions, place)
        self.questions = self.devices = Questions(self.reader, assumptions, place, kind)

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Run the body on shapes."""
        with contextlib.ExitStack() as stack:
            stack.enter_context(Shapes(self.reader))
            stack.enter_context(_patched())
            stack.enter_context(self.questions.active())
            if not self.questions.kind:
                stack.enter_context(self.questions)
            yield


@contextlib.contextmanager
def _patched() -> Iterator[None]:
    """Make every new parameter shape-only, and pickle shape-only tensors as such."""
    make = nn.Parameter.__new__

    def __new__(cls, data=None, requires_grad=True):
        if isinstance(data, Tensor) and not data.is_meta and type(data) is Tensor:
            with torch._C.DisableTorchFunction():
                data = to_shape(data.detach())
        return make(cls, data, requires_grad)

    reduce = Tensor._reduce_ex_internal

    def _reduce_ex_internal(self, protocol):  # pickling must see that a shape-only tensor has no storage
        with torch._C.DisableTorchFunction():
            return reduce(self, protocol)

    nn.Parameter.__new__, Tensor._reduce_ex_internal = staticmethod(__new__), _reduce_ex_internal
    try:
        yield
    finally:
        nn.Parameter.__new__, Tensor._reduce_ex_internal = staticmethod(make), reduce


class _ToShape(torch.autograd.Function):
    """A real tensor that requires gradients as a shape; its gradient is real again, of zeros."""

    @staticmethod
    def forward(ctx: object, tensor: Tensor) -> Tensor:
        return to_shape(tensor)

    @staticmethod
    def backward(ctx: object, gradient: Tensor) -> Tensor:
        return torch.zeros(gradient.shape, dtype=gradient.dtype, device="cpu")


class _ToNumbers(torch.autograd.Function):
    """A shape-only tensor with plausible numbers, for a real tensor that it is written into; its gradient is a shape
    again."""

    @staticmethod
    def forward(ctx: object, tensor: Tensor) -> Tensor:
        return filled(tensor).clone()

    @staticmethod
    def backward(ctx: object, gradient: Tensor) -> Tensor:
        return to_shape(gradient)


class Questions(Devices):
    """`Devices`, and the questions that need numbers."""

    def __init__(self, reader: Reader, assumptions: Assumptions, place: Callable[[], Site | None], kind: str) -> None:
        super().__init__(assumptions, place, kind)
        self.reader = reader

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        answer = ANSWERS.get(func)
        if answer is not None:
            return answer(self, func, args, kwargs)
        op = canonical(func)
        if ops.is_a(op, "takes_data"):
            args = tuple(_numbered(self, part) if type(part) in (list, tuple) else part for part in args)
        if handler(func) is None:
            if writes(op):
                args = _written(op, args)
            name = name_of(func)
            also = torch.is_floating_point if name in RECURRENT else _any if name in COMPARING else None
            args, kwargs = _divided(_joined((*args, *kwargs.values()), also), kwargs)
        try:
            return super().__torch_function__(func, types, args, kwargs)
        except RuntimeError:
            given = (*args, *kwargs.values())
            joined = _joined(given, torch.is_floating_point)
            if joined is given or writes(op):
                raise
            with contextlib.suppress(RuntimeError):  # some compare the places of all that they are given
                args, kwargs = _divided(joined, kwargs)
                return super().__torch_function__(func, types, args, kwargs)
            raise


def _divided(given: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """Operands, the last of which are those of `kwargs` by name."""
    count = len(given) - len(kwargs)
    return given[:count], dict(zip(kwargs, given[count:]))


def _written(op: str, args: tuple) -> tuple:
    """The operands of an operator that writes into its first: a real tensor stays real; what joins its graph, and what
    replaces its numbers, has numbers."""
    target = args[0] if args and isinstance(args[0], Tensor) else None
    if target is None or target.is_meta or target.numel() > SHOWN:
        return args

    def change(value: Any) -> Any:
        if not isinstance(value, Tensor) or not value.is_meta:
            return value
        joins = torch.is_grad_enabled() and (value.requires_grad or target.requires_grad)
        if not joins and not (op in PUTTING and value is args[-1]):
            return value
        real = _ToNumbers.apply(value)
        real._claimed_device = getattr(value, "_claimed_device", None)
        return real

    return (target, *map(change, args[1:]))


def _any(tensor: Tensor) -> bool:
    return True


def _joined(args: tuple, also: Callable[[Tensor], bool] | None) -> tuple:
    """Where a shape-only tensor meets a real one that requires gradients, the real one joins the graph as a shape.

    So do the real operands for which `also` holds: some operators compare devices before they are taken apart."""
    tensors = [value for value in args if isinstance(value, Tensor)]
    for value in args:
        if isinstance(value, (list, tuple)):
            tensors += [part for part in value if isinstance(part, Tensor)]

    def joins(tensor: Tensor) -> bool:
        return not tensor.is_meta and (tensor.requires_grad or (also is not None and also(tensor)))

    if not any(tensor.is_meta for tensor in tensors) or not any(joins(tensor) for tensor in tensors):
        return args

    def change(value: Any) -> Any:
        if isinstance(value, Tensor):
            return _joining(value) if joins(value) else value
        return type(value)(change(part) for part in value) if type(value) in (list, tuple) else value

    return tuple(change(value) for value in args)


def _joining(tensor: Tensor) -> Tensor:
    shape = _ToShape.apply(tensor) if tensor.dtype.is_floating_point else to_shape(tensor)
    shape._claimed_device = getattr(tensor, "_claimed_device", None)
    return shape


def _shown(questions: Questions, tensor: Tensor) -> Tensor:
    """A real tensor in the place of a shape-only one, for a reader of all its numbers."""
    real = filled(tensor)
    questions.reader.note(f"{tuple(tensor.shape)}: {real.reshape(-1)[0].item() if real.numel() else ''}")
    return real if real.numel() > SHOWN else real.clone()


def _numbered(questions: Questions, value: Any) -> Any:
    """A list of numbers, with real ones in the place of shape-only tensors of one number."""
    if type(value) in (list, tuple):
        return type(value)(_numbered(questions, part) for part in value)
    alone = isinstance(value, Tensor) and value.is_meta and value.numel() == 1
    return _shown(questions, value) if alone else value


def _numbers(questions: Questions, func: Any, args: tuple, kwargs: dict) -> Any:
    """`tolist`, `numpy`, `__array__` and printing."""
    tensor = args[0]
    if not tensor.is_meta:
        answer = handler(func)
        return answer(questions, func, args, kwargs) if answer else func(*args, **kwargs)
    if func in (Tensor.numpy, Tensor.__array__):
        if tensor.requires_grad and not kwargs.get("force", False):
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        real = _shown(questions, tensor)
        real._claimed_device = getattr(tensor, "_claimed_device", None)
        return HANDLERS[func](questions, func, (real, *args[1:]), kwargs)
    if func in (Tensor.__repr__, Tensor.__format__) and tensor.dim():
        return f"tensor(..., size={tuple(tensor.shape)}, dtype={tensor.dtype})"
    return func(_shown(questions, tensor), *args[1:], **kwargs)


def _is_meta(questions: Questions, func: object, args: tuple, kwargs: dict) -> bool:
    return False


def _set_data(questions: Questions, func: object, args: tuple, kwargs: dict) -> None:
    """`t.data = other`: both become shapes, or both real, as `t` is."""
    tensor, other = args
    if tensor.is_meta and not other.is_meta:
        other = to_shape(other.detach())
    elif not tensor.is_meta and other.is_meta:
        other = _shown(questions, other)
    HANDLERS[func](questions, func, (tensor, other), kwargs)


ANSWERS: dict[Any, Callable] = {
    Tensor.tolist: _numbers,
    Tensor.numpy: _numbers,
    Tensor.__array__: _numbers,
    Tensor.__repr__: _numbers,
    Tensor.__format__: _numbers,
    Tensor.is_meta.__get__: _is_meta,
    Tensor.data.__set__: _set_data,
}
