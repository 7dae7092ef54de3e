"""Other readings of a script that does not run: each edit of one place, wherever it stands, with which the call that
was refused would be made.

A repair is determined where no other reading is left; where one runs as far and comes to something else, the script
does not say which is meant. Sizes and windows are solved for, other axes and the proposed edits are taken as they are;
nothing is run here.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator

import libcst as cst

from .. import ops
from ..graph.flow import consumers, operands, produced, tensors
from ..graph.imports import library
from ..graph.origins import Origins
from ..graph.scopes import SIZED
from ..graph.training import ancestors
from .candidate import Candidate, Case
from .deciders import deciders
from .invariants import sizes
from .invariants.change import EXCHANGED, FITTED, LISTED
from .numbers import Numbers
from .operands import written
from .remedies.along import among_classes, other_axes
from .remedies.listed import begins_with
from .remedies.order import products, turned
from .remedies.unread_name import other_names
from .remedies.windows import fitting
from .remedies.written_size import edit_of
from .rewriting import rewritten
from .unread import leaves_unread

MOST, LATE, FEW = 12, 26, 3  # how many readings are asked about, up to which rank; how many of a silent fault
THIN = (".unsqueeze(-1)", ".unsqueeze(1)", ".unsqueeze(0)", ".unsqueeze(2)")
WHOLE = frozenset({"width", "heads"})  # one of two sizes of which one divides the other
NEAR = 12  # calls before the refused one whose axes are looked at


def readings(case: Case, winner: Candidate, found: list[Candidate]) -> list[Candidate]:
    """Every other edit of one place: what was proposed, the sizes and windows that would fit, other axes; the first for
    each place before further ones."""
    if case.failure is None:
        return _as_likely(case, winner, found)
    swapped = winner.title in (EXCHANGED, LISTED)  # then one size alone is another repair
    made = [c for c in found if c.rank < LATE and not c.tempting]
    solved, slid = list(_numbers(case)), list(fitting(case))
    counted = winner.title == "dim" and case.event is not None and ops.is_a(case.event.op, "classifies")
    if winner.title not in FITTED and not counted:  # the size that was asked for is there, along another axis, which
        # no chance made so; as many samples are along any
        made = [c for c in made if c.title not in FITTED or sizes.squeezed(case.trace, c)]
        solved, slid = [], []
    # what the name is bound to that the winner writes is the author's own word for the size
    bound = {candidate.key for candidate, name in solved if name and any(name in e.replacement for e in winner.edits)}
    asked = {winner.key, *bound}
    first: dict[tuple, Candidate] = {}
    further = []
    alike = list(_reduced_alike(case, winner))
    determined = winner.title == "keepdim" and not alike  # each row and its own value
    axes = [] if determined else list(other_axes(case))
    single = [*_one_score(case, winner), *other_names(case)] if winner.title in FITTED else []
    behind = list(begins_with(case, winner))
    thin = list(_thin_elsewhere(case, winner))
    others = (*_divisors(winner), *single, *alike, *behind, *thin, *_orders(case), *axes)
    classes = winner.title == "dim" and among_classes(case, winner)  # no other axis counts what is chosen among
    for candidate in (*(one for one, _ in solved), *slid, *made, *others):
        if classes and candidate.title == "dim" and of_one_line(candidate, winner):
            continue
        here = candidate.title == winner.title and overlap(candidate, winner)  # then both read the name alike
        unread = not here and leaves_unread(case, candidate, bare=True)
        meant = (unread and candidate not in alike) or sizes.of_data(case.trace, candidate, loops=False)
        # another axis in the same place is another reading, and so are other operands of what is called there
        kept = winner.title == "drop" and candidate.title == "dim"  # the axis stays, and another is reduced
        beside = swapped or kept or candidate.title in (winner.title, "grouped", LISTED)
        beside = beside or candidate in (*single, *behind, *thin)
        beside = beside or (winner.title in WHOLE and candidate.title == EXCHANGED)
        if winner.title == "keepdim" and candidate.title == "dim" and of_one_line(candidate, winner):
            continue  # each row and its own value: determined
        if _turns_what_is_read(case, candidate, winner):
            continue
        if candidate.key in asked or meant or (not beside and overlap(candidate, winner)):
            continue
        asked.add(candidate.key)
        place = tuple((edit.file, edit.line, edit.column) for edit in candidate.edits)
        if first.setdefault(place, candidate) is not candidate:
            further.append(candidate)
    return [*first.values(), *further][:MOST]


def _turns_what_is_read(case: Case, candidate: Candidate, winner: Candidate) -> bool:
    """Whether an edit moves axes as the winner does, but of a name off which the script reads sizes as well: those tell
    in which order its axes are."""
    if candidate.what != winner.what or overlap(candidate, winner):
        return False
    for edit in candidate.edits:
        source = case.source(edit.file)
        statement = source.statement(edit.line) if source is not None else None
        bound = list(source.within(statement, cst.Assign)) if statement is not None else []
        names = {source.code(target.target).strip() for place in bound for target in place.node.targets}
        scope = source.scope(edit.line) or source.place(source.module) if source is not None else None
        for read in source.within(scope, cst.Attribute) if names else ():
            if read.node.attr.value in SIZED and source.code(read.node.value).strip() in names:
                return True
    return False


def _as_likely(case: Case, winner: Candidate, found: list[Candidate]) -> list[Candidate]:
    """Of a fault that training runs on with: another value in the same place for which as much speaks, another axis of
    what is taken away."""
    made = [one for one in found if one.title == winner.title and one.rank <= winner.rank and not one.tempting]
    made += [one for one in (*found, *other_axes(case)) if one.title == "dim"] if winner.title == "drop" else []
    made = [one for one in made if overlap(one, winner) and one.key != winner.key]
    others = {one.key: one for one in (*_square(case, winner), *made)}
    return list(others.values())[:FEW]


def _square(case: Case, winner: Candidate) -> list[Candidate]:
    """Where an axis is told by the product that reads it, and the axes of both sides are as large: the operand turned,
    or the sides exchanged where weights stand on the right."""
    made = [fact.uid for fact in tensors(case.event.result)] if winner.title == "dim" and case.event is not None else []
    for event in consumers(case.trace, case.event.index) if made else ():
        sides = operands(event)[:2] if ops.is_a(event.op, "matmuls") else []
        square = len(sides) == 2 and all(side.rank > 1 and len({*side.sizes[-2:]}) == 1 for side in sides)
        for source, place in case.found(event.site if square else None, cst.BinaryOperation):
            right = sides[1].uid in made
            if ops.is_a(case.event.op, "softmaxes"):
                return [turned(source, place)] if right else []
            edit = source.suffix(source.place(place.node.right if right else place.node.left), ".transpose(-2, -1)")
            return [Candidate("permute", (edit,), 6, {"code": ".transpose(-2, -1)"})]
    return []


def of_one_line(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates write on the same lines."""
    lines = [{(edit.file, edit.line) for edit in candidate.edits} for candidate in (one, other)]
    return lines[0] == lines[1]


