"""Imports the user's modules instrumented; everything else is imported as ever."""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib.abc
import importlib.machinery
import inspect
import os
import sys
from types import ModuleType
from typing import Any

from ..process.parking import Head, Parking
from ..stand_ins.context import tell
from ..stand_ins.silence import Silent
from .added import NAME
from .going_on import passing
from .instrument import instrument
from .quotients import divided
from .sources import UserSources


class UserFinder(importlib.abc.MetaPathFinder):
    """A meta-path finder that takes over source files of the user's project."""

    def __init__(self, sources: UserSources, hooks: object) -> None:
        self.sources, self.hooks = sources, hooks

    def find_spec(self, name: str, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader) or not spec.origin:
            return None
        if not self.sources.is_user(spec.origin):
            return None
        spec.loader = _UserLoader(name, os.path.abspath(spec.origin), self.sources, self.hooks)
        return spec


class _UserLoader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, sources: UserSources, hooks: object) -> None:
        super().__init__(name, path)
        self.sources, self.hooks = sources, hooks

    def get_code(self, fullname: str):
        tree = instrument(self.sources.read(self.path), self.path, self.sources.sizes, (), self.sources.unread)
        tree = passing(tree, self.sources.passed(self.path))
        tree = divided(tree) if self.sources.second else tree
        self._kept_below(tree, fullname if self.is_package(fullname) else fullname.rpartition(".")[0])
        return compile(tree, self.path, "exec", dont_inherit=True)

    def _kept_below(self, tree: ast.Module, package: str) -> None:
        """Relative imports that lead beyond the outermost package are those of a module that lies beside it."""
        depth = package.count(".") + 1 if package else 0
        top = os.path.dirname(self.path)
        for _ in range(depth):
            top = os.path.dirname(top)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.level == depth + 1 > 1:
                file = os.path.join(top, *node.module.split("."))
                if os.path.isfile(f"{file}.py") or os.path.isdir(file):
                    tell("import-path", module=f"{'.' * node.level}{node.module}", folder=top)
                    node.level = 0

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__[NAME] = self.hooks
        super().exec_module(module)


def run_main(
    sources: UserSources,
    hooks: Any,
    argv: tuple[str, ...],
    parking: Parking | None = None,
    imports: tuple[str, ...] = (),
    beyond: bool = False,
) -> dict[str, Any]:
    """Run the script as `__main__`, as `python script.py ARGV` would.

    Args:
        parking: wait at the places of its request and go on in forks, each with the text of its own, which the hooks
            take.
        imports: statements that an excerpt leaves out.
        beyond: go on beyond cells of a notebook that failed for their author.

    Returns:
        The names that the script bound.
    """
    path = sources.script_path
    text = sources.read(path)
    awaits = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if path.endswith(".ipynb") else 0

    def made(text: str) -> ast.Module:
        tree = instrument(text, path, sources.sizes, sources.failing() if beyond else (), sources.unread)
        tree = passing(tree, sources.passed(path))
        return divided(tree) if sources.second else tree

    code = compile(made(text), path, "exec", flags=awaits, dont_inherit=True) if parking is None else None
    main = ModuleType("__main__")
    package = sources.package(text)
    if package:
        main.__package__ = package
    main.__dict__.update(
        {"__file__": path, "__builtins__": __builtins__, NAME: hooks, "__cached__": None, "__spec__": None}
    )
    if path.endswith(".ipynb") or "get_ipython" in text:  # what IPython has in every cell
        main.__dict__["get_ipython"] = Silent("get_ipython")
        builtins.display = lambda *values, **_: print(*values)  # type: ignore[attr-defined]
    sys.modules["__main__"] = main
    sys.argv = [sources.script, *argv]
    sys.path[:0] = [sources.start]
    _hide_libraries_of_the_same_name(sources.start)
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, UserFinder(sources, hooks))
    for statement in imports:
        with contextlib.suppress(ImportError):
            exec(statement, main.__dict__)
    sources.below = sys._getframe()
    try:
        if parking is not None:

            def resumed(number: int, more: bool) -> str | None:
                request = parking.wait(number, more)
                if request is None:
                    return None
                sources.replaced[path] = sources.texts[path] = request.sources.get(path, text)
                hooks.take(request)
                return sources.texts[path]

            asked = parking.request
            head = Head(text, path, asked.park, made, () if sources.remade(path) else asked.versions)
            code = head.run(main.__dict__, resumed)
        if code.co_flags & inspect.CO_COROUTINE:
            import asyncio

            asyncio.run(eval(code, main.__dict__))
        else:
            exec(code, main.__dict__)
    finally:
        sources.below = None
    return main.__dict__


def _hide_libraries_of_the_same_name(start: str) -> None:
    """A module beside the script comes before a library of its name (`datasets.py`), which may be loaded already."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(start):
            name = entry.name.removesuffix(".py")
            loaded = getattr(sys.modules.get(name), "__file__", None)
            if loaded is None or loaded.startswith(os.path.join(start, "")):
                continue
            if name in sys.stdlib_module_names or name in ("torch", "numpy", "shapewright"):
                continue
            if name != entry.name or os.path.isfile(os.path.join(entry.path, "__init__.py")):
                for part in [part for part in sys.modules if part == name or part.startswith(f"{name}.")]:
                    del sys.modules[part]
