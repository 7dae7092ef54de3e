"""Functions of the script's own that read what is not here: where a run ended in one of them, another goes on with what
it gives back unknown (`Guess.unread`). What torch is then given takes the shape that the operator expects (`pending`),
what NumPy is given is made up (`forms`). It is told, and no evidence (`Context.loose`)."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import os
import sys
import textwrap
import traceback
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

import torch

from .context import current, is_own_file
from .files.contents import rows_of
from .how import HELD, How
from .pending import CASTS
from .standing import SIZED
from .unknown import RECORDERS, UnknownThing

CALLED = "()"  # after the name of a function among `Guess.unread`
BATCH = 8  # samples of what comes of a series that could not be read
LENGTH = 16  # of such a series
CLASSES = 3  # the highest of some labels
VIEWED = frozenset({"view", "permute", "unsqueeze", "size", "dim", "shape"})  # of what becomes a tensor
TAKES = frozenset({"tensor", "as_tensor", "asarray", "from_numpy"})
LEARNING = (torch.nn.Module, torch.optim.Optimizer)


def reader(error: BaseException) -> str:
    """The innermost function of the script's own in which a call failed, where it is given no model, optimizer or
    derivative and no model is under way; empty where there is none."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    if any(frame.f_code.co_name == "_call_impl" for frame in frames):  # of a module
        return ""
    for frame in reversed(frames):
        code = frame.f_code
        if not is_own_file(code.co_filename) or not os.path.isfile(code.co_filename) or code.co_name.startswith("<"):
            continue
        values = [*frame.f_locals.values()]
        if code.co_name == "__init__" and values:
            with contextlib.suppress(TypeError):  # an object without attributes, or one of two classes that do not fit
                values += vars(values[0]).values()
        held = (part for value in values for part in (value if isinstance(value, (list, tuple)) else [value]))
        with torch._C.DisableTorchFunction():  # a tensor of the script's own class runs its code
            if any(isinstance(one, LEARNING) or (isinstance(one, torch.Tensor) and one.requires_grad) for one in held):
                return ""
        return getattr(code, "co_qualname", code.co_name) + CALLED
    return ""


def returned_from(error: BaseException, readers: list[CodeType]) -> str:
    """The outermost function of the script's own that has read data which were made up (`readers`), and is not under
    way where a call failed: of sizes that do not go together none is meant. Empty where there is none."""
    failing = {frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)}
    for code in readers:
        own = is_own_file(code.co_filename) and os.path.isfile(code.co_filename)
        if own and code not in failing and not code.co_name.startswith("<"):
            return getattr(code, "co_qualname", code.co_name) + CALLED
    return ""


class Sample(UnknownThing):
    """Something of what a function would have read; a tensor where torch is given it."""

    def __getattr__(self, name: str) -> Any:
        if name in VIEWED and not sys._getframe(1).f_code.co_filename.startswith(RECORDERS):
            return getattr(tensor_of(self), name)
        return super().__getattr__(name)

    def __getitem__(self, key: Any) -> Any:
        if key is None or (isinstance(key, tuple) and any(part is None for part in key)):
            return tensor_of(self)[key]
        return super().__getitem__(key)

    def __len__(self) -> int:
        if "_tensor" in _place(self)[3].__dict__:  # as long as the tensor that torch was given for it
            return len(tensor_of(self))
        return (
            LENGTH
            if self._how.kind != "attribute" and not _place(self)[2] and self._how.name == ""
            else super().__len__()
        )

    def __matmul__(self, other: Any) -> Any:
        return torch.matmul(tensor_of(self), tensor_of(other) if isinstance(other, Sample) else other)

    def __int__(self) -> int:
        return super().__int__() or CLASSES

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        args, kwargs = given(func, args, kwargs or {})
        return func(*args, **kwargs)


Sample._kind = Sample


