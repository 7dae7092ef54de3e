"""Data sets of the script's own that need what is not here, a library or files: where a first run ended in one of them,
another goes on without what it would have read (`Guess.unread`).

A sample has the parts that the class's own `__getitem__` gives back, a batch those of the script's own collation; each
is told, of a shape that the first operator expects which is given it (`pending`), and no evidence (`Context.loose`).
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import sys
import textwrap
import traceback
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import torch
from torch.utils.data import DataLoader, Dataset
from torch.utils.data._utils import collate as _collate

from .context import Context, current, is_own_file
from .expected import looked_up, parts
from .files.contents import rows_of
from .kinds import constructors
from .pending import Pending, Root, expecting, numbers, settled
from .reading import Sample, collated, given, reader, returned_from, taken
from .removed import gone
from .standing import stood
from .unknown import of_file

if TYPE_CHECKING:
    from ..record.recorder import Recorder

READING = ("__init__", "__len__", "__getitem__")


def lacked(error: BaseException, read: list[Any]) -> tuple[str, tuple[str, ...], str]:
    """What a failing call was to read (`unread`), some keys of the table in which it looked a word up, and what it
    asked of an installed module."""
    return unread(error, read), looked_up(error), gone(error)


def unread(error: BaseException, read: list[Any]) -> str:
    """The class of the script's own whose samples a failing call was to read, or else the function of its own in which
    it failed or that read made-up data before (`reading`), or those that loaders `read`, with commas between them;
    empty where there is none."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        own = next(iter(frame.f_locals.values()), None) if frame.f_code.co_varnames[:1] == ("self",) else None
        if isinstance(own, Dataset) and is_own_file(frame.f_code.co_filename) and frame.f_code.co_name in READING:
            return type(own).__qualname__
    if function := reader(error):
        return function
    homes = {type(one): getattr(sys.modules.get(type(one).__module__), "__file__", None) or "" for one in read}
    context, kinds = current(), ",".join(kind.__qualname__ for kind, file in homes.items() if is_own_file(file))
    return kinds or (returned_from(error, context.readers) if context is not None else "")


@contextlib.contextmanager
def active(context: Context) -> Iterator[None]:
    """Go on without the samples of the classes that are known to need what is not here, while the body runs."""
    if not context.guess.unread:
        yield
        return
    made, kept = DataLoader.__init__, dict(_collate.default_collate_fn_map)

    def begun(cls: type, **options: Any) -> None:
        super(Dataset, cls).__init_subclass__(**options)
        if cls.__qualname__ in context.guess.unread:
            _wrap(cls, context)

    @functools.wraps(made)
    def loader(self: Any, dataset: Any, *args: Any, **options: Any) -> None:
        made(self, dataset, *args, **options)
        own = dataset
        while "dataset" in getattr(own, "__dict__", ()):  # a part of it
            own = own.__dict__["dataset"]
        if type(own).__qualname__ in context.guess.unread and self.collate_fn is not _collate.default_collate:
            object.__setattr__(self, "collate_fn", _collating(self.collate_fn, context))

    wrap: Any = type(torch.autograd.Variable)  # `Variable(part)`

    def variable(cls: Any, *args: Any, **options: Any) -> Any:
        return args[0] if args and isinstance(args[0], Pending) else type.__call__(cls, *args, **options)

    wrap.__call__ = variable
    Dataset.__init_subclass__ = classmethod(begun)  # type: ignore[assignment,method-assign]
    DataLoader.__init__ = loader  # type: ignore[method-assign]
    _collate.default_collate_fn_map |= {Part: _collated, Sample: collated}
    hook = torch.nn.modules.module.register_module_forward_pre_hook(_expecting)
    try:
        yield
    finally:
        hook.remove()
        del wrap.__call__
        del Dataset.__init_subclass__
        DataLoader.__init__ = made  # type: ignore[method-assign]
        _collate.default_collate_fn_map.clear()
        _collate.default_collate_fn_map.update(kept)


class Part:
    """One part of a sample that could not be read."""

    def __init__(self, key: str, context: Context) -> None:
        self.key, self.context = key, context

    def __iter__(self) -> Iterator[Any]:
        return iter([known(f"{self.key}.{at}", self.context) for at in range(parts(sys._getframe(1)))])


def _collated(batch: list[Part], *, collate_fn_map: Any = None) -> Any:
    return Pending(Root(batch[0].key, len(batch), batch[0].context))


def known(key: str, context: Context, count: int = 0) -> Any:
    """What stands for a part: a tensor where an earlier run learnt its shape."""
    for name, shape, high in context.guess.samples:
        if name == key:
            found = numbers((count, *shape) if count else shape, high)
            return found if found.dim() else found.item()
    return Pending(Root(key, count, context)) if count else Part(key, context)


