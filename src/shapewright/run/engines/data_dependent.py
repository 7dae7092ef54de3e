"""Operators whose result depends on numbers, for shape-only tensors: the value or the count is assumed, and the
assumption noted.

`HANDLERS` answer an operator (or `NotImplemented`: it runs as usual); `CHECKS` look at real index operands before they
are turned into shapes and raise what torch raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ...trace import Site
from ..record.assume import Assumptions
from .values import assumed, cast, filled

MESSAGE = 40


class Reader:
    """Answers reads of values that a dry run does not have, and notes each place once.

    Args:
        assumptions: where they are noted.
        place: the user's place now.
    """

    def __init__(self, assumptions: Assumptions, place: Callable[[], Site | None]) -> None:
        self.assumptions, self.place = assumptions, place

    def value(self, tensor: torch.Tensor) -> bool | int | float:
        """The one value of a shape-only tensor."""
        value = cast(assumed(tensor), tensor.dtype)
        self.note(str(value))
        return value

    def note(self, value: str) -> None:
        """Note that a value was assumed here."""
        self.assumptions.add("value-assumed", site=self.place(), value=value[:MESSAGE])

    def count(self, mask: torch.Tensor) -> int:
        """How many elements of a shape-only mask hold: all of them, at least one."""
        self.note(f"{tuple(mask.shape)}: True")
        return max(1, mask.numel())


def _meta(*shape: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    return torch.empty(shape, dtype=dtype, device="meta")


def _item(reader: Reader, func: object, args: tuple, kwargs: dict) -> Any:
    tensor = args[0]
    if tensor.numel() != 1:
        raise RuntimeError(f"a Tensor with {tensor.numel()} elements cannot be converted to Scalar")
    return reader.value(tensor)


def _equal(reader: Reader, func: object, args: tuple, kwargs: dict) -> bool:
    reader.note("True")
    return args[0].shape == args[1].shape


def _nonzero(reader: Reader, func: object, args: tuple, kwargs: dict) -> torch.Tensor:
    tensor = args[0]
    return _meta(reader.count(tensor), tensor.dim())


def _masked_select(reader: Reader, func: object, args: tuple, kwargs: dict) -> torch.Tensor:
    tensor, mask = args[:2]
    shape = torch.broadcast_shapes(tensor.shape, mask.shape)
    if mask.is_meta:
        return _meta(reader.count(_meta(*shape)), dtype=tensor.dtype)
    return _meta(int(mask.expand(shape).sum()), dtype=tensor.dtype)


def _index(reader: Reader, func: Any, args: tuple, kwargs: dict) -> Any:
    """`x[...]` with masks: each becomes the index tensors that `nonzero` would give. Real indices are checked first."""
    tensor, indices = args[0], args[1]
    if len(indices) > tensor.dim() and not any(
        index is not None and index.dtype in (torch.bool, torch.uint8) for index in indices
    ):
        raise IndexError(f"too many indices for tensor of dimension {tensor.dim()}")
    opened: list[Any] = []
    for index in indices:
        if index is None or index.dtype not in (torch.bool, torch.uint8):
            if index is not None and not index.is_meta and len(opened) < tensor.dim():
                _within(index, tensor.shape[len(opened)], len(opened))
            opened.append(index if index is None or index.is_meta else _meta(*index.shape))
            continue
        at = len(opened)
        for axis, size in enumerate(index.shape):
            if at + axis >= tensor.dim() or tensor.shape[at + axis] != size:
                shape, wanted = list(index.shape), list(tensor.shape)
                raise IndexError(
                    f"The shape of the mask {shape} at index {axis} does not match the shape of the indexed tensor "
                    f"{wanted} at index {at + axis}"
                )
        count = reader.count(index) if index.is_meta else int(index.count_nonzero())
        opened.extend(_meta(count) for _ in range(index.dim()))
    if func.overloadpacket.__name__ == "index":
        source = (
            tensor
            if tensor.is_meta
            else torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device="meta")
        )
        return func(source, opened)
    if (
        any(index is not None and index.is_meta and index.dtype in (torch.bool, torch.uint8) for index in indices)
        or not tensor.is_meta
    ):
        return tensor
    values = (
        args[2]
        if args[2].is_meta
        else torch.empty_strided(args[2].size(), args[2].stride(), dtype=args[2].dtype, device="meta")
    )
    return func(tensor, opened, values, *args[3:])


def _within(index: torch.Tensor, size: int, axis: int) -> None:
    """Raise torch's IndexError for the first index outside of an axis."""
    if not index.numel() or index.dtype.is_floating_point:
        return
    low, high = int(index.min()), int(index.max())
    wrong = high if high >= size else low if low < -size else None
    if wrong is not None:
        raise IndexError(f"index {wrong} is out of bounds for dimension {axis} with size {size}")


def _unique(reader: Reader, func: Any, args: tuple, kwargs: dict) -> tuple:
    tensor = args[0]
    if func.overloadpacket.__name__ == "unique_dim":
        axis = args[1] % max(1, tensor.dim())
        count = tensor.shape[axis]
        values = tensor.new_empty(tensor.shape)
        inverse = _meta(count)
    else:
        count = max(1, tensor.numel())
        values, inverse = _meta(count, dtype=tensor.dtype), _meta(*tensor.shape)
    reader.note(f"{count}")
    return values, inverse, _meta(count)


