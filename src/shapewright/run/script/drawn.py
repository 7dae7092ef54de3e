"""Batches that a script draws by hand: `x[order[i:i + 16]]` beside `y[order[i:i + 16]]`, `zip(x.split(16),
y.split(16))`.

A DataLoader says which axis counts samples. Where there is none, one and the same draw from two tables says it: rows
that are picked in no order, or cut out of a table beside its labels, stand for samples. Rows cut from one table alone,
or from two that both go on with an axis of the same size, may be steps of time: they are not named.
"""

from __future__ import annotations

import itertools
import weakref
from typing import TYPE_CHECKING, Any

import torch

from ...trace import Axis, Origin
from ..record.notes import Note
from ..record.readable import readable

if TYPE_CHECKING:
    from ..record.recorder import Recorder

OPS = frozenset({"getitem", "index_select", "split", "chunk", "tensor_split"})
KEPT = 512
LONGEST = 65_536


class Drawn:
    """What was drawn so far. `uids` holds the identities of axes that are known to count samples, `unordered` of those
    whose rows come in no order."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.uids: set[int] = set()
        self.unordered: set[int] = set()
        self._bases: dict[tuple, list[tuple[weakref.ref, weakref.ref]]] = {}

    def note(self, op: str, args: tuple, kwargs: dict, result: Any, stack: tuple) -> None:
        """Look at a call that may draw a batch: outside of models, from plain data, inside a loop."""
        base = args[0] if args else None
        if (
            self.recorder.modules
            or not isinstance(base, torch.Tensor)
            or base.dim() < 1
            or base.requires_grad
            or isinstance(base, torch.nn.Parameter)
        ):
            return
        if op in ("split", "chunk", "tensor_split"):
            dim = args[2] if len(args) > 2 else kwargs.get("dim", 0)
            if dim == 0 and isinstance(result, (tuple, list)):
                start = 0
                for part in result:
                    self._drawn(base, part, ("cut", start, start + part.shape[0]), False, stack)
                    start += part.shape[0]
            return
        if not isinstance(result, torch.Tensor) or self.recorder.loops is None or self.recorder.loops.current() < 0:
            return
        picked = self._pick(op, args, kwargs, base)
        if picked is not None:
            self._drawn(base, result, *picked, stack)

    def _pick(self, op: str, args: tuple, kwargs: dict, base: torch.Tensor) -> tuple[tuple, bool] | None:
        """What tells this draw from others, and whether its rows come in no order."""
        if op == "index_select":
            dim, index = (
                (args[1] if len(args) > 1 else kwargs.get("dim")),
                (args[2] if len(args) > 2 else kwargs.get("index")),
            )
            if dim != 0:
                return None
        else:
            index = args[1]
            if isinstance(index, tuple):
                if not index or not all(isinstance(part, slice) for part in index[1:]):
                    return None
                index = index[0]
        if isinstance(index, slice):
            if index.step not in (None, 1) or index.start is None:
                return None
            start, stop, _ = index.indices(base.shape[0])
            return ("cut", start, stop), False
        if hasattr(index, "__len__") and getattr(index, "ndim", 1) == 1 and len(index) > LONGEST:
            return None
        if (
            hasattr(index, "dtype")
            and not isinstance(index, torch.Tensor)
            and getattr(index, "ndim", 0) == 1
            and index.dtype.kind in "iu"
        ):
            index = index.tolist()
        if isinstance(index, torch.Tensor):
            if (
                index.dim() != 1
                or index.dtype not in (torch.int64, torch.int32)
                or type(index) is not torch.Tensor
                or not readable(index, index.numel())
            ):
                return None
            index = index.tolist()
        if not isinstance(index, list) or len(index) < 2 or not all(type(value) is int for value in index):
            return None
        return ("pick", len(index), hash(tuple(index))), any(a > b for a, b in itertools.pairwise(index))

    def _drawn(self, base: torch.Tensor, part: torch.Tensor, key: tuple, unordered: bool, stack: tuple) -> None:
        rows, size = base.shape[0], part.shape[0]
        notes = self.recorder.notes
        note, told = notes.get(part), notes.get(base)
        if (
            not 2 <= size < rows
            or note is None
            or len(note.axes) != part.dim()
            or told is None
            or note.axes[0].role not in ("", "batch")
        ):
            return
        if any(axis.role == "batch" for axis in note.axes):
            return
        key = (rows, *key)
        uid = notes.derived(("drawn", *key))
        if unordered:
            self.unordered.add(uid)
            note.axes = (
                Axis(size, "", note.axes[0].origin, ((uid, size),)),
                *note.axes[1:],
            )  # one index picks the same rows of whatever is as long
        elif base.dim() >= 2:  # tables of like rows, cut alike, have the same rows in what is cut: samples or steps
            alike = notes.derived(("alike", base.shape[1], *key))
            note.axes = (Axis(size, "", note.axes[0].origin, ((alike, size),)), *note.axes[1:])
        if told.extra.get("samples"):
            self._name(part, note, uid, stack)
            return
        if len(self._bases) > KEPT:
            self._bases.clear()
        others = [
            (table, before)
            for reference, before in self._bases.setdefault(key, [])
            if (table := reference()) is not None and table is not base
        ]
        for table, before in others:
            if not (unordered or _beside(base, table, [other for other, _ in others])):
                continue
            for known in (base, table):
                (notes.get(known) or notes.put(known, Note(kind="tensor"))).extra["samples"] = True
            self._name(part, note, uid, stack)
            earlier = notes.get(drawn) if (drawn := before()) is not None else None
            if earlier is not None and len(earlier.axes) == drawn.dim():
                self._name(drawn, earlier, uid, stack)
            return
        self._bases[key].append((weakref.ref(base), weakref.ref(part)))

    def _name(self, part: torch.Tensor, note: Note, uid: int, stack: tuple) -> None:
        sites = self.recorder.sources.sites(stack)
        size = part.shape[0]
        self.uids.add(uid)
        note.axes = (
            Axis(
                size,
                "batch",
                Origin(
                    "loader", self._text(sites[-1] if sites else None) or str(size), sites[-1] if sites else None, sites
                ),
                ((uid, size),),
            ),
            *note.axes[1:],
        )

    def _text(self, site: Any) -> str:
        text = next(
            (
                text
                for path, text in self.recorder.sources.texts.items()
                if site is not None and self.recorder.sources.display(path) == site.file
            ),
            "",
        )
        lines = text.split("\n")
        if site is None or site.line != site.end_line or site.line > len(lines):
            return ""
        return lines[site.line - 1][site.column - 1 : site.end_column - 1]


def _beside(one: torch.Tensor, other: torch.Tensor, cut: list[torch.Tensor]) -> bool:
    """Whether one table holds a label for each row of the other, whose rows are no single steps of a series. Of tables
    of whole numbers one alone is `cut` in that way: two of one shape may be the inputs and the targets of steps."""
    low, high = sorted((one, other), key=lambda table: table.dim())
    plain = low.dim() == 1 or (low.dim() == 2 and low.shape[1] == 1)
    if not plain or (high.dim() == 2 and (high.shape[1] < 2 or high.is_floating_point())):
        return False
    return high.dim() >= 3 or (
        high.dim() == 2 and not any(table is not high and table.shape == high.shape for table in cut)
    )
