"""Keeps a few small calls of the user's own functions that were given flags (zeros and ones: ends of episodes, masks),
so that a probe can play them again with other flags, and of those that were given a picture and what belongs to it. It
judges nothing, and looks at no name."""

from __future__ import annotations

import ast
import contextlib
import copy
import functools
import inspect
import itertools
import math
import sys
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FrameType, FunctionType
from typing import TYPE_CHECKING, Any

import torch

from ...dataclass import dataclass
from ..script.sources import UserSources
from .readable import holds, is_array, readable
from .rederived import Rederived
from .slices import as_function

if TYPE_CHECKING:
    from ..script.loops import Loops
    from .recorder import Recorder

CALLS, TRIES, LARGEST, LEAST = 24, 8, 100_000, 4
PICTURED, SAMPLES, WIDTH = 4, 16, 4
LOOKED = 500  # calls of one function that are looked at for such a sample
PATHS = 12
AGAIN = 3  # tries that a kept loop stands for: what an end is may be seen in the next one alone
PLAYED = 20_000  # iterations that one play may take
UNPLAYABLE = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


@dataclass
class Called:
    """One call: the code, its globals and free variables, what it was given by name, where it was called, which of what
    it was given a network had made, with gradients, and of a loop the code that it stands in and its line."""

    code: CodeType
    space: dict[str, Any]
    given: dict[str, Any]
    free: dict[str, Any]
    stack: tuple
    learned: frozenset[str] = frozenset()
    loop: tuple[CodeType, int] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that may be given by place or by name."""
        return parameters(self.code)

    def play(self, given: dict[str, Any]) -> Any:
        """Call it anew with other arguments."""
        code = self.code
        function = FunctionType(
            code, self.space, code.co_name, None, tuple(CellType(self.free[name]) for name in code.co_freevars)
        )
        names = self.names
        last = len(names)
        more = given.get(code.co_varnames[last], ()) if code.co_flags & inspect.CO_VARARGS else ()
        last += bool(code.co_flags & inspect.CO_VARARGS)
        rest = given.get(code.co_varnames[last], {}) if code.co_flags & inspect.CO_VARKEYWORDS else {}
        by_place = [
            given[name] if at else _held_apart(given[name]) for at, name in enumerate(names[: code.co_argcount])
        ]
        return function(*by_place, *more, **{name: given[name] for name in names[code.co_argcount :]}, **rest)


def _held_apart(owner: Any) -> Any:
    """The object whose method may be called, as a copy that the call may change; no network, and nothing but what the
    user's classes make."""
    if isinstance(owner, (torch.Tensor, torch.nn.Module, type)) or not hasattr(owner, "__dict__"):
        return owner
    with contextlib.suppress(Exception):  # an open file, say
        return copy.copy(owner)
    return owner


@functools.lru_cache(maxsize=8)
def _loops_of(text: str) -> dict[int, ast.For]:
    """The `for` loops of a file by their lines."""
    return {node.lineno: node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.For)}


