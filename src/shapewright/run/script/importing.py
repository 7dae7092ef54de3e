"""Imports the user's modules instrumented; everything else is imported as ever."""

from __future__ import annotations

import ast
import contextlib
import importlib.abc
import importlib.machinery
import inspect
import os
import sys
from types import ModuleType
from typing import Any

from ..process.parking import Head, Parking
from .instrument import NAME, instrument
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
        tree = instrument(self.sources.read(self.path), self.path, self.sources.sizes)
        package = fullname if self.is_package(fullname) else fullname.rpartition(".")[0]
        beyond = _Beyond(len(package.split(".")) if package else 0)
        tree = beyond.visit(tree)
        self.sources.beyond += [(self.path, *told) for told in beyond.found]
        return compile(tree, self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__[NAME] = self.hooks
        super().exec_module(module)


class _Beyond(ast.NodeTransformer):
    """Makes imports absolute that are relative to more folders than the `depth` of their module's package: they name
    what lies beside that package, or beside the module where it is in none."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.found: list[tuple[int, str]] = []

    def visit_Try(self, node: ast.Try) -> ast.stmt:
        return node if node.handlers else self.generic_visit(node)  # a module may be prepared for it

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        if node.level <= self.depth:
            return node
        self.found.append((node.lineno, node.module or ", ".join(part.name for part in node.names)))
        made = ast.ImportFrom(node.module, node.names, 0) if node.module else ast.Import(node.names)
        return ast.copy_location(made, node)


def run_main(
    sources: UserSources,
    hooks: object,
    argv: tuple[str, ...],
    park: int = -1,
    parking: Parking | None = None,
    imports: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Run the script as `__main__`, as `python script.py ARGV` would.

    Args:
        park, parking: stop before this statement and go on in forks, each with the text that its request holds.
        imports: statements that an excerpt leaves out.

    Returns:
        The names that the script bound.
    """
    path = sources.script_path
    text = sources.read(path)
    awaits = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if path.endswith(".ipynb") else 0
    code = (
        compile(instrument(text, path, sources.sizes), path, "exec", flags=awaits, dont_inherit=True)
        if parking is None
        else None
    )
    main = ModuleType("__main__")
    package = sources.package(text)
    if package:
        main.__package__ = package
    main.__dict__.update(
        {"__file__": path, "__builtins__": __builtins__, NAME: hooks, "__cached__": None, "__spec__": None}
    )
    sys.modules["__main__"] = main
    sys.argv = [sources.script, *argv]
    sys.path[:0] = [sources.start]
    _hide_libraries_of_the_same_name(sources.start)
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, UserFinder(sources, hooks))
    for statement in imports:
        with contextlib.suppress(ImportError):
            exec(statement, main.__dict__)
    if parking is not None:
        head = Head(text, path, park, sources.sizes)
        head.run(main.__dict__)
        request = parking.wait()
        sources.replaced[path] = sources.texts[path] = request.sources.get(path, text)
        code = head.rest(sources.texts[path])
    if code.co_flags & inspect.CO_COROUTINE:
        import asyncio

        asyncio.run(eval(code, main.__dict__))
    else:
        exec(code, main.__dict__)
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
