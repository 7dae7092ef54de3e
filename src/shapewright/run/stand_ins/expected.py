"""What the user's statement under way does with the value that it asks for, read from the frame's instructions."""

from __future__ import annotations

import ast
import dis
import functools
import itertools
import linecache
import sys
from types import CodeType, FrameType
from typing import Any

GIVEN = ("LOAD", "PRECALL", "CALL")  # that give something to a call
FEW = 12  # names of a table


def instruction(frame: FrameType) -> str:
    """The name of the instruction that a frame is at."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]]


def parts(frame: FrameType) -> int:
    """Into how many parts the statement under way takes a value apart; 0 where it goes through it."""
    return frame.f_code.co_code[frame.f_lasti + 1] if instruction(frame) == "UNPACK_SEQUENCE" else 0


def apart(frame: FrameType) -> int:
    """Into how many parts the statement under way takes the value of its call apart; 0 where it does not."""
    after = (step for step in dis.get_instructions(frame.f_code) if step.offset > frame.f_lasti)
    follow = next((step for step in after if step.opname != "CACHE"), None)
    return follow.arg or 0 if follow is not None and follow.opname == "UNPACK_SEQUENCE" else 0


def at_constant(frame: FrameType) -> bool:
    """Whether the subscript that a frame is at is written as a number: of what lies side by side one part is meant."""
    before = [step for step in dis.get_instructions(frame.f_code) if step.offset < frame.f_lasti]
    steps = [step.opname for step in before if step.opname != "CACHE"]
    return bool(steps) and steps[-1] in ("LOAD_CONST", "LOAD_SMALL_INT")


def looked_up(error: BaseException) -> tuple[str, ...]:
    """Some names of the table of names in which the code that an error ended looked another one up; none elsewhere."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    key = error.args[0] if isinstance(error, KeyError) and error.args else None
    return tuple(subscripted(trace.tb_frame, key)) if trace is not None and isinstance(key, str) else ()


def kept_as(function: Any, frame: FrameType) -> bool:
    """Whether the call that a frame is at gives a function its own name back: a decorator does."""
    after = [step for step in dis.get_instructions(frame.f_code) if step.offset > frame.f_lasti]
    follow = next((step for step in after if step.opname != "CACHE"), None)
    return follow is not None and (follow.opname == "CALL" or follow.argval == function.__name__)


def to_call(frame: FrameType) -> bool:
    """Whether the attribute that a frame reads is to be called."""
    at = frame.f_lasti
    opname = instruction(frame)
    return opname == "LOAD_METHOD" or (
        sys.version_info >= (3, 12) and opname == "LOAD_ATTR" and bool(frame.f_code.co_code[at + 1] & 1)
    )


def to_subscript(frame: FrameType) -> bool:
    """Whether one of several is taken, by its place, of the attribute that a frame reads."""
    after = [step.opname for step in dis.get_instructions(frame.f_code) if step.offset > frame.f_lasti]
    steps = [name for name in after if name not in ("CACHE", "EXTENDED_ARG")][:2]
    return steps[0].startswith("LOAD") and steps[1].startswith("BINARY_SUBSCR") if len(steps) > 1 else False


def accepted(frame: FrameType) -> bool | None:
    """What the comparison that a frame is at has to come to lest it raise: the outcome of an assertion (whose test is
    told to a hook), or that of a check whose other branch only raises; `None` where either is possible."""
    after = (step for step in dis.get_instructions(frame.f_code) if step.offset > frame.f_lasti)
    steps = [step for step in after if step.opname not in ("CACHE", "TO_BOOL")]
    jump = next((at for at, step in enumerate(steps) if not step.opname.startswith(GIVEN)), 0)
    if "POP_JUMP" not in steps[jump].opname or (jump and steps[jump + 1].opname != "LOAD_ASSERTION_ERROR"):
        return None
    for step in steps[jump + 1 :]:
        if step.opname == "RAISE_VARARGS":
            return "IF_TRUE" in steps[jump].opname
        if "JUMP" in step.opname or step.opname.startswith(("RETURN", "YIELD")):
            return None
    return None


def valued(frame: FrameType) -> bool:
    """Whether the outcome of the comparison that a frame is at is a value of its own: no branch is taken by it."""
    if not instruction(frame).startswith("COMPARE"):
        return False
    after = (step.opname for step in dis.get_instructions(frame.f_code) if step.offset > frame.f_lasti)
    follow = next((name for name in after if name not in ("CACHE", "EXTENDED_ARG")), "")
    return "JUMP" not in follow and follow not in ("TO_BOOL", "UNARY_NOT", "COPY", "SWAP")


def compared(frame: FrameType) -> int | None:
    """The number that the statement under way compares the value of its call with; `None` where it compares none."""
    return _compared(frame.f_code, frame.f_lasti)


@functools.lru_cache(maxsize=1024)
def _compared(code: CodeType, at: int) -> int | None:
    steps = (step for step in dis.get_instructions(code) if step.offset > at and step.opname != "CACHE")
    number, follow = next(steps, None), next(steps, None)
    if number is None or follow is None or follow.opname != "COMPARE_OP" or not number.opname.startswith("LOAD_"):
        return None
    return number.argval if type(number.argval) is int else None


def subscripted(frame: FrameType, key: str) -> list[str]:
    """Some names of the table that a frame looks a `key` up in and that has none such; none where it has, or where it
    is no table of names."""
    code = frame.f_code
    line, end, left, right = next(itertools.islice(code.co_positions(), frame.f_lasti // 2, None))
    if line is None or line != end:
        return []
    text = linecache.getline(code.co_filename, line).encode()[left:right].decode(errors="replace")
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return []
    names = []
    place = node.value if isinstance(node, ast.Subscript) else None
    while isinstance(place, ast.Attribute):
        names.append(place.attr)
        place = place.value
    if not isinstance(place, ast.Name):
        return []
    table = frame.f_locals.get(place.id, frame.f_globals.get(place.id))
    for name in reversed(names):
        table = getattr(table, "__dict__", {}).get(name)
    if not isinstance(table, dict) or not table or key in table:
        return []
    return [name for name in itertools.islice(table, FEW) if type(name) is str]
