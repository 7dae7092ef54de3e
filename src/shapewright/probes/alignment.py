"""Is a loss asked for the very steps that were fed in, or for those two later, where no one module holds the sequence?

A recorded loss is computed again from its tape with some steps disturbed: steps of a sequence that was fed once, whole
or in windows, or tokens that were fed one at a time to a cell, a decoder or a function of the user's. A sequence is
what carries something from earlier steps to later answers and nothing back. Models that are given whole sequences of
tokens are asked by `causality`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch
from torch import nn

from .. import ops
from ..dataclass import dataclass
from ..run.record.tape import Closed, Entry
from ..trace import Answer, Causality, ProbeFact
from .pairing import played
from .shifted import SHIFTS, moved, tokens_of

if TYPE_CHECKING:
    from ..run.process.child import Run

BITS = 9.0
LEAST, LONGEST, LARGEST = 4, 4096, 1 << 18
CLASSES = ops.named("classifies")
NUMBERS = ops.named("measures_error") | {"sub"}


@dataclass(frozen=True)
class Fed:
    """`given` and `asked` are `(sequence, step)`, the asked ones `by` steps later than those given. `parts` are the
    leaves that hold the given ones, each with the places of its flattened numbers; `losses` the calls that are asked,
    each with the slot of its answer and the places of its rows."""

    by: int
    given: torch.Tensor
    asked: torch.Tensor
    compared: int
    parts: tuple[tuple[int, torch.Tensor], ...]
    losses: tuple[tuple[Entry, int, torch.Tensor], ...]


def ask_tapes(run: Run, known: set[int]) -> Iterator[ProbeFact[Answer]]:
    """At most one answer for each recorded loss whose event is not `known`."""
    for closed in run.tape.closed if run.tape is not None else ():
        found = list(_fed(closed))
        for fed in () if any(one.by == 1 for one in found) else found:
            entry = fed.losses[-1][0]
            if entry.event in known or not _runs_forward(closed, fed):
                continue
            model = next((one.call for one in closed.entries if isinstance(one.call, nn.Module)), None)
            sites = run.sources.sites(entry.stack)
            steps = fed.given.shape[1]
            name = type(model).__name__ if model is not None else _function(run, closed)
            data = Causality(
                fed.by, fed.compared, steps, steps // 2, name, False, sites[-1] if sites else None, entry.event
            )
            read = next(one.stack for one in closed.entries if fed.parts[-1][0] in one.reads and one is not entry)
            places = run.sources.sites(read)
            yield ProbeFact(Causality.QUESTION, True, data, -1, places[-1] if places else None, places)
            break


def _function(run: Run, closed: Closed) -> str:
    """The name of the user's function that computes the answer."""
    sites = [site for entry in closed.entries for site in run.sources.sites(entry.stack)[-1:]]
    return next((site.function for site in sites if site.function not in ("", "<module>")), "")


# what is fed and asked
# ---------------------------------------------------------------------------------------------------------------------
def _fed(closed: Closed) -> Iterator[Fed]:
    """Every sequence that was fed, with every loss that is asked for it."""
    readings = list(_readings(closed))
    for asking in _askings(closed):
        for parts, given in readings:
            yield from _compared(parts, given, asking, closed)


def _askings(closed: Closed) -> Iterator[list[tuple[Entry, int, int]]]:
    """The calls of losses, each with the slots of its answer and its target; those of one place together."""
    made = {slot for entry in closed.entries for slot in entry.results.values()}
    groups: dict[tuple, list[tuple[Entry, int, int]]] = {}
    for entry in closed.entries:
        reads = entry.reads[:2]
        if entry.op not in CLASSES | NUMBERS | {"gather"} or len(reads) != 2:
            continue
        answer, target = reads if reads[0] in made else reads[::-1]
        leaf = closed.leaves.get(target)
        if answer in made and leaf is not None and not isinstance(leaf.value, nn.Parameter):
            groups.setdefault((entry.stack, leaf.value.shape), []).append((entry, answer, target))
    for group in groups.values():
        if len(group) >= LEAST:
            yield group
        else:
            yield from ([one] for one in group)