def _wrap(cls: Any, context: Context) -> None:
    """Let a class go on where it cannot read."""
    name = cls.__qualname__
    begin, read, count = cls.__init__, cls.__getitem__, getattr(cls, "__len__", None)
    form = returned(read)

    def lacks(self: Any, error: object = None) -> None:
        if not self.__dict__.get("_lacking"):
            file = error.filename if isinstance(error, OSError) else None
            self.__dict__["_lacking"] = str(file or (error.name if isinstance(error, ImportError) else None) or name)
            context.loosen()
            context.note("samples-made-up", name=name)

    @functools.wraps(begin)
    def __init__(self: Any, *args: Any, **options: Any) -> None:
        try:
            begin(self, *args, **options)
        except Exception as error:
            lacks(self, error)

    @functools.wraps(read)
    def __getitem__(self: Any, index: Any) -> Any:
        lacks(self)
        return filled(form, name, lambda key: known(key, context))

    def __len__(self: Any) -> int:
        with contextlib.suppress(Exception):
            if count is not None and isinstance(found := count(self), int) and found > 0:
                return found
        return rows_of(context.guess)

    def __getattr__(self: Any, asked: str) -> Any:
        own = is_own_file(sys._getframe(1).f_code.co_filename)
        if asked.startswith("__") or not own or not self.__dict__.get("_lacking"):
            raise AttributeError(asked)
        return getattr(of_file(self.__dict__["_lacking"]), asked)

    cls.__init__, cls.__getitem__, cls.__len__ = __init__, __getitem__, __len__
    if not hasattr(cls, "__getattr__"):
        cls.__getattr__ = __getattr__


def _collating(collate: Callable[[Any], Any], context: Context) -> Callable[[Any], Any]:
    """A collation of the script's own that goes on where samples that could not be read lead it nowhere."""
    form, name = returned(collate if inspect.isroutine(collate) else type(collate).__call__), []

    @functools.wraps(collate)
    def collated(batch: Any) -> Any:
        if not name:
            try:
                return collate(batch)
            except Exception:
                name.append(getattr(collate, "__name__", type(collate).__name__))
        return filled(form, name[0], lambda key: known(key, context, len(batch)))

    return collated


def filled(form: Any, key: str, leaf: Callable[[str], Any]) -> Any:
    """What a function gives back, by its form: each part is made by `leaf` of where it lies.

    >>> filled(({"x": None}, None), "load", str.upper)
    ({'x': 'LOAD.0.X'}, 'LOAD.1')
    """
    if isinstance(form, dict):
        return {name: filled(part, f"{key}.{name}", leaf) for name, part in form.items()}
    if isinstance(form, tuple):
        return tuple(filled(part, f"{key}.{at}", leaf) for at, part in enumerate(form))
    return leaf(key)


def returned(function: Any) -> Any:
    """The form of what a function gives back, from its last statement that gives anything: a tuple, a dictionary by
    its keys, `None` for anything else.

    >>> returned(lambda: 0) is None
    True
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function))))
    except (OSError, TypeError, SyntaxError):
        return None
    bound = {
        node.targets[0].id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    found = [
        _form(node.value, bound) for node in ast.walk(tree) if isinstance(node, (ast.Return, ast.Yield)) and node.value
    ]
    return max(found, key=lambda form: len(form) if form is not None else 0, default=None)


def _form(node: ast.expr, bound: dict[str, ast.expr], depth: int = 0) -> Any:
    if isinstance(node, ast.Name) and node.id in bound and depth < 3:
        return _form(bound[node.id], bound, depth + 1)
    if isinstance(node, (ast.Tuple, ast.List)) and node.elts:
        return tuple(_form(part, {}, depth + 1) for part in node.elts)
    if isinstance(node, ast.Dict) and node.keys:
        pairs = zip(node.keys, node.values)
        return {key.value: _form(part, {}, depth + 1) for key, part in pairs if isinstance(key, ast.Constant)}
    return None


@contextlib.contextmanager
def shaping(recorder: Recorder, context: Context) -> Iterator[None]:
    """Let the recorder give pending samples their shape before a call of torch's, where there are any."""
    recorder.shaping = _shaped if context.guess.unread else None

    def stands() -> None:
        recorder.standing = stood
        recorder.shaping = recorder.shaping or stood

    context.stands = stands
    with recorder, constructors():
        yield


def _shaped(func: Any, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any], Any]:
    if (made := taken(func, args, kwargs)) is not None:
        return args, kwargs, made
    return settled(func, *given(func, args, kwargs))


def _expecting(module: torch.nn.Module, args: tuple) -> tuple | None:
    return expecting(module, given(module, args, {})[0])  # only of a layer of torch's: the script's own take samples
