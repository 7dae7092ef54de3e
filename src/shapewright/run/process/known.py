"""What earlier runs of a script showed that it needs, so that the next run begins with it. It starts no process."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Protocol

from ...trace import Trace
from ..device.worlds import End, in_one_world
from ..ending.evidence import of_counts, of_samples
from ..ending.guessed import with_guesses
from ..engines.auto import GIVE_UP, LEAST_SECONDS
from .request import Guess, RunRequest
from .strain import strain

Early = Callable[[Trace], None]


class Runs(Protocol):
    """What runs are asked of."""

    def submit(self, request: RunRequest, parked: tuple[int, int] | None = None, early: Early | None = None) -> int: ...

    def result(self, ticket: int) -> Trace: ...


class Known:
    """By script: the accelerator that it was found to need, the ends to which none makes a difference, and what its
    made-up data were found to need."""

    def __init__(self) -> None:
        self._worlds: dict[str, str] = {}
        self._alike: dict[str, set[End]] = {}
        self._guesses: dict[tuple[str, str, bool], Guess] = {}
        self._settled: set[tuple[str, object]] = set()  # failures to which no other guess makes a difference
        self._passed: dict[str, set[tuple[str, int]]] = {}  # lines that ran before a run was given up

    def filled(self, request: RunRequest) -> RunRequest:
        """The request with what is known of its script."""
        return dataclasses.replace(
            request,
            accelerator=request.accelerator or self._worlds.get(request.script, ""),
            guess=_with(self._guesses.get(_kind(request)), request.guess),
        )

    def forget(self, script: str) -> None:
        """The script changed: its data may need something else."""
        self._alike.pop(script, None)
        self._passed.pop(script, None)
        self._settled = {failure for failure in self._settled if failure[0] != script}
        self._guesses = {kind: guess for kind, guess in self._guesses.items() if kind[0] != script}

    def run(self, runs: Runs, request: RunRequest, early: Early | None = None) -> Trace:
        """One run from start to end, in one world as to accelerators and as to data that are made up. `early` is told
        what happened before the probes are asked, unless that may come of data that were made up wrongly."""

        def sure(trace: Trace) -> None:
            made = trace.data.made or trace.data.invented
            if early is not None and (made is None or _kind(request) in self._guesses):
                early(trace)

        def once(asked: RunRequest) -> Trace:
            left = max(LEAST_SECONDS, (asked.until - time.monotonic()) / strain()) if asked.until else asked.timeout
            given = dataclasses.replace(asked, timeout=min(left, asked.timeout))
            trace = runs.result(runs.submit(given, early=sure if early is not None else None))
            if "seconds" not in trace.outcome.fields or given.timeout == asked.timeout:
                return trace
            told = trace.outcome.fields | {"seconds": f"{asked.timeout:g}"}  # the limit that was asked for
            return dataclasses.replace(trace, outcome=dataclasses.replace(trace.outcome, fields=told))

        def in_its_world(asked: RunRequest) -> Trace:
            known = asked.accelerator or self._worlds.get(asked.script, "")
            alike = self._alike.setdefault(asked.script, set())
            trace = in_one_world(dataclasses.replace(asked, accelerator=known), once, alike)
            if trace.data.accelerator:
                self._worlds[asked.script] = trace.data.accelerator
            return trace

        if _kind(request) not in self._guesses and request.guess == Guess():  # what it outgrew another run with
            begun = next((guess for kind, guess in self._guesses.items() if kind[0] == request.script), Guess())
            request = dataclasses.replace(request, guess=begun)
        trace = in_its_world(request)
        if trace.outcome.reason in GIVE_UP and request.small is None:
            ran = {(event.site.file, event.site.line) for event in trace.events if event.site is not None}
            self._passed[request.script] = ran
        if _kind(request) not in self._guesses:
            failed, alone = _failure(request, trace), trace
            known = failed in self._settled or self._of_sizes(request, trace)
            search = in_its_world if failed is None or not known else lambda _: alone
            trace, guess = with_guesses(request, trace, search)
            stays = trace.failure is not None and guess == request.guess
            if failed is not None and stays and not request.brief and alone.engine == "live":
                self._settled.add(failed)  # on shapes alone data make less of a difference
            given_up = trace.outcome.state == "incomplete" and trace.outcome.reason in GIVE_UP
            made = trace.data.made or trace.data.invented
            if guess != request.guess or (made and not given_up):
                self._guesses[_kind(request)] = guess
        return of_counts(of_samples(trace))

    def _of_sizes(self, request: RunRequest, trace: Trace) -> bool:
        """Whether a run with smaller sizes failed at a line that ran with the script's own: they do not fit each other,
        and other data would not mend it."""
        site = trace.failure.site if trace.failure is not None else None
        if site is None or request.small is None or not request.small.sizes:
            return False
        return (site.file, site.line) in self._passed.get(request.script, ())


def _kind(request: RunRequest) -> tuple[str, str, bool]:
    """What a guess was tried with: a run on shapes, or one made small, may fail where the first run never came."""
    return request.script, request.engine, request.small is not None


def _with(known: Guess | None, asked: Guess) -> Guess:
    """What is known of a script's data, with what a request asks besides."""
    usual = vars(Guess())
    own = {name: value for name, value in vars(asked).items() if value != usual[name]}
    return asked if known is None else dataclasses.replace(known, **own)


def _failure(request: RunRequest, trace: Trace) -> tuple[str, object] | None:
    """Where and how a run failed."""
    failure = trace.failure
    return (request.script, (failure.site, failure.kind, failure.message)) if failure is not None else None