def given(func: Any, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """The arguments of a call of torch's, with tensors for what would have been read."""

    sized = SIZED.get(getattr(func, "__name__", ""), len(args))

    def size(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)([size(part) for part in value])
        return int(value) if isinstance(value, Sample) else value

    def one(value: Any) -> Any:
        if isinstance(value, (list, tuple)) and any(isinstance(part, Sample) for part in value):
            return type(value)([one(part) for part in value])
        return tensor_of(value) if isinstance(value, Sample) else value

    if not any(isinstance(part, Sample) for value in (*args, *kwargs.values()) for part in _parts(value)):
        return args, kwargs
    return (*map(one, args[:sized]), *map(one, map(size, args[sized:]))), {
        key: one(value) for key, value in kwargs.items()
    }


def _parts(value: Any) -> Any:
    return value if isinstance(value, (list, tuple)) else (value,)


def taken(func: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """The tensor that `torch.tensor` and its like make of what would have been read; `None` of all else."""
    if not args or not isinstance(args[0], Sample) or getattr(func, "__name__", "") not in TAKES:
        return None
    found = tensor_of(args[0])
    moved = {key: kwargs[key] for key in ("dtype", "device") if kwargs.get(key) is not None}
    return found.to(**moved) if moved else found


def _place(thing: UnknownThing) -> tuple[str, list[tuple[str, tuple, dict]], bool, UnknownThing]:
    """Where something lies in what would have been read, the moves and casts that it went through, whether it is of a
    series that was gone through, and what it was before the moves."""
    steps: list[tuple[str, tuple, dict]] = []
    how = thing._how
    while how.kind == "call" and isinstance(how.of, UnknownThing) and how.of._how.name in CASTS:
        steps.insert(0, (how.of._how.name, how.given, how.options))
        thing = how.of._how.of
        how = thing._how
    parts, series, first = [], False, thing
    while isinstance(how.of, UnknownThing):
        series = series or how.kind == "row"
        at = how.given[0] if how.kind in ("item", "part") else how.name if how.kind != "row" else "*"
        parts.append(str(at) if isinstance(at, (str, int)) else "of")
        how = how.of._how
    return ".".join([how.name, *reversed(parts)]), steps, series, first


def tensor_of(thing: UnknownThing, count: int = 0) -> Any:
    """A tensor for something that would have been read, pending where no operator told its shape yet."""
    from .unread import known

    context = current()
    key, steps, series, first = _place(thing)
    kept = first.__dict__
    if count or "_tensor" not in kept:
        made = known(key, context, count or (BATCH if series else rows_of(context.guess)))
        if count:
            return made
        kept["_tensor"] = made
    found = kept["_tensor"]
    for name, args, options in steps:
        found = getattr(found, name)(*args, **options)
    return found


def collated(batch: list[Sample], *, collate_fn_map: Any = None) -> Any:
    """A batch of samples that could not be read."""
    return tensor_of(batch[0], len(batch))


def going_on(function: Any, name: str) -> Any:
    """A function of the script's own that gives something unknown where it cannot read."""
    from .unread import filled, returned

    context, form = current(), returned(function)
    if context is None:
        return function

    def lacks(error: Exception, args: tuple) -> Callable[[str], Any]:
        context.loosen()
        context.note("samples-made-up", name=name)
        module = error.name if isinstance(error, ImportError) and error.name else ""
        file = error.filename if isinstance(error, OSError) else None
        lacking = module or (str(file) if file else name)
        if not module:
            HELD.add(lacking)
        if args and name.endswith(f"__init__{CALLED}"):
            _open(type(args[0]), args[0], lacking)
        return lambda key: _sample(lacking, key)

    if inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def series(*args: Any, **options: Any) -> Iterator[Any]:
            try:
                yield from function(*args, **options)
            except Exception as error:
                leaf = lacks(error, args)
                for _ in range(LENGTH):
                    yield filled(form, f"{name}.*", lambda key: leaf(key)[0:1])

        return series

    @functools.wraps(function)
    def read(*args: Any, **options: Any) -> Any:
        before = context.readings
        try:
            found = function(*args, **options)
        except Exception as error:
            leaf = lacks(error, args)
            return filled(form, name, leaf) if gives(function) else None
        made_up = context.readings > before and found is not None  # sizes of which nothing tells that they agree
        return filled(form, name, lacks(LookupError(), args)) if made_up else found

    return read


def _sample(module: str, key: str) -> Sample:
    thing = Sample()
    thing.__dict__.update(_module=module, _how=How("call", name=key), _fed="")
    return thing


def _open(cls: Any, made: Any, lacking: str) -> None:
    """Let an object that was made half answer for what it lacks, and for what was to be filled."""
    for name, value in [*made.__dict__.items()]:
        if isinstance(value, (list, dict, set)) and not value:
            del made.__dict__[name]
    made.__dict__["_lacking"] = lacking

    def __getattr__(self: Any, asked: str) -> Any:
        own = is_own_file(sys._getframe(1).f_code.co_filename)
        if asked.startswith("__") or not own or not self.__dict__.get("_lacking"):
            raise AttributeError(asked)
        found = _sample(self.__dict__["_lacking"], f"{type(self).__name__}.{asked}")
        self.__dict__[asked] = found
        return found

    if not hasattr(cls, "__getattr__"):
        cls.__getattr__ = __getattr__


def gives(function: Any) -> bool:
    """Whether a function gives something back.

    >>> gives(lambda: 0), gives(_open)
    (True, False)
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function))))
    except (OSError, TypeError, SyntaxError):
        return True
    own = next((node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)), None)
    return own is None or any(isinstance(node, ast.Return) and node.value is not None for node in _statements(own))


def _statements(of: ast.AST) -> Iterator[ast.AST]:
    """What a function consists of, without the functions that are defined in it."""
    for node in ast.iter_child_nodes(of):
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node
            yield from _statements(node)