def _readings(closed: Closed) -> Iterator[tuple[tuple[tuple[int, torch.Tensor], ...], torch.Tensor]]:
    """Sequences that were read at once, and tokens that one call at one place read step by step: `(parts, given)`."""
    groups: dict[tuple, dict[int, torch.Tensor]] = {}
    known: dict[int, torch.Tensor | None] = {}
    for entry in closed.entries:
        for slot in entry.reads:
            value = closed.leaves[slot].value if slot in closed.leaves else None
            if value is None or isinstance(value, nn.Parameter) or not 0 < value.numel() <= LARGEST:
                continue
            if slot not in known:
                known[slot] = _tokens(value)
                yield from ((((slot, grid),), numbers) for grid, numbers in _sequences(value, known[slot]))
            if (tokens := known[slot]) is not None and entry.op not in CLASSES:
                groups.setdefault((entry.stack, tokens.numel()), {})[slot] = tokens.flatten()
    for group in groups.values():
        if LEAST <= len(group) <= LONGEST:
            given = torch.stack(list(group.values()), 1)
            yield tuple((slot, _at(given, step)) for step, slot in enumerate(group)), given


def _tokens(value: torch.Tensor) -> torch.Tensor | None:
    """The tokens that a value holds, the one of a single one-hot row too."""
    return tokens_of(value[None] if value.dim() == 1 and value.is_floating_point() else value)


def _at(given: torch.Tensor, step: int) -> torch.Tensor:
    """The places of a leaf that holds one step."""
    places = torch.full(given.shape, -1)
    places[:, step] = torch.arange(len(given))
    return places


def _sequences(value: torch.Tensor, numbers: torch.Tensor | None) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """`(places, numbers)`, both `(sequence, step)`, of tokens, or of one real number a step where there are none."""
    if numbers is None and value.is_floating_point():
        numbers = value
        while numbers.dim() > 2 and 1 in numbers.shape:
            numbers = numbers.squeeze(numbers.shape.index(1))
        numbers = numbers.squeeze(-1) if numbers.dim() == 2 and numbers.shape[1] == 1 else numbers
    if numbers is None or numbers.dim() not in (1, 2):
        return
    grid = torch.arange(numbers.numel()).reshape(numbers.shape)
    pairs = [(grid[None], numbers[None])] if numbers.dim() == 1 else [(grid, numbers), (grid.t(), numbers.t())]
    yield from (pair for pair in pairs if LEAST <= pair[0].shape[1] <= LONGEST)


def _compared(parts: tuple, given: torch.Tensor, asking: list[tuple[Entry, int, int]], closed: Closed) -> Iterator[Fed]:
    """The one shift by which the targets are the given sequence, if there is one."""
    count, steps = given.shape
    real, op = given.is_floating_point(), asking[0][0].op
    targets = [closed.leaves[target].value for *_, target in asking]
    wide = sum(target.numel() for target in targets) // count
    if any(target.is_floating_point() != real for target in targets) or (op in NUMBERS) != real:
        return
    if not (wide == steps if real else 0 <= steps - wide <= 2) or wide < LEAST:
        return
    if len(asking) > 1:
        if targets[0].numel() != count:
            return
        ways = [[_at(targets[0].new_zeros(count, wide), step) for step in range(wide)]]
    elif targets[0].numel() == count * wide:
        at = torch.arange(count * wide)
        ways = [[at.reshape(count, wide)], [at.reshape(wide, count).t()]]
    else:
        return
    same = len(asking) == 1 and [slot for slot, _ in parts] == [asking[0][2]]
    for grids in ways:
        asked = sum(target.flatten()[grid.clamp(min=0)] * (grid >= 0) for target, grid in zip(targets, grids))
        assert isinstance(asked, torch.Tensor)
        if same and torch.equal(asked, given):
            fitting = [(0, given.numel())]
        else:
            fitting = [(by, n) for by in ((0,) if real else SHIFTS) if (n := _agreeing(given, asked, by))]
        if len(fitting) == 1:
            losses = tuple((entry, answer, grid) for (entry, answer, _), grid in zip(asking, grids))
            yield Fed(fitting[0][0], given, asked, fitting[0][1], parts, losses)
            return


