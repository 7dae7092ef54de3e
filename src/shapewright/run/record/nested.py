"""Walks over what a call takes and gives: tensors in lists, mappings and records."""

from __future__ import annotations

import collections.abc
from collections.abc import Iterator
from typing import Any

import torch

DEEPEST = 5


def tensors(value: Any, path: tuple = ()) -> Iterator[tuple[tuple, torch.Tensor]]:
    """Every tensor in nested sequences, mappings and records, with the keys that lead to it."""
    if isinstance(value, torch.Tensor):
        yield path, value
    elif len(path) < DEEPEST:
        if isinstance(value, collections.abc.Mapping):
            parts = value.items()
        elif isinstance(value, (list, tuple)):
            parts = enumerate(value)
        elif hasattr(value, "__dataclass_fields__"):
            parts = vars(value).items()
        else:
            return
        for key, part in parts:
            yield from tensors(part, (*path, key))
