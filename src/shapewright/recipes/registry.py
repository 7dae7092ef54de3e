"""Which recipes there are, found by reading the files of this folder, without importing any of them.

A recipe is a module of this folder with, at its top level, a literal `name = "..."`, a class `Args` and a function
`train`. Its summary is the first paragraph of its docstring. Adding a recipe is adding a file: no list names them.
"""

from __future__ import annotations

import ast
import importlib
import itertools
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Setting:
    """One setting as it is written: its name, type and default as Python, and its help."""

    name: str
    type: str
    default: str
    help: str


@dataclass(frozen=True)
class Recipe:
    """`name` as typed on the command line, `module` its dotted import path, `summary` one line, `settings` the
    recipe's own, then the shared ones."""

    name: str
    module: str
    summary: str
    settings: tuple[Setting, ...] = ()

    def load(self) -> ModuleType:
        """Import the recipe's module (this imports torch)."""
        return importlib.import_module(self.module)


def find(folder: Path = FOLDER, package: str = __package__) -> dict[str, Recipe]:
    """All recipes of a folder, by name, in alphabetical order."""
    recipes = [recipe for path in sorted(folder.glob("*.py")) if (recipe := read(path, package))]
    return {recipe.name: recipe for recipe in sorted(recipes, key=lambda recipe: recipe.name)}


def read(path: Path, package: str) -> Recipe | None:
    """The recipe in a file, or None where the file is something else."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    name, parts = None, set()
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            parts.add(node.name)
        elif (
            isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        ) and [target.id for target in node.targets if isinstance(target, ast.Name)] == ["name"]:
            name = node.value.value
    if name is None or not {"Args", "train"} <= parts:
        return None
    summary = " ".join((ast.get_docstring(tree) or "").partition("\n\n")[0].split())
    own = settings(tree, "Args") + settings(ast.parse((FOLDER / "settings.py").read_text("utf-8")), "CommonArgs")
    return Recipe(name, f"{package}.{path.stem}", summary, own)


def settings(tree: ast.Module, name: str) -> tuple[Setting, ...]:
    """The fields of a class of settings, each with the string below it."""
    body = next((node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name), [])
    found = []
    for field, below in itertools.zip_longest(body, body[1:]):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and field.value is not None:
            told = below.value if isinstance(below, ast.Expr) else None
            text = " ".join(told.value.split()) if isinstance(told, ast.Constant) else ""
            found.append(Setting(field.target.id, ast.unparse(field.annotation), ast.unparse(field.value), text))
    return tuple(found)
