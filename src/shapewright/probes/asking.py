"""Asks every probe about every captured model, within a budget of time. A probe that fails answers `None`; a run never
fails by one."""

from __future__ import annotations

import contextlib
import importlib
import io
import pkgutil
import sys
import time
import warnings
from dataclasses import dataclass
from typing import Any

import torch

from ..trace import ProbeFact
from .subject import Subject, subjects

LEAST_SECONDS = 0.5
SHARE = 0.4
LARGEST = 300_000_000


@dataclass
class Budget:
    """Seconds of processor time left for probing."""

    until: float

    def left(self) -> float:
        return self.until - time.process_time()

    def allows(self, seconds: float) -> bool:
        """Whether something that takes about `seconds` still fits."""
        return self.left() > seconds


def ask(run: Any, elapsed: float, timeout: float = 60.0) -> tuple[ProbeFact, ...]:
    """The answers about every model of `run` that was called.

    Args:
        run: a `run.child.Run` whose script has ended.
        elapsed: seconds that the script took; probing may add `SHARE` of them, and at least `LEAST_SECONDS`.
        timeout: seconds that the whole run may take.
    """
    seconds = min(max(LEAST_SECONDS, SHARE * elapsed), max(0.0, (timeout - elapsed) / 2))
    budget = Budget(time.process_time() + seconds)
    answers: list[ProbeFact] = []
    quiet = contextlib.ExitStack()
    with quiet:
        quiet.enter_context(contextlib.redirect_stdout(io.StringIO()))
        quiet.enter_context(contextlib.redirect_stderr(io.StringIO()))
        quiet.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        quiet.enter_context(torch.random.fork_rng(devices=[]))
        probes = discovered()
        for subject in subjects(run):
            name = type(subject.module).__name__
            if not budget.allows(0.0) or subject.size > LARGEST:
                run.assumptions.add("probe-skipped", module=name)
                continue
            for probe in probes:
                if not budget.allows(0.0):
                    run.assumptions.add("probe-skipped", module=name)
                    break
                given = _answered(probe, subject, budget)
                answers += given
                if any(answer.data.get("why") == "budget" for answer in given):
                    run.assumptions.add("probe-skipped", module=name)
    return tuple(answers)


def _answered(probe: Any, subject: Subject, budget: Budget) -> list[ProbeFact]:
    try:
        return list(probe.ask(subject, budget))
    except Exception as error:  # whatever a user's model raises when played again is no fault of the script
        return [
            ProbeFact(probe.QUESTION, None, subject.uid, data={"why": f"{type(error).__name__}: {str(error)[:200]}"})
        ]


def discovered() -> list[Any]:
    """The probe modules beside this file, cheapest first."""
    package = sys.modules[__package__]
    found = [importlib.import_module(f"{__package__}.{info.name}") for info in pkgutil.iter_modules(package.__path__)]
    return sorted((module for module in found if hasattr(module, "QUESTION")), key=lambda module: module.ORDER)
