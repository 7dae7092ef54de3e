"""Stands for einops where it is not installed: its patterns as the views and reductions of torch that they say."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import torch

__version__ = "0.8.0"
Groups = list[list[str]]
_REST, _ALL = "…", "……"  # the axes of an ellipsis joined in parentheses, and each by itself


class EinopsError(RuntimeError):
    """A tensor does not have the axes of a pattern."""

    as_torch_says = True


def rearrange(tensor: Any, pattern: str, **axes_lengths: int) -> Any:
    """The axes in another order, joined and taken apart.

    >>> rearrange(torch.zeros(2, 12, 5), "b (h d) n -> b h n d", h=3).shape
    torch.Size([2, 3, 5, 4])
    """
    return _applied("rearrange", tensor, pattern, axes_lengths)


def repeat(tensor: Any, pattern: str, **axes_lengths: int) -> Any:
    """With axes along which it is repeated.

    >>> repeat(torch.zeros(5), "d -> b (2 d)", b=3).shape
    torch.Size([3, 10])
    """
    return _applied("repeat", tensor, pattern, axes_lengths)


def reduce(tensor: Any, pattern: str, reduction: Any, **axes_lengths: int) -> Any:
    """Without the axes that are reduced.

    >>> reduce(torch.ones(2, 4, 6), "b (h i) c -> b h", "sum", i=2)[0, 0]
    tensor(12.)
    """
    return _applied("reduce", tensor, pattern, axes_lengths, reduction)


def einsum(*tensors_and_pattern: Any) -> torch.Tensor:
    """A sum of products over axes of any names."""
    *tensors, pattern = tensors_and_pattern
    names = dict.fromkeys(name for name in pattern.replace(",", " ").replace("->", " ").split() if name != "...")
    letters = {name: chr(97 + number) for number, name in enumerate(names)}
    ends = [
        ",".join("".join(letters.get(name, name) for name in part.split()) for part in end.split(","))
        for end in pattern.split("->")
    ]
    return torch.einsum("->".join(ends), *tensors)


def parse_shape(x: Any, pattern: str) -> dict[str, int]:
    """The sizes of named axes."""
    return {name: size for name, size in zip(pattern.split(), x.shape) if name != "_"}


def pack(tensors: Any, pattern: str) -> tuple[torch.Tensor, list[torch.Size]]:
    """Tensors joined along the axes that `*` says, and what these were."""
    names = pattern.split()
    at, after = names.index("*"), len(names) - names.index("*") - 1
    inner = [one.shape[at : one.ndim - after] for one in tensors]
    return torch.cat([_packed(one, at, after) for one in tensors], dim=at), inner


def unpack(tensor: torch.Tensor, packed_shapes: Any, pattern: str) -> list[torch.Tensor]:
    """The tensors that `pack` joined."""
    at = pattern.split().index("*")
    parts = tensor.split([math.prod(shape) for shape in packed_shapes], dim=at)
    return [part.reshape(*part.shape[:at], *shape, *part.shape[at + 1 :]) for part, shape in zip(parts, packed_shapes)]


def _packed(tensor: torch.Tensor, at: int, after: int) -> torch.Tensor:
    end = tensor.ndim - after
    return tensor.reshape(*tensor.shape[:at], math.prod(tensor.shape[at:end]), *tensor.shape[end:])


def _applied(kind: str, tensor: Any, pattern: str, lengths: dict[str, int], reduction: Any = None) -> Any:
    if isinstance(tensor, (list, tuple)):
        tensor = torch.stack(list(tensor))
    if not isinstance(tensor, torch.Tensor):  # an array
        given = torch.as_tensor(tensor)
        return _applied(kind, given, pattern, lengths, reduction).numpy()
    try:
        return _computed(tensor, pattern, lengths, reduction)
    except ValueError as error:
        raise EinopsError(
            f' Error while processing {kind}-reduction pattern "{pattern}".\n Input tensor shape: {tensor.shape}.'
            f" Additional info: {lengths}.\n {error}"
        ) from error


@functools.cache
def _read(side: str) -> tuple[tuple[str, ...], ...]:
    groups: Groups = []
    inside = False
    for word in side.replace("(", " ( ").replace(")", " ) ").replace("...", f" {_REST} ").split():
        if word in "()":
            inside = word == "("
            if inside:
                groups.append([])
        elif inside:
            groups[-1].append(word)
        else:
            groups.append([_ALL if word == _REST else word])
    return tuple(tuple(name for name in group if name != "1") for group in groups)


def _computed(tensor: torch.Tensor, pattern: str, lengths: dict[str, int], reduction: Any) -> torch.Tensor:
    before, after = (_spread(_read(side), tensor, pattern) for side in pattern.split("->"))
    if len(before) != tensor.ndim:
        raise ValueError(f"Wrong shape: expected {len(before)} dims. Received {tensor.ndim}-dim tensor.")
    sizes = dict(lengths)
    for group, size in zip(before, tensor.shape):
        _known(group, size, sizes)
    names = [name for group in before for name in group]
    target = [name for group in after for name in group]
    unknown = [name for name in (*names, *target) if name not in sizes and not name.isdigit()]
    if unknown or (reduction is None and set(names) - set(target)):
        raise ValueError(f"Identifiers only on one side of expression: {unknown or sorted(set(names) - set(target))}")
    sizes.update({name: int(name) for name in target if name.isdigit()})
    found = tensor.reshape([sizes[name] for name in names])
    gone = [names.index(name) for name in names if name not in target]
    kept = [name for name in names if name in target]
    if gone:
        found = _reduced(found, reduction, gone)
    found = found.permute([kept.index(name) for name in target if name in kept])
    for place, name in enumerate(target):
        if name not in kept:
            found = found.unsqueeze(place).expand(*found.shape[:place], sizes[name], *found.shape[place:])
    return found.reshape([math.prod(sizes[name] for name in group) for group in after])


def _spread(groups: tuple[tuple[str, ...], ...], tensor: torch.Tensor, pattern: str) -> list[tuple[str, ...]]:
    """With a name for each of the axes that an ellipsis is."""
    first = _read(pattern.split("->")[0])
    count = tensor.ndim - sum(_REST not in group and _ALL not in group for group in first)
    rest = tuple(f"{_REST}{number}" for number in range(count))
    found: list[tuple[str, ...]] = []
    for group in groups:
        if group == (_ALL,):
            found += [(name,) for name in rest]
        else:
            found.append(tuple(part for name in group for part in (rest if name == _REST else (name,))))
    return found


def _known(group: tuple[str, ...], size: int, sizes: dict[str, int]) -> None:
    """Sizes of the axes of a group, from what is known and their product."""
    open_names = [name for name in group if name not in sizes]
    product = math.prod(sizes[name] for name in group if name in sizes)
    if not open_names:
        if product != size:
            raise ValueError(f"Shape mismatch, {size} != {product}")
    elif product == 0 or size % product:
        raise ValueError(f"Shape mismatch, can't divide axis of length {size} in chunks of {product}")
    else:
        sizes[open_names[0]] = size // product
        sizes.update(dict.fromkeys(open_names[1:], 1))


def _reduced(tensor: torch.Tensor, reduction: Any, axes: list[int]) -> torch.Tensor:
    if callable(reduction):
        return reduction(tensor, tuple(axes))
    named: dict[str, Callable[..., torch.Tensor]] = {
        "mean": torch.mean,
        "sum": torch.sum,
        "max": torch.amax,
        "min": torch.amin,
    }
    if reduction == "prod":
        for axis in sorted(axes, reverse=True):
            tensor = tensor.prod(axis)
        return tensor
    return named[reduction](tensor, dim=axes)
