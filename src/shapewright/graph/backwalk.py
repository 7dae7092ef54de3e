"""For an axis of a call's result: which axis of which operand it came from, and what the call did to it.

Pure arithmetic on `Event`s. One step only; `origins` takes the steps one after the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..trace import Event, TensorFact
from .flow import operands, tensors

MAKES = frozenset(
    {
        "zeros",
        "ones",
        "empty",
        "full",
        "rand",
        "randn",
        "randint",
        "randperm",
        "arange",
        "linspace",
        "logspace",
        "eye",
        "tensor",
        "as_tensor",
        "from_numpy",
        "normal",
        "new_zeros",
        "new_ones",
        "new_full",
        "new_empty",
        "new_tensor",
        "tril_indices",
        "triu_indices",
        "range",
        "Tensor",
        "multinomial",
        "bernoulli",
        "poisson",
        "frombuffer",
        "complex",
        "hann_window",
        "bincount",
        "nonzero",
        "unique",
        "masked_select",
        "parameter",
        "scalar_tensor",
        "empty_strided",
        "asarray",
        "load",
        "histc",
        "cartesian_prod",
        "combinations",
    }
)
REDUCES = frozenset(
    {
        "sum",
        "mean",
        "max",
        "min",
        "amax",
        "amin",
        "argmax",
        "argmin",
        "norm",
        "prod",
        "std",
        "var",
        "logsumexp",
        "any",
        "all",
        "median",
        "nansum",
        "nanmean",
        "vector_norm",
        "count_nonzero",
        "mode",
        "kthvalue",
        "aminmax",
        "quantile",
        "linalg_norm",
        "linalg_vector_norm",
        "cosine_similarity",
    }
)
CONVOLVES = frozenset({"conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"})
POOLS = (
    "max_pool",
    "avg_pool",
    "adaptive_",
    "lp_pool",
    "fractional_max",
    "interpolate",
    "upsample",
    "pad",
    "pixel_",
    "boolean_dispatch",
)
RECURRENT = frozenset({"lstm", "gru", "rnn_tanh", "rnn_relu"})


@dataclass(frozen=True)
class Step:
    """`verdict`: `passes` (unchanged), `moves` (another position), `shapes` (another size, or merged), `sets` (a module
    or parameter
    decides it) or `makes` (a factory). `sources` are the axes that it came from: `(operand, axis)`, most telling first.
    `factor` is the
    operand whose own size decides (a weight), if any."""

    verdict: str
    sources: tuple[tuple[TensorFact, int], ...] = ()
    factor: tuple[TensorFact, int] | None = None


def came_from(event: Event, result: TensorFact, axis: int) -> Step:
    """Where axis `axis` (from 0) of `result`, made by `event`, came from."""
    given = operands(event)
    op, shape = event.op.rstrip("_") if event.op not in ("as_tensor",) else event.op, result.shape or ()
    if op in MAKES and not (op in ("as_tensor", "tensor") and given and given[0].shape == shape):
        return Step("makes")
    if not given:
        return Step("makes")
    first = given[0]
    special = _special(op, event, given, result, axis)
    if special is not None:
        return special
    for operand in given:
        if operand.shape == shape:
            return Step("passes", ((operand, axis),))
    # broadcasting: axes agree from the right
    back = axis - len(shape)
    fits = [o for o in given if -back <= len(o.shape) and o.shape[back] == shape[axis]]
    if fits and all(len(o.shape) <= len(shape) for o in given):
        fits.sort(key=lambda o: -len(o.shape))
        return Step("passes", tuple((o, len(o.shape) + back) for o in fits))
    same = next((i for i, n in enumerate(first.shape) if n == shape[axis]), None)
    return Step("shapes", ((first, same),) if same is not None else tuple((o, -1) for o in given[:2]))


def _special(op: str, event: Event, given: list[TensorFact], result: TensorFact, axis: int) -> Step | None:
    first, shape = given[0], result.shape or ()
    rank = len(shape)
    back = axis - rank
    if op == "linear" or op == "bilinear":
        if back == -1:
            return Step("sets", factor=(given[1], 0) if len(given) > 1 else None)
        return Step("passes", ((first, axis),))
    if op == "embedding":
        indices = next((o for o in given if o.dtype.startswith(("int", "uint"))), first)
        weight = next((o for o in given if o is not indices), None)
        return (
            Step("sets", factor=(weight, 1) if weight else None) if back == -1 else Step("passes", ((indices, axis),))
        )
    if op in CONVOLVES:
        spatial = int(op[-2])
        channel = rank - spatial - 1
        if axis == channel:
            return Step("sets", factor=(given[1], 1 if "transpose" in op else 0))
        if axis < channel:
            return Step("passes", ((first, axis),))
        return Step("sets" if result.shape[axis] != first.shape[axis] else "passes", ((first, axis),))
    if op.startswith(POOLS):
        if len(first.shape) != rank:
            return Step("shapes", ((first, -1),))
        return Step("shapes" if first.shape[axis] != shape[axis] else "passes", ((first, axis),))
    if op in RECURRENT:
        return _recurrent(event, given, result, axis)
    if op.endswith("_cell"):
        hidden = next((o for o in given[1:] if o.shape == shape), None)
        if back == -1:
            return Step("sets", factor=(hidden, axis) if hidden else None)
        return Step("passes", ((first, axis),))
    if op in ("matmul", "mm", "bmm", "mv", "dot", "addmm", "baddbmm", "ger", "outer"):
        pair = [o for o in given if o.shape != ()][-2:]
        if len(pair) < 2:
            return None
        left, right = pair
        if op in ("ger", "outer"):
            return Step("passes", ((left, 0) if axis == 0 else (right, 0),))
        if back == -1 and len(right.shape) > 1:
            return Step("passes", ((right, len(right.shape) - 1),))
        row = -2 if len(right.shape) > 1 else -1
        if back == row and len(left.shape) > 1:
            return Step("passes", ((left, len(left.shape) - 2),))
        wider = left if len(left.shape) >= len(right.shape) else right
        offset = len(wider.shape) + back - (1 if len(right.shape) == 1 or len(left.shape) == 1 else 0)
        return Step("passes", ((wider, max(0, min(offset, len(wider.shape) - 1))),))
    if op in ("transpose", "t", "mT", "permute", "movedim", "mH", "adjoint", "T", "numpy_T"):
        return _moved(op, event, first, result, axis)
    if op in ("view", "reshape", "flatten", "unflatten", "view_as", "reshape_as", "ravel"):
        return _viewed(first, shape, axis)
    if op == "unsqueeze":
        at = _number(event, 1, "dim")
        at = None if at is None else at % rank
        if at == axis:
            return Step("shapes", ())
        return Step("moves", ((first, axis - (at is not None and axis > at)),))
    if op in ("squeeze", "select", "argmax", "argmin", "unbind") or op in REDUCES:
        return _dropped(op, event, first, result, axis)
    if op == "getitem":
        return _indexed(event, first, result, axis)
    if op in (
        "index_select",
        "narrow",
        "split",
        "chunk",
        "tensor_split",
        "unfold",
        "gather",
        "take_along_dim",
        "topk",
        "repeat",
        "tile",
        "repeat_interleave",
        "roll",
        "flip",
        "expand",
        "expand_as",
        "broadcast_to",
        "sort",
        "cumsum",
    ):
        offset = len(first.shape) - rank
        if op == "unfold" and axis == rank - 1:
            return Step("shapes", ())
        if op == "unfold":
            return Step("shapes", ((first, axis),))
        inner = axis + offset
        if inner < 0:
            return Step("shapes", ())
        return Step("passes" if first.shape[inner] == shape[axis] else "shapes", ((first, inner),))
    if op in ("cat", "hstack", "vstack", "dstack", "column_stack"):
        parts = [o for o in given if len(o.shape) == rank]
        if not parts:
            return Step("shapes", ((first, -1),))
        if (all(o.shape[axis] == shape[axis] for o in parts) and len(parts) > 1) or len(parts) == 1:
            return Step("passes", ((parts[0], axis),))
        return Step("shapes", tuple((o, axis) for o in sorted(parts, key=lambda o: -o.shape[axis])[:2]))
    if op == "stack":
        at = _number(event, 1, "dim") or 0
        at %= rank
        if axis == at:
            return Step("shapes", ())
        return Step("moves", ((first, axis - (axis > at)),))
    if op == "one_hot":
        return Step("shapes", ()) if back == -1 else Step("passes", ((first, axis),))
    if op in ("pad_sequence", "pad_packed_sequence", "pack_padded_sequence"):
        return Step("shapes", ((first, -1),))
    if op in ("multi_head_attention_forward", "scaled_dot_product_attention"):
        if op == "scaled_dot_product_attention" and back == -1 and len(given) > 2:
            return Step("passes", ((given[2], len(given[2].shape) - 1),))
        return (
            Step("passes", ((first, axis),))
            if len(first.shape) == rank and first.shape[axis] == shape[axis]
            else Step("shapes", ((first, -1),))
        )
    if op == "einsum":
        return _einsum(event, given, axis)
    if op in ("zeros_like", "ones_like", "rand_like", "randn_like", "empty_like", "full_like"):
        return Step("passes", ((first, axis),))
    return None


def _recurrent(event: Event, given: list[TensorFact], result: TensorFact, axis: int) -> Step:
    rank, packed = len(result.shape), given[0].kind == "packed"
    first = given[0]
    # output is the first part; the states are (layers, batch, hidden)
    parts = list(tensors(event.result))
    output = bool(parts) and parts[0].uid == result.uid
    if axis == rank - 1:
        hidden = next((o for o in given[1:] if len(o.shape) == rank), None)
        return Step("sets", factor=(hidden, rank - 1) if hidden else None)
    if output and not packed and len(first.shape) == rank:
        return Step("passes", ((first, axis),))
    if axis == 0 and rank == 3:
        return Step("sets")
    batch = next((i for i, n in enumerate(first.shape[:-1]) if n == result.shape[axis]), None)
    return Step("passes", ((first, batch),)) if batch is not None else Step("shapes", ())


def _moved(op: str, event: Event, first: TensorFact, result: TensorFact, axis: int) -> Step:
    rank = len(result.shape)
    if op == "permute":
        order = _numbers(event, 1, "dims")
        if len(order) == rank:
            return Step("moves", ((first, order[axis] % rank),))
    a, b = (_number(event, 1, "dim0"), _number(event, 2, "dim1")) if op == "transpose" else (-2, -1)
    if op in ("T", "numpy_T"):
        return Step("moves", ((first, rank - 1 - axis),))
    if a is None or b is None or rank < 2:
        same = next((i for i, n in enumerate(first.shape) if n == result.shape[axis]), 0)
        return Step("moves", ((first, same),)) if first.shape else Step("shapes")
    a, b = a % rank, b % rank
    inner = b if axis == a else a if axis == b else axis
    return Step("moves" if inner != axis else "passes", ((first, inner),))


def _viewed(first: TensorFact, shape: tuple[int, ...], axis: int) -> Step:
    """Axes match where the products before and after agree."""
    before, size = math.prod(shape[:axis]), shape[axis]
    for inner, own in enumerate(first.shape):
        if own == size and math.prod(first.shape[:inner]) == before:
            return Step("moves" if inner != axis or len(first.shape) != len(shape) else "passes", ((first, inner),))
    inside = [
        (first, i)
        for i, own in enumerate(first.shape)
        if math.prod(first.shape[:i]) >= before and math.prod(first.shape[: i + 1]) <= before * size and own > 1
    ]
    return Step("shapes", tuple(inside))


def _dropped(op: str, event: Event, first: TensorFact, result: TensorFact, axis: int) -> Step:
    rank, own = len(result.shape), len(first.shape)
    if rank == own:
        return Step("passes" if first.shape[axis] == result.shape[axis] else "shapes", ((first, axis),))
    gone = _numbers(event, 1, "dim") or _numbers(event, 1, "axis")
    if op in ("norm",) and _numbers(event, 2, "dim") != []:
        gone = _numbers(event, 2, "dim")
    if op == "squeeze" and not gone:
        gone = [i for i, n in enumerate(first.shape) if n == 1]
    gone = sorted({i % own for i in gone if isinstance(i, int) and own}) or ([0] if op in ("select", "unbind") else [])
    left = [i for i in range(own) if i not in gone]
    if len(left) == rank:
        return Step("moves", ((first, left[axis]),))
    same = next((i for i, n in enumerate(first.shape) if n == result.shape[axis]), None)
    return Step("moves", ((first, same),)) if same is not None else Step("shapes", ())


def _indexed(event: Event, first: TensorFact, result: TensorFact, axis: int) -> Step:
    """`x[...]` with integers, slices, `None`, an ellipsis and index tensors."""
    index = event.args[1] if len(event.args) > 1 else ()
    index = index if isinstance(index, tuple) else (index,)
    own = list(first.shape)
    if any(_bool(part) for part in index):
        return Step("shapes", ((first, -1),))
    taken = sum(
        1
        for part in index
        if part is not None and getattr(part, "kind", "") != "ellipsis" and not isinstance(part, bool)
    )
    entries: list[Any] = []
    for part in index:
        if getattr(part, "kind", "") == "ellipsis":
            entries += [TensorFact(kind="slice", value=(None, None, None))] * max(0, len(own) - taken)
        else:
            entries.append(part)
    while sum(1 for part in entries if part is not None) < len(own):
        entries.append(TensorFact(kind="slice", value=(None, None, None)))
    made: list[tuple[str, Any]] = []
    inner, fancy = 0, False
    for part in entries:
        if part is None:
            made.append(("new", None))
            continue
        if isinstance(part, TensorFact) and part.kind == "slice":
            made.append(("slice", inner))
        elif isinstance(part, (TensorFact, tuple)):
            shape = part.shape if isinstance(part, TensorFact) and part.shape is not None else None
            if not fancy:
                made += [("index", (part, i)) for i in range(len(shape) if shape is not None else 1)]
            fancy = True
        inner += 1
    if axis >= len(made) or len(made) != len(result.shape):
        same = next((i for i, n in enumerate(own) if n == result.shape[axis]), None)
        return Step("moves", ((first, same),)) if same is not None else Step("shapes", ((first, -1),))
    kind, what = made[axis]
    if kind == "new":
        return Step("shapes", ())
    if kind == "index":
        part, at = what
        return Step(
            "passes" if isinstance(part, TensorFact) and part.shape is not None else "shapes",
            ((part, at),) if isinstance(part, TensorFact) and part.shape is not None else (),
        )
    if what < len(own) and own[what] != result.shape[axis]:
        return Step("shapes", ((first, what),))
    return Step("moves" if what != axis or len(own) != len(result.shape) else "passes", ((first, what),))


def _bool(part: Any) -> bool:
    return isinstance(part, TensorFact) and part.dtype == "bool"


def _einsum(event: Event, given: list[TensorFact], axis: int) -> Step:
    equation = event.args[0] if event.args and isinstance(event.args[0], str) else ""
    if "->" not in equation or "." in equation:
        return Step("shapes", tuple((o, -1) for o in given[:2]))
    left, right = equation.replace(" ", "").split("->")
    for term, operand in zip(left.split(","), given):
        if axis < len(right) and right[axis] in term and len(term) == len(operand.shape):
            return Step("passes", ((operand, term.index(right[axis])),))
    return Step("shapes", ())


def _number(event: Event, position: int, name: str) -> int | None:
    value = event.kwargs.get(name, event.args[position] if len(event.args) > position else None)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _numbers(event: Event, position: int, name: str) -> list[int]:
    value = event.kwargs.get(name, event.args[position] if len(event.args) > position else None)
    if isinstance(value, int) and not isinstance(value, bool):
        rest = (
            [v for v in event.args[position:] if isinstance(v, int) and not isinstance(v, bool)]
            if event.op.startswith("permute")
            else [value]
        )
        return rest
    return [v for v in value if isinstance(v, int)] if isinstance(value, tuple) else []