def _agreeing(given: torch.Tensor, asked: torch.Tensor, by: int) -> int:
    """How many steps were compared, 0 where any differs or they are too few to tell. What stands at the end as padding,
    and what is ignored, counts neither way."""
    left, right = moved(given, asked, by)
    width = left.shape[1]
    last = right[:, -1:]
    padding = (right == last) & (left == last)
    counted = torch.ones_like(left, dtype=torch.bool)
    if not left.is_floating_point():
        counted = ~(padding & padding.roll(1, 1)) & (left >= 0)
    if width < LEAST or not bool((left[counted] == right[counted]).all()):
        return 0
    values = left[counted]
    return int(counted.sum()) if len(values) * math.log2(max(1, values.unique().numel())) >= BITS else 0


# what depends on what
# ---------------------------------------------------------------------------------------------------------------------
def _runs_forward(closed: Closed, fed: Fed) -> bool:
    """Whether answers depend on earlier steps, on none that come later, and, where a step itself is asked for, on that
    one."""
    steps = fed.given.shape[1]
    cut, last = steps // 2, fed.asked.shape[1] - 1
    before = _answers(played(closed, {}), fed)
    if not _alike(before, _answers(played(closed, {}, seed=1), fed)).all():
        return False
    later, first, own = (
        _alike(before, _answers(played(closed, _disturbed(closed, fed, places)), fed))
        for places in (range(cut, steps), range(1), range(last, last + 1))
    )
    carries = not bool(first[1:].all())
    return carries and bool(later[:cut].all()) and (fed.by != 0 or not bool(own[last]))


def _answers(known: dict[int, torch.Tensor], fed: Fed) -> torch.Tensor:
    """`(step, sequence, number)` of what the losses were given."""
    count, wide = fed.asked.shape
    found: torch.Tensor | None = None
    for entry, slot, grid in fed.losses:
        made = known[slot]
        if entry.op in CLASSES:
            made = made[None] if made.dim() == 1 else made.movedim(1, -1) if made.dim() > 2 else made
        held = grid >= 0
        rows = made.reshape(int(held.sum()), -1)
        found = rows.new_zeros(count, wide, rows.shape[1]) if found is None else found
        found[held] = rows[grid[held]]
    assert found is not None
    return found.transpose(0, 1)


def _alike(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """For every step, whether its answers are the same."""
    gap = (one - other).abs().flatten(1).amax(1)
    return gap <= 5e-5 * one.abs().max().clamp(min=1e-3)


def _disturbed(closed: Closed, fed: Fed, steps: range) -> dict[int, torch.Tensor]:
    """The leaves with other numbers at these steps: other tokens that occur, or the next real numbers."""
    values = fed.given.unique()  # of one token alone nothing can be told: then nothing moves
    made = {}
    for slot, grid in fed.parts:
        value = closed.leaves[slot].value
        tokens = _tokens(value)
        flat = (value if tokens is None else tokens).flatten().clone()
        at = grid[:, [step for step in steps if step < grid.shape[1]]].flatten()
        at = at[at >= 0]
        if not len(at):
            continue
        if tokens is None:
            flat[at] += flat.std()
        else:
            flat[at] = values[(torch.searchsorted(values, flat[at].contiguous()) + 1) % len(values)]
        whole = tokens is value or tokens is None
        made[slot] = (
            flat.reshape(value.shape)
            if whole
            else nn.functional.one_hot(flat, value.shape[-1]).to(value.dtype).reshape(value.shape)
        )
    return made
