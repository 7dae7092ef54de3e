"""Operators that take axes away: sums, means, arg-maxima, norms."""

from __future__ import annotations

import torch

from ....trace import Axis
from .table import Axes, Call, dims, follows


@follows(
    "sum",
    "mean",
    "prod",
    "amax",
    "amin",
    "argmax",
    "argmin",
    "std",
    "var",
    "norm",
    "logsumexp",
    "all",
    "any",
    "median",
    "nanmean",
    "nansum",
    "vector_norm",
    "count_nonzero",
    "mode",
    "kthvalue",
    "topk",
    "sort",
    "argsort",
    "cummax",
    "cummin",
    "std_mean",
    "var_mean",
    "quantile",
    "squeeze_sum",
)
def reduce(call: Call):
    """Axes named by `dim` go, or shrink to one with `keepdim`."""
    axes = call.axes(call.first)
    result = call.result[0] if isinstance(call.result, (tuple, list)) else call.result
    if call.op in ("topk", "sort", "argsort", "cummax", "cummin"):
        made = tuple(
            a if a.size == n else Axis(n, "", call.origin("operator", call.op), ((call.notes.new_uid(), n),))
            for a, n in zip(axes, result.shape)
        )
    else:
        where = _where(call, len(axes), result.dim())
        if where is None:
            return None
        if result.dim() == len(axes):
            made = tuple(
                Axis(1, "", call.origin("operator", "keepdim")) if d in where else axis for d, axis in enumerate(axes)
            )
        else:
            made = tuple(axis for d, axis in enumerate(axes) if d not in where)
    if isinstance(call.result, (tuple, list)):
        return tuple(made for _ in call.result)
    return made


def _where(call: Call, rank: int, left: int) -> tuple[int, ...] | None:
    names = ("dim", "axis")
    asked = next((call.kwargs[name] for name in names if name in call.kwargs), None)
    if asked is None:
        at = {"norm": 2, "vector_norm": 2, "kthvalue": 2, "quantile": 2}.get(call.op, 1)
        asked = call.args[at] if len(call.args) > at else None
    if asked is None or isinstance(asked, bool):
        return tuple(range(rank)) if left == 0 else None
    if isinstance(asked, int) or all(isinstance(d, int) for d in asked):
        return dims(asked, rank) if asked != () else tuple(range(rank))
    return None


@follows("cosine_similarity", "pairwise_distance")
def compare(call: Call) -> Axes | None:
    """One axis of two operands is used up."""
    from .elementwise import aligned, broadcast_shape

    operands = [call.axes(value) for value in call.args[:2] if isinstance(value, torch.Tensor)]
    rank = max(len(axes) for axes in operands)
    at = call.argument(2, "dim", 1) % rank if call.op == "cosine_similarity" else rank - 1
    shape = broadcast_shape(*(tuple(a.size for a in axes) for axes in operands))
    whole = aligned(operands, tuple(shape))
    return tuple(axis for d, axis in enumerate(whole) if d != at)
