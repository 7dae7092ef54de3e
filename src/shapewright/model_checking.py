"""`check_model`: the checker on a model and a batch in the caller's own process, as the recipes' preflight uses it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .diagnosis import Diagnosis, diagnose
from .report.language import language
from .settings import Settings


def check_model(
    model: Any,
    step: Any,
    batch: Any = None,
    *,
    loss: Callable[..., Any] | None = None,
    sizes: Sequence[int | None] = (1, 3, None),
    probes: bool = True,
    lang: str = "",
    ignore: Sequence[str] = (),
) -> Diagnosis:
    """The diagnosis of one training step: `check_model(model, step, batch)` or `check_model(model, batch, loss=...)`.

    Runs forward and backward at batch 1, at a smaller size and at the full one, and asks the probes. The model is as
    before afterwards.

    Args:
        model: an `nn.Module`.
        step: `step(model, batch) -> loss` or `(loss, outputs)`; with `loss`, the batch.
        batch: a tensor, or a tuple, list or dict of tensors, whose axis 0 is the batch.
        loss: `loss(outputs, targets)`, where the last part of the batch is the targets and the model takes the others;
            of a dict the model takes everything by name and the loss gets `loss(outputs, batch)`.
        sizes: the batch sizes; `None` is the whole batch.
        probes: ask the probes too.
        lang: `en`, `es` or `ja`; by default the locale's.
        ignore: codes, beginnings of codes, or slugs that do not speak. Rules of the loop (SW3) never do: a single step
        has none.
    """
    from .run.process.in_process import trace_of_step  # imports torch, which the caller of this has loaded

    if loss is not None:
        step, batch = step_of(loss), step
    trace = trace_of_step(model, step, batch, sizes, probes)
    return diagnose(trace, Settings(lang=language(lang or None), ignore=("SW3", *ignore)))


def step_of(loss: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """The step of a model and a loss: see `check_model`."""

    def step(model: Any, batch: Any) -> Any:
        if isinstance(batch, dict):
            outputs = model(**batch)
            return loss(outputs, batch), outputs
        *inputs, targets = batch
        outputs = model(*inputs)
        return loss(outputs, targets), outputs

    return step
