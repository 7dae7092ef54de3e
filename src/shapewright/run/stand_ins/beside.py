"""Modules of the script's own project that its import path does not reach: at the root of its repository, in `src/` or
another folder there, in a folder above the script."""

from __future__ import annotations

import ast
import os
import sys

from ..script.sources import DEEP, is_root

SOURCES = ("src", "lib")
UNMARKED = 2  # folders above the script that are looked at, without a mark of a root


def folder_of(name: str, script: str, whole: str = "", asking: str = "", names: tuple[str, ...] = ()) -> str:
    """The folder above `script` that holds module `name`, or holds it in `src/`; empty where there is none. One that
    holds what the statement names in `whole` (`package.part`) comes before those that have but a `name`, of which the
    one that asks for a part that it does not have is none: it bears the name of a library. Parts of a
    package are known by their short name to the files in it alone (`asking`), unless a module there has the `names`
    that are imported of it and no other has. What the script itself put on the path, as it is where the script lies,
    comes before them all."""
    own = os.path.dirname(os.path.abspath(script))
    stated = [os.path.normpath(os.path.join(own, entry)) for entry in sys.path if entry and not os.path.isabs(entry)]
    if place := next((place for place in stated if _holds(place, whole or name)), ""):
        return place
    places: list[str] = []
    for folder in (folders := above(script)):
        root = folder == folders[-1] and is_root(folder)
        places += [folder, *(_inner(folder) if root else (f"{folder}{os.sep}{name}" for name in SOURCES))]
    beside = os.path.dirname(os.path.abspath(asking))
    places = [place for place in places if place not in sys.path and _holds(place, name)]
    places = [place for place in places if place in (beside, *folders) or not _is_package(place)]
    likely = [place for place in places if whole == name or os.path.join(place, name) != beside]
    found = next((place for place in places if _holds(place, whole or name)), likely[0] if likely else "")
    if not names or (found and _defines(found, whole or name, names)):
        return found
    sources = [os.path.join(folder, one) for folder in folders for one in SOURCES]
    around = [*folders, *filter(os.path.isdir, sources)]
    parts = [part for folder in around for part in _inner(folder) if part not in sys.path]
    return next((part for part in parts if _holds(part, name) and _defines(part, whole or name, names)), found)


def above(script: str) -> list[str]:
    """The folder of `script` and those above it, up to the root of its project."""
    found = [os.path.dirname(os.path.abspath(script))]
    while len(found) <= DEEP and os.path.dirname(found[-1]) != found[-1]:
        found.append(os.path.dirname(found[-1]))
    marked = [index for index, folder in enumerate(found) if is_root(folder)]
    return found[: (marked[-1] if marked else UNMARKED) + 1]


def _inner(folder: str) -> list[str]:
    """The folders in a project's root, where its packages may lie."""
    found = sorted(entry.path for entry in os.scandir(folder) if entry.is_dir() and not entry.name.startswith("."))
    return sorted(found, key=lambda path: os.path.basename(path) not in SOURCES)


def _is_package(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, "__init__.py"))


def _defines(folder: str, name: str, names: tuple[str, ...]) -> bool:
    """Whether a module in `folder` binds all `names`, or its package holds modules of theirs."""
    package = os.path.join(folder, *name.split("."))
    file = next((one for one in (os.path.join(package, "__init__.py"), f"{package}.py") if os.path.isfile(one)), None)
    inner = {os.path.splitext(one)[0] for one in os.listdir(package)} if os.path.isdir(package) else set()
    if file is None:
        return inner.issuperset(names)
    try:
        with open(file, encoding="utf-8", errors="replace") as text:
            tree = ast.parse(text.read())
    except (OSError, SyntaxError, ValueError):
        return True  # whoever imports it is told
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            bound |= {(one.asname or one.name).partition(".")[0] for one in node.names}
    return not {"*", "__getattr__"}.isdisjoint(bound) or (bound | inner).issuperset(names)


def _holds(folder: str, name: str) -> bool:
    package = os.path.join(folder, *name.split("."))
    if os.path.isfile(f"{package}.py"):
        return True
    return os.path.isdir(package) and any(entry.endswith(".py") for entry in os.listdir(package))
