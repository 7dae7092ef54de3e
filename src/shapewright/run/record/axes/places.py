"""Makes an axis of each place of a layout: which identity it keeps, and which it gets anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .... import ops
from ....dataclass import dataclass
from ....ops import Place
from ....trace import Axis, Origin, Site
from ..notes import Notes

Axes = tuple[Axis, ...]
KEPT_ROLES = frozenset({"time", "feature", "channel"})  # roles that an axis has however long it is


@dataclass(slots=True)
class Reader:
    """One finished call: `sites` gives the user's sites, outermost first."""

    op: str
    notes: Notes
    sites: Callable[[], tuple[Site, ...]]

    def origin(self, kind: str, note: str = "") -> Origin:
        """An origin at this call."""
        sites = self.sites()
        return Origin(kind, note or self.op, sites[-1] if sites else None, sites)

    def fresh(self, size: int, origin: Origin | None, role: str = "") -> Axis:
        """A new axis with an identity of its own; an axis of size one has no identity, only an origin."""
        return Axis(int(size), role, origin, ((self.notes.new_uid(), int(size)),) if size != 1 else ())

    def unknown(self, tensor: torch.Tensor) -> Axes:
        """Axes with identities of their own, so that what follows can be told apart."""
        origin = self.origin("operator")
        return tuple(self.fresh(size, origin) for size in tensor.shape)

    def places(self, layout: Any, result: torch.Tensor, axes_of: Callable[[torch.Tensor], Axes]) -> Axes:
        """The axes of a result."""
        made: list[Axis] = []
        for place, size in zip(layout, result.shape):
            given = [axes_of(tensor)[axis] for tensor, axis in place.sources]
            made.append(made[-1] if place.how == "alike" else self._axis(place, int(size), given, result))
        return tuple(made)

    def _axis(self, place: Place, size: int, given: list[Axis], result: torch.Tensor) -> Axis:
        how = place.how
        if how == "kept":
            fitting = [axis for axis in given if axis.size == size]
            return max(fitting, key=known) if fitting else self.fresh(size, self.origin("operator"))
        if how == "cut":
            return cut(self.notes, given[0], size, place.key)
        if how in ("resized", "taken", "windowed", "padded"):
            if given[0].size == size and how != "padded":
                return given[0]
            kind = {"windowed": "constructor", "padded": "padding"}.get(
                how, "padding" if self.op == "pad" else "operator"
            )
            return self.fresh(size, self.origin(kind), place.role or (given[0].role if how != "taken" else ""))
        if how == "copied":
            return self._copied(given[0] if given else Axis(1), place.key, place.outer)
        if how == "joined":
            return self._joined(size, given, place.key)
        if how == "picked":
            return self._picked(place, size, given)
        if how == "set":
            return self.fresh(size, self.origin("constructor"), place.role)
        kind = "index" if place.note == "index" else "literal" if ops.is_a(self.op, "makes") else "operator"
        return self.fresh(size, self.origin(kind, place.note), place.role)

    def _copied(self, axis: Axis, copies: int, outer: bool) -> Axis:
        if copies == 1:
            return axis
        made = (self.notes.new_uid(), copies)
        uids = (made, *axis.uids) if outer else (*axis.uids, made)
        origin = self.origin("operator", f"{self.op}({copies})")
        return Axis(axis.size * copies, axis.role if axis.size > 1 else "", origin, uids)

    def _joined(self, size: int, given: list[Axis], at: int) -> Axis:
        """Parts one after another; as many copies of the first axis where all are the same."""
        best = max(given, key=known)
        role = best.role if best.role in KEPT_ROLES else ""
        joined = self.fresh(size, self.origin("operator", "cat"), role)
        own = given[0].uids
        if at == 0 and len(given) > 1 and own and not role and all(axis.uids == own for axis in given):
            return Axis(size, "", joined.origin, ((self.notes.new_uid(), len(given)), *own))
        return joined

    def _picked(self, place: Place, size: int, given: list[Axis]) -> Axis:
        """Rows picked from an axis: the same identity for equal picks."""
        axis = given[-1]
        if place.key != "rows":
            return self.fresh(size, self.origin("index"), axis.role if place.key else "")
        index = given[0]
        origin = index.origin if index.role else axis.origin
        uid = self.notes.derived((axis.uids, "pick", self.notes.get(place.sources[0][0]).uid))
        return Axis(index.size, index.role or axis.role, origin, ((uid, index.size),) if index.size != 1 else ())


def cut(notes: Notes, axis: Axis, size: int, part: object = 0) -> Axis:
    """A part of an axis: another identity (the same for equal cuts), the same role and origin."""
    if size == axis.size:
        return axis
    if size == 1:
        return Axis(1, axis.role, axis.origin)
    return Axis(size, axis.role, axis.origin, ((notes.derived((axis.uids, "cut", size, part)), size),))


def known(axis: Axis) -> int:
    """How much is known of an axis: of operands that share one, the best known tells its name and its origin."""
    kind = axis.origin.kind if axis.origin else ""
    told = kind in ("loader", "dataset", "constructor")
    return 4 * bool(axis.role) + 2 * told + (kind not in ("literal", "", "parameter"))


def aligned_squares(axes: Axes, operands: list[Axes]) -> Axes:
    """The last two axes of a sum as one, where they name the same things: a matrix meets its own transpose, or the
    identity, as adjacencies do."""
    if len(operands) != 2 or min(map(len, operands)) < 2:
        return axes
    (one, other), eye = operands, "eye"
    a, b = (one[-2].uids, one[-1].uids), (other[-2].uids, other[-1].uids)
    turned = bool(a[0] and a[1]) and a[0] != a[1] and a == (b[1], b[0])
    alike = turned or any(
        pair[0] and pair[0] == pair[1] and whole[-1].origin is not None and whole[-1].origin.note == eye
        for pair, whole in ((a, one), (b, other))
    )
    return (*axes[:-1], axes[-2]) if alike else axes


def folded(reader: Reader, axes: Axes, shape: tuple[int, ...]) -> Axes:
    """The axes of `shape`, each with the factors of `axes` that it covers in memory order. A factor that must be cut in
    two gets two new identities that remember nothing but their size; an axis of size one is new where it has no
    counterpart."""
    notes = reader.notes
    factors = [(uid, size, axis) for axis in axes for uid, size in (axis.uids or ()) if size > 1]
    ones = [axis for axis in axes if axis.size == 1]
    made: list[Axis] = []
    for size in shape:
        if size == 1:
            made.append(ones.pop(0) if ones else reader.fresh(1, reader.origin("operator")))
            continue
        taken, left = [], size
        while left > 1 and factors:
            uid, whole, axis = factors.pop(0)
            if left % whole == 0:
                taken.append((uid, whole, axis))
                left //= whole
            elif whole % left == 0:
                taken.append((notes.new_uid(), left, axis))
                factors.insert(0, (notes.new_uid(), whole // left, axis))
                left = 1
            else:
                return tuple(reader.fresh(n, reader.origin("operator")) for n in shape)
        sources = {id(axis): axis for _, _, axis in taken}
        if len(sources) == 1 and next(iter(sources.values())).size == size:
            made.append(next(iter(sources.values())))
            continue
        role = taken[0][2].role if len(taken) == 1 and taken[0][2].size == size else ""
        constructed = (axis.origin for _, _, axis in taken if axis.origin and axis.origin.kind == "constructor")
        origin = next(constructed, None) or reader.origin("operator")
        made.append(Axis(size, role, origin, tuple((uid, n) for uid, n, _ in taken)))
    return tuple(made)
