"""Notes where two NumPy arrays meet in a difference or a comparison of the user's, or an array goes into and comes out
of a `reshape`, and with which shapes. Values pass through unchanged."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from ...trace import Site
from .readable import is_array

MOST = 500


class Meetings:
    """What the instrumented source calls by `met`, once for each operand."""

    def __init__(self, display: Callable[[str], str]) -> None:
        self.display = display
        self.compared: list[Callable[[Any, Any], None]] = []  # told of both of every meeting
        self.looked: Callable[[FrameType, Any, Any], None] = lambda frame, left, right: None
        self._left: dict[tuple, Any] = {}
        self._found: dict[tuple, None] = {}

    def met(self, where: tuple[int, int, int, int], side: int, value: Any) -> Any:
        """Note the shape of an operand and give it back."""
        if side == 0:
            self._left[where] = value
            return value
        left = self._left.pop(where, None)
        if is_array(left) and is_array(value):
            if len(self._found) < MOST:
                self._found[sys._getframe(1).f_code.co_filename, where, left.shape, value.shape] = None
            for told in self.compared:
                told(left, value)
        else:
            self.looked(sys._getframe(1), left, value)
        return value

    def found(self) -> tuple[tuple[Site, tuple[int, ...], tuple[int, ...]], ...]:
        """`(site, left shape, right shape)` of every meeting, each once. Columns are byte offsets, from 1, as the
        syntax tree has them."""
        return tuple(
            (Site(self.display(file), line, column + 1, end, end_column + 1), left, right)
            for (file, (line, column, end, end_column), left, right) in self._found
        )
