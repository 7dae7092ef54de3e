"""Tells by the values that windows hold which series they were cut from: of tokens, or of one number a step.

Series are what variables are bound to; windows are rows of what a model is given to learn or to be judged. It judges
nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...dataclass import dataclass
from ...trace import Retested, Site, TableFact
from .readable import readable

FEWEST, MOST, SERIES = 100, 4_000_000, 12  # numbers; how many are kept
STEPS, LONGEST, WINDOWS, CALLS = 8, 64, 24, 6  # of a window; windows of a call; calls of either kind
KINDS = 4  # different numbers in a window that chance does not repeat
LEAST = 2  # windows


@dataclass
class Line:
    """A series as it was when it was bound."""

    name: str
    site: Site
    held: bytes
    count: int

    def at(self, window: bytes, start: int = 0) -> int:
        """Where a window first lies, from a place on; -1 where it does not."""
        size = len(self.held) // self.count
        found = self.held.find(window, start * size)
        while found % size and found >= 0:
            found = self.held.find(window, found + 1)
        return found // size if found >= 0 else -1

    def once(self, window: bytes) -> bool:
        """Whether a window lies at one place alone."""
        found = self.at(window)
        return found >= 0 > self.at(window, found + 1)


class Series:
    """Fed with bindings and with what outermost models are given."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.learned: list[list[bytes]] = []
        self.judged: list[tuple[list[bytes], Site | None]] = []

    def bound(self, name: str, site: Callable[[], Site], value: object) -> None:
        """A variable was bound for the first time at its place."""
        library = type(value).__module__.partition(".")[0]
        if not isinstance(value, torch.Tensor) and library not in ("numpy", "pandas"):
            return  # what the user's own classes answer is theirs: they may raise
        shape = getattr(value, "shape", ())
        if not isinstance(shape, tuple) or not all(isinstance(size, int) for size in shape):  # of a class of its own
            return
        if len(self.lines) < SERIES and shape and FEWEST <= math.prod(shape) == max(shape):
            held = _numbers(value)
            if held is not None:
                self.lines.append(Line(name, site(), _plain(held.flatten()), held.numel()))

    def given(self, value: torch.Tensor, learns: bool, place: Callable[[], Site | None]) -> None:
        """A model is called, to learn or to be judged."""
        if not self.lines or (len(self.learned) if learns else len(self.judged)) >= CALLS:
            return
        windows = list(_windows(value))
        if windows and learns:
            self.learned.append(windows)
        elif windows and self.learned:
            self.judged.append((windows, place()))

    def retested(self) -> Retested | None:
        """A series that all judged windows were cut from, and that some that were trained on were cut from as well,
        though not all."""
        judged = [window for windows, _ in self.judged for window in windows]
        own = self._covering(judged)
        learned = [window for windows in self.learned for window in windows]
        if own is None or not learned:
            return None
        whole = self._covering(learned)
        if whole is None or whole is own:
            return None
        size = len(own.held) // own.count
        again = {own.at(window): len(window) // size for window in dict.fromkeys(learned) if whole.once(window)}
        again.pop(-1, None)
        if not LEAST <= len(again) < len(set(learned)):
            return None
        if whole.held.startswith(own.held) or own.held not in whole.held:
            return None  # the beginning of what is trained on, on purpose
        first = min(map(own.at, judged)) + max(again.values())
        if sum(at > first for at in again) < LEAST:
            return None  # the steps before the first that is asked for
        steps = {at + step for at, count in again.items() for step in range(count)}
        where = self.judged[0][1]
        trained, part = (TableFact(one.name, one.site, one.count) for one in (whole, own))
        return Retested(trained, part, where, own.count, len(steps), own.count)

    def _covering(self, windows: list[bytes]) -> Line | None:
        """The shortest series that all of some windows were cut from; none where windows lie in it by chance."""
        found = [line for line in self.lines if windows and all(line.at(window) >= 0 for window in windows)]
        line = min(found, key=lambda line: line.count, default=None)
        once = sum(line.once(window) for window in windows) if line is not None else 0
        return line if 2 * once > len(windows) else None


def _windows(value: torch.Tensor) -> Iterator[bytes]:
    """The rows of a batch of tokens, one-hot ones among them, or of one real number a step, as they lie in memory."""
    held = _numbers(value) if value.dim() in (2, 3) else None
    if held is None:
        return
    if held.dim() == 3 and held.shape[-1] > 1 and bool((held.sum(-1) == 1).all()) and bool((held >= 0).all()):
        held = held.argmax(-1) if bool(((held == 0) | (held == 1)).all()) else held
    held = held.squeeze(-1) if held.dim() == 3 and held.shape[-1] == 1 else held
    if held.dim() != 2 or held.shape[1] < STEPS:
        return
    rows = held[torch.linspace(0, len(held) - 1, min(len(held), WINDOWS)).long(), :LONGEST]
    for row in rows:
        if len(row.unique()) >= KINDS:
            yield _plain(row)


def _numbers(value: object) -> torch.Tensor | None:
    """A copy of a tensor or an array of numbers in single precision; `None` of anything else."""
    with torch._C.DisableTorchFunction(), torch.no_grad():
        if type(value).__module__ == "numpy" and hasattr(value, "dtype"):
            array: Any = value
            known = array.ndim and array.dtype.kind in "fiu" and 0 < array.size <= MOST
            return torch.from_numpy(array.astype("float32")) if known else None
        if isinstance(value, torch.Tensor) and not value.requires_grad and not value.is_complex():
            return value.detach().to(torch.float32, copy=True) if value.dim() and readable(value, MOST) else None
    return None


def _plain(row: torch.Tensor) -> bytes:
    with torch._C.DisableTorchFunction():
        return row.detach().to(torch.float32).contiguous().numpy().tobytes()
