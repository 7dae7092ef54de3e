"""What the user's statement under way does with the value that it asks for, read from the frame's instructions."""

from __future__ import annotations

import dis
import sys
from types import FrameType
from typing import Any


def instruction(frame: FrameType) -> str:
    """The name of the instruction that a frame is at."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]]


def parts(frame: FrameType) -> int:
    """Into how many parts the statement under way takes a value apart; 0 where it goes through it."""
    return frame.f_code.co_code[frame.f_lasti + 1] if instruction(frame) == "UNPACK_SEQUENCE" else 0


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