def overlap(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates write in the same place."""
    return any(
        a.file == b.file
        and (a.line, a.column) < (b.end_line, b.end_column)
        and (b.line, b.column) < (a.end_line, a.end_column)
        for a in one.edits
        for b in other.edits
    )


def _numbers(case: Case, wanted: int | None = None) -> Iterator[tuple[Candidate, str]]:
    """Each expression that decided a size, as the number with which it would fit, or another one; with the name that is
    bound there where an expression names it."""
    if case.failure is None:
        return
    numbers = Numbers(case.trace)
    for decider in deciders(Origins(case.trace), case.failure, case.misfit):
        name, fits = ast.unparse(decider.written.node), decider.wanted if wanted is None else wanted
        for change in rewritten(numbers, decider.written, decider.now, fits) if not decider.data else ():
            edit = edit_of(case, numbers, change) if change.text.isdigit() else None
            if edit is not None:
                fields = {"old": sizes.written(case.trace, edit), "new": change.text}
                yield Candidate("number", (edit,), 20, fields), name if change.depth else ""


def _thin_elsewhere(case: Case, winner: Candidate) -> Iterator[Candidate]:
    """Where an axis of size one is put in beside an operand that the author gave one: in each other place, since one
    that is combined with another axis of size one alone does nothing."""
    code = winner.fields.get("code", "") if winner.title == "wrap" and len(winner.edits) == 1 else ""
    made = [produced(case.trace, fact) for fact in operands(case.event)[:2]] if case.event is not None else []
    given = [event for event in made if event is not None and ops.is_a(event.op, "unsqueezes") and not event.modules]
    (edit,) = winner.edits if code in THIN else (None,)
    for other in THIN if edit is not None and given and edit.replacement.endswith(code) else ():
        if other != code:
            text = edit.replacement.removesuffix(code) + other
            fields = {**winner.fields, "code": other}
            yield Candidate("wrap", (dataclasses.replace(edit, replacement=text),), winner.rank, fields)


def _one_score(case: Case, winner: Candidate) -> Iterator[Candidate]:
    """Where as many scores a sample are asked of a layer as a learned vector that is added to them has numbers: one
    score, which meets each of them."""
    sides = operands(case.event)[:2] if case.event is not None and ops.is_a(case.event.op, "adds", "subtracts") else []
    if any(side.kind == "parameter" and side.rank == 1 for side in sides):
        yield from (one for one, _ in _numbers(case, wanted=1) if overlap(one, winner))


def _divisors(winner: Candidate) -> Iterator[Candidate]:
    """Every other number of heads that divides the width."""
    width = int(winner.fields["width"]) if winner.title == "heads" else 0
    for number in range(2, width):
        if width % number == 0 and str(number) != winner.fields["value"]:
            edits = tuple(dataclasses.replace(edit, replacement=str(number)) for edit in winner.edits)
            yield Candidate("heads", edits, 13, {**winner.fields, "value": str(number)})


def _reduced_alike(case: Case, winner: Candidate) -> Iterator[Candidate]:
    """The other side reduced as the one is whose axis the winner keeps, unless it is made of the same values."""
    found = written(case)[:2] if winner.title == "keepdim" else []
    for one, other in (found, found[::-1]) if len(found) == 2 else ():
        made, past = ancestors(case.trace, one.fact, NEAR), ancestors(case.trace, other.fact)
        for event in (event for event in made.values() if ops.is_a(event.op, "totals") and operands(event)):
            given = operands(event)[0]
            apart = given.uid != other.fact.uid and given.producer not in past
            for source, call in case.found(event.site if apart else None, cst.Call, method=True):
                func, lines = call.node.func, range(call.line, call.end_line + 1)
                edits = any(edit.file == source.file and edit.line in lines for edit in winner.edits)
                if edits and not library(source.text, source.code(func)):
                    code = source.method(call.node)
                    edit = other.source.suffix(other.place, code)
                    yield Candidate("wrap", (edit,), 8, {"code": code, "name": other.text}, doubt="guessed")


def _orders(case: Case) -> Iterator[Candidate]:
    """The sides of each product on the way to the refused call exchanged, where that makes another shape."""
    for source, place, sides in products(case, operands(case.event) if case.event else []):
        if min(side.rank for side in sides) > 1:
            (*_, rows, inner), (*_, _, columns) = (side.sizes for side in sides)
            if rows == columns != inner:
                yield turned(source, place)
