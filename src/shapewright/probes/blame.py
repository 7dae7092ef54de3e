"""Walks back from an output that differs between two plays to the operator whose operands agree: there the difference was made."""

from __future__ import annotations

import torch

from .align import Change, differs
from .replay import Play, Played


INDEXED = frozenset({"getitem", "gather", "index_select", "take_along_dim", "index_fill", "scatter", "index_add"})


def culprit(whole: Play, cut: Play, change: Change, path: tuple) -> tuple[Played, Played] | None:
    """The operator that made the difference, in both plays; `None` where the plays took different ways."""
    if path not in whole.makers or [p.op for p in whole.played] != [p.op for p in cut.played]:
        return None
    known: dict[tuple[int, int], bool] = {}

    def differ(place: tuple[int, int]) -> bool:
        if place not in known:
            left, right = whole.played[place[0]].results, cut.played[place[0]].results
            known[place] = len(left) != len(right) or differs(left[place[1]], right[place[1]], change)
        return known[place]

    at = whole.makers[path]
    seen = set()
    while at not in seen:
        seen.add(at)
        step = whole.played[at[0]]
        # an index counts the samples by nature: what is indexed must differ, not the index
        read = step.operands[:1] if step.op in INDEXED and step.lead else step.operands
        before = next((place for place in read if place[0] < at[0] and differ(place)), None)
        if before is None:
            return whole.played[at[0]], cut.played[at[0]]
        at = before
    return None


def operands(whole: Play, left: Played, cut: Play, right: Played) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """The recorded tensors that an operator read, in both plays."""
    return [(whole.played[a].results[i], cut.played[b].results[j]) for (a, i), (b, j) in zip(left.operands, right.operands)]