def _repeat_interleave(reader: Reader, func: object, args: tuple, kwargs: dict) -> Any:
    """`repeat_interleave.Tensor(repeats)`: index tensor of as many entries as the repeats add up to."""
    repeats = args[0]
    if kwargs.get("output_size") is not None:
        return _meta(kwargs["output_size"])
    return _meta(reader.count(repeats))


def _bincount(reader: Reader, func: object, args: tuple, kwargs: dict) -> torch.Tensor:
    least = kwargs.get("minlength", args[2] if len(args) > 2 else 0)
    reader.note(str(max(1, least)))
    return _meta(max(1, least))


def _pack(reader: Reader, func: Any, args: tuple, kwargs: dict) -> Any:
    """`_pack_padded_sequence(input, lengths, batch_first)`: the sizes come from the lengths, which are nearly always
    real."""
    padded, lengths, batch_first = args[:3]
    if lengths.is_meta:
        reader.note(f"lengths: {padded.shape[1 if batch_first else 0]}")
        lengths = torch.full(
            tuple(lengths.shape), padded.shape[1 if batch_first else 0], dtype=torch.int64, device="cpu"
        )
    if not padded.is_meta:
        return NotImplemented
    # the sizes are those of a tensor with one feature, packed for real; its checks are torch's own
    thin = torch.zeros(tuple(padded.shape[:2]), device="cpu").unsqueeze(-1)
    data, sizes = func(thin, lengths, batch_first)
    return _meta(data.shape[0], *padded.shape[2:], dtype=padded.dtype), sizes


def _filled(reader: Reader, func: object, args: tuple, kwargs: dict) -> Any:
    """Random and constant fills change no shape. (torch's own shape functions for them import sympy, about a
    second.)"""
    return args[0] if args[0].is_meta else NotImplemented


def _nothing(reader: Reader, func: object, args: tuple, kwargs: dict) -> Any:
    """Mixed-precision bookkeeping: no infinities are found."""
    return None


def _copy(reader: Reader, func: Any, args: tuple, kwargs: dict) -> Any:
    """`copy_` between a real and a shape-only tensor: only the shapes have to agree."""
    target, source = args[:2]
    if target.is_meta and source.is_meta:
        return NotImplemented
    if tuple(torch.broadcast_shapes(target.shape, source.shape)) != tuple(target.shape):
        raise RuntimeError(
            f"The size of tensor a ({target.shape[-1] if target.dim() else 1}) must match the size of tensor b "
            f"({source.shape[-1] if source.dim() else 1}) at non-singleton dimension {max(0, target.dim() - 1)}"
        )
    if not target.is_meta and source.is_meta:
        func(target, filled(source).to(target.dtype))
    return target


HANDLERS: dict[str, Callable[[Reader, Any, tuple, dict], Any]] = {
    "_local_scalar_dense": _item,
    "equal": _equal,
    "nonzero": _nonzero,
    "masked_select": _masked_select,
    "index": _index,
    "index_put": _index,
    "index_put_": _index,
    "_unsafe_index": _index,
    "_unique2": _unique,
    "unique_dim": _unique,
    "unique_consecutive": _unique,
    "_unique": _unique,
    "repeat_interleave": _repeat_interleave,
    "bincount": _bincount,
    "_pack_padded_sequence": _pack,
    "copy_": _copy,
    **dict.fromkeys(
        (
            "normal_",
            "uniform_",
            "random_",
            "exponential_",
            "cauchy_",
            "log_normal_",
            "geometric_",
            "bernoulli_",
            "fill_",
            "zero_",
        ),
        _filled,
    ),
    "_amp_foreach_non_finite_check_and_unscale_": _nothing,
    "_assert_async": _nothing,
}


def _check_embedding(args: tuple, kwargs: dict) -> None:
    weight, indices = args[:2]
    if not indices.is_meta and indices.numel() and not 0 <= int(indices.min()) <= int(indices.max()) < weight.shape[0]:
        raise IndexError("index out of range in self")


def _check_classes(args: tuple, kwargs: dict) -> None:
    scores, target = args[:2]
    ignored = args[4] if len(args) > 4 else -100
    if target.is_meta or not target.numel() or not scores.dim():
        return
    classes = scores.shape[1 if scores.dim() > 1 else 0]
    wrong = target[((target < 0) | (target >= classes)) & (target != ignored)]
    if wrong.numel():
        raise IndexError(f"Target {int(wrong.reshape(-1)[0])} is out of bounds.")


def _check_axis(args: tuple, kwargs: dict) -> None:
    """gather, scatter, index_select, index_add: `(self, dim, index, ...)`."""
    tensor, axis, index = args[:3]
    if isinstance(index, torch.Tensor) and not index.is_meta and index.numel() and tensor.dim():
        size = tensor.shape[axis]
        low, high = int(index.min()), int(index.max())
        if low < 0 or high >= size:
            raise RuntimeError(
                f"index {high if high >= size else low} is out of bounds for dimension {axis} with size {size}"
            )


CHECKS: dict[str, Callable[[tuple, dict], None]] = {
    "embedding": _check_embedding,
    "nll_loss_forward": _check_classes,
    "nll_loss2d_forward": _check_classes,
    "gather": _check_axis,
    "scatter": _check_axis,
    "scatter_": _check_axis,
    "scatter_add": _check_axis,
    "scatter_add_": _check_axis,
    "index_select": _check_axis,
    "index_add": _check_axis,
    "index_add_": _check_axis,
}
