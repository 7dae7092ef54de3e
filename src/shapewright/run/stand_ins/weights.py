"""Weights that cost next to nothing: finite, not all equal, the same at every run, and drawn without touching the
script's random numbers. They say nothing about what the real model would answer.
"""

from __future__ import annotations

import contextlib
import mmap
import sys
from collections.abc import Iterator
from typing import Any

import torch
from torch._subclasses.fake_tensor import is_fake

_PERIOD = 65537
_DEVIATION = 0.02
_ROWS = (6144, 1024)
"""Rows that are filled at both ends of a vocabulary-sized table. The tokenizer's pieces and special tokens lie there;
the rows
between them are zeros, because touching 150 MB costs more than all the rest."""
_MODULES = tuple(
    "torch.nn." + name
    for name in (
        "init",
        "modules.activation",
        "modules.transformer",
        "modules.linear",
        "modules.batchnorm",
        "modules.conv",
        "modules.normalization",
        "modules.rnn",
        "modules.sparse",
    )
)
_RANDOM = (
    "uniform_",
    "normal_",
    "trunc_normal_",
    "xavier_uniform_",
    "xavier_normal_",
    "kaiming_uniform_",
    "kaiming_normal_",
    "orthogonal_",
    "sparse_",
)


def _leave(tensor: torch.Tensor, *_: object, **__: object) -> torch.Tensor:
    return tensor


@contextlib.contextmanager
def cheap_weights() -> Iterator[None]:
    """Within: modules are built without drawing random weights. `fill` must follow."""
    changed: list[tuple[Any, str, Any]] = []
    with contextlib.ExitStack() as stack:
        for owner in ("transformers.initialization", "transformers.modeling_utils"):
            manager = getattr(sys.modules.get(owner), "no_init_weights", None)
            if manager is not None:
                stack.enter_context(manager())
                break
        for owner in _MODULES:
            module = sys.modules.get(owner)
            for name in _RANDOM:
                if module is not None and hasattr(module, name):
                    changed.append((module, name, getattr(module, name)))
                    setattr(module, name, _leave)
        try:
            yield
        finally:
            for module, name, value in reversed(changed):
                setattr(module, name, value)


def _block() -> torch.Tensor:
    generator = torch.Generator().manual_seed(2654435761)
    return torch.empty(_PERIOD).normal_(0.0, _DEVIATION, generator=generator)


def fill(model: torch.nn.Module) -> None:
    """Give every parameter of `model` a value.

    Matrices get a repeated block of 65,537 normal numbers (deviation 0.02; the length is prime, so rows differ),
    vectors called `bias` zeros, vectors called `weight` ones, other vectors stay as their module made them where they
    are finite."""
    block = _block()
    seen: set[int] = set()
    offset = 0
    with torch.no_grad(), torch._C.DisableTorchFunction():
        for module in model.modules():
            for name, parameter in module._parameters.items():
                if parameter is None or id(parameter) in seen or parameter.device.type == "meta" or is_fake(parameter):
                    continue
                if not parameter.is_floating_point():
                    continue
                seen.add(id(parameter))
                if parameter.dim() >= 2:
                    _spread(parameter, block.roll(offset).to(parameter.dtype))
                    offset += 7919
                elif name == "weight":
                    parameter.fill_(1.0)
                elif "bias" in name or not bool(parameter.isfinite().all()) or bool((parameter.abs() > 1e3).any()):
                    parameter.zero_()
            padding = getattr(module, "padding_idx", None)
            if padding is not None and isinstance(module, torch.nn.Embedding) and id(module.weight) in seen:
                module.weight[padding].zero_()


def _spread(parameter: torch.Tensor, block: torch.Tensor) -> None:
    if not parameter.is_contiguous():
        parameter.normal_(0.0, _DEVIATION)
        return
    first, last = _ROWS
    if parameter.dim() == 2 and parameter.shape[0] > 2 * (first + last):
        parameter.data = _untouched(parameter)
        _repeat(parameter[:first].view(-1), block)
        _repeat(parameter[-last:].view(-1), block)
        return
    _repeat(parameter.view(-1), block)


def _untouched(parameter: torch.Tensor) -> torch.Tensor:
    """Zeros of the same shape whose pages take no memory and no time until they are touched."""
    size = parameter.numel() * parameter.element_size()
    try:
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (AttributeError, OSError):
        return torch.zeros_like(parameter)
    return torch.frombuffer(memory, dtype=parameter.dtype).view(parameter.shape)


def _repeat(flat: torch.Tensor, block: torch.Tensor) -> None:
    whole = flat.numel() // block.numel()
    cut = whole * block.numel()
    if whole:
        flat[:cut].view(whole, block.numel()).copy_(block)
    flat[cut:].copy_(block[: flat.numel() - cut])
