"""The progress bar: loss, accuracy, samples per second and time left; one plain line an epoch where output is piped.

Reads its values only when it paints (some ten times a second), so a loop on an accelerator is not made to wait at every
step.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar


class Progress:
    """One bar over the steps of a run. `values()` is asked for the numbers to show, such as `{"loss": 0.31}`."""

    interval = 0.1

    def __init__(self, *, enabled: bool = True, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True)
        self.enabled, self.live = enabled, enabled and self.console.is_terminal
        self.bar: Bar | None = None
        self.painted = self.since = time.perf_counter()
        self.samples = 0
        self.label = ""

    def start(self, label: str, steps: int, done: int = 0) -> None:
        """Begin a phase (`epoch 1/5`) of `steps` steps, `done` of them behind us."""
        self.close()
        self.label, self.samples, self.since = label, 0, time.perf_counter()
        if self.live:
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.completed}/{task.total}"),
                TextColumn("{task.fields[values]}"),
                TimeRemainingColumn(),
            )
            self.bar = Bar(*columns, console=self.console, transient=True, auto_refresh=False)
            self.bar.start()
            self.bar.add_task(label, total=steps, completed=done, values="")

    def advance(self, step: int, samples: int, values: Callable[[], dict[str, float]] | None = None) -> None:
        """`step` steps of the phase are done, the last one with so many samples."""
        self.samples += samples
        if self.bar is None or (now := time.perf_counter()) - self.painted < self.interval:
            return
        self.painted = now
        shown = " ".join(f"{key} {value:.4f}" for key, value in (values() if values else {}).items())
        self.bar.update(self.bar.task_ids[0], completed=step, values=f"{shown} · {self.rate:,.0f} samples/s")
        self.bar.refresh()

    def epoch(self, number: int, metrics: Mapping[str, float]) -> None:
        """The phase is over; where there is no bar, one plain line tells its metrics."""
        rate = self.rate
        self.close()
        if self.enabled and not self.live:
            shown = " ".join(f"{key} {value:.4f}" for key, value in metrics.items())
            self.say(f"epoch {number} {shown} · {rate:,.0f} samples/s")

    @property
    def rate(self) -> float:
        """Samples per second since the phase began."""
        return self.samples / max(time.perf_counter() - self.since, 1e-9)

    def say(self, text: str) -> None:
        """A lasting line, above the bar."""
        self.console.print(text, highlight=False, markup=False, soft_wrap=True)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()
            self.bar = None
