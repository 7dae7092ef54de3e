"""Notes where the user seeds a generator, a global one or one of his own, and whether a step of training drew from it
since.

It notes; what that means is a rule's business.
"""

from __future__ import annotations

import contextlib
import functools
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import torch

OWN = 48  # seedings of own generators at one line


class Seedings:
    """Notes a landmark `seed` at every call: `source` is the library, `value` the seed, `drawn` whether the generator
    has given numbers by the step that comes next; `own` tells that it is an object of the user's.

    Args:
        marks: the `Landmarks` of the run.
    """

    def __init__(self, marks: Any) -> None:
        self.marks = marks
        self._pending: dict[str, tuple[Any, dict[str, Any]]] = {}
        self._own: list[tuple[Any, Any, dict[str, Any]]] = []  # generator, its state when seeded, what was told
        self._places: Counter[Any] = Counter()
        self._shift = 0
        self._heard: list[tuple[Any, int]] | None = None

    @contextlib.contextmanager
    def shifted(self, shift: int) -> Iterator[list[tuple[Any, int]]]:
        """While the body runs, every seed of the user's is another one by `shift`; gives `(stack, seed)` of each."""
        self._shift, self._heard = shift, []
        try:
            yield self._heard
        finally:
            self._shift, self._heard = 0, None

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
        saved += [(torch, "Generator", torch.Generator), (random.Random, "seed", random.Random.seed)]
        if arrays is not None:
            saved += [(arrays.random, name, getattr(arrays.random, name)) for name in ("default_rng", "RandomState")]
        for source, home, name in seeding:
            setattr(home, name, self._seeds(source, getattr(home, name)))
        for source, home, name in restoring:
            setattr(home, name, self._restores(source, getattr(home, name)))
        torch.Generator = _tensors(self)  # type: ignore[misc]
        random.Random.seed = self._seeded(random.Random.seed)  # type: ignore[method-assign]
        if arrays is not None:
            arrays.random.default_rng = self._made(arrays.random.default_rng)
            arrays.random.RandomState = _arrays(self, arrays.random.RandomState)
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
        for generator, state, told in self._own:
            told["drawn"] = _kept(generator) != state
        self._own.clear()

    def own(self, generator: Any, args: tuple, kwargs: dict[str, Any]) -> None:
        """A generator of the user's own was given its seed, at the user's line that called the caller."""
        frame = sys._getframe(2)
        while frame.f_back is not None and frame.f_code.co_filename == random.__file__:
            frame = frame.f_back
        recorder = self.marks.recorder
        value = next((given for given in (*args, *kwargs.values()) if isinstance(given, int)), None)
        if value is None or frame.f_code.co_filename not in recorder.sources.texts or recorder.fetched is not None:
            return
        stack = recorder.sources.stack(frame)
        if self._heard is not None:
            self._heard.append((stack, value - self._shift))
            return
        self._places[stack[-1]] += 1
        if self._places[stack[-1]] <= OWN:
            told = {"source": type(generator).__name__, "value": int(value), "drawn": False, "own": True}
            self._own.append((generator, _kept(generator), told))
            self.marks.note("seed", stack, told)

    def moved(self, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
        """What is given to a function that seeds, shifted."""
        if not self._shift:
            return args, kwargs
        return tuple(map(self._other, args)), {name: self._other(value) for name, value in kwargs.items()}

    def _other(self, value: Any) -> Any:
        return value + self._shift if isinstance(value, int) and not isinstance(value, bool) else value

    def _made(self, call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def make(*args: Any, **kwargs: Any) -> Any:
            args, kwargs = self.moved(args, kwargs)
            made = call(*args, **kwargs)
            self.own(made, args, kwargs)
            return made

        return make

    def _seeded(self, call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def seed(generator: random.Random, *args: Any, **kwargs: Any) -> None:
            args, kwargs = self.moved(args, kwargs)
            call(generator, *args, **kwargs)
            self.own(generator, args, kwargs)

        return seed

    def _seeds(self, source: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def seed(*args: Any, **kwargs: Any) -> Any:
            args, kwargs = self.moved(args, kwargs)
            result = call(*args, **kwargs)
            value = next((given for given in (*args, *kwargs.values()) if isinstance(given, int)), None)
            if self._heard is not None:
                stack = self.marks.recorder.sources.stack(sys._getframe(1))
                self._heard += [(stack, value - self._shift)] if stack and value is not None else []
            elif value is not None:
                told = {"source": source, "value": int(value), "drawn": False}
                self._pending[source] = (_state(source), told)
                self.marks.note("seed", self.marks.recorder.sources.stack(sys._getframe(1)), told)
                if self.marks.modules is not None:
                    self.marks.modules.seeded()
            return result

        return seed

    def _restores(self, source: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def restore(*args: Any, **kwargs: Any) -> Any:
            self._pending.pop(source, None)
            return call(*args, **kwargs)

        return restore


def _standing(real: type) -> type:
    """The type of what stands for a class of generators: those of the class are its instances too."""

    class Standing(type(real)):  # type: ignore[misc]
        def __instancecheck__(cls, instance: Any) -> bool:
            return isinstance(instance, real)

        def __subclasscheck__(cls, other: type) -> bool:
            return issubclass(other, real)

    return Standing


def _tensors(seedings: Seedings) -> type:
    """What stands for `torch.Generator`."""

    class Generator(torch.Generator, metaclass=_standing(torch.Generator)):
        def manual_seed(self, *args: Any, **kwargs: Any) -> Any:
            args, kwargs = seedings.moved(args, kwargs)
            result = super().manual_seed(*args, **kwargs)
            seedings.own(self, args, kwargs)
            return result

    return Generator


def _arrays(seedings: Seedings, real: type) -> type:
    """What stands for `numpy.random.RandomState`."""

    class RandomState(real, metaclass=_standing(real)):  # type: ignore[misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            args, kwargs = seedings.moved(args, kwargs)
            super().__init__(*args, **kwargs)
            seedings.own(self, args, kwargs)

    return RandomState


def _kept(generator: Any) -> Any:
    """The state of a generator of the user's own, to be compared."""
    if isinstance(generator, random.Random):
        return generator.getstate()
    with torch._C.DisableTorchFunction():
        if isinstance(generator, torch.Generator):
            return generator.get_state().numpy().tobytes()
        state = generator.get_state() if hasattr(generator, "get_state") else generator.bit_generator.state
    return repr(state)


def _state(source: str) -> Any:
    """The state of a global generator, to be compared."""
    if source == "torch":
        with torch._C.DisableTorchFunction():
            return torch.default_generator.get_state().numpy().tobytes()
    if source == "random":
        return random.getstate()
    kept = sys.modules["numpy"].random.get_state()
    return (kept[1].tobytes(), *kept[2:])
