"""The target of a value loss cut off from the network that it trains."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ..candidate import Candidate, Case


def propose(case: Case) -> Iterator[Candidate]:
    """For a bootstrap target with gradients: `.detach()` where the target is bound, else where the loss reads it."""
    if case.finding.slug != "bootstrap-carries-gradient":
        return
    source = case.source(case.site.file)
    target = case.facts.fields["target"]
    difference = source.at(case.site) if source else None
    if difference is not None and isinstance(difference.node, cst.BinaryOperation):
        for side in (difference.node.left, difference.node.right):
            if isinstance(side, cst.Name) and side.value == target:
                place = source.place(side)
                bound = source.binding(target, place.line)
                if bound is not None:
                    yield Candidate(
                        "detach-target", (source.suffix(bound, ".detach()"),), 4, {"code": f"{target}.detach()"}
                    )
                yield Candidate(
                    "detach-target", (source.suffix(place, ".detach()"),), 6, {"code": f"{target}.detach()"}
                )
        return
    call = source.at(case.site, cst.Call) if source else None
    if call is None:
        return
    for given in call.node.args:
        place = source.place(given.value)
        if isinstance(given.value, cst.Name) and given.value.value != target:
            continue
        if isinstance(given.value, cst.Name):
            bound = source.binding(target, place.line)
            if bound is not None:
                yield Candidate(
                    "detach-target", (source.suffix(bound, ".detach()"),), 4, {"code": f"{target}.detach()"}
                )
        if not isinstance(given.value, (cst.SimpleString, cst.Integer, cst.Float)):
            yield Candidate(
                "detach-target",
                (source.suffix(place, ".detach()"),),
                6 if isinstance(given.value, cst.Name) else 9,
                {"code": ".detach()"},
            )
