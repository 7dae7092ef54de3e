"""What the failing statement read, and whether a failure without a torch call is about shapes at all."""

from __future__ import annotations

import ast
import dis
import os
import pickle
import traceback
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

import torch

from ...trace import Failure, TensorFact
from ...trace.event import tensors
from ...trace.said import Refusal
from ..record.facts import fact
from ..stand_ins.not_installed import absent_names

if TYPE_CHECKING:
    from ..process.child import Run

TORCH = os.path.dirname(torch.__file__)
RUN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OURS = tuple(os.path.join(RUN, room) + os.sep for room in ("stand_ins", "sandbox"))  # what answers for something else
RECORD = os.path.join(RUN, "record") + os.sep  # what notes the calls, and makes them
ABOUT = (
    "torch_geometric",
    "torchvision",
    "torchaudio",
    "transformers",
    "timm",
    "einops",
    "torchmetrics",
    "diffusers",
    "peft",
    "trl",
    "sklearn",
)
# files and names that are not there, data that come to an end
NOT_OF_TENSORS = (ImportError, OSError, AttributeError, KeyError, StopIteration, pickle.UnpicklingError)
SHAPED = ("shape", "size", "ndim", "dim", "numel")
MOST = 40


def values(run: Run, trace: TracebackType | None) -> dict[str, Any]:
    """Facts of the names and attributes in the user's innermost failing statement, by their source text."""
    frame = innermost(run, trace)
    if frame is None:
        return {}
    statement = statement_at(run, frame[0], frame[1])
    if statement is None:
        return {}
    found: dict[str, Any] = {}
    scope = {**frame[0].f_globals, **frame[0].f_locals}
    with torch._C.DisableTorchFunction():
        for node in ast.walk(statement):
            if isinstance(node, (ast.Name, ast.Attribute)) and len(found) < MOST:
                known, value = _value(node, scope)
                if known and not callable(value) and not isinstance(value, type(os)):
                    found[ast.unparse(node)] = fact(value, run.recorder.notes)
    return found


def ours(run: Run, error: BaseException) -> str:
    """What of ours a failure comes from, empty where it is the script's: the innermost call stands in a stand-in or in
    the sandbox and does not hand on what it was given, torch looked for the accelerator that is simulated, or a library
    failed while the script imports it."""
    if getattr(error, "as_torch_says", False):
        return ""
    trace = error.__traceback__
    begun = (frame.f_code for frame, _ in traceback.walk_tb(trace) if frame.f_code.co_name == "_lazy_init")
    if any(code.co_filename.startswith(TORCH) for code in begun):
        return "stand-in"
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is not None and trace.tb_frame.f_code.co_filename.startswith(OURS):
        handed = dis.opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]] == "CALL_FUNCTION_EX"
        return "" if handed else "stand-in"
    frame = innermost(run, error.__traceback__)
    importing = frame is not None and isinstance(statement_at(run, *frame), (ast.Import, ast.ImportFrom))
    return "import" if importing else ""


