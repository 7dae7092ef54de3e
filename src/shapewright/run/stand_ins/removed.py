"""Names that an installed library does not have, or no longer: what a script imports of them is unknown, as a module is
that is not installed, and is named when a tensor depends on it."""

from __future__ import annotations

import builtins
import contextlib
import functools
import importlib.util
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from . import ages
from .checkpoints import prepared_at
from .context import Context, is_user_file
from .not_installed import UnknownModule, absent_names
from .unknown import unknown_name

# Python's own, by their folders: who looks through all that is imported has a thousand pages of a forked process copied
PACKAGES = sorted({entry.name for entry in os.scandir(os.path.dirname(os.__file__))} & sys.stdlib_module_names)


@contextlib.contextmanager
def active(context: Context) -> Iterator[None]:
    """Answer for absent names while the body runs."""
    kept = builtins.__import__

    @functools.wraps(kept)
    def load(
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        module = kept(name, globals, locals, fromlist or (), level)
        if fromlist and not level and is_user_file(sys._getframe(1).f_code.co_filename):
            _supply(module, fromlist, context)
        return module

    for place in context.guess.gone:
        owner, _, name = place.partition(":")
        _put(importlib.import_module(owner), [name], context)
    builtins.__import__ = load
    imported = [sys.modules[name] for name in PACKAGES if name in sys.modules]
    packages = [module for module in imported if not hasattr(module, "__getattr__")]
    for package in packages:
        package.__getattr__ = _parts_of(package.__name__)  # type: ignore[method-assign]
    try:
        yield
    finally:
        builtins.__import__ = kept
        for package in packages:
            del package.__getattr__  # type: ignore[attr-defined]


def _parts_of(package: str) -> Callable[[str], Any]:
    """Parts of Python's own packages that nothing imported: a library that is not there may have."""

    def __getattr__(name: str) -> Any:
        asked = not name.startswith("_") and is_user_file(sys._getframe(1).f_code.co_filename)
        if asked and absent_names() and importlib.util.find_spec(f"{package}.{name}") is not None:
            return importlib.import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return __getattr__


def gone(error: BaseException) -> str:
    """What the user's code asked of an installed module that does not have it, as `module:name`; empty elsewhere."""
    steps = [frame for frame, _ in traceback.walk_tb(error.__traceback__)] if isinstance(error, AttributeError) else []
    if not steps:
        return ""
    owner, name = error.obj, error.name  # type: ignore[attr-defined]
    if steps[-1].f_code.co_name == "__getattr__" and steps[-1].f_code.co_argcount == 1:  # of the module itself
        own = steps.pop()
        owner = sys.modules.get(own.f_globals.get("__name__", ""))
        name = own.f_locals.get(own.f_code.co_varnames[0])
    if not steps or not isinstance(owner, ModuleType) or not is_user_file(steps[-1].f_code.co_filename):
        return ""
    file = getattr(owner, "__file__", None)
    installed = file is not None and not is_user_file(file) and not file.startswith(os.path.dirname(__file__))
    return f"{owner.__name__}:{name}" if installed else ""


def _supply(module: ModuleType, names: Sequence[str], context: Context) -> None:
    """Give an installed module those of some names that it lacks; one of its own modules is none of them."""
    file = getattr(module, "__file__", None)
    if file is None or is_user_file(file) or isinstance(module, UnknownModule):
        return
    loaded = (name for name in names if name != "*" and f"{module.__name__}.{name}" not in sys.modules)
    lacking = [name for name in loaded if not hasattr(module, name)]
    if lacking and not prepared_at(sys._getframe(2), ImportError):
        _put(module, lacking, context)


def _put(module: ModuleType, names: Sequence[str], context: Context) -> None:
    """Give a module names that are unknown, but for those that it has in another form now."""
    for name in names:
        present = ages.lazily(module, name, context)
        if present is None:
            context.note("name-absent", name=f"{module.__name__}.{name}")
            present = unknown_name(name, f"{module.__name__}.{name}")
        setattr(module, name, present)
