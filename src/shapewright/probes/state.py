"""Keeps a module as it was: modes, buffers and plain attributes are put back after every play."""

from __future__ import annotations

import collections
import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn


class Changed(RuntimeError):
    """A play changed a parameter, so what it gave is no answer about the model as it was."""


@contextlib.contextmanager
def evaluating(module: nn.Module) -> Iterator[None]:
    """Put every part of `module` into evaluation mode for the body, and everything back afterwards.

    The flags are set directly: a user's own `train` or `eval` is not run. Raises Changed when a parameter was written
    to.
    """
    parts = list(module.modules())
    saved = [_saved(part) for part in parts]
    versions = [(p, p._version) for p in nn.Module.parameters(module)]
    for part in parts:
        part.training = False
    try:
        yield
    finally:
        for part, kept in zip(parts, saved):
            _put_back(part, *kept)
    if any(p._version != version for p, version in versions):
        raise Changed("the model writes to its parameters when it is called")


def _saved(part: nn.Module) -> tuple[dict, dict, list[tuple[torch.Tensor, int, torch.Tensor]], list[tuple[Any, Any]]]:
    attributes = dict(part.__dict__)
    tensors = [
        (tensor, tensor._version, tensor.detach().clone())
        for tensor in (*part._buffers.values(), *attributes.values())
        if isinstance(tensor, torch.Tensor) and not isinstance(tensor, nn.Parameter) and not tensor.is_inference()
    ]
    boxes = [
        (box, box.copy())
        for name, box in attributes.items()
        if isinstance(box, (list, dict, set, collections.deque)) and not name.startswith("_")
    ]
    return attributes, dict(part._buffers), tensors, boxes


def _put_back(part: nn.Module, attributes: dict, buffers: dict, tensors: list, boxes: list) -> None:
    part.__dict__.clear()
    part.__dict__.update(attributes)
    part._buffers.clear()
    part._buffers.update(buffers)
    with torch.no_grad():
        for tensor, version, copy in tensors:
            if tensor._version != version:
                tensor.copy_(copy)
    for box, copy in boxes:
        box.clear()
        box.extend(copy) if isinstance(box, (list, collections.deque)) else box.update(copy)
