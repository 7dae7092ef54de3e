"""`check_model`: the checker on a model and a batch in the caller's own process, as the recipes' preflight uses it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .diagnosis import Diagnosis, diagnose
from .report.language import language
from .settings import Settings


def check_model(
    model: Any,
    step: Callable[[Any, Any], Any],
    batch: Any,
    *,
    sizes: Sequence[int | None] = (1, 3, None),
    probes: bool = True,
    lang: str = "",
    ignore: Sequence[str] = (),
) -> Diagnosis:
    """The diagnosis of one training step.

    Runs forward and backward at batch 1, at a ragged size and at the full one, and asks the probes. The model is as
    before afterwards.

    Args:
        model: an `nn.Module`.
        step: `step(model, batch) -> loss` or `(loss, outputs)`.
        batch: a tensor, or a tuple, list or dict of tensors, whose axis 0 is the batch.
        sizes: the batch sizes; `None` is the whole batch.
        probes: ask the probes too.
        lang: `en`, `es` or `ja`; by default the locale's.
        ignore: codes, beginnings of codes, or slugs that do not speak. Rules of the loop (SW3) never do: a single step
        has none.
    """
    from .run.process.in_process import trace_of_step  # imports torch, which the caller of this has loaded

    trace = trace_of_step(model, step, batch, sizes, probes)
    return diagnose(trace, Settings(lang=language(lang or None), ignore=("SW3", *ignore)))
