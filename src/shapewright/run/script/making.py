"""Builds and calls a class of a source that only defines it: what its constructor and its `forward` require is made up
and tried, one value after another, and the one that it gets furthest with is kept.

How far it gets is the number of steps of the user's code that ran. Nothing here is evidence of a fault: what cannot be
built is only named.
"""

from __future__ import annotations

import inspect
import itertools
import linecache
import re
import sys
from collections.abc import Callable, Iterator
from time import process_time
from types import FrameType
from typing import Any

import torch
from torch import nn

from ..device.simulated import Demanded

SIZE, BATCH, STEPS = 8, 4, 7
SIDES = (32, 28, 64, 224)
CONVOLUTIONS = {nn.Conv1d: 1, nn.Conv2d: 2, nn.Conv3d: 3}
SECONDS = 5.0  # of processor time for one class
LONG = 1.0  # of processor time for one attempt
Value = Callable[[], Any]


class Made:
    """One class with the values that were found for it: `attempt` builds it and calls it.

    Args:
        kind: a module class.
        defaults: by name, what other classes of the file take where nothing is given.
    """

    def __init__(self, kind: type[nn.Module], defaults: dict[str, Any]) -> None:
        self.kind, self.defaults = kind, defaults
        self.chosen: dict[str, int] = {}
        self.asked: dict[str, list[Value]] = {}  # what may be taken for each, the likeliest first
        self.shapes: list[tuple[int, ...]] = []
        self.line, self.steps, self.late = "", 0, 0.0

    def found(self, until: float) -> bool:
        """Whether values were found with which the class is built and called; they are chosen then. `until` is the
        processor time at which the search for all classes ends."""
        until = min(until, process_time() + SECONDS)
        done, far = self._attempt()
        while not done:
            before, best = self.chosen, None
            for changed in list(self._others()):
                self.chosen = before | changed
                done, ran = self._attempt()
                if done:
                    return True
                if ran > far:
                    far, best = ran, (self.chosen, self.line)
                if process_time() > until:
                    return False
            if best is None:
                return False
            self.chosen, self.line = best
        return True

    def _others(self) -> Iterator[dict[str, int]]:
        """Other values for what was asked, first for what the failed lines name: one by one, then two at once."""
        named = set(re.findall(r"\w+", self.line))
        paths = sorted(self.asked, key=lambda path: path.split(".")[-1] not in named)
        for path in paths:
            for value in range(len(self.asked[path])):
                if value != self.chosen.get(path, 0):
                    yield {path: value}
        together = [path for path in paths if path.split(".")[-1] in named]
        for one, other in itertools.combinations(together, 2):
            for value in range(min(len(self.asked[one]), len(self.asked[other]))):
                yield {one: value, other: value}

    def _attempt(self) -> tuple[bool, int]:
        """Whether the class is built and called with what is chosen, and how many steps of the user's code ran."""
        self.line, self.steps, self.late = "", 0, process_time() + LONG
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            module = self.kind(*self._arguments(self.kind.__init__, None))
            given = self._arguments(self.kind.forward, module)
            self.shapes = [tuple(value.shape) for value in given if isinstance(value, torch.Tensor)]
            assert self.shapes, "nothing is seen of what is called without a tensor"
            module(*given)
        except (Exception, Demanded):
            return False, self.steps
        finally:
            sys.settrace(before)
        return True, self.steps

    def _enter(self, frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_globals.get("__name__") != self.kind.__module__:
            return None
        frame.f_trace_opcodes = True
        return self._step

    def _step(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "opcode":
            self.steps += 1
            if process_time() > self.late:
                raise TimeoutError
        elif event == "exception":
            self.line += linecache.getline(frame.f_code.co_filename, frame.f_lineno)
        return self._step

    def _arguments(self, function: Callable[..., Any], module: nn.Module | None) -> list[Any]:
        """What is given for the required arguments of a constructor, or of the `forward` of a module."""
        return [self.value(f"{function.__name__}.{part.name}", part.annotation, module) for part in required(function)]

    def value(self, path: str, annotation: Any = None, module: nn.Module | None = None) -> Any:
        """What is chosen for an argument, or for an attribute of one."""
        if path not in self.asked or module is not None:
            self.asked[path] = list(self._values(path, annotation, module))
        values = self.asked[path]
        return values[min(self.chosen.get(path, 0), len(values) - 1)]()

    def _values(self, path: str, annotation: Any, module: nn.Module | None) -> Iterator[Value]:
        if module is not None:
            yield from inputs(module)
            yield lambda: torch.randn(BATCH, SIZE)
            yield lambda: None
            yield lambda: SIZE
            yield lambda: torch.ones(BATCH, STEPS, dtype=torch.bool)
            yield lambda: torch.zeros(1, BATCH, SIZE)
            yield lambda: (torch.zeros(1, BATCH, SIZE), torch.zeros(1, BATCH, SIZE))
            return
        name = path.split(".")[-1]
        told = {"int": SIZE, "float": 0.1, "bool": False, "str": "cpu"}
        known = getattr(annotation, "__name__", annotation if isinstance(annotation, str) else "")
        if name in self.defaults:
            yield lambda: self.defaults[name]
        elif known in told:
            yield lambda: told[known]
        yield lambda: SIZE
        yield lambda: Settings(self, path)
        yield lambda: torch.device("cpu")
        yield lambda: [SIZE, SIZE]
        yield lambda: [2, 2]
        yield lambda: False
        yield lambda: 0.1
        yield lambda: 1
        yield lambda: nn.Embedding(SIZE, SIZE)
        yield lambda: nn.Linear(SIZE, SIZE)
        yield lambda: nn.ReLU
        yield lambda: None


class Settings:
    """A configuration of which only attributes, or items by their names, are read: each is made up."""

    def __init__(self, made: Made, path: str) -> None:
        self.__dict__["_made"], self.__dict__["_path"] = made, path

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = self.__dict__["_made"].value(f"{self.__dict__['_path']}.{name}")
        self.__dict__[name] = value
        return value

    def __getitem__(self, name: Any) -> Any:
        if not isinstance(name, str):
            raise KeyError(name)
        return getattr(self, name)

    def get(self, name: str, default: Any = None) -> Any:
        return default if default is not None else self[name]


def required(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The arguments of a method that must be given."""
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return [part for part in parameters if part.default is part.empty and part.kind not in variable]


def inputs(module: nn.Module) -> Iterator[Value]:
    """Inputs that the layers of a module take, the first layer's first."""
    seen: set[tuple[Any, ...]] = set()
    for layer in [*module.modules()]:
        for shape, most in _taken(layer):
            if (shape, most) not in seen and len(seen) < 12:
                seen.add((shape, most))
                yield lambda shape=shape, most=most: torch.randint(0, most, shape) if most else torch.randn(shape)


def _taken(layer: nn.Module) -> Iterator[tuple[tuple[int, ...], int]]:
    """The shapes that a layer takes; with integers below a number where that is not 0."""
    if isinstance(layer, nn.Linear):
        yield from (((BATCH, layer.in_features), 0), ((BATCH, STEPS, layer.in_features), 0))
    elif isinstance(layer, nn.Embedding):
        yield from (((BATCH, STEPS), layer.num_embeddings), ((BATCH,), layer.num_embeddings))
    elif isinstance(layer, nn.RNNBase):
        yield ((BATCH, STEPS, layer.input_size), 0)
    elif type(layer) in CONVOLUTIONS:
        for side in SIDES:
            yield ((BATCH, layer.in_channels, *[side] * CONVOLUTIONS[type(layer)]), 0)