class Functions:
    """Told by the instrumented source of every function that is entered."""

    def __init__(self, sources: UserSources, recorder: Recorder) -> None:
        self.sources, self.recorder = sources, recorder
        self.calls: list[Called] = []
        self.made = Rederived(sources)
        self.paused = False
        self.pictured: dict[CodeType, list[Called]] = {}
        self.batches: dict[CodeType, tuple[str, Called]] = {}  # of those that are given listed samples
        self.paths: dict[CodeType, Called] = {}  # of those that may read labels off the outputs of a CTC loss
        self.boxes: dict[CodeType, tuple[tuple[str, str], Called]] = {}  # of those given two boxes, or lists of boxes
        self._coded = 0  # the events among which no CTC loss is
        self._tries: dict[CodeType, int] = {}
        self._loops: dict[tuple[str, int], int] = {}
        self._looked: dict[CodeType, int] = {}
        self._boxless: dict[CodeType, int] = {}

    @contextlib.contextmanager
    def replaying(self, loops: Loops) -> Iterator[None]:
        """While the body runs, loops run whole, nothing is noted and nothing trains."""
        self.paused, loops.left, loops.activity.depth = True, PLAYED, loops.activity.depth + 1
        try:
            with torch.no_grad():
                yield
        finally:
            self.paused, loops.left, loops.activity.depth = False, None, loops.activity.depth - 1

    def entered(self, frame: FrameType) -> None:
        """The user's function of `frame` begins."""
        code = frame.f_code
        if self.paused or self.recorder.modules or code.co_flags & UNPLAYABLE:
            return
        self._pictured(frame, code)
        self._batched(frame, code)
        self._reading(frame, code)
        self._boxed(frame, code)
        tries = self._tries.get(code, 0)
        if tries >= TRIES:
            return
        self._tries[code] = tries + 1
        local = frame.f_locals
        with torch._C.DisableTorchFunction():
            given = [local[name] for name in parameters(code)]
            if len(self.calls) >= CALLS or not any(flags(value) is not None or truths(value) for value in given):
                return
            names = code.co_varnames[: _count(code)]
            learned = frozenset(name for name in names if getattr(local.get(name), "requires_grad", False) is True)
            given = {name: copied(value) for name, value in _bound(names, local).items()}
        self._tries[code] = TRIES
        free = _bound(code.co_freevars, local)
        if len(free) == len(code.co_freevars):
            stack = self.sources.stack(sys._getframe(3))
            self.calls.append(Called(code, frame.f_globals, given, free, stack, learned))

    def _batched(self, frame: FrameType, code: CodeType) -> None:
        """Keep a call that is given a list of samples."""
        if (
            code in self.batches
            or len(self.batches) >= PICTURED
            or code.co_freevars
            or self._looked.get(code, 0) > TRIES
        ):
            return
        given = _bound(code.co_varnames[: _count(code)], frame.f_locals)
        name = next((name for name, value in given.items() if _samples(value)), None)
        if name is not None and not _learns(given, code):
            given[name] = list(given[name][:SAMPLES])
            self.batches[code] = name, Called(code, frame.f_globals, given, {}, ())

    def _reading(self, frame: FrameType, code: CodeType) -> None:
        """Keep the last call of a function that is given scores, or a list of whole numbers, once a CTC loss is
        known."""
        raw = self.recorder.raw
        while self._coded < len(raw) and raw[self._coded][0] != "ctc_loss":
            self._coded += 1
        if self._coded == len(raw) or self._looked.get(code, 0) > LOOKED:
            return
        local = frame.f_locals
        if len(self.paths) < PATHS or code in self.paths:
            with torch._C.DisableTorchFunction():
                given = _bound(parameters(code), local)
                if any(scored(value) or path(value) for value in given.values()):
                    free = _bound(code.co_freevars, local)
                    held = {name: copied(value) for name, value in given.items()}
                    self.paths[code] = Called(code, frame.f_globals, held, free, self.sources.stack(sys._getframe(4)))

    def _boxed(self, frame: FrameType, code: CodeType) -> None:
        """Keep the first call of a function that is given two times four numbers, or rows of four."""
        if code in self.boxes or len(self.boxes) >= PATHS or self._boxless.get(code, 0) >= TRIES:
            return
        self._boxless[code] = self._boxless.get(code, 0) + 1
        with torch._C.DisableTorchFunction():
            given = _bound(parameters(code), frame.f_locals)
            names = tuple(name for name, value in given.items() if boxed(value))
            free = _bound(code.co_freevars, frame.f_locals)
            if len(names) == 2 and len(free) == len(code.co_freevars):
                held = {name: copied(value) for name, value in given.items()}
                stack = self.sources.stack(sys._getframe(3))
                self.boxes[code] = (names[0], names[1]), Called(code, frame.f_globals, held, free, stack)

    def batched(self) -> Iterator[tuple[CodeType, Callable[[list], Any], list]]:
        """The functions that were given listed samples, each with how to call it again with others."""
        for code, (name, call) in self.batches.items():
            yield code, functools.partial(_again, call, name), call.given[name]

    def looping(self, frame: FrameType, line: int) -> None:
        """A loop of the user's at `line` begins, which carries something from step to step."""
        tries = self._loops.get((frame.f_code.co_filename, line), 0)
        if self.paused or self.recorder.modules or tries >= TRIES or len(self.calls) >= CALLS:
            return
        with torch._C.DisableTorchFunction():
            self._loops[frame.f_code.co_filename, line] = tries + (AGAIN if self._sliced(frame, line) else 1)

    def _sliced(self, frame: FrameType, line: int) -> bool:
        """Keep the loop as a call of a function, if any of what it reads are flags."""
        node = _loops_of(self.sources.read(frame.f_code.co_filename)).get(line)
        made = as_function(node, frame) if node is not None else None
        if made is None or not any(flags(value) is not None for value in made[1].values()):
            return False
        code, held = made
        learned = frozenset(name for name, value in held.items() if getattr(value, "requires_grad", False) is True)
        given = {name: copied(value) for name, value in held.items()}
        stack, loop = self.sources.stack(sys._getframe(4)), (frame.f_code, line)
        self.calls.append(Called(code, frame.f_globals, given, {}, stack, learned, loop))
        return True

    def edited(self) -> None:
        """The script has another text from here on: a loop under way is kept as it stands there."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            for call in self.calls:
                if call.loop is not None and call.loop[0] is frame.f_code:
                    node = _loops_of(self.sources.read(frame.f_code.co_filename)).get(call.loop[1])
                    made = as_function(node, frame) if node is not None else None
                    if made is not None:
                        call.code, call.given = made[0], {**made[1], **call.given}
            frame = frame.f_back

    def _pictured(self, frame: FrameType, code: CodeType) -> None:
        """Keep a call that is given a picture of one sample, and something else beside it, or a batch of both."""
        kept = self.pictured.get(code, [])
        self._looked[code] = looked = self._looked.get(code, 0) + 1
        if (
            looked > LOOKED
            or len(kept) >= SAMPLES
            or code.co_argcount < 2
            or code.co_freevars
            or (not kept and len(self.pictured) >= PICTURED)
        ):
            return
        with torch._C.DisableTorchFunction():
            local = frame.f_locals
            given = _bound(code.co_varnames[: _count(code)], local)
            seen = any(_picture(value) for value in given.values()) or _batch_with_maps(tuple(given.values()))
            if _learns(local, code) or not seen:
                return
            if sum(hasattr(value, "shape") or type(value) in (list, tuple) for value in given.values()) < 2:
                return
            held = {name: copied(value) for name, value in given.items()}
        self.pictured.setdefault(code, kept).append(Called(code, frame.f_globals, held, {}, ()))


def scored(value: Any) -> bool:
    """Whether a value may be the scores of classes over time: two axes or three of real numbers."""
    real = isinstance(value, torch.Tensor) and value.is_floating_point() and not value.requires_grad
    real = real or holds(value, "f")
    shape = tuple(value.shape) if real else ()
    return 2 <= len(shape) <= 3 and 0 < math.prod(shape) <= LARGEST


def boxed(value: Any) -> bool:
    """Whether a value may be one box or several, with four numbers each: a tensor, an array, or a list of numbers."""
    if type(value) in (list, tuple):
        return len(value) == 4 and all(type(one) in (int, float) for one in value)
    held = isinstance(value, torch.Tensor) or is_array(value)
    kind, shape = (str(value.dtype), tuple(value.shape)) if held else ("", ())
    return shape[-1:] == (4,) and math.prod(shape) <= LARGEST and ("float" in kind or "int" in kind)


def path(value: Any) -> bool:
    """Whether a value may be a label for each step: one axis of whole numbers, or a list of them."""
    if type(value) is list:
        return len(value) >= LEAST and all(type(one) is int for one in value)
    return len(getattr(value, "shape", ())) == 1 and len(value) >= LEAST and "int" in str(value.dtype)


def _again(call: Called, name: str, samples: list) -> Any:
    return call.play(call.given | {name: samples})


def _bound(names: tuple[str, ...], local: dict[str, Any]) -> dict[str, Any]:
    """Those of some variables that have a value."""
    return {name: local[name] for name in names if name in local}


def _samples(value: Any) -> bool:
    """Whether a list holds samples of several parts each."""
    if type(value) is not list or len(value) < LEAST or type(value[0]) not in (tuple, list, dict):
        return False
    return all(type(one) is type(value[0]) and 1 < len(one) <= WIDTH for one in value[:SAMPLES])


def _learns(local: dict[str, object], code: CodeType) -> bool:
    """Whether a function is the method of a network: what it is given are batches, and what it gives are no samples."""
    holder = local.get(code.co_varnames[0])
    begun = isinstance(holder, torch.nn.Module) and "_parameters" in vars(holder)  # not before its own `__init__`
    return begun and next(torch.nn.Module.parameters(holder), None) is not None


def _picture(value: object) -> bool:
    """Whether a value may be the picture of one sample: two axes or three, of some extent."""
    if not isinstance(value, torch.Tensor) and type(value).__module__ != "numpy":
        return False
    shape = tuple(getattr(value, "shape", ()))
    if not 2 <= len(shape) <= 3 or getattr(value, "requires_grad", False):
        return False
    return sum(size >= WIDTH for size in shape) >= 2 and math.prod(shape) <= LARGEST


def _batch_with_maps(values: tuple[object, ...]) -> bool:
    """Whether a batch of pictures (B, C, H, W) and maps of as many samples and the same extent lie among values."""
    tensors = [one for one in values if isinstance(one, torch.Tensor) and one.dim() >= 3 and not one.requires_grad]
    return any(
        one.dim() == 4 and other.shape[0] == one.shape[0] and other.shape[-2:] == one.shape[-2:]
        for one, other in itertools.permutations(tensors, 2)
        if max(one.numel(), other.numel()) <= LARGEST and min(one.shape[-2:]) >= WIDTH
    )


def parameters(code: CodeType) -> tuple[str, ...]:
    """The parameters of a function that may be given by place or by name."""
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _count(code: CodeType) -> int:
    more = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_argcount + code.co_kwonlyargcount + more


def flags(value: object) -> torch.Tensor | None:
    """The zeros and ones of a tensor, an array or a list that holds both and nothing else; `None` of anything else."""
    numbers = tensor_of(value)
    if numbers is None or not LEAST <= numbers.numel() <= LARGEST or not 1 <= numbers.dim() <= 4:
        return None
    numbers = numbers.detach().float()
    both = bool((numbers == 0).any()) and bool((numbers == 1).any())
    return numbers if both and bool(((numbers == 0) | (numbers == 1)).all()) else None


def truths(value: Any) -> tuple[int, ...]:
    """The places of listed tuples that hold truth values."""
    if not isinstance(value, (list, tuple)) or not LEAST <= len(value) <= LARGEST or not isinstance(value[0], tuple):
        return ()
    width = len(value[0])
    if not all(isinstance(row, tuple) and len(row) == width for row in value):
        return ()
    return tuple(place for place in range(width) if all(isinstance(row[place], bool) for row in value))


def tensor_of(value: Any) -> torch.Tensor | None:
    """A tensor, an array of numbers, or a list of numbers or of such, as a tensor that shares nothing; else `None`."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone() if readable(value, LARGEST) else None
    if type(value).__module__ == "numpy" and getattr(value, "ndim", 0):  # a scalar of NumPy's has none
        return torch.from_numpy(value.copy()) if value.dtype.kind in "biuf" and 0 < value.size <= LARGEST else None
    if isinstance(value, (list, tuple)) and 0 < len(value) <= LARGEST:
        if all(isinstance(part, (bool, int, float)) for part in value):
            return torch.tensor(value)
        parts = [tensor_of(part) for part in value[:LARGEST]]
        if all(part is not None and part.shape == parts[0].shape for part in parts):
            return torch.stack(parts)
    return None


def copied(value: Any, depth: int = 0) -> Any:
    """Tensors, arrays, lists and dicts anew; any other object as it is."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone() if value.numel() <= LARGEST else value
    if type(value).__module__ == "numpy" and hasattr(value, "copy"):
        return value.copy()
    if type(value) in (list, tuple) and depth < 3 and len(value) <= LARGEST:
        return type(value)(copied(part, depth + 1) for part in value)
    if type(value) is dict and depth < 3:
        return {key: copied(part, depth + 1) for key, part in value.items()}
    return value


def numbers_in(value: Any, depth: int = 0) -> Iterator[torch.Tensor]:
    """Every tensor, array or list of numbers in what a function gave back."""
    if isinstance(value, (bool, int, float)):
        yield torch.tensor(float(value))
        return
    made = tensor_of(value)
    if made is not None:
        yield made
    elif isinstance(value, (list, tuple)) and depth < 3:
        for part in value:
            yield from numbers_in(part, depth + 1)
    elif isinstance(value, dict) and depth < 3:
        for part in value.values():
            yield from numbers_in(part, depth + 1)
