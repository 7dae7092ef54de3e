"""Asks every probe about every captured model, within a budget of work. A probe that fails answers `None`; a run never
fails by one."""

from __future__ import annotations

import contextlib
import importlib
import io
import pkgutil
import sys
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch

from ..run.record.work import Spent, work
from ..trace import Answer, Causality, ProbeFact, Unasked
from .subject import Subject, subjects

if TYPE_CHECKING:
    from ..run.process.child import Run

WHOLE = 8.0
QUESTION = 2.0
LARGEST = 300_000_000


def ask(run: Run) -> tuple[ProbeFact[Answer], ...]:
    """The answers about every model of `run`, a `run.child.Run` whose script has ended, that was called."""
    answers: list[ProbeFact[Answer]] = []
    with quietly(), work.limited(WHOLE):
        probes = discovered()
        for subject in subjects(run):
            if subject.size > LARGEST:
                answers.append(ProbeFact("", None, Unasked("budget"), subject.uid))
            else:
                for probe in probes:
                    answers += _answered(probe, subject)
            if any(isinstance(answer.data, Unasked) and answer.data.why == "budget" for answer in answers):
                run.assumptions.add("probe-skipped", module=type(subject.module).__name__)
        from .alignment import ask_tapes

        with contextlib.suppress(Exception, Spent), work.limited(QUESTION):
            told = {answer.data.event for answer in answers if isinstance(answer.data, Causality)}
            answers.extend(ask_tapes(run, told))
        from .copied import ask_copied
        from .ideal import ask_ideal
        from .loss_weights import ask_loss_weights
        from .metrics import ask_metrics
        from .sureness import ask_sureness
        from .twice import ask_twice

        for asking in (ask_ideal, ask_loss_weights, ask_copied, ask_twice, ask_metrics, ask_sureness):
            with contextlib.suppress(Exception, Spent), work.limited(QUESTION):
                answers.extend(asking(run))
        if hasattr(run, "derived"):
            from .derivative import ask_derived

            with contextlib.suppress(Spent), work.limited(QUESTION):
                answers.extend(ask_derived(run))
        if hasattr(run, "functions"):
            from .boxes import ask_boxes
            from .decoded import ask_decoded
            from .unread import ask_functions

            for asking in (ask_functions, ask_decoded, ask_boxes):
                with contextlib.suppress(Spent), work.limited(QUESTION):
                    answers.extend(asking(run))
    return tuple(answers)


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Nothing is printed, nothing warned of, and the generator is as before."""
    with contextlib.ExitStack() as quiet:
        quiet.enter_context(contextlib.redirect_stdout(io.StringIO()))
        quiet.enter_context(contextlib.redirect_stderr(io.StringIO()))
        quiet.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        quiet.enter_context(torch.random.fork_rng(devices=[]))
        yield


def _answered(probe: Any, subject: Subject) -> list[ProbeFact[Answer]]:
    try:
        with work.limited(QUESTION):
            return list(probe.ask(subject))
    except Spent:
        why = "budget"
    except Exception as error:  # whatever a user's model raises when played again is no fault of the script
        why = f"{type(error).__name__}: {str(error)[:200]}"
    return [ProbeFact(probe.QUESTION, None, Unasked(why), subject.uid)]


def discovered() -> list[Any]:
    """The probe modules beside this file, cheapest first."""
    package = sys.modules[__package__]
    found = [importlib.import_module(f"{__package__}.{info.name}") for info in pkgutil.iter_modules(package.__path__)]
    return sorted((module for module in found if hasattr(module, "ORDER")), key=lambda module: module.ORDER)
