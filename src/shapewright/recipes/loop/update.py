"""One optimiser step over the micro-batches of a `Batch`, with every sample weighing the same.

Averaging micro-batches, or processes, that differ in size gives the samples of the smaller one more weight (the
gradient accumulation fault that Transformers repaired in 4.46, https://huggingface.co/blog/gradient_accumulation). Here
a loss is a *sum*, divided once by the whole step's count.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

import torch
from accelerate import Accelerator
from torch import Tensor, nn

from . import hardware, sharding
from .sums import Sums


def update(
    accelerator: Accelerator,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    pieces: Sequence,
    loss_sum: Callable[..., Tensor],
    total: float,
    *,
    share: bool = True,
    clip: float = 0.0,
    sums: Sums | None = None,
) -> Tensor | None:
    """Zero the gradients, run forward and backward over every piece, step.

    Args:
        pieces: whatever `loss_sum(piece)` takes; one micro-batch each.
        loss_sum: the sum (not the mean) of the loss over the piece's samples or tokens. Shape: ()
        total: how many samples or tokens the whole step has, over all pieces and processes.
        share: false where this process's pieces count nothing (see `Batch.share`).
        clip: largest gradient norm; 0 does not clip.
        sums: what `loss_sum` counts in. Processes that share a divided model run equally many pieces: one that has
        fewer repeats its first, which counts nothing.

    Returns:
        The gradient norm before clipping where `clip` is set, else None. Shape: ()
    """
    optimizer.zero_grad()
    # DDP averages over processes; the sum over the whole step divided by its count is wanted.
    scale = accelerator.num_processes / total if share else 0.0
    divided = sharding.sharded(model)
    rounds = _most(accelerator, len(pieces)) if divided else len(pieces)
    for number in range(rounds):
        last, idle = number == rounds - 1, number >= len(pieces)
        if divided:
            model.set_requires_gradient_sync(last)
        # With one process there is nothing to hold back, and the null context is free.
        waits = (
            contextlib.nullcontext()
            if last or divided or accelerator.num_processes == 1
            else accelerator.no_sync(model)
        )
        with waits:
            with (
                hardware.precision(accelerator, model),
                sums.uncounted() if idle and sums else contextlib.nullcontext(),
            ):
                loss = loss_sum(pieces[0 if idle else number])
            accelerator.backward(loss * (0.0 if idle else scale))
    norm = None
    if clip:
        # Accelerate's clipping imports distributed tensors and sorts the gradients by mesh; one process without a
        # scaler needs neither.
        plain = divided or (accelerator.num_processes == 1 and accelerator.scaler is None)
        norm = (torch.nn.utils.clip_grad_norm_ if plain else accelerator.clip_grad_norm_)(model.parameters(), clip)
        norm = norm.full_tensor() if divided else norm
    optimizer.step()
    return norm


def _most(accelerator: Accelerator, count: int) -> int:
    """The largest of the processes' counts."""
    return int(accelerator.gather(torch.tensor([count], device=accelerator.device)).max())


def gradient_norm(model: nn.Module) -> float:
    """The 2-norm of all gradients together. Reads the value, so it waits for the device: call it now and then only."""
    gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    return float(torch.nn.utils.get_total_norm(gradients)) if gradients else 0.0
