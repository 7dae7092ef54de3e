"""Stands for six where it is not installed: names that Python 2 and 3 spell differently, as Python 3 has them."""

from __future__ import annotations

import builtins
import functools
import importlib
import sys
from types import ModuleType
from typing import Any

PY2, PY3 = False, True
string_types, integer_types, text_type, binary_type = (str,), (int,), str, bytes
_MODULES = {"cPickle": "pickle", "queue": "queue", "configparser": "configparser", "urllib": "urllib.request"}


class _Moves(ModuleType):
    __path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name in _MODULES:
            importlib.import_module(_MODULES[name])
            return sys.modules[_MODULES[name].partition(".")[0]]
        if name == "reduce":
            return functools.reduce
        return getattr(builtins, {"xrange": "range", "raw_input": "input"}.get(name, name))


moves = sys.modules[f"{__name__}.moves"] = _Moves(f"{__name__}.moves")


def iteritems(d: Any) -> Any:
    """The pairs of a dictionary."""
    return iter(d.items())


def itervalues(d: Any) -> Any:
    """The values of a dictionary."""
    return iter(d.values())


def iterkeys(d: Any) -> Any:
    """The keys of a dictionary."""
    return iter(d.keys())
