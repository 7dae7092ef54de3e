"""Notes where the user seeds a global generator, and whether a step of training drew from it since.

It notes; what that means is a rule's business.
"""

from __future__ import annotations

import contextlib
import functools
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch


class Seedings:
    """Notes a landmark `seed` at every call: `source` is the library, `value` the seed, `drawn` whether the generator
    has given numbers by the step that comes next.

    Args:
        marks: the `Landmarks` of the run.
    """

    def __init__(self, marks: Any) -> None:
        self.marks = marks
        self._pending: dict[str, tuple[Any, dict[str, Any]]] = {}

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Watch the functions that seed while the body runs, and those that put a kept state back."""
        arrays = sys.modules.get("numpy")
        seeding: list[tuple[str, Any, str]] = [("torch", torch, "manual_seed"), ("torch", torch.random, "manual_seed")]
        seeding.append(("random", random, "seed"))
        restoring = [("torch", torch, "set_rng_state"), ("torch", torch.random, "set_rng_state")]
        restoring.append(("random", random, "setstate"))
        if arrays is not None:
            seeding.append(("numpy", arrays.random, "seed"))
            restoring.append(("numpy", arrays.random, "set_state"))
        saved = [(home, name, getattr(home, name)) for _, home, name in (*seeding, *restoring)]
        for source, home, name in seeding:
            setattr(home, name, self._seeds(source, getattr(home, name)))
        for source, home, name in restoring:
            setattr(home, name, self._restores(source, getattr(home, name)))
        try:
            yield
        finally:
            for home, name, call in saved:
                setattr(home, name, call)

    def stepped(self) -> None:
        """An optimizer is about to step."""
        for source, (state, told) in self._pending.items():
            told["drawn"] = _state(source) != state
        self._pending.clear()

    def _seeds(self, source: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def seed(*args: Any, **kwargs: Any) -> Any:
            result = call(*args, **kwargs)
            value = next((given for given in (*args, *kwargs.values()) if isinstance(given, int)), None)
            if value is not None:
                told = {"source": source, "value": int(value), "drawn": False}
                self._pending[source] = (_state(source), told)
                self.marks.note("seed", self.marks.recorder.sources.stack(sys._getframe(1)), told)
            return result

        return seed

    def _restores(self, source: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def restore(*args: Any, **kwargs: Any) -> Any:
            self._pending.pop(source, None)
            return call(*args, **kwargs)

        return restore


def _state(source: str) -> Any:
    """The state of a global generator, to be compared."""
    if source == "torch":
        with torch._C.DisableTorchFunction():
            return torch.default_generator.get_state().numpy().tobytes()
    if source == "random":
        return random.getstate()
    kept = sys.modules["numpy"].random.get_state()
    return (kept[1].tobytes(), *kept[2:])