def about_tensors(run: Run, error: BaseException, failure: Failure) -> bool:
    """Whether torch or a library of models raised it, or the user's statement took shapes apart, checked them or joined
    arrays."""
    if getattr(error, "as_torch_says", False):
        return True  # a stand-in refused it, as what it stands for would: the simulated accelerator, a pattern of axes
    if Refusal.NO_ACCELERATOR in failure.said:
        return False  # of this machine
    if "torch.return_types." in failure.message and isinstance(error, (TypeError, AttributeError)):
        return True  # the pair of values and indices that a reduction gives, taken for a tensor
    trace, raised_in = error.__traceback__, ""
    while trace is not None:
        raised_in, trace = trace.tb_frame.f_code.co_filename, trace.tb_next
    if raised_in.startswith(TORCH + os.sep):
        if isinstance(error, TypeError) and "argument" in failure.message and raised_in.endswith("module.py"):
            return False  # a `forward` called with too few or too many arguments
        return not isinstance(error, NOT_OF_TENSORS)
    if not isinstance(error, (ValueError, AssertionError, IndexError, RuntimeError, TypeError)):
        return False
    parts = raised_in.split(os.sep)
    if any(name in parts for name in ABOUT):
        if absent_names() and not failure.said:
            return False  # it may refuse what stands for something that is not installed
        given = any(isinstance(value, TensorFact) for value in failure.values.values())
        given |= bool(failure.module_args or failure.module_kwargs)
        return given and isinstance(error, (ValueError, AssertionError, RuntimeError))
    frame = innermost(run, error.__traceback__)
    statement = statement_at(run, *frame) if frame is not None else None
    if statement is None:
        return False
    in_user = raised_in in run.sources.texts
    if type(error) is RuntimeError and (in_user or raised_in.startswith(RECORD)):
        calls = not isinstance(statement, (ast.Raise, ast.For, ast.While, ast.With)) and error.__cause__ is None
        return calls and any(True for _ in tensors(list(failure.values.values())))
    if in_user and isinstance(error, ValueError) and "to unpack" in failure.message:
        return True
    if in_user and isinstance(error, TypeError) and {Refusal.NOT_A_TENSOR, Refusal.NOTHING} & set(failure.said):
        return any(True for _ in tensors(list(failure.values.values())))
    if isinstance(statement, (ast.Assert, ast.Raise)):
        asked = (
            statement.test
            if isinstance(statement, ast.Assert)
            else getattr(_guard(run, frame, statement), "test", None)
        )
        return asked is not None and any(isinstance(n, ast.Attribute) and n.attr in SHAPED for n in ast.walk(asked))
    arrays = any(isinstance(v, TensorFact) and v.kind == "array" for v in failure.values.values()) or _uses_numpy(
        statement, frame[0]
    )
    return (in_user or "numpy" in parts) and arrays and isinstance(error, (ValueError, IndexError))


def _uses_numpy(statement: ast.stmt, frame: FrameType) -> bool:
    """Whether the statement names the module numpy."""
    scope = {**frame.f_globals, **frame.f_locals}
    return any(
        isinstance(n, ast.Name) and getattr(scope.get(n.id), "__name__", "") == "numpy" for n in ast.walk(statement)
    )


def innermost(run: Run, trace: TracebackType | None) -> tuple[FrameType, int] | None:
    """The user's innermost frame of a traceback, and its line."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in run.sources.texts:
            found = (trace.tb_frame, trace.tb_lineno)
        trace = trace.tb_next
    return found


def statement_at(run: Run, frame: FrameType, line: int) -> ast.stmt | None:
    """The smallest statement of the user's file that covers a line; a compound one gives its head only."""
    try:
        tree = ast.parse(run.sources.texts.get(frame.f_code.co_filename, ""))
    except SyntaxError:
        return None
    best = None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno <= line <= node.end_lineno:
            if best is None or node.lineno >= best.lineno:
                best = node
    return best


def _guard(run: Run, frame: tuple[FrameType, int], statement: ast.stmt) -> ast.If | None:
    """The `if` that led to a `raise`."""
    tree = ast.parse(run.sources.texts.get(frame[0].f_code.co_filename, ""))
    best = None
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and node.lineno <= statement.lineno <= node.end_lineno:
            best = node if best is None or node.lineno >= best.lineno else best
    return best


def _value(node: ast.AST, scope: dict[str, object]) -> tuple[bool, Any]:
    """The value of a name or a chain of plain attributes, without running any property of the user's."""
    if isinstance(node, ast.Name):
        return node.id in scope, scope.get(node.id)
    if isinstance(node, ast.Attribute):
        known, owner = _value(node.value, scope)
        if not known:
            return False, None
        if isinstance(owner, torch.nn.Module):
            for table in ("_parameters", "_buffers", "_modules"):
                if node.attr in owner.__dict__.get(table, {}):
                    return True, owner.__dict__[table][node.attr]
        if isinstance(owner, torch.Tensor):
            return (True, tuple(owner.shape)) if node.attr == "shape" else (False, None)
        if type(owner).__module__ == "numpy" and node.attr == "shape":
            return True, tuple(owner.shape)
        try:
            table = vars(owner)
        except TypeError:
            return False, None
        if node.attr in table:
            return True, table[node.attr]
        inherited = vars(type(owner)).get(node.attr)
        return isinstance(inherited, (int, float, str, tuple)), inherited
    return False, None
