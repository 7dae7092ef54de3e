"""Reads one sample of the user's several times and looks whether what is stored changes, whatever holds it: arrays,
tensors and lists of numbers inside attributes, lists, tuples, mappings, data sets and records.

The sample has to depend on what changes: a count of visits is no data. What was changed is put back. It judges nothing.
"""

from __future__ import annotations

import collections.abc
import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy
import torch
from torch import nn

from ...trace import Site
from .nested import tensors
from .readable import readable
from .seeds import seed_all

READINGS, TWICE, SECONDS = 20, 2, 1.0
DEEPEST, ENTRIES, LEAVES, NUMBERS, LISTED = 6, 600, 2000, 4_000_000, 64
OWN = str(Path(__file__).parents[2])
Leaf = Any  # a tensor, an array or a list of numbers


def changed(dataset: Any, display: Callable[[str], str]) -> dict[str, Any] | None:
    """What two readings of its first sample change: the class and the attribute that hold it, whether it is a tensor,
    and the line that does; `None` where there is nothing."""
    leaves = list(_leaves(dataset))
    before = [_copied(leaf) for *_, leaf in leaves]
    moved: dict[int, int] = {}
    begun = time.monotonic()
    try:
        for seed in range(READINGS):
            seed_all(seed)
            dataset[0]
            now = [_copied(leaf) for *_, leaf in leaves]
            for at, (owner, name, leaf) in enumerate(leaves):
                if _same(before[at], now[at]):
                    continue
                moved[at] = moved.get(at, 0) + 1
                _restore(leaves, before)
                matters = moved[at] == TWICE and _matters(dataset, leaf, seed)
                _restore(leaves, before)
                if matters:
                    site = _line(dataset, leaf, seed, display)
                    told = {"class": owner, "name": name, "tensor": isinstance(leaf, torch.Tensor), "site": site}
                    return told if site is not None else None
            _restore(leaves, now)
            before = now
            if time.monotonic() - begun > SECONDS:
                break
    finally:
        _restore(leaves, before)
    return None


def _restore(leaves: list[tuple[str, str, Leaf]], values: list[Any]) -> None:
    for (*_, leaf), value in zip(leaves, values):
        with contextlib.suppress(Exception):  # memory that cannot be written
            _put(leaf, value)


def _matters(dataset: Any, leaf: Leaf, seed: int) -> bool:
    """Whether the sample is a different one after what its reading changes, with other random numbers: what is written
    with the same ones may be the same again."""
    first = _copied(leaf)
    seed_all(seed)
    dataset[0]
    second = _copied(leaf)
    told = []
    for value in (first, first, second):
        _put(leaf, value)
        told.append(_reading(dataset, seed + READINGS))
    last = torch.as_tensor(_copied(leaf)).double().flatten()
    _put(leaf, first)
    if not _same(told[0], told[1]):  # it draws from a generator of its own: is it given out?
        return any(torch.equal(part.double().flatten(), last[: part.numel()]) for part in told[2])
    return not _same(told[1], told[2])


def _reading(dataset: Any, seed: int) -> list[torch.Tensor]:
    seed_all(seed)
    sample = dataset[0]
    parts = [part.detach().clone() for _, part in tensors(sample) if readable(part, NUMBERS)]
    if isinstance(sample, (list, tuple)):
        parts += [torch.tensor(part) for part in sample if isinstance(part, numpy.ndarray) and part.dtype.kind in "fi"]
    return parts


def _line(dataset: Any, leaf: Leaf, seed: int, display: Callable[[str], str]) -> Site | None:
    """The line of the user's that changes a leaf while a sample is read."""
    value, latest, found = _copied(leaf), [], []

    def step(frame: FrameType, event: str, _: Any) -> Any:
        if not _written(frame.f_code.co_filename):
            return None
        if latest and not found and not _same(value, _copied(leaf)):
            found.append(latest[-1])
        if event == "line":
            latest[:] = [(frame.f_code.co_filename, frame.f_lineno)]
        return step

    earlier = sys.gettrace()
    seed_all(seed)
    sys.settrace(step)
    try:
        dataset[0]
    finally:
        sys.settrace(earlier)
    if latest and not found and not _same(value, _copied(leaf)):
        found.append(latest[-1])
    return Site(display(found[0][0]), found[0][1], 1) if found else None


def _written(file: str) -> bool:
    """Whether a file is no library's and none of ours."""
    return not (file.startswith((OWN, "<")) or "site-packages" in file or "/lib/python" in file)


def _leaves(value: Any, owner: str = "", name: str = "", depth: int = 0) -> Iterator[tuple[str, str, Leaf]]:
    """What a data set holds, each with the class and the attribute that hold it."""
    seen: set[int] = set()
    left = [LEAVES, NUMBERS]
    queue = [(value, owner, name, depth)]
    while queue and left[0] > 0:
        value, owner, name, depth = queue.pop(0)
        if id(value) in seen or depth > DEEPEST:
            continue
        seen.add(id(value))
        count = _numbers(value)
        if count:
            if count <= left[1]:
                left[0], left[1] = left[0] - 1, left[1] - count
                yield owner, name, value
        elif isinstance(value, (list, tuple)):
            queue += [(part, owner, name, depth + 1) for part in value[:ENTRIES]]
        elif isinstance(value, collections.abc.Mapping):
            queue += [(part, owner, name, depth + 1) for _, part in zip(range(ENTRIES), value.values())]
        elif hasattr(value, "__dict__") and not isinstance(value, (type, nn.Module)) and not callable(value):
            kind = type(value)
            if issubclass(kind, torch.utils.data.Dataset) or depth == 0 or _written(_file(kind)):
                held = bool(owner) and kind.__module__.startswith("torch.")  # the user's own names what it holds
                for key, part in vars(value).items():
                    queue.append((part, *((owner, name) if held else (kind.__name__, key)), depth + 1))


def _file(kind: type) -> str:
    return getattr(sys.modules.get(kind.__module__), "__file__", None) or "<"


def _numbers(value: Any) -> int:
    """How many numbers a leaf has; 0 where it is none."""
    if isinstance(value, torch.Tensor):
        return value.numel() if readable(value, NUMBERS) and value.dtype != torch.bool else 0
    if type(value) is numpy.ndarray:
        return value.size if value.dtype.kind in "fiu" else 0
    plain = type(value) is list and 0 < len(value) <= LISTED and all(type(part) in (int, float) for part in value)
    return len(value) if plain else 0


def _copied(leaf: Leaf) -> Any:
    return leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf.copy()


def _put(leaf: Leaf, value: Any) -> None:
    if isinstance(leaf, torch.Tensor):
        with torch.no_grad():
            leaf.copy_(value)
    elif len(leaf) == len(value):
        leaf[:] = value


def _same(one: Any, other: Any) -> bool:
    """Whether two are equal; lists of another length are taken for equal: they grow on purpose."""
    if isinstance(one, torch.Tensor) or isinstance(other, torch.Tensor):
        left, right = (torch.as_tensor(part).nan_to_num() for part in (one, other))
        return left.shape == right.shape and bool(torch.equal(left, right.to(left.dtype)))
    if isinstance(one, numpy.ndarray):
        return one.shape == other.shape and bool(numpy.array_equal(one, other, equal_nan=one.dtype.kind == "f"))
    if one and isinstance(one[0], torch.Tensor):
        return len(one) == len(other) and all(map(_same, one, other))
    return len(one) != len(other) or one == other
