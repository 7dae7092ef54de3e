"""For loops with Accelerate: `preflight_prepared(accelerator, model, loader, loss)` after `accelerator.prepare`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..diagnosis import Diagnosis
from ..model_checking import step_of
from .preflight import preflight


def preflight_prepared(
    accelerator: Any, model: Any, loader: Any, loss: Callable[..., Any], **options: Any
) -> Diagnosis | None:
    """Check one step with the loader's first batch, in the main process only; `loss` and options as of `check_model`.

    Raises:
        FaultFound: there is a fault.
    """
    if not accelerator.is_main_process:
        return None
    return preflight(accelerator.unwrap_model(model), step_of(loss), next(iter(loader)), **options)
