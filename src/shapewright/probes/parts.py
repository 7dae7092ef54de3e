"""Takes nested inputs and outputs of models apart into named leaves, and builds them again with leaves replaced."""

from __future__ import annotations

import collections.abc
from collections.abc import Callable, Iterator
from typing import Any

import torch

Path = tuple
DEEPEST = 5


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every tensor, and every plain list of numbers, with the path of keys that leads to it."""
    if isinstance(value, torch.Tensor):
        yield path, value
    elif len(path) >= DEEPEST:
        return
    elif isinstance(value, torch.nn.utils.rnn.PackedSequence):
        yield (*path, "data"), value.data
    elif isinstance(value, collections.abc.Mapping):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, (list, tuple)):
        if value and all(isinstance(part, (int, float)) and not isinstance(part, bool) for part in value):
            yield path, value
        else:
            for index, part in enumerate(value):
                yield from leaves(part, (*path, index))
    elif isinstance(value, torch.distributions.Distribution) or hasattr(value, "__dataclass_fields__"):
        for key, part in vars(value).items():
            if isinstance(part, (torch.Tensor, tuple, list, dict)) and not key.startswith("__"):
                yield from leaves(part, (*path, key))


def rebuilt(value: Any, change: Callable[[Path, Any], Any], path: Path = ()) -> Any:
    """A copy of nested tuples, lists and dicts in which `change(path, leaf)` stands for every leaf."""
    if isinstance(value, torch.Tensor):
        return change(path, value)
    if type(value) in (list, tuple) and len(path) < DEEPEST:
        if value and all(isinstance(part, (int, float)) and not isinstance(part, bool) for part in value):
            return change(path, value)
        return type(value)(rebuilt(part, change, (*path, index)) for index, part in enumerate(value))
    if type(value) is dict and len(path) < DEEPEST:
        return {key: rebuilt(part, change, (*path, key)) for key, part in value.items()}
    return value


def taken(leaf: Any, axis: int, index: torch.Tensor) -> Any:
    """The entries `index` of `leaf` along `axis`; of a list of numbers, the entries of the list."""
    if isinstance(leaf, torch.Tensor):
        return leaf.index_select(axis, index)
    return type(leaf)(leaf[i] for i in index.tolist())
