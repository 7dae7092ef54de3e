"""What is known of the exception that ended a run: its place, the failing call, the module that was being called."""

from __future__ import annotations

import os
import traceback
from typing import TYPE_CHECKING

import torch

from ..trace import Failure
from . import culprit

if TYPE_CHECKING:
    from .child import Run


def failure_of(run: Run, error: BaseException) -> Failure:
    """What is known of the exception that ended the script."""
    sites = tuple(run.sources.site(*position) for position in run.sources.traceback(error.__traceback__))
    event = module = None
    chain = _chain(error)
    if run.recorder.failing is not None and any(run.recorder.failing[0] is link for link in chain):
        event = run.recorder.event(run.recorder.failing[1], len(run.recorder.raw))
    if run.modules.failing is not None and any(run.modules.failing[0] is link for link in chain):
        module = run.modules.failing
    with torch._C.DisableTorchFunction():
        read = run.recorder.last_read()
    library = tuple(f"{frame.name} ({os.path.basename(frame.filename)}:{frame.lineno})" for frame in traceback.extract_tb(error.__traceback__)[-8:])
    return Failure(
        kind=type(error).__name__, message=str(error), site=sites[-1] if sites else None, stack=sites, event=event,
        module=module[1] if module else -1, module_args=module[2] if module else (), module_kwargs=module[3] if module else {}, library=library,
        read=read, values=culprit.values(run, error.__traceback__),
    )


def _chain(error: BaseException) -> list[BaseException]:
    links: list[BaseException] = []
    while error is not None and error not in links:
        links.append(error)
        error = error.__cause__ or error.__context__
    return links


def about_tensors(run: Run, error: BaseException, failure: Failure) -> bool:
    """Whether torch raised it, or the user's line took a tensor's shape apart."""
    if failure.event is not None:
        return True
    return culprit.about_tensors(run, error, failure)
