"""Patterns such as `b (h p) w -> b h (p w)` on torch tensors."""

from __future__ import annotations

import math
import re
from typing import Any

import torch
from torch import Tensor


class EinopsError(RuntimeError):
    """A pattern that does not fit."""


def _groups(side: str) -> list[list[str]]:
    """`b (h p) ...` as `[["b"], ["h", "p"], ["…"]]`, `(...)` as `["..."]`; `()` and `1` are empty groups."""
    found = []
    for token in re.findall(r"\([^()]*\)|\.\.\.|…|[^\s()]+", side):
        names = token[1:-1].split() if token.startswith("(") else ["…" if token == "..." else token]
        found.append([name for name in names if name != "1"])
    return found


def _expanded(groups: list[list[str]], count: int) -> list[list[str]]:
    """Names in place of the ellipsis, one for each axis that it stands for."""
    dots = [f"_dot{index}" for index in range(count)]
    out: list[list[str]] = []
    for group in groups:
        if group == ["…"]:
            out += [[dot] for dot in dots]
        else:
            out.append([name for part in group for name in (dots if part == "..." else [part])])
    return out


def _sizes(tensor: Tensor, groups: list[list[str]], given: dict[str, int], pattern: str) -> dict[str, int]:
    if len(groups) != tensor.dim():
        raise EinopsError(
            f' Error while processing rearrange-reduction pattern "{pattern}".\n Input tensor shape: '
            f"{tuple(tensor.shape)}. Additional info: {given}.\n"
            f" Wrong shape: expected {len(groups)} dims. Received {tensor.dim()}-dim tensor."
        )
    sizes = dict(given)
    for group, size in zip(groups, tensor.shape):
        unknown = [name for name in group if name not in sizes]
        known = math.prod(sizes[name] for name in group if name in sizes)
        problem = ""
        if len(unknown) > 1:
            problem = f"Could not infer sizes for {set(unknown)}"
        elif unknown and known and size % known == 0:
            sizes[unknown[0]] = size // known
        elif unknown:
            problem = f"Shape mismatch, can't divide axis of length {size} in chunks of {known}"
        elif known != size:
            problem = f"Shape mismatch, {size} != {known}"
        if problem:
            raise EinopsError(
                f' Error while processing rearrange-reduction pattern "{pattern}".\n Input tensor shape: '
                f"{tuple(tensor.shape)}. Additional info: {given}.\n {problem}"
            )
    return sizes


def _apply(tensor: Any, pattern: str, how: Any, given: dict[str, int]) -> Tensor:
    if isinstance(tensor, (list, tuple)):
        tensor = torch.stack(list(tensor))
    left, arrow, right = pattern.partition("->")
    if not arrow:
        raise EinopsError(f'pattern "{pattern}" has no arrow')
    before, after = _groups(left), _groups(right)
    dots = tensor.dim() - sum(group != ["…"] for group in before) if any("…" in group for group in before) else 0
    before, after = _expanded(before, dots), _expanded(after, dots)
    sizes = _sizes(tensor, before, given, pattern)
    names, wanted = [name for group in before for name in group], [name for group in after for name in group]
    lost, new = [name for name in names if name not in wanted], [name for name in wanted if name not in names]
    if (lost and how in (None, "repeat")) or (new and how != "repeat"):
        raise EinopsError(f"Identifiers only on one side of expression (should be on both): {set(lost) | set(new)}")
    if new and any(name not in sizes for name in new):
        raise EinopsError(f"Specify sizes for new axes in repeat: {new}")
    tensor = tensor.reshape([sizes[name] for name in names])
    if lost:
        axes = tuple(names.index(name) for name in lost)
        tensor = how(tensor, axes) if callable(how) else _reduced(tensor, axes, how)
        names = [name for name in names if name not in lost]
    tensor = tensor.permute([names.index(name) for name in wanted if name in names])
    for position, name in enumerate(wanted):
        if name in new:
            tensor = tensor.unsqueeze(position).expand(*tensor.shape[:position], sizes[name], *tensor.shape[position:])
    return tensor.reshape([math.prod(sizes[name] for name in group) for group in after])


def _reduced(tensor: Tensor, axes: tuple[int, ...], how: str) -> Tensor:
    if how == "prod":
        for axis in sorted(axes, reverse=True):
            tensor = tensor.prod(axis)
        return tensor
    return {"mean": torch.mean, "sum": torch.sum, "max": torch.amax, "min": torch.amin}[how](tensor, axes)


def rearrange(tensor: Any, pattern: str, **axes_lengths: int) -> Tensor:
    """Split, merge and permute axes."""
    return _apply(tensor, pattern, None, axes_lengths)


def reduce(tensor: Any, pattern: str, reduction: Any, **axes_lengths: int) -> Tensor:
    """`rearrange` that reduces the axes missing on the right."""
    return _apply(tensor, pattern, reduction, axes_lengths)


def repeat(tensor: Any, pattern: str, **axes_lengths: int) -> Tensor:
    """`rearrange` that repeats along the axes new on the right."""
    return _apply(tensor, pattern, "repeat", axes_lengths)


def einsum(*tensors_and_pattern: Any) -> Tensor:
    """`torch.einsum` with words for axes."""
    *tensors, pattern = tensors_and_pattern
    names = dict.fromkeys(re.findall(r"\w+", pattern))
    letters = {name: chr(97 + index) for index, name in enumerate(names)}
    left, right = pattern.split("->")
    short = ",".join("".join(letters.get(word, word) for word in part.split()) for part in left.split(","))
    return torch.einsum(short + "->" + "".join(letters.get(word, word) for word in right.split()), *tensors)


def parse_shape(tensor: Tensor, pattern: str) -> dict[str, int]:
    """Sizes by the pattern's names; `_` is passed over."""
    return {name: size for name, size in zip(pattern.split(), tensor.shape) if name != "_"}


def asnumpy(tensor: Tensor) -> Any:
    """An array."""
    return tensor.detach().cpu().numpy()
