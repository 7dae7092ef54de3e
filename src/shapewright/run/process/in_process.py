"""Records a training step of a model in this very process, at several batch sizes, and asks the probes. No sandbox, no
stand-ins: the caller's own code."""

from __future__ import annotations

import contextlib
import inspect
import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import nn

from ...trace import Axis, Origin, Outcome, Seen, Trace
from ..ending.failing import about_tensors, failure_of, told_of
from ..record.assume import Assumptions
from ..record.nested import tensors
from ..record.notes import Note
from .child import Run
from .request import RunRequest


def trace_of_step(
    model: nn.Module, step: Callable[[nn.Module, Any], Any], batch: object, sizes: Sequence[int | None], probe: bool
) -> Trace:
    """Run `step` forward and backward at each size and record it.

    Args:
        model: the model; its weights, buffers, mode and gradients are as before afterwards.
        step: `step(model, batch) -> loss` or `(loss, outputs)`.
        batch: a tensor, or a tuple, list or dict of them, whose axis 0 is the batch.
        sizes: batch sizes; `None` is the whole batch. One that is larger than the batch is the whole batch.
        probe: also ask the probes.
    """
    file = inspect.getsourcefile(step) or inspect.getsourcefile(type(model)) or "<step>"
    assumptions = Assumptions()
    run = Run(RunRequest(script=file, engine="live", probe=probe), assumptions)
    for path in _files(model, step):
        with contextlib.suppress(OSError, SyntaxError, UnicodeDecodeError):
            run.sources.read(path)
    began = time.monotonic()
    outcome, failure = Outcome("complete"), None
    whole = next(tensor.shape[0] for _, tensor in tensors(batch) if tensor.dim())
    with _restored(model), contextlib.ExitStack() as stack:
        for part in (run.modules.active(), run.landmarks.active(), run.recorder):
            stack.enter_context(part)
        try:
            # the largest first: rules look at the first call of a place, and at batch 1 nothing is stretched
            for size in sorted({min(size or whole, whole) for size in sizes}, reverse=True):
                _one(run, model, step, _first(batch, size), size)
        except Exception as error:  # the caller's step failed: that is what a diagnosis is about
            failure = failure_of(run, error)
            state = "stopped" if about_tensors(run, error, failure) else "incomplete"
            outcome = Outcome(state, "fault" if state == "stopped" else "exception", told_of(failure), failure.site)
    if probe and failure is None:
        from ...probes import ask

        with _restored(model):
            run.answers = ask(run)
    return Trace(
        script=file,
        outcome=outcome,
        engine="live",
        seconds=time.monotonic() - began,
        events=run.recorder.finish(),
        steps=run.landmarks.steps(),
        modules=run.modules.facts(),
        failure=failure,
        probes=run.answers,
        assumptions=assumptions.all(),
        sources={run.sources.display(path): text for path, text in run.sources.texts.items()},
        data=Seen(batch_sizes=tuple(run.loading.sizes)),
    )


def _one(run: Run, model: nn.Module, step: Callable, batch: object, size: int) -> None:
    """One forward and backward pass, with the batch axis named."""
    with torch._C.DisableTorchFunction():
        axis = Axis(size, "batch", Origin("loader", "check_model"), ((run.notes.new_uid(), size),) if size > 1 else ())
        for _, tensor in tensors(batch):
            if tensor.dim():
                rest = tuple(
                    Axis(n, "", Origin("dataset"), ((run.notes.new_uid(), n),) if n > 1 else ())
                    for n in tensor.shape[1:]
                )
                run.notes.put(tensor, Note((axis, *rest)))
        run.loading.sizes.add(size)
        model.zero_grad(set_to_none=True)
    result = step(model, batch)
    loss = result[0] if isinstance(result, tuple) else result
    loss.backward()
    run.recorder.iteration += 1


@contextlib.contextmanager
def _restored(model: nn.Module) -> Iterator[None]:
    """Put buffers, mode, gradients and random numbers back."""
    buffers = {name: buffer.clone() for name, buffer in model.named_buffers()}
    gradients = [(p, p.grad) for p in model.parameters()]
    training = {name: module.training for name, module in model.named_modules()}
    random = torch.get_rng_state()
    try:
        yield
    finally:
        with torch.no_grad():
            for name, buffer in model.named_buffers():
                if name in buffers and buffer.shape == buffers[name].shape:
                    buffer.copy_(buffers[name])
        for name, module in model.named_modules():
            module.training = training.get(name, module.training)
        for parameter, gradient in gradients:
            parameter.grad = gradient
        torch.set_rng_state(random)


def _files(model: nn.Module, step: Callable) -> set[str]:
    """Source files of the step and of the model's own classes; torch's and other libraries' are not the caller's."""
    found = {inspect.getsourcefile(step)}
    for module in model.modules():
        if type(module).__module__.split(".")[0] not in ("torch", "transformers", "peft", "accelerate"):
            with contextlib.suppress(TypeError):
                found.add(inspect.getsourcefile(type(module)))
    return {os.path.abspath(path) for path in found if path}


def _first(batch: Any, size: int) -> Any:
    """The first `size` samples, as tensors of their own."""
    if isinstance(batch, torch.Tensor):
        return batch[:size].clone() if batch.dim() else batch
    if isinstance(batch, dict):
        return {key: _first(part, size) for key, part in batch.items()}
    if isinstance(batch, (tuple, list)):
        return type(batch)(_first(part, size) for part in batch)
    return batch
