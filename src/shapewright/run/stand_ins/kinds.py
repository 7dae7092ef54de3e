"""The types that make tensors (`torch.FloatTensor` and its kin): they ask nothing of what they are
given, so that what stands for data becomes a tensor before they see it."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Iterator
from typing import Any

import torch

from .pending import Pending
from .reading import Sample, tensor_of
from .standing import Standing
from .tensors import made_of
from .unknown import UnknownThing

DATA = (UnknownThing, Pending, Standing)  # what becomes a tensor when it is asked for
COUNTED = "_counted"  # among the attributes of what was a size
NAMES = tuple(f"{name}Tensor" for name in ("Float", "Double", "Half", "Long", "Int", "Short", "Char", "Byte", "Bool"))


class _Kind(type):
    """The type of `torch.FloatTensor` and its kin."""

    plain: Any

    def __call__(cls, *args: Any, **options: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], DATA) and not vars(args[0]).get(COUNTED):
            return _tensor(args[0]).type(cls.plain)
        return cls.plain(*map(_size, args), **options)

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, cls.plain)


@contextlib.contextmanager
def constructors() -> Iterator[None]:
    """Let the types that make tensors take what stands for data, while the body runs."""
    kept = {name: getattr(torch, name) for name in NAMES}
    for name, own in kept.items():
        setattr(torch, name, _Kind(f"torch.{name}", (), {"plain": own, "dtype": own.dtype, "__module__": "torch"}))
    set_type = torch.set_default_tensor_type

    def usual(kind: Any) -> None:
        named = kept.get(kind.removeprefix("torch."), kind) if isinstance(kind, str) else kind
        set_type(getattr(named, "plain", named))

    torch.set_default_tensor_type = usual
    try:
        yield
    finally:
        torch.set_default_tensor_type = set_type
        for name, own in kept.items():
            setattr(torch, name, own)


def _tensor(value: Any) -> Any:
    if isinstance(value, Pending):
        return value
    if isinstance(value, Standing) and not isinstance(value, UnknownThing):
        return value._tensor()
    return tensor_of(value) if isinstance(value, Sample) else made_of(value)


def _size(value: Any) -> Any:
    """A size; what was one of several is one where it stands alone, as that of a bias is."""
    if isinstance(value, Standing) and not isinstance(value, UnknownThing):
        return operator.index(value)  # type: ignore[call-overload]
    if not isinstance(value, UnknownThing):
        return value
    vars(value)[COUNTED] = True
    return int(value)
