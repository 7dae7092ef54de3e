"""Two slips of the pen that end a script: a special method whose name Python does not know, and a name that its own
product replaced. Each is told with its line."""

from __future__ import annotations

import ast
import traceback
from types import FrameType

from ...trace import Failure, Outcome
from ..stand_ins.context import is_user_file

ENDED = (TypeError, AttributeError, NotImplementedError)
SPECIAL = frozenset({"init", "call", "len", "getitem", "iter", "next", "new", "enter", "exit"})


def slip(error: Exception, failure: Failure) -> Outcome | None:
    """The outcome that names the slip which led to an error; `None` where none did."""
    frames = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    own = [(frame, line) for frame, line in frames if is_user_file(frame.f_code.co_filename)]
    if not own or not isinstance(error, ENDED) or failure.event is not None:
        return None
    for frame, _ in reversed(own):
        if (found := _misspelt(frame)) is not None:
            name, line = found
            present = f"__{name.strip('_')}__"
            return Outcome(
                "incomplete", "misspelt", {"name": name, "line": str(line), "present": present}, failure.site
            )
    if frames[-1] == own[-1] and isinstance(error, TypeError) and (found := _replaced(*own[-1])) is not None:
        name, line = found
        return Outcome("incomplete", "replaced", {"name": name, "line": str(line)}, failure.site)
    return None


def _misspelt(frame: FrameType) -> tuple[str, int] | None:
    """A method of a class that a frame uses whose name is nearly a special one, which the class lacks; its line."""
    read = [*frame.f_locals.values(), *(frame.f_globals.get(name) for name in frame.f_code.co_names)]
    for value in read:
        kind = value if isinstance(value, type) else type(value)
        for name, method in vars(kind).items():
            inner = name.strip("_")
            near = inner in SPECIAL and name[:1] == "_" == name[-1:] and name != f"__{inner}__"
            code = getattr(method, "__code__", None)
            if near and f"__{inner}__" not in vars(kind) and code is not None and is_user_file(code.co_filename):
                return name, code.co_firstlineno
    return None


def _replaced(frame: FrameType, line: int) -> tuple[str, int] | None:
    """The name that a line calls and that holds no function any more, since `name = name(…)` gave it what the function
    returned; the line of that."""
    try:
        with open(frame.f_code.co_filename, encoding="utf-8") as text:
            tree = ast.parse(text.read())
    except (OSError, SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        called, bound = node.value.func, node.targets[0]
        if isinstance(called, ast.Name) and isinstance(bound, ast.Name) and called.id == bound.id:
            value = frame.f_locals.get(bound.id, frame.f_globals.get(bound.id))
            covers = any(
                isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == bound.id
                for other in ast.walk(tree)
                if isinstance(other, ast.stmt) and other.lineno <= line <= (other.end_lineno or line)
                for part in ast.walk(other)
                if getattr(part, "lineno", 0) == line
            )
            if covers and value is not None and not callable(value):
                return bound.id, node.lineno
    return None
