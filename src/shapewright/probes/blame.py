"""Walks back from an output that differs between two plays to the operator whose operands agree: there the difference
was made."""

from __future__ import annotations

import difflib

import torch

from .align import Change, differs
from .replay import Play, Played

LONGEST = 3000
INDEXED = frozenset({"getitem", "gather", "index_select", "take_along_dim", "index_fill", "scatter", "index_add"})


def culprit(whole: Play, cut: Play, change: Change, path: tuple) -> tuple[Played, Played] | None:
    """The operator that made the difference, in both plays; `None` where the plays took different ways."""
    pairs = counterparts(whole, cut)
    if path not in whole.makers or whole.makers[path][0] not in pairs:
        return None
    known: dict[tuple[int, int], bool] = {}

    def differ(place: tuple[int, int]) -> bool:
        if place not in known:
            left = whole.played[place[0]].results
            right = (
                cut.played[pairs[place[0]]].results if place[0] in pairs else left
            )  # an operator of one play alone tells nothing
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
            return (whole.played[at[0]], cut.played[pairs[at[0]]]) if at[0] in pairs else None
        at = before
    return None


def inner_culprit(whole: Play, cut: Play, change: Change) -> tuple[Played, Played] | None:
    """The first operator that makes a difference, whether or not it shows in an output."""
    for i, j in counterparts(whole, cut).items():
        left, right = whole.played[i], cut.played[j]
        read = operands(whole, left, cut, right)
        if read and any(change.axes(a, b) for a, b in read) and not any(differs(a, b, change) for a, b in read):
            if any(change.axes(a, b) and differs(a, b, change) for a, b in zip(left.results, right.results)):
                return left, right
    return None


def counterparts(whole: Play, cut: Play) -> dict[int, int]:
    """Which operator of one play is which of the other; a mask that one of them can do without shifts the rest."""
    left, right = [_key(p) for p in whole.played], [_key(p) for p in cut.played]
    if left == right:
        return {i: i for i in range(len(left))}
    if max(len(left), len(right)) > LONGEST:
        return {}
    blocks = difflib.SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    return {block.a + k: block.b + k for block in blocks for k in range(block.size)}


def _key(played: Played) -> tuple:
    return played.op, played.stack, played.modules


def operands(whole: Play, left: Played, cut: Play, right: Played) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """The recorded tensors that an operator read, in both plays."""
    return [
        (whole.played[a].results[i], cut.played[b].results[j]) for (a, i), (b, j) in zip(left.operands, right.operands)
    ]
