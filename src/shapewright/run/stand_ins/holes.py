"""What stands for the values of statements that need what is not here, and that another run goes on without
(`Guess.passed`): each takes the form that its use demands.

Parts, items, attributes and calls of a hole are holes; a tensor's operator makes it a tensor of the shape that it
expects (`pending`), a loop goes through a few of it, a number is asked of it as one. None of it is evidence, and what
learns is never passed over (`stuck`).
"""

from __future__ import annotations

import ast
import functools
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils.data._utils import collate as _collate

from ...trace import Event, TensorFact
from ..script.passed import statement
from .context import Context, current, is_own_file
from .expected import parts
from .files.contents import ROWS
from .pending import Pending, Root, numbers
from .unknown import UnknownThing, fed

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECORDERS = tuple(os.path.join(HERE, room, "") for room in ("record", "script"))  # who asks nothing of it
SIZE, MEASURE = 12, 0.5
SAMPLES, BATCHES = 8, 24  # of what is gone through
MOST = 2  # statements of one function that are passed over, before its call is
LEARNS = (torch.nn.Module, torch.optim.Optimizer, torch.nn.Parameter)


class Hole(Pending):
    """A value that could not be had."""

    def _part(self, name: str, count: int = 0) -> Any:
        root = self._root
        return hole(f"{root.key}.{name}", root.context, count or root.count)

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return super().__torch_function__(func, types, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "backward" or sys._getframe(1).f_code.co_filename.startswith(RECORDERS):
            raise AttributeError(name)
        return super().__getattr__(name) if hasattr(torch.Tensor, name) else self._part(name)

    def __call__(self, *args: Any, **options: Any) -> Any:
        if any(isinstance(value, LEARNS) or getattr(value, "requires_grad", False) for value in args):
            raise TypeError("what learns is given to what is not here")
        return self._part("()")

    def __getitem__(self, key: Any) -> Any:
        whole = isinstance(key, (slice, int)) or (
            isinstance(key, tuple) and all(isinstance(part, (int, slice, type(None), type(...))) for part in key)
        )
        if whole and not isinstance(key, bool):
            return Step(self._root, (*self._steps, ("item", (key,), {})))
        return self._part(f"[{key}]" if isinstance(key, str) else "[]")

    def __setitem__(self, key: Any, value: Any) -> None:
        """Nothing is kept."""

    def __iter__(self) -> Iterator[Any]:
        if count := parts(sys._getframe(1)):
            return iter([self._part(str(at)) for at in range(count)])
        row = self._part("row", SAMPLES)
        return iter([row] * BATCHES)

    def __len__(self) -> int:
        return self._root.count

    def __int__(self) -> int:
        return SIZE

    __index__ = __int__

    def __float__(self) -> float:
        return MEASURE

    def __bool__(self) -> bool:
        return True

    def __contains__(self, value: object) -> bool:
        return True

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *raised: object) -> None:
        pass

    def __repr__(self) -> str:
        return f"<{self._root.key}>"

    def __format__(self, form: str) -> str:
        return repr(self)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return self._part(func.__name__)

    def __array_ufunc__(self, ufunc: Any, method: str, *given: Any, **options: Any) -> Any:
        return self._part(ufunc.__name__)


class Step(Hole):
    """A part of a hole that may be one of a tensor: what learns of its shape learns of the whole."""

    def _part(self, name: str, count: int = 0) -> Any:
        root = self._root
        return hole(f"{root.key}.[].{name}", root.context, count or root.count)


def _computed(name: str) -> Any:
    kept = getattr(Pending, name)

    @functools.wraps(kept)
    def compute(self: Any, *others: Any) -> Any:
        if others and isinstance(others[0], torch.Tensor):
            return kept(self, *others)
        if name in ("__lt__", "__le__", "__gt__", "__ge__") and isinstance(others[0], (int, float)):
            return getattr(MEASURE, name)(others[0])
        return self._part(name.strip("_"))

    return compute


for _name in ("add", "sub", "mul", "truediv", "floordiv", "pow", "mod", "eq", "ne", "lt", "le", "gt", "ge", "radd"):
    setattr(Hole, f"__{_name}__", _computed(f"__{_name}__"))
for _name in ("rsub", "rmul", "rtruediv", "neg", "invert", "and", "or"):
    setattr(Hole, f"__{_name}__", _computed(f"__{_name}__"))
Hole.__hash__ = object.__hash__  # type: ignore[method-assign]


def hole(key: str, context: Context, count: int = ROWS) -> Any:
    """What stands for a value: a tensor where an earlier run learnt its shape."""
    for name, shape, high in context.guess.samples:
        if name == key and high < 0:
            return -high
        if name == key:
            return numbers((count, *shape), high)
    return Hole(Root(key, count, context))


def left(line: int, frame: Any) -> Any:
    """What a statement at a line would have made, told."""
    context = current()
    if context is None:
        raise AssertionError("no run is under way")
    context.loose = True
    context.note("statement-passed-over", line=line)
    return hole(f"{frame.f_code.co_filename}:{line}", context)


