"""What the preflights have in common: check one step, and end the training where it has a fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..diagnosis import Diagnosis
from ..model_checking import check_model
from ..report.terminal import render


class FaultFound(RuntimeError):
    """The step has a fault; the text is the page, `diagnosis` the data."""

    def __init__(self, diagnosis: Diagnosis) -> None:
        super().__init__("\n" + render([diagnosis]))
        self.diagnosis = diagnosis


def preflight(model: Any, step: Callable[[Any, Any], Any], batch: Any, **options: Any) -> Diagnosis:
    """Check one training step; options as of `check_model`.

    Raises:
        FaultFound: there is a fault.
    """
    diagnosis = check_model(model, step, batch, **options)
    if diagnosis.findings:
        raise FaultFound(diagnosis)
    return diagnosis
