"""Failures that only tell that something is not on this machine: a file, a module, what a folder should hold. They are
no faults of the script."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import sys
import traceback
from types import ModuleType

import torch

from ...trace import Failure, Outcome, Site
from ..stand_ins import hook
from ..stand_ins.checkpoints import AbsentCheckpoint
from ..stand_ins.context import current, is_user_file
from ..stand_ins.how import HELD
from ..stand_ins.listings import Listings
from ..stand_ins.not_installed import absent_names, starred
from ..stand_ins.offered import AbsentEnvironment
from ..stand_ins.unknown import UnknownClass, UnknownThing, dressed
from .slips import slip

NAMED = re.compile(
    r"(?:[Nn]o such file or directory|[Ff]ile not found|does not exist)[^:]*: *['\"]?(?P<file>[^'\"]+?)['\"]?$"
)
NOTHING = re.compile(
    r"num_samples=0|empty|division by zero|at least one array|zero-size|(?:list|tuple|string) index out of range|not "
    r"associated with a value|is not defined"
    r"|n_samples=0|\b0 sample|no images|no files|found 0|got 0\)",
    re.IGNORECASE,
)
KINDS = (
    ValueError,
    ZeroDivisionError,
    IndexError,
    NameError,
    RuntimeError,
    StopIteration,
    TypeError,
    FileNotFoundError,
    AssertionError,
)


def missing(
    error: Exception, failure: Failure, listings: Listings, unbound: tuple[str, ...] = (), calls: int = 0
) -> Outcome | None:
    """The outcome that names what is not on this machine; `None` where the failure is of another kind. `calls` of
    tensors were made: a script that then asks its reader for more has come to its end where nobody answers."""
    site, message = failure.site, failure.message
    line = str(site.line) if site is not None else "?"
    lacking = (
        error.__cause__ if isinstance(error.__cause__, ModuleNotFoundError) else error
    )  # what a library says of it
    if calls and isinstance(error, EOFError) and _asks(error):
        return Outcome("complete")
    if isinstance(lacking, ModuleNotFoundError) and lacking.name:
        return Outcome("incomplete", "missing-module", {"module": lacking.name, "line": line}, site)
    if isinstance(error, AttributeError) and (module := _of_stand_in(error)):
        return _lacks(module, line, site)
    if isinstance(error, AttributeError) and issubclass(getattr(error.obj, "__thisclass__", object), UnknownThing):
        module = error.obj.__thisclass__._module  # `super().method()` of a class that is not there
        return _lacks(module, line, site)
    if isinstance(error, NameError) and (module := _unimported(error)):
        return _lacks(module, line, site)
    if isinstance(error, NameError) and error.name in unbound and not starred():
        return Outcome("incomplete", "excerpt", {"names": ", ".join(unbound), "line": line}, site)
    if isinstance(error, AbsentEnvironment):
        return Outcome("incomplete", "missing-environment", {"name": str(error.filename), "line": line}, site)
    if absent := absent_names():  # what is not there was asked for something that only it knows
        if isinstance(error, TypeError) and (module := _undressed(error)):
            return _lacks(module, line, site)
        named = any(name in message for name in (UnknownThing.__name__, UnknownClass.__name__, UnknownThing.__module__))
        given = _held(error, of_libraries=True) or _layers_of(error)
        if named or given or (isinstance(error, NameError) and starred()) or _made_of_it(failure):
            called, where = context.called if (context := current()) is not None and context.called else ("", "")
            module = given or _held(error) or (called if where == line else "") or absent[0]
            return _lacks(module, line, site)
    if isinstance(error, FileNotFoundError) and not _of_a_program(error):
        file = error.filename if error.filename is not None else _named(message)
        if file:
            return Outcome(
                "incomplete",
                "missing-data",
                {"file": os.fsdecode(file) if isinstance(file, (str, bytes, os.PathLike)) else str(file), "line": line},
                site,
            )
    if (slipped := slip(error, failure)) is not None:
        return slipped
    if AbsentCheckpoint.__name__ in message:
        return Outcome("incomplete", "missing-data", {"file": AbsentCheckpoint.last, "line": line}, site)
    if listings.empty and isinstance(error, KINDS) and NOTHING.search(f"{message} "):
        what, where = listings.empty[0]
        return Outcome(
            "incomplete",
            "empty-data",
            {"file": what, "line": str(where.line) if where is not None else "?"},
            where or site,
        )
    return None


def _lacks(module: str, line: str, site: Site | None) -> Outcome:
    """The outcome that names a module, or a file whose content is unknown."""
    if module in HELD:
        return Outcome("incomplete", "missing-data", {"file": module, "line": line}, site)
    return Outcome("incomplete", "missing-module", {"module": module, "line": line}, site)


def _asks(error: EOFError) -> bool:
    """Whether standard input had no more to read for a loop that goes on for as long as somebody answers, under the
    last statement of the script."""
    steps = list(traceback.walk_tb(error.__traceback__))
    if not steps[-1][0].f_code.co_filename.endswith(os.path.join("patches", "builtins.py")):
        return False
    own = [(frame.f_code.co_filename, line) for frame, line in steps if is_user_file(frame.f_code.co_filename)]
    if not own:
        return False
    nodes = [node for node in ast.walk(_tree(own[-1][0])) if isinstance(node, ast.While)]
    last: ast.stmt | None = next(iter(_tree(own[0][0]).body[-1:]), None)
    return any(_spans(node, own[-1][1]) for node in nodes) and last is not None and _spans(last, own[0][1])


def _tree(file: str) -> ast.Module:
    """The statements of a user's file; none where it cannot be read (a notebook)."""
    try:
        with open(file, encoding="utf-8") as text:
            return ast.parse(text.read())
    except (OSError, SyntaxError, ValueError):
        return ast.Module([], [])


