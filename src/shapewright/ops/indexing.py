"""Operators that read or write by index: `x[...]`, `gather`, `index_select`, `scatter`, `masked_select` and their
like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .call import Bound, Misfit
from .maps import along, made, same
from .places import Layout, Place, Tensor, kept, new
from .table import teach


def is_slice(part: object) -> bool:
    """Whether part of an index is a slice, live or recorded."""
    return isinstance(part, slice) or getattr(part, "kind", "") == "slice"


def is_ellipsis(part: object) -> bool:
    """Whether part of an index is `...`, live or recorded."""
    return part is Ellipsis or getattr(part, "kind", "") == "ellipsis"


def spanned(index: object, rank: int) -> Iterator[tuple[Any, int, int]]:
    """The parts of the index of a tensor of `rank` axes, live or recorded, each with the first axis that it covers and
    how many: `None` covers none, a boolean mask as many as it has itself, `...` what the others leave."""
    parts = index if isinstance(index, tuple) else (index,)
    masks = [str(getattr(part, "dtype", "")).endswith("bool") and part.shape is not None for part in parts]
    widths = [
        len(part.shape) if mask else part is not None and not is_ellipsis(part) for part, mask in zip(parts, masks)
    ]
    at = 0
    for part, width in zip(parts, widths):
        covered = max(0, rank - sum(widths)) if is_ellipsis(part) else int(width)
        yield part, at, covered
        at += covered


def _boolean(call: Bound, part: Any) -> bool:
    return call.is_tensor(part) and str(part.dtype).endswith("bool")


def _width(call: Bound, part: Any) -> int:
    """How many axes a part of an index uses up."""
    return len(call.shape(part)) if _boolean(call, part) else 0 if part is None or is_ellipsis(part) else 1


def indexed(call: Bound) -> Layout | None:
    """Integers drop an axis, slices cut it, `None` adds one, an index tensor replaces it by its own axes."""
    first, result = call.first, call.result
    if not call.is_tensor(first) or not call.is_tensor(result):
        return None
    own, shape, index = call.shape(first), call.shape(result), call.get("index")
    parts = index if isinstance(index, tuple) else (index,)
    if any(isinstance(part, bool) for part in parts):
        return None
    used = sum(_width(call, part) for part in parts)
    picks = [part for part in parts if _picks(call, part)]
    found: list[Place] = []
    at, placed = 0, False
    for part in parts:
        if is_ellipsis(part):
            found += [kept((first, d)) for d in range(at, at + len(own) - used)]
            at += len(own) - used
        elif part is None:
            found.append(new("[None]"))
        elif is_slice(part):
            whole = len(found) < len(shape) and own[at] == shape[len(found)]
            found.append(kept((first, at)) if whole else Place("cut", ((first, at),), key=_bounds(part)))
            at += 1
        elif any(part is pick for pick in picks):
            if not placed:
                found += _picked(call, part, (first, at), picks)
                placed = True
            at += _width(call, part)
        else:
            at += 1
    found += [kept((first, d)) for d in range(at, len(own))]
    return tuple(found) if len(found) == len(shape) else None


def _picks(call: Bound, part: object) -> bool:
    """Whether a part is an index of several places."""
    if call.is_tensor(part):
        return _boolean(call, part) or len(call.shape(part)) > 0
    return isinstance(part, (list, tuple))


def _bounds(part: Any) -> object:
    start, stop, step = part.value if getattr(part, "kind", "") == "slice" else (part.start, part.stop, part.step)
    return hash((start, step)) if all(isinstance(value, (int, type(None))) for value in (start, stop, step)) else 0


def _picked(call: Bound, part: Any, source: tuple[Tensor, int], picks: list[Any]) -> list[Place]:
    """The axes that index tensors put in place of those they pick from."""
    if len(picks) > 1:
        shapes = [call.shape(pick) if call.is_tensor(pick) else (len(pick),) for pick in picks]
        rank = max(map(len, shapes))
        joint = tuple(max(s[-back] for s in shapes if len(s) >= back) for back in range(rank, 0, -1))
        whole = next((pick for pick, s in zip(picks, shapes) if call.is_tensor(pick) and s == joint), None)
        return [kept((whole, d)) if whole is not None else new("index") for d in range(rank)]
    if not call.is_tensor(part):
        return [Place("picked", (source,), key="listed")]
    if _boolean(call, part):
        return [Place("picked", (source,), key="masked" if len(call.shape(part)) == 1 else "")]
    rank = len(call.shape(part))
    return [Place("picked", ((part, 0), source), key="rows")] if rank == 1 else [kept((part, d)) for d in range(rank)]


def selected(call: Bound) -> Layout | None:
    """`index_select`: one axis is replaced by the index's."""
    first, index = call.first, call.tensor("index")
    if index is None:
        return None
    found = [kept((first, d)) for d in range(len(call.shape(first)))]
    found[along(call)] = Place("picked", ((index, 0), (first, along(call))), key="rows")
    return tuple(found)


