"""Makes a function of a loop of the user's that only computes, so that a probe can play it again with other numbers.

Its arguments are what the loop reads: variables, and tensors, arrays and lists that objects or dictionaries hold
(`self.rewards`, `held["ends"]`). It gives back what the loop binds, fills or appends to. A loop that calls anything but
operators of tensors, arrays, lists and numbers is left alone. It judges nothing.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

import torch

from ..script.computing import FILLING

CALLED = frozenset({"reversed", "range", "len", "enumerate", "zip", "max", "min", "float", "int", "sum", "abs", "list"})
LIBRARIES = ("torch", "numpy", "math")
NAMED = 60


def as_function(node: ast.For, frame: FrameType) -> tuple[CodeType, dict[str, Any]] | None:
    """The code of the function, and what the loop that begins in `frame` would be given; `None` where it does more than
    compute."""
    paths = Paths(frame)
    loop = paths.visit(copy.deepcopy(node))
    given = dict(paths.given)
    made: dict[str, None] = {}
    own = _names(loop.target) - _names(loop.iter)  # what an earlier loop left under these names is not read
    for part in ast.walk(loop):
        if isinstance(part, ast.Call) and not _computes(part, given, frame):
            return None
        if isinstance(part, ast.Name):
            if isinstance(part.ctx, ast.Store):
                made[part.id] = None
            known = part.id in frame.f_locals and part.id not in own
            if known and part.id not in given and not _shared(frame.f_locals[part.id]):
                given[part.id] = frame.f_locals[part.id]
        owner = _filled(part)
        if owner is not None:
            made[owner] = None
    if len(given) > NAMED or any(isinstance(value, torch.nn.Module) for value in given.values()):
        return None
    names = list(given)
    empty = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    result = ast.Return(ast.Tuple([ast.Name(name, ast.Load()) for name in made], ast.Load()))
    head = f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
    function = ast.copy_location(ast.FunctionDef("loop", empty, [loop, result], [], None, None), node)
    module = ast.fix_missing_locations(ast.Module([function], []))
    code = compile(module, frame.f_code.co_filename, "exec")
    inner = next(part for part in code.co_consts if isinstance(part, CodeType))
    return inner.replace(co_name=head), given


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _shared(value: object) -> bool:
    """Whether a value is a library, a function or a class, which is no argument."""
    return type(value).__name__ == "module" or (callable(value) and not isinstance(value, torch.Tensor))


def _filled(part: ast.AST) -> str | None:
    """The variable that a statement fills."""
    owner = part.value if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) else None
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in FILLING:
        owner = part.func.value
    while isinstance(owner, ast.Subscript):
        owner = owner.value
    return owner.id if isinstance(owner, ast.Name) else None


def _computes(call: ast.Call, given: dict[str, Any], frame: FrameType) -> bool:
    """Whether a call is one of Python's own arithmetic, of a library of tensors, or of a method of numbers."""
    if isinstance(call.func, ast.Name):
        known = not any(call.func.id in space for space in (frame.f_locals, frame.f_globals))
        return call.func.id in CALLED and known
    root: ast.expr = call.func
    while isinstance(root, (ast.Attribute, ast.Subscript, ast.Call)):
        root = root.func if isinstance(root, ast.Call) else root.value
    if not isinstance(root, ast.Name):
        return not any(isinstance(part, ast.Name) for part in ast.walk(root)) or isinstance(root, ast.BinOp)
    value = given.get(root.id, frame.f_locals.get(root.id, frame.f_globals.get(root.id)))
    if type(value).__name__ == "module":
        return value.__name__.partition(".")[0] in LIBRARIES
    return value is None or _numbers(value)  # bound in the loop itself: a part of what it reads


def _numbers(value: object) -> bool:
    return isinstance(value, (torch.Tensor, bool, int, float)) or type(value) in (list, tuple) or _array(value)


def _array(value: object) -> bool:
    return type(value).__module__ == "numpy"


class Paths(ast.NodeTransformer):
    """Puts a variable in the place of every tensor, array or list that an object or a dictionary holds."""

    def __init__(self, frame: FrameType) -> None:
        self.frame = frame
        self.given: dict[str, Any] = {}

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self._put(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return (
            self._put(node)
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
            else (self.generic_visit(node))
        )

    def _put(self, node: ast.Attribute | ast.Subscript) -> ast.AST:
        found = list(self._held(node)) if isinstance(node.ctx, ast.Load) else []
        if not found or isinstance(found[0], torch.nn.Module) or not (_numbers(found[0])):
            return self.generic_visit(node)
        name = ast.unparse(node)
        self.given[name] = found[0]
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def _held(self, node: ast.expr) -> Iterator[Any]:
        """What a chain of attributes and words stands for, if nothing of the user's has to run to know it."""
        if isinstance(node, ast.Name):
            yield from (space[node.id] for space in (self.frame.f_locals, self.frame.f_globals) if node.id in space)
            return
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            for owner in self._held(node.value):
                held = owner if type(owner) is dict else getattr(owner, "__dict__", {})
                key = node.attr if isinstance(node, ast.Attribute) else getattr(node.slice, "value", None)
                if isinstance(owner, dict) == isinstance(node, ast.Subscript) and isinstance(key, str) and key in held:
                    yield held[key]
                return
