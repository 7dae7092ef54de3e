"""The check before the first step: the checker itself looks at the recipe's model, loss and a batch of its data.

Runs the step forward and backward at batch 1, at a ragged size and at the full one, asks the probes that apply, counts
parameters and estimates memory. Leaves weights, buffers, gradients and random generators as they were.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

import shapewright

from .loop import seeding


class PreflightError(Exception):
    """The model is not sound; the text is the diagnosis, and nothing was trained."""


@dataclass
class Preflight:
    """`memory` in bytes: weights, gradients, two moments per weight, and what the full batch keeps for the backward
    pass."""

    parameters: int
    memory: int
    sizes: tuple[int, ...]
    seconds: float
    findings: list[str] = field(default_factory=list)

    @property
    def line(self) -> str:
        sizes = ", ".join(str(size) for size in self.sizes)
        return (
            f"preflight  sound at batch {sizes} · {self.parameters:,} parameters · about {amount(self.memory)} · "
            f"{self.seconds:.1f} s"
        )


def amount(size: float) -> str:
    """Bytes for people.

    >>> amount(61706 * 4)
    '241.0 KiB'
    """
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"


def preflight(
    model: nn.Module, step: Callable[[nn.Module, Any], Any], batch: Any, *, excuse_idle: tuple[str, ...] = ()
) -> Preflight:
    """Check `step(model, batch) -> loss` or `(loss, outputs)`.

    Args:
        batch: a tensor, or a tuple or dict of them; axis 0 of each is the batch.
        excuse_idle: prefixes of parameters that are meant to get no gradient.

    Returns what was counted. Raises `PreflightError` with the diagnosis where the model is not sound.
    """
    began = time.perf_counter()
    full = first(batch).shape[0]
    sizes = tuple(sorted({1, min(3, full), full}))
    buffers = {name: buffer.clone() for name, buffer in model.named_buffers()}
    training = model.training
    findings: list[str] = []
    saved = 0
    with seeding.untouched():
        try:
            findings = checked(model, step, batch)
            if not findings:
                model.train()
                for size in sizes:
                    saved = measured(model, step, cut(batch, size), size, findings, excuse_idle)
                if not findings and full > 1:
                    findings += mixed(model, step, batch)
        finally:
            model.zero_grad(set_to_none=True)
            model.train(training)
            with torch.no_grad():
                for name, buffer in model.named_buffers():
                    buffer.copy_(buffers[name])
    if findings:
        raise PreflightError(
            "preflight found the model unsound; nothing was trained (--no-preflight trains all the same)\n"
            + "\n".join(findings)
        )
    weights = sum(parameter.numel() * parameter.element_size() for parameter in model.parameters())
    count = sum(parameter.numel() for parameter in model.parameters())
    return Preflight(count, 4 * weights + saved, sizes, time.perf_counter() - began)


def checked(model: nn.Module, step: Callable[[nn.Module, Any], Any], batch: Any) -> list[str]:
    """The checker's findings, each as text."""
    diagnosis = shapewright.check_model(model, step, batch)
    return [told(finding) for finding in diagnosis.findings]


def told(finding: Any) -> str:
    """A finding of the checker as lines of text."""
    place = f"\n  at   {finding.site.file}:{finding.site.line}" if finding.site else ""
    return f"{finding.code} {finding.message}{place}" + (f"\n  why  {finding.why}" if finding.why else "")


def measured(
    model: nn.Module,
    step: Callable[[nn.Module, Any], Any],
    batch: Any,
    size: int,
    findings: list[str],
    excuse_idle: tuple[str, ...],
) -> int:
    """Bytes kept for the backward pass of one step; adds to `findings` where it fails, is not finite, or leaves weights
    without gradient."""
    kept: dict[int, int] = {}

    def pack(tensor: Tensor) -> Tensor:
        kept[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
        return tensor

    model.zero_grad(set_to_none=True)
    try:
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            result = step(model, batch)
            loss = result[0] if isinstance(result, tuple) else result
        loss.backward()
    except (RuntimeError, ValueError, IndexError, TypeError) as error:
        findings.append(f"batch {size}: {type(error).__name__}: {error}")
        return 0
    if not torch.isfinite(loss).all():
        findings.append(f"batch {size}: the loss is {float(loss)}")
    idle = [name for name, parameter in model.named_parameters() if parameter.requires_grad and parameter.grad is None]
    idle = [name for name in idle if not name.startswith(excuse_idle)] if excuse_idle else idle
    if idle:
        findings.append(f"batch {size}: no gradient reaches {', '.join(idle[:4])}{' …' if len(idle) > 4 else ''}")
    return sum(kept.values())


def mixed(model: nn.Module, step: Callable[[nn.Module, Any], Any], batch: Any) -> list[str]:
    """Whether the first sample's outputs, in evaluation mode, are the same alone and in company; and whether the batch
    is still axis 0."""
    model.eval()
    size = first(batch).shape[0]
    with torch.no_grad():
        results = [step(model, part) for part in (batch, cut(batch, 1))]
    if not all(
        isinstance(result, tuple) and len(result) > 1 and isinstance(result[1], Tensor) and result[1].dim()
        for result in results
    ):
        return []
    together, alone = (result[1].float() for result in results)
    if together.shape[0] != size:
        places = [axis for axis, length in enumerate(together.shape) if length == size]
        return (
            [
                f"the outputs have the shape {tuple(together.shape)}: the batch of {size} stands in axis {places[0]}, "
                f"not in axis 0"
            ]
            if places
            else []
        )
    if alone.shape != together[:1].shape:
        return []
    change = float((alone - together[:1]).abs().max())
    if not torch.allclose(alone, together[:1], rtol=1e-2, atol=1e-2 * float(together.abs().max().clamp_min(1e-3))):
        return [
            f"the first sample's outputs change by {change:.3g} when the other {size - 1} samples are taken away: "
            f"samples mix, in evaluation mode"
        ]
    return []


def first(batch: Any) -> Tensor:
    """The first tensor of a batch."""
    if isinstance(batch, Tensor):
        return batch
    return first(next(iter(batch.values() if isinstance(batch, dict) else batch)))


def cut(batch: Any, size: int) -> Any:
    """The first `size` samples of every tensor of a batch."""
    if isinstance(batch, Tensor):
        return batch[:size]
    if isinstance(batch, dict):
        return {key: cut(value, size) for key, value in batch.items()}
    return type(batch)(cut(value, size) for value in batch) if isinstance(batch, (tuple, list)) else batch
