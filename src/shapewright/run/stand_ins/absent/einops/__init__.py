"""Stands for einops where it is not installed: what a pattern says of the axes, done with torch's own operations.

`rearrange`, `reduce`, `repeat` and `einsum` of tensors and arrays; nothing else of the library.
"""

from __future__ import annotations

import math
import re
import string
from typing import Any

import numpy
import torch

__all__ = ["EinopsError", "asnumpy", "einsum", "parse_shape", "rearrange", "reduce", "repeat"]
TOKEN = re.compile(r"[()]|\.\.\.|\w+")
REST = "..."


class EinopsError(RuntimeError):
    """A pattern that does not fit."""

    as_torch_says = True


def rearrange(tensor: Any, pattern: str, **sizes: int) -> Any:
    """The same numbers in axes of another order and grouping.

    >>> rearrange(torch.zeros(2, 3, 8), "b n (h d) -> b h n d", h=2).shape
    torch.Size([2, 2, 3, 4])
    """
    return _transformed(tensor, pattern, sizes)


def reduce(tensor: Any, pattern: str, reduction: Any, **sizes: int) -> Any:
    """The axes that the right side lacks are reduced.

    >>> reduce(torch.ones(2, 3, 4, 4), "b c (h a) (w b2) -> b c h w", "sum", a=2, b2=2)[0, 0]
    tensor([[4., 4.],
            [4., 4.]])
    """
    return _transformed(tensor, pattern, sizes, reduction)


def repeat(tensor: Any, pattern: str, **sizes: int) -> Any:
    """The axes that only the right side has are as long as `sizes` says.

    >>> repeat(torch.zeros(1, 1, 8), "() n d -> b n d", b=5).shape
    torch.Size([5, 1, 8])
    """
    return _transformed(tensor, pattern, sizes)


def einsum(*given: Any) -> Any:
    """A product whose axes have names of several letters; the pattern comes last.

    >>> einsum(torch.zeros(2, 3, 5), torch.zeros(2, 4, 5), "batch q dim, batch k dim -> batch q k").shape
    torch.Size([2, 3, 4])
    """
    *tensors, pattern = given
    letters = iter(string.ascii_letters)
    known: dict[str, str] = {REST: REST}
    short = re.sub(r"\.\.\.|\w+", lambda one: known.setdefault(one[0], "") or _letter(known, one[0], letters), pattern)
    return torch.einsum(short.replace(" ", ""), *tensors)


def parse_shape(x: Any, pattern: str) -> dict[str, int]:
    """The sizes of an array by the names of a pattern."""
    return {name: size for name, size in zip(pattern.split(), x.shape) if name != "_"}


def asnumpy(tensor: Any) -> Any:
    """The array of a tensor."""
    return tensor.detach().cpu().numpy() if isinstance(tensor, torch.Tensor) else tensor


def _letter(known: dict[str, str], name: str, letters: Any) -> str:
    known[name] = next(letters)
    return known[name]


def _transformed(tensor: Any, pattern: str, sizes: dict[str, int], reduction: Any = None) -> Any:
    if isinstance(tensor, (list, tuple)):
        tensor = torch.stack(list(tensor)) if isinstance(tensor[0], torch.Tensor) else numpy.stack(list(tensor))
    sides = pattern.split("->")
    if len(sides) != 2:
        raise EinopsError(f"the pattern {pattern!r} has no two sides")
    shape = tuple(tensor.shape)
    left, right = (_groups(side, shape, _groups(sides[0])) for side in sides)
    if len(left) != len(shape):
        raise EinopsError(f"the pattern {pattern!r} has {len(left)} axes, the tensor has the shape {shape}")
    names = [name for group in left for name in group]
    kept = [name for group in right for name in group]
    plain = {name: int(name.split()[0]) for name in (*names, *kept) if name[0].isdigit()}
    known = _solved(left, shape, sizes | plain, pattern)
    tensor = _folded(tensor, [known[name] for name in names])
    gone = [at for at, name in enumerate(names) if name not in kept]
    if gone and reduction is not None:
        tensor = _reduced(tensor, reduction, tuple(gone))
    elif any(known[names[at]] != 1 for at in gone):
        raise EinopsError(f"the right side of {pattern!r} lacks {', '.join(names[at] for at in gone)}")
    elif gone:
        tensor = _folded(tensor, [known[name] for name in names if name in kept])
    names = [name for name in names if name in kept]
    order = [names.index(name) for name in kept if name in names]
    if order != sorted(order):
        tensor = tensor.permute(order) if isinstance(tensor, torch.Tensor) else tensor.transpose(order)
    new = [name for name in kept if name not in names]
    if unknown := [name for name in new if name not in known]:
        raise EinopsError(f"the length of {', '.join(unknown)} in {pattern!r} is not given")
    lengths = [known[name] for name in kept]
    if new:
        tensor = _folded(tensor, [1 if name in new else known[name] for name in kept])
        wide = any(length != 1 for name, length in zip(kept, lengths) if name in new)
        if wide:
            tensor = tensor.expand(lengths) if isinstance(tensor, torch.Tensor) else numpy.broadcast_to(tensor, lengths)
    return _folded(tensor, [math.prod(known[name] for name in group) for group in right])


def _groups(side: str, shape: tuple[int, ...] = (), left: list[list[str]] | None = None) -> list[list[str]]:
    """The names of each axis of one side; what `...` stands for has names of its own where the shape is known."""
    groups: list[list[str]] = []
    inside = False
    rest = [f"{REST}{number}" for number in range(len(shape) - len(left or ()) + 1)]
    for at, token in enumerate(TOKEN.findall(side)):
        if token in "()":
            inside = token == "("
            if inside:
                groups.append([])
        elif token == REST and left is not None:
            groups[-1:] = [groups[-1] + rest] if inside else [*groups[-1:], *([name] for name in rest)]
        else:
            name = f"{token} {at} of {side}" if token.isdigit() else token  # each is an axis of its own
            groups[-1:] = [[*groups[-1], name]] if inside else [*groups[-1:], [name]]
    return groups


def _solved(left: list[list[str]], shape: tuple[int, ...], known: dict[str, int], pattern: str) -> dict[str, int]:
    """The length of every name, one of each group found by division."""
    for group, size in zip(left, shape):
        open_ = [name for name in group if name not in known]
        told = math.prod(known[name] for name in group if name in known)
        if len(open_) > 1 or not told or size % told or (not open_ and told != size):
            raise EinopsError(f"the axis of {size} does not fit ({' '.join(group)}) of {pattern!r}: {known}")
        known |= {name: size // told for name in open_}
    return known


def _folded(tensor: Any, lengths: list[int]) -> Any:
    return tensor if tuple(tensor.shape) == tuple(lengths) else tensor.reshape(lengths)


def _reduced(tensor: Any, reduction: Any, axes: tuple[int, ...]) -> Any:
    if callable(reduction):
        return reduction(tensor, axes)
    if isinstance(tensor, torch.Tensor) and reduction in ("min", "max"):
        return getattr(tensor, f"a{reduction}")(axes)
    if isinstance(tensor, torch.Tensor) and reduction == "prod":
        for axis in sorted(axes, reverse=True):
            tensor = tensor.prod(axis)
        return tensor
    return getattr(tensor, reduction)(axes)
