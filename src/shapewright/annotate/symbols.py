"""Names for axes, consistent over a file: `batch` where the role is known, numbers where nothing is."""

from __future__ import annotations

from collections.abc import Iterable

from ..graph.bound import Bound

# sizes that a role stands for: those that the loader or the data decide, not those that the code fixes
VARYING = ("batch", "time")


class Symbols:
    """The symbol of each axis. Axes of one role and one size share a symbol; a second size of the role is numbered.

    Args:
        bound: everything that the file bound, in order.
    """

    def __init__(self, bound: Iterable[Bound]) -> None:
        self._names: dict[tuple[str, int], str] = {}
        for item in bound:
            for axis in item.axes:
                key = (axis.role, axis.size)
                if axis.role in VARYING and key not in self._names:
                    count = sum(role == axis.role for role, _ in self._names)
                    self._names[key] = axis.role + (str(count + 1) if count else "")

    def shape(self, bound: Bound) -> tuple[str, ...]:
        """The shape of a binding in symbols."""
        return tuple(self._names.get((axis.role, axis.size), str(axis.size)) for axis in bound.axes)
