"""Answers `input()`: nobody sits at a check."""

from __future__ import annotations

import dis
import re
import sys
from types import FrameType, ModuleType

from ....trace import Outcome
from ...sandbox.ending import Ended
from ..context import Context, is_user_file
from ..filling import LISTED

EITHER = re.compile(r"[\[(]\s*(\w+)(?:\s*/\s*\w+)+\s*[\])]")  # `Go on? [y/n]`
ANY = "1"  # a number, a number of a list, a name


def patch(module: ModuleType, context: Context) -> None:
    """What a place asks before anything was trained is answered once, with one of the choices that its prompt lists or
    with `ANY`; an answer that is dropped is empty. After training only a person can go on: the script has come to its
    end."""
    original = getattr(module.input, "__wrapped__", module.input)
    answered: set[tuple[str, int, int]] = set()

    def input(prompt: object = "", /) -> str:
        asking = sys._getframe(1)
        place = (asking.f_code.co_filename, asking.f_lineno, asking.f_lasti)
        if not context.active or not is_user_file(place[0]):
            return original(prompt)
        if _dropped(asking):
            context.note("input-passed")
            return ""
        if context.trained():
            context.note("input-last")
            raise Ended(Outcome("complete"))
        if place in answered:
            context.note("input-empty")
            return original(prompt)
        answered.add(place)
        text = _chosen(str(prompt))
        context.note("input-answered", text=text)
        return text

    input.__wrapped__ = original  # type: ignore[attr-defined]
    module.input = input  # type: ignore[attr-defined]


def _chosen(prompt: str) -> str:
    """
    >>> _chosen("Go on? [y/n] "), _chosen("mode (train | test): "), _chosen("epochs? ")
    ('y', 'train', '1')
    """
    if either := EITHER.search(prompt):
        return either[1]
    listed = LISTED.search(prompt)
    return listed[0].split("|")[0].strip() if listed else ANY


def _dropped(frame: FrameType) -> bool:
    """Whether the call that a frame makes is a statement of its own."""
    after = (step for step in dis.get_instructions(frame.f_code) if step.offset > frame.f_lasti)
    return next((step.opname == "POP_TOP" for step in after if step.opname != "CACHE"), False)