def _spans(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _unimported(error: NameError) -> str:
    """The module that is not there and would have bound a name which nothing bound, where the script passed over its
    absence; empty where none would."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    file = frames[-1].f_code.co_filename if frames else ""
    tried = (node for node in ast.walk(_tree(file)) if isinstance(node, ast.Try)) if is_user_file(file) else ()
    for node in (one for body in tried for statement in body.body for one in ast.walk(statement)):
        names = {
            (one.asname or one.name).partition(".")[0]: one.name
            for one in getattr(node, "names", ())
            if isinstance(one, ast.alias)
        }
        if error.name in names:
            module = getattr(node, "module", None) if isinstance(node, ast.ImportFrom) else names[error.name]
            top = (module or "").partition(".")[0]
            if top and top not in sys.modules and importlib.util.find_spec(top) is None:
                return top
    return ""


def _of_stand_in(error: AttributeError) -> str:
    """The absent module whose stand-in lacks what was asked of it; empty where it was asked of something else."""
    owner = error.obj
    home = owner if isinstance(owner, ModuleType) else sys.modules.get(getattr(owner, "__module__", None) or "")
    file = getattr(home, "__file__", None) or ""
    return home.__name__.partition(".")[0] if home is not None and file.startswith(hook.ABSENT) else ""


def _made_of_it(failure: Failure) -> bool:
    """Whether the failing statement reads something of an absent module."""
    return any(getattr(value, "value", None) == UnknownThing.__name__ for value in failure.values.values())


def _held(error: BaseException, of_libraries: bool = False) -> str:
    """The absent module whose thing the innermost of the failing calls holds, empty where none does; `of_libraries`:
    of calls in the code of libraries, which were given it."""
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        if of_libraries and is_user_file(frame.f_code.co_filename):
            continue
        for value in frame.f_locals.values():
            for part in value if isinstance(value, (list, tuple)) else [value]:
                if isinstance(part, UnknownThing):
                    return part._module
    return ""


def _layers_of(error: BaseException) -> str:
    """The absent module whose layers would have given an optimizer parameters where it finds none, empty where none
    would."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    made = (value for frame in frames for value in frame.f_locals.values() if isinstance(value, torch.optim.Optimizer))
    if all(vars(optimizer).get("param_groups") for optimizer in made):
        return ""
    frame = next((frame for frame in reversed(frames) if is_user_file(frame.f_code.co_filename)), frames[0])
    read = [*frame.f_locals.values(), *(frame.f_globals.get(name) for name in frame.f_code.co_names)]
    read += [part for value in read if _own(value) for part in vars(value).values()]
    models = (value for value in read if isinstance(value, torch.nn.Module))
    for held in (value for model in models for layer in model.modules() for value in vars(layer).values()):
        for part in held if isinstance(held, (list, tuple)) else [held]:
            if isinstance(part, UnknownThing):
                return part._module
    return ""


def _own(value: object) -> bool:
    """Whether something is of a class of the script's own."""
    home = getattr(sys.modules.get(type(value).__module__), "__file__", None)
    return hasattr(value, "__dict__") and home is not None and is_user_file(home)


def _undressed(error: BaseException) -> str:
    """The absent module whose decorator would have made what the failing call names, empty where none would."""
    frame = [*traceback.walk_tb(error.__traceback__)][-1][0]
    values = (*frame.f_locals.values(), *(frame.f_globals.get(name) for name in frame.f_code.co_names))
    return next((dressed[id(value)] for value in values if id(value) in dressed), "")


def _named(message: str) -> str:
    match = NAMED.search(message.strip().split("\n")[0])
    return match["file"] if match else ""


def _of_a_program(error: BaseException) -> bool:
    """Whether a program could not be started."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and os.path.basename(trace.tb_frame.f_code.co_filename) in (
        "subprocess.py",
        "processes.py",
    )
