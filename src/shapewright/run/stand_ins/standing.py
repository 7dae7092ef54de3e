"""What stands for a tensor until one is demanded of it: by an attribute that tensors have, an operator, or torch. What
is handed out before that keeps its own form."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch

OPERATORS = (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv", "mod", "pow", "neg", "invert"),
    *("matmul", "and", "or", "lt", "le", "gt", "ge"),
)
MAKING = ("tensor", "as_tensor")
# calls that take sizes, and the first operand that is one
SIZED = dict.fromkeys(("empty", "zeros", "ones", "rand", "randn", "full", "arange", "eye", "randint", "randperm"), 0)
SIZED |= dict.fromkeys(("view", "reshape", "expand", "repeat", "new_zeros", "new_ones", "new_empty"), 1)


class Standing:
    """`_tensor` gives the tensor."""

    def _tensor(self) -> torch.Tensor:
        raise NotImplementedError

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*_given(args), **{key: _given(value) for key, value in (kwargs or {}).items()})


def stood(func: Any, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any], None]:
    """The arguments of a call of torch's, as `Recorder.shaping` gives them, with tensors for what stands for them."""
    name = getattr(func, "__name__", "")
    if name == "copy_":
        return args, kwargs, None
    if name in MAKING and args and hasattr(type(args[0]), "_how") and not isinstance(args[0], Standing):
        from .tensors import numbers_of

        args = (numbers_of(args[0]), *args[1:])  # at once, where torch would ask for each number
    sized = SIZED.get(name, len(args))
    args = (*map(_given, args[:sized]), *map(_given, map(_size, args[sized:])))
    return args, {key: _given(value) for key, value in kwargs.items()}, None


def _size(value: Any) -> Any:
    """A size, or several, with numbers for what stands for them."""
    if isinstance(value, (list, tuple)) and any(isinstance(part, Standing) for part in value):
        return type(value)([_size(part) for part in value])
    return operator.index(value) if isinstance(value, Standing) else value


def _given(value: Any) -> Any:
    """An argument, with tensors for what stands for them."""
    if isinstance(value, (list, tuple)) and any(isinstance(part, (Standing, list, tuple)) for part in value):
        return type(value)([_given(part) for part in value])
    return value._tensor() if isinstance(value, Standing) else value


def _operator(name: str) -> Callable[..., Any]:
    return lambda self, *others: getattr(self._tensor(), name)(*_given(others))


for _name in OPERATORS:
    setattr(Standing, f"__{_name}__", _operator(f"__{_name}__"))


def asked_of_tensors(name: str) -> bool:
    """Whether an attribute is one that tensors have."""
    return not name.startswith("_") and hasattr(torch.Tensor, name)
