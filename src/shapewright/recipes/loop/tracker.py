"""A run's scalars at a tracking service as well: Weights & Biases or Trackio, whose modules have the same three calls.

Nothing is imported, and no connection opened, unless a run asks for one. Histograms, pictures and texts stay with
TensorBoard (`board.py`).
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from ..settings import CommonArgs, UsageError, plain


class Tracker(Protocol):
    """What is used of a service's module once a run is begun there."""

    def log(self, values: Mapping[str, float], step: int) -> None: ...

    def finish(self) -> None: ...


def begun(args: CommonArgs, name: str) -> Any | None:
    """The service's module with a run begun, or None where no service is asked for.

    Raises `UsageError` where it is not installed.
    """
    if args.tracker == "none":
        return None
    try:
        service = importlib.import_module(args.tracker)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"--tracker {args.tracker} needs {args.tracker}, which is not installed: pip install {args.tracker}"
        ) from error
    service.init(project=f"shapewright-{name}", name=Path(args.log_dir).name, config=plain(args))
    return service