def gathered(call: Bound) -> Layout | None:
    """The index's shape; axes of the input's size keep the input's identity."""
    first, index = call.first, call.tensor("index")
    if index is None:
        return None
    return tuple(
        kept((first, d) if a == n else (index, d)) for d, (a, n) in enumerate(zip(call.shape(first), call.shape(index)))
    )


def _points(call: Bound) -> Misfit | None:
    """`gather` and `scatter`: index and operand have as many axes, and the index no more rows beside the named axis."""
    first, index = call.first, call.tensor("index")
    if index is None or not call.is_tensor(first):
        return None
    own, rows = call.shape(first), call.shape(index)
    if len(own) != len(rows):
        return Misfit("index", -1, len(rows), len(own), "input")
    over = (d for d, (a, n) in enumerate(zip(own, rows)) if n > a and d != along(call))
    at = next(over, None)
    return Misfit("index", at, rows[at], own[at], "input", at) if at is not None else None


teach(
    "getitem",
    "input index",
    axes=indexed,
    tags="picks reads reshapes indexes places slots brackets takes selects",
    sign=1,
)
teach("setitem", "input index value", tags="writes indexes brackets assigns")
teach(
    "index_select",
    "input dim index",
    axes=selected,
    dim="indexed",
    tags="picks reads indexes takes along",
    sign=1,
)
teach("gather", "input dim index", axes=gathered, dim="indexed", fits=_points, tags="picks points indexes along")
teach(
    "take_along_dim",
    "input index dim=None",
    axes=gathered,
    dim="indexed",
    tags="picks points indexes along counts_back",
)
teach(
    "scatter scatter_add scatter_reduce",
    "input dim index src",
    axes=same,
    dim="indexed",
    fits=_points,
    tags="points writes indexes along",
)
teach(
    "index_add index_copy",
    "input dim index source",
    axes=same,
    dim="indexed",
    tags="writes indexes adds_rows along",
)
teach("index_fill", "input dim index value", axes=same, dim="indexed", tags="writes indexes along counts_back")
teach("index_put", "input indices values accumulate=False", tags="writes indexes assigns")
teach("masked_select", "input mask", axes=made, tags="picks makes masks selects", sign=1)
teach("masked_scatter", "input mask source", axes=same, tags="writes masks assigns")
teach("take", "input index", tags="picks indexes")
teach("nonzero argwhere", "input", axes=made, tags="makes")
teach("embedding", "input weight padding_idx=None", lambda call: _embedded(call), tags="embeds learned indexes places")
teach("embedding_bag", "input weight offsets=None", tags="embeds learned indexes")


def _embedded(call: Bound) -> str:
    """Torch's own function takes the index first, ATen's the weight."""
    first = call.first
    return (
        "*kept, rows outputs -> *kept outputs"
        if call.is_tensor(first) and "int" in str(first.dtype)
        else "rows outputs, *kept -> *kept outputs"
    )
