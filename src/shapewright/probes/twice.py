"""Is a sample compared with itself where it is to be compared with another one, or with another view of itself?

Two inputs that a recorded loss compares hold the same numbers in every row, and the model, as it trains, answers the
same to both; or in exactly the rows that one label marks. It judges nothing beyond that.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from .. import ops
from ..run.record.functions import tensor_of
from ..run.record.nested import tensors
from ..run.record.seeds import seed_all
from ..run.record.stepping import stepped
from ..run.record.tape import Closed, Entry
from ..trace import Answer, ProbeFact, SameSample, Site
from .ideal import apart
from .pairing import filled, played
from .state import evaluating

if TYPE_CHECKING:
    from ..run.process.child import Run

FEWEST, EACH, ITEMS = 8, 3, 16
VIEWS = 16  # a model called more often in one step is asked in every step of a sequence, not of two views
Way = dict[int, tuple[Entry, ...]]  # by what was made of a call: the operators and models that made it


def ask_twice(run: Run) -> Iterator[ProbeFact[Answer]]:
    """At most one answer for each recorded loss."""
    for closed in run.tape.closed if run.tape is not None else ():
        found = next(_twice(closed), None)
        if found is not None:
            entry, rows, of, label, slots = found
            given = slots if len(set(slots)) == len(slots) else ()  # one tensor given twice is the fault of the calls
            makers = (closed.leaves[slot].fact.producer for slot in given)
            raw = run.recorder.raw
            marks = [run.sources.sites(raw[at][1])[-1:] for at in makers if 0 <= at < len(raw)]
            data = SameSample(type(entry.call).__name__, rows, of, label, (*_read(run), *itertools.chain(*marks)))
            sites = run.sources.sites(entry.stack)
            yield ProbeFact(SameSample.QUESTION, False, data, -1, sites[-1] if sites else None, sites, entry.event)


def _twice(closed: Closed) -> Iterator[tuple[Entry, int, int, float | None, tuple[int, ...]]]:
    """`(call, rows that are the same, of how many, the label that marks them, the inputs)`."""
    models = [entry for entry in closed.entries if isinstance(entry.call, nn.Module)]
    calls = Counter(entry.call for entry in models)
    models = [entry for entry in models if calls[entry.call] <= VIEWS]
    given = [(entry, slot) for entry in models for slot in entry.reads if _picture(closed, slot)]
    for (one, left), (other, right) in itertools.combinations(given, 2):
        first, second = closed.leaves[left].value, closed.leaves[right].value
        if one.call is not other.call or first.shape != second.shape:
            continue
        same = (first == second).flatten(1).all(1)
        if bool(same.all()):
            if len(first.flatten(1).unique(dim=0)) > EACH and _compared(closed, one, other):
                yield other, len(same), len(same), None, (left, right)
        elif (
            left != right and EACH <= int(same.sum()) <= len(same) - EACH and (one is other or _met(closed, one, other))
        ):
            for leaf in closed.leaves.values():
                label = _marking(leaf.value, same)
                if label is not None:
                    yield other, int(same.sum()), len(same), label, (left, right)
    for entry, slot in given:
        value, others = closed.leaves[slot].value, (at for at in closed.leaves if at != slot)
        half = len(value) // 2
        for one in (slice(half), slice(0, None, 2)) if half * 2 == len(value) and half >= FEWEST else ():
            other = slice(half, None) if one.start is None else slice(1, None, 2)
            unlabelled = all(apart(closed.leaves[at].value, half) for at in others)
            if torch.equal(value[one], value[other]) and unlabelled and _tabled(closed, entry, slot, one, other):
                yield entry, half, half, None, (slot,)


def _picture(closed: Closed, slot: int) -> bool:
    """Whether an input is a batch of real numbers that the loader, or the script, made."""
    leaf = closed.leaves.get(slot)
    if leaf is None or isinstance(leaf.value, nn.Parameter) or leaf.fact.requires_grad:
        return False
    return leaf.value.is_floating_point() and leaf.value.dim() > 1 and len(leaf.value) >= FEWEST


def _marking(value: torch.Tensor, same: torch.Tensor) -> float | None:
    """The one of two labels that stands at exactly these rows."""
    labels = value.flatten()
    kinds = labels.unique().tolist() if labels.shape == same.shape else []
    return next((kind for kind in kinds if len(kinds) == 2 and torch.equal(labels == kind, same)), None)


def _tabled(closed: Closed, entry: Entry, slot: int, one: slice, other: slice) -> bool:
    """Whether rows that are the same twice over are compared all with all, and the model gives the same for both."""
    count, known = len(closed.leaves[slot].value), played(closed, {})
    read = [made for made in closed.entries if slot in made.reads]
    return (
        _square(closed, known, count)
        and read == [entry]
        and all(torch.equal(rows[one], rows[other]) for rows in _trained(entry, known))
    )


def _compared(closed: Closed, one: Entry, other: Entry) -> bool:
    """Whether one operator compares what came of each call, computed alike, and the calls give the same."""
    if one is other:
        made = list(one.results.values())
        alike = itertools.combinations(zip(made, _trained(one, played(closed, {}))), 2)
        pairs = [{left, right} for (left, rows), (right, others) in alike if torch.equal(rows, others)]
        return any(pair <= set(entry.reads) for pair in pairs for entry in closed.entries)
    met = _met(closed, one, other)
    if met is None or not _answers_alike(closed, one, other):
        return False
    known, joined = played(closed, {}), ops.is_a(met.op, "joins")
    left, right = (known[slot] for slot in met.reads)
    alike = torch.equal(left.flatten().sort().values, right.flatten().sort().values)  # one may be transposed
    return alike and (not joined or _square(closed, known, 2 * len(left)))


def _square(closed: Closed, known: dict[int, torch.Tensor], count: int) -> bool:
    """Whether so many rows are compared all with all."""
    return any(known[at].shape == (count, count) for made in closed.entries for at in made.results.values())


def _met(closed: Closed, one: Entry, other: Entry) -> Entry | None:
    """The operator that compares, or joins, what came of each call by the same operators and models; a model in between
    gives the same to both."""
    ways: tuple[Way, Way] = ({slot: () for slot in one.results.values()}, {slot: () for slot in other.results.values()})
    for entry in closed.entries:
        reads = entry.reads
        if ops.is_a(entry.op, "contracts", "similar", "measures_error", "subtracts", "joins") and len(reads) == 2:
            for left, right in (reads, reads[::-1]):
                if left in ways[0] and right in ways[1] and left not in ways[1] and right not in ways[0]:
                    return entry if _alike(closed, ways[0][left], ways[1][right]) else None
        for way in ways:
            read = next((slot for slot in reads if slot in way), None)
            if read is not None:
                moved = () if ops.is_a(entry.op, "reshapes", "unsqueezes", "keeps_values") else (entry,)
                way.update(dict.fromkeys(entry.results.values(), way[read] + moved))
    return None


def _alike(closed: Closed, one: tuple[Entry, ...], other: tuple[Entry, ...]) -> bool:
    """Whether two ways lead through the same operators, none of them random, and models that give the same on both."""
    pairs = list(zip(one, other))
    if len(one) != len(other) or any(own.op != its.op or ops.is_a(own.op, "drops", "draws") for own, its in pairs):
        return False
    models = [(own, its) for own, its in pairs if isinstance(own.call, nn.Module)]
    return all(own.call is its.call and _answers_alike(closed, own, its) for own, its in models)


def _answers_alike(closed: Closed, one: Entry, other: Entry) -> bool:
    """Whether a model gives the same to both calls as it trains, noise and all."""
    known = played(closed, {})
    made = [_trained(entry, known, seed) for seed, entry in enumerate((one, other))]
    return bool(made[0]) and all(map(torch.equal, *made))


def _trained(entry: Entry, known: dict[int, torch.Tensor], seed: int = 0) -> list[torch.Tensor]:
    """What a model gives in training mode."""
    assert isinstance(entry.call, nn.Module)
    seed_all(seed)
    with torch.no_grad(), evaluating(entry.call):
        for part in entry.call.modules():
            part.training = True
        result = entry.call(*filled(entry.args, known), **filled(entry.kwargs, known))
        return [leaf for _, leaf in tensors(result)]


# where the two were made
# ---------------------------------------------------------------------------------------------------------------------
def _read(run: Run) -> Iterator[Site]:
    """The line of a data set's own after which a sample holds the same numbers twice."""
    for dataset in run.loading.datasets.own():
        for at in range(min(ITEMS, len(dataset))):
            line = None
            with contextlib.suppress(Exception):  # whatever reading raises out of its place is no fault of the script
                seed_all(at)
                line = _line(dataset, at)
            if line is not None:
                file = type(dataset).__getitem__.__code__.co_filename
                yield Site(run.sources.display(file), line, 1, 0, 0)
                return


def _line(dataset: Any, at: int) -> int | None:
    """Where two variables first hold the same numbers, or both are given back, if a sample holds them twice."""
    code, seen, found = type(dataset).__getitem__.__code__, list[int](), list[int]()

    def look(frame: FrameType, event: str) -> None:
        if frame.f_code is code:
            if seen and not found and _holds_twice(frame.f_locals):
                found.append(seen[-1])
            seen.append(frame.f_lineno)

    with stepped(code, look):
        sample = dataset[at]
    parts = [leaf for _, leaf in tensors(sample) if leaf.is_floating_point() and leaf.numel() > EACH]
    twice = any(one.shape == other.shape and torch.equal(one, other) for one, other in itertools.combinations(parts, 2))
    return (found or seen)[-1] if twice and seen else None


def _holds_twice(local: dict[str, Any]) -> bool:
    """Whether two variables hold the same numbers."""
    held = [numbers for value in local.values() if (numbers := tensor_of(value)) is not None and numbers.numel() > EACH]
    return any(one.shape == other.shape and torch.equal(one, other) for one, other in itertools.combinations(held, 2))
