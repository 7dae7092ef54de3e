"""The expression that gave an axis its size, wherever it is written: an argument some calls up, a sum, a default, a
name of the module's."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins
from ...rules.remedy import Misfit
from ...trace import Site
from ...trace.said import ClassBeyond
from ..candidate import Candidate, Case, offered
from ..deciders import deciders
from ..joined import kept
from ..numbers import Numbers
from ..operands import written
from ..rewriting import Change, rewritten

RANKS = (7, 10, 12, 21, 3)
MOST = 14


ANSWERS = (Misfit,)
TITLES = {
    "number": {
        "en": "write {new} in place of {old}",
        "es": "escribir {new} en lugar de {old}",
        "ja": "{old} を {new} に書き換える",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Each expression that decided a size that does not fit, so written that it would."""
    failure = case.failure
    if failure is None or case.misfit.layout:
        return
    turned = case.misfit.swap_with is not None or case.misfit.turned  # the axes stand wrong, not the sizes
    numbers, by_author = Numbers(case.trace), any(kept(case.trace, failure))
    seen = failure.told(ClassBeyond) is not None  # only the classes that were seen are counted
    made: dict[tuple, tuple[int, Change]] = {}
    for decider in deciders(Origins(case.trace), failure, case.misfit):
        for change in rewritten(numbers, decider.written, decider.now, decider.wanted):
            if turned and change.cost in (2, 3):
                continue
            squeezed = decider.wanted == 1 and change.cost > 1 and change.depth == 0 and by_author
            rank = (
                (6 if squeezed else RANKS[change.cost])
                + min(change.depth, 3)
                + (2 if not decider.consumer else -2 * (change.cost == 2))
                + 16 * decider.data
                + 14 * (bool(turned) and change.cost != 4)
                + 8 * (decider.shared and change.depth == 0)
                + 2 * (seen and change.cost == 2 and not change.text.isdigit())
                + 8 * (change.text == "1" and change.cost == 3 and not squeezed)  # what has a name is seldom one
            )
            key = (change.written.file, change.written.node.lineno, change.written.node.col_offset, change.text)
            if key not in made or made[key][0] > rank:
                made[key] = (rank, change)
    for rank, change in sorted(made.values(), key=lambda one: one[0])[:MOST]:
        yield from offered(
            "number",
            edit_of(case, numbers, change),
            rank,
            {"old": ast.unparse(change.written.node), "new": change.text},
            doubt="guessed" if seen else "",
        )
    yield from _from_one(case)


def _from_one(case: Case) -> Iterator[Candidate]:
    """Indices that are encoded, one less each: they may begin with one."""
    encodes = case.event is not None and ops.is_a(case.event.op, "encodes")
    for operand in written(case)[:1] if encodes else ():
        edit = operand.source.replace(operand.place, f"{operand.source.atom(operand.place)} - 1")
        yield Candidate("wrap", (edit,), 15, {"code": "- 1", "name": operand.text})


def edit_of(case: Case, numbers: Numbers, change: Change):
    """The change as an edit of the file."""
    source = case.source(change.written.file)
    site: Site = numbers.site(change.written.node, change.written.file)
    place = source.at(site) if source is not None else None
    if place is None or (place.line, place.column, place.end_line, place.end_column) != (
        site.line,
        site.column,
        site.end_line,
        site.end_column,
    ):
        return None
    parent = getattr(change.written.node, "parent", None)
    bare = (
        change.text.isidentifier()
        or change.text.isdigit()
        or not isinstance(parent, (ast.BinOp, ast.UnaryOp, ast.Attribute))
    )
    return source.replace(place, change.text if bare else f"({change.text})")