def collated(batch: list[Any], *, collate_fn_map: Any = None) -> Any:
    """A batch of parts."""
    root = batch[0]._root
    return hole(f"{root.key}.batch", root.context, len(batch))


def installed() -> Callable[[], Any]:
    """Let torch take holes where it takes arrays; what is given back has it as it was."""
    _collate.default_collate_fn_map[Hole] = collated
    kept = {name: getattr(torch, name) for name in ("from_numpy", "tensor", "as_tensor")}
    make: Any = torch.Tensor.__dict__.get("__new__")
    for name, one in kept.items():
        setattr(torch, name, _taking(one))
    torch.Tensor.__new__ = _taking(torch.Tensor.__new__, 1)  # type: ignore[method-assign]

    def restore() -> None:
        for name, one in kept.items():
            setattr(torch, name, one)
        if make is None:
            del torch.Tensor.__new__
        else:
            torch.Tensor.__new__ = make  # type: ignore[method-assign]

    return restore


def _taking(kept: Any, at: int = 0) -> Any:
    @functools.wraps(kept)
    def take(*args: Any, **options: Any) -> Any:
        given = args[at] if len(args) > at else options.get("data")
        given = given[0] if isinstance(given, (list, tuple)) and given else given
        return given if isinstance(given, Hole) else kept(*args, **options)

    return take


def stuck(error: BaseException, context: Context, event: Event | None) -> tuple[str, int] | None:
    """The file and line of the innermost statement that a run can go on without; `None` where none is, as what learns
    is at work. The line is negative where the statement is to be left out, as it made what fails later."""
    passed, steps = context.guess.passed, list(traceback.walk_tb(error.__traceback__))
    for key in _counts(steps) if passed else ():
        context.learnt[key] = (), -SIZE
        return None
    if any(_lent(frame) for frame, _ in steps if is_own_file(frame.f_code.co_filename)):
        return None
    for frame, line in reversed(() if _computes(event) else steps):
        file = frame.f_code.co_filename
        if not is_own_file(file):
            continue
        if isinstance(frame.f_locals.get("self"), torch.nn.Module) or frame.f_code.co_name == "forward":
            break
        found = _found(frame, line)
        if found is None:
            break
        inside = frame.f_code.co_name != "<module>"
        count = sum(at == file and _within(frame.f_code, abs(number)) for at, number in passed) if inside else 0
        if found > 0 and count < MOST and (file, found) not in passed:
            return file, found
    made = context.source
    return (made[0], -made[1]) if made is not None and (made[0], -made[1]) not in passed else None


def _lent(frame: Any) -> bool:
    """Whether code of the script's has something of an absent library that was made out of what learns."""
    values = (*frame.f_locals.values(), *(frame.f_globals.get(name) for name in frame.f_code.co_names))
    return any(isinstance(value, UnknownThing) and fed(value) in ("learns", "graph") for value in values)


def source(frame: Any) -> tuple[str, int] | None:
    """The file and line of the statement under way in the user's code, where it can be left out."""
    found = _found(frame, frame.f_lineno) if frame is not None else None
    return (frame.f_code.co_filename, found) if found else None


def _found(frame: Any, line: int) -> int | None:
    """The line of a statement that can be passed over, 0 where it is of another kind; `None` where it has to do with
    what learns, or the text is not there."""
    found = statement(_tree(frame.f_code.co_filename), line)
    names = {node.id for node in ast.walk(_head(found)) if isinstance(node, ast.Name)} if found else set()
    values = {**frame.f_globals, **frame.f_locals}
    return None if any(_learns(values.get(name)) for name in names) else found.lineno if found else 0


@functools.lru_cache(maxsize=16)
def _tree(file: str) -> ast.Module:
    try:
        with open(file, encoding="utf-8") as text:
            return ast.parse(text.read())
    except (OSError, SyntaxError, ValueError):
        return ast.Module([], [])


def _counts(steps: list[Any]) -> Iterator[str]:
    """The keys of holes that a layer of torch's was to be made with: they are numbers."""
    for frame, _ in reversed(steps):
        if frame.f_globals.get("__name__", "").startswith("torch.nn") and frame.f_code.co_name == "__init__":
            yield from (value._root.key for value in frame.f_locals.values() if isinstance(value, Hole))


def _computes(event: Event | None) -> bool:
    """Whether the call of torch's that failed was given tensors."""
    given = (*event.args, *event.kwargs.values()) if event is not None else ()
    return any(isinstance(value, TensorFact) and value.shape is not None for value in given)


def _head(node: ast.stmt) -> ast.AST:
    return node.iter if isinstance(node, ast.For) else node.test if isinstance(node, ast.If) else node


def _learns(value: Any) -> bool:
    kinds = isinstance(value, type) and issubclass(value, torch.nn.Module)
    return kinds or isinstance(value, LEARNS) or (isinstance(value, torch.Tensor) and value.requires_grad)


def _within(code: Any, line: int) -> bool:
    """Whether a line is one of the function whose code is given."""
    for node in ast.walk(_tree(code.co_filename)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == code.co_name:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            if first == code.co_firstlineno:
                return node.lineno <= line <= (node.end_lineno or line)
    return False
