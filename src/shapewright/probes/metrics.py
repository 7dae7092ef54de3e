"""Is a metric best for predictions that equal the truth, and does each kind of mistake lower it?

A number that was read off from a model's answers is read off again with other answers in their place: those that equal
the truth, those that are all wrong, the truth with half of the other places marked as well, and the truth with half of
its marks gone. What Python computed from such numbers is computed again from the new ones. It judges nothing beyond
that, and gives no answer about a number that moves with how sure the answers are: that is no metric of decisions.

And does a metric move at all, when a model answers noise?
"""

from __future__ import annotations

import contextlib
import functools
import math
import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from .. import ops
from ..dataclass import dataclass
from ..run.record.metered import Metered, Reading
from ..run.record.nested import tensors
from ..run.record.tape import Entry
from ..trace import Answer, MetricOrder, ProbeFact
from .ideal import replaced
from .pairing import filled, played
from .replay import settled

if TYPE_CHECKING:
    from ..run.process.child import Run

FEWEST, LARGEST, CLASSES = 8, 1 << 20, 1000
SURE, SURER, SUREST = 2.5, 1.5, 20.0
KINDS = ("right", "surer", "surest", "wrong", "more", "fewer")
TOLD = ("right", "wrong", "more", "fewer")
LOWERING, LOWEST = frozenset({"setitem", "masked_fill", "masked_fill_", "where", "index_fill", "index_fill_"}), -1e4
DRAWS, WIDE = 3, 3.0  # of noise: how many, and how far it goes beyond what a model answered
MARKS = 8  # calls before a number
IGNORED = 255  # of label maps: no class
BATCHES = 64  # that one number adds up
PER_PLACE = 4  # numbers of one place of the script
Told = dict[str, float]
ARITHMETIC = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv}


@dataclass
class Sides:
    """The scores that a number is computed from by `entries` alone, by their slots with the truth of each, and what
    made them."""

    model: Any
    entries: list[Entry]
    pairs: dict[int, tuple[torch.Tensor, torch.Tensor]]


def ask_metrics(run: Run) -> Iterator[ProbeFact[Answer]]:
    """An answer for every number that Python was given, or computed from such numbers."""
    tape, numbers = run.recorder.metered, run.recorder.numbers
    if tape is None or numbers is None or not tape.readings:
        return
    found = {event: _sides(tape, reading) for event, reading in tape.readings.items()}
    read = {event: _read_again(tape, sides, tape.readings[event].slot) for event, sides in found.items()}
    known: list[Told | None] = []
    first: list[int] = []  # of the events that read what a number was computed from
    asked: dict[Any, int] = {}
    unmoved: dict[int, tuple[int, ...]] = {}  # numbers that do not move: the events that they were read off by
    trained_up = functools.cache(functools.partial(_trained_up, run))
    for index, (op, stack, operands, followed, value, event, *_) in enumerate(numbers.raw):
        if op == "item":
            told = None if event in tape.lost else read.get(event, {})
            first.append(event if told else -1)
        else:
            first.append(
                next((first[int(part)] for part, own in zip(operands, followed) if own and first[int(part)] >= 0), -1)
            )
            both = [known[int(part)] if own else {} for part, own in zip(operands, followed)]
            plain = [numbers.raw[int(part)][4] if own else float(part) for part, own in zip(operands, followed)]
            told = _computed_again(op, both, plain)
        known.append(told)
        if op == "item":
            seen = tape.readings.get(event) if value and event not in tape.lost else None
            if seen is not None and (not told or told["right"] == told["wrong"]) and _unmoved(tape, seen):
                unmoved[index] = tuple(one.event for one in seen.entries[-MARKS:])
        else:
            parts = [int(part) for part, own in zip(operands, followed) if own]
            still = [unmoved[part] for part in parts if part in unmoved]
            if still and all(part in unmoved or known[part] == {} for part in parts):
                unmoved[index] = still[0]
        if index in unmoved and stack:
            sites, same = run.sources.sites(stack), MetricOrder(index, *[value] * 5, False, unmoved[index], True)
            yield ProbeFact(MetricOrder.QUESTION, False, same, -1, sites[-1] if sites else None, sites, event)
        if not told or not stack or asked.get(stack[-1], 0) >= PER_PLACE:
            continue
        asked[stack[-1]] = asked.get(stack[-1], 0) + 1
        if told["right"] == told["surer"] and not math.isnan(told["wrong"]):
            sites = run.sources.sites(stack)
            events = tuple(one.event for one in tape.readings[first[-1]].entries[-MARKS:])
            sides = found[first[-1]]
            upwards = not told["right"] < told["wrong"]
            upwards = upwards or (sides is not None and (_lowered(sides) or trained_up(sides.model)))
            whole = told["right"] == told["surest"] and sides is not None and _whole([*sides.pairs.values()])
            data = MetricOrder(index, value, *(told[kind] for kind in TOLD), upwards, events, whole=whole)
            yield ProbeFact(MetricOrder.QUESTION, False, data, -1, sites[-1] if sites else None, sites, event)


def _computed_again(op: str, sides: list[Told | None], plain: list[float]) -> Told | None:
    """What a number is for each kind of answers: nothing where it does not depend on them, `None` where that is not
    known."""
    if any(side is None for side in sides):
        return None
    if op not in ARITHMETIC or not any(sides) or len(sides) != 2:
        return {}
    one, other = (side or dict.fromkeys(KINDS, own) for side, own in zip(sides, plain))
    made = dict.fromkeys(KINDS, math.nan)
    for kind in KINDS:
        with contextlib.suppress(ZeroDivisionError, OverflowError):
            made[kind] = ARITHMETIC[op](one[kind], other[kind])
    return made


# numbers that were read from tensors
# -------------------------------------------------------------------------------------------------------------------
def _read_again(tape: Metered, sides: Sides | None, wanted: int) -> Told | None:
    """A number read off from other answers; `None` where answers and truth are not certain."""
    made = {slot: predictions(*pair) for slot, pair in sides.pairs.items()} if sides is not None else {}
    if sides is None or any(one is None for one in made.values()):
        return None
    scores = {kind: {slot: one[kind] for slot, one in made.items() if one and kind in one} for kind in KINDS}
    return {
        kind: _played(tape, given, sides.entries, wanted) if len(given) == len(made) else math.nan
        for kind, given in scores.items()
    }


def _whole(pairs: list[tuple[torch.Tensor, torch.Tensor]]) -> bool:
    """Whether the truth of some scores has each class, or a mark for each: none is left to be divided by nothing."""
    own, truth = pairs[0]
    if _same(own, truth):
        marks = torch.cat([one.reshape(len(one), -1) != 0 for _, one in pairs])
        return bool(marks.any(0).all()) and not bool(marks.all(0).any())
    axis, told = _classes(own, truth), torch.cat([one.flatten() for _, one in pairs])
    return axis is not None and len(told[(told >= 0) & (told != IGNORED)].unique()) == own.shape[axis]


def _unmoved(tape: Metered, reading: Reading) -> bool:
    """Whether a number is the same for whatever models answer."""
    made = [slot for one in reading.entries if isinstance(one.call, nn.Module) for slot in one.results.values()]
    outputs = [slot for slot in made if tape.held(slot).is_floating_point()]
    after = [one for one in reading.entries if not isinstance(one.call, nn.Module)]
    sizes = [tape.held(slot).numel() for slot in outputs]
    if not outputs or len(outputs) < len(made) or not all(FEWEST <= size <= LARGEST for size in sizes):
        return False
    own = tape.value(reading.slot)
    for seed in range(DRAWS if own is not None else 0):
        generator = torch.Generator().manual_seed(seed)
        noise = {
            slot: torch.randn(value.shape, generator=generator).to(value.dtype) * (value.abs().max() + 1) * WIDE
            for slot in outputs
            for value in (tape.held(slot),)
        }
        if _played(tape, noise, after, reading.slot) != float(own):
            return False
    return own is not None


def _sides(tape: Metered, reading: Reading) -> Sides | None:
    """The first scores that all of a number goes through, where one truth alone fits them."""
    for entry in reading.entries:
        for slot in entry.results.values():
            own = tape.held(slot)
            if slot not in tape.hot or not own.is_floating_point() or not FEWEST <= own.numel() <= LARGEST:
                continue
            after = _after(reading, slot)
            inner = {slot, *(made for one in after for made in one.results.values())}
            beside = {part for one in after for part in one.reads} - inner
            if not after or any(part in tape.hot or isinstance(tape.held(part), nn.Parameter) for part in beside):
                continue
            if any(isinstance(one.call, nn.Module) for one in after):
                continue  # these are features, from which another model scores
            truth = _truth(tape, reading, after, own)
            return Sides(entry.call, after, {slot: (own, truth)}) if truth is not None else None
    return _of_batches(tape, reading)


def _of_batches(tape: Metered, reading: Reading) -> Sides | None:
    """The answers of one model for several batches that a number adds up, each with the truth that it is first combined
    with."""
    made = [
        (entry, slot)
        for entry in reading.entries
        if isinstance(entry.call, nn.Module)
        for slot in entry.results.values()
    ]
    calls = {id(entry.call): entry.call for entry, _ in made}
    if not 1 < len(made) <= BATCHES or len(calls) > 1:
        return None
    after = [entry for entry in reading.entries if not isinstance(entry.call, nn.Module)]
    pairs = {}
    for _, slot in made:
        own = tape.held(slot)
        truth = _met_first(tape, reading, after, slot) if own.is_floating_point() and own.numel() <= LARGEST else None
        if truth is None or own.numel() < FEWEST:
            return None
        pairs[slot] = (own, truth)
    return Sides(made[0][0].call, after, pairs)


def _met_first(tape: Metered, reading: Reading, after: list[Entry], slot: int) -> torch.Tensor | None:
    """What fits scores in the first call that combines them with something that does."""
    behind = {slot}
    for entry in after:
        if behind.isdisjoint(entry.reads):
            continue
        truth = _truth(tape, reading, [entry], tape.held(slot))
        if truth is not None:
            return truth
        behind.update(entry.results.values())
    return None


def _lowered(sides: Sides) -> bool:
    """Whether what is left out of the scores is lowered: then the higher ones are better."""
    lowest = [part for entry in sides.entries if entry.op in LOWERING for part in entry.args if isinstance(part, float)]
    return bool(lowest) and all(part < LOWEST for part in lowest)


def _trained_up(run: Run, model: object) -> bool:
    """Whether a model is trained to score the truth highest."""
    told = []
    for closed in run.tape.closed if run.tape is not None else ():
        makers = [(slot, entry.call) for entry in closed.entries for slot in entry.results.values()]
        slots = [slot for slot, call in makers if call is model]
        own = played(closed, {})[slots[0]] if len(slots) == 1 else None
        truths = [leaf.value for leaf in closed.leaves.values() if own is not None and fits(own, leaf.value)]
        made = predictions(own, truths[0]) if own is not None and len(truths) == 1 else None
        if made is not None:
            right, wrong = (replaced(closed, {slots[0]: made[kind]}) for kind in ("right", "wrong"))
            told.append(right < wrong)
    return bool(told) and all(told)


def _after(reading: Reading, slot: int) -> list[Entry]:
    """The calls that a number needs once a slot is given."""
    wanted, needed = {reading.slot} - {slot}, []
    for entry in reversed(reading.entries):
        if not wanted.isdisjoint(entry.results.values()):
            needed.append(entry)
            wanted |= set(entry.reads) - {slot}
    return needed[::-1]


def _truth(tape: Metered, reading: Reading, after: list[Entry], own: torch.Tensor) -> torch.Tensor | None:
    """What fits scores among what they are combined with, as it was before anything was computed of it."""
    makers = {made: entry for entry in reading.entries for made in entry.results.values()}
    found: list[torch.Tensor] = []
    for part in {part for entry in after for part in entry.reads} - tape.hot:
        behind, at = [part], part
        while at in makers and len(reads := makers[at].reads) == 1 and reads[0] not in behind:  # it may write in place
            at = reads[0]
            behind.append(at)
        fitting = [value for at in behind if (value := tape.value(at)) is not None and fits(own, value)]
        found += [one for one in fitting[-1:] if not any(torch.equal(one, other) for other in found)]
    return found[0] if len(found) == 1 else None


def fits(own: torch.Tensor, truth: torch.Tensor) -> bool:
    """Whether a tensor may hold the truth of scores."""
    if _same(own, truth):
        return bool(((truth == 0) | (truth == 1)).all()) and len(truth.unique()) == 2
    axis = _classes(own, truth)
    if axis is None or truth.is_floating_point() or truth.dtype == torch.bool:
        return False
    kinds = truth[truth >= 0].unique()
    inside = kinds[kinds < own.shape[axis]]
    return len(inside) > 1 and (len(inside) == len(kinds) or kinds[len(inside) :].tolist() == [IGNORED])


def _same(own: torch.Tensor, truth: torch.Tensor) -> bool:
    return own.numel() == truth.numel() and _plain(own) == _plain(truth)


def _plain(value: torch.Tensor) -> list[int]:
    return [size for size in value.shape if size != 1]


def _classes(own: torch.Tensor, truth: torch.Tensor) -> int | None:
    """The axis of scores that the classes of a truth number."""
    shape = [*truth.shape]
    shape = shape[:-1] if shape[-1:] == [1] and len(shape) == own.dim() else shape
    for axis in (1, own.dim() - 1):
        if 0 < axis < own.dim() and 1 < own.shape[axis] <= CLASSES:
            if [*own.shape[:axis], *own.shape[axis + 1 :]] == shape:
                return axis
    return None


def predictions(own: torch.Tensor, truth: torch.Tensor) -> dict[str, torch.Tensor] | None:
    """Scores for each kind of answers."""
    if _same(own, truth):
        marks = truth.reshape(own.shape) != 0
        every = torch.arange(own.numel()).reshape(own.shape) % 2 == 0
        kinds = {"right": marks, "wrong": ~marks, "more": marks | every, "fewer": marks & every}
        shares = bool(((own >= 0) & (own <= 1)).all())
        made = {kind: part * (2 * SURE) - SURE for kind, part in kinds.items()}
        made |= {"surer": made["right"] * SURER, "surest": made["right"] * SUREST}
        return {kind: (part.sigmoid() if shares else part).to(own.dtype) for kind, part in made.items()}
    axis = _classes(own, truth)
    if axis is None:
        return None
    count = own.shape[axis]
    labels = truth.reshape([*own.shape[:axis], *own.shape[axis + 1 :]])
    labels = labels.clamp_min(0) * (labels < count)
    right, other = (_scores(one, count, axis) for one in (labels, (labels + 1) % count))
    made = {"right": right, "surer": right * SURER, "surest": right * SUREST, "wrong": other - right}
    if count == 2:
        every = torch.arange(labels.numel()).reshape(labels.shape) % 2 == 0
        made |= {
            "more": _scores(labels | every.long(), count, axis),
            "fewer": _scores(labels & every.long(), count, axis),
        }
    whole = own.sum(axis)
    if bool(((own >= 0) & (own <= 1)).all()) and bool((whole - 1).abs().max() < 1e-3):
        made = {kind: part.softmax(axis) for kind, part in made.items()}
    elif bool((own.exp().sum(axis) - 1).abs().max() < 1e-3):
        made = {kind: part.log_softmax(axis) for kind, part in made.items()}
    return {kind: part.to(own.dtype) for kind, part in made.items()}


def _scores(labels: torch.Tensor, count: int, axis: int) -> torch.Tensor:
    return nn.functional.one_hot(labels, count).movedim(-1, axis) * SURE


def _played(tape: Metered, answers: dict[int, torch.Tensor], entries: list[Entry], wanted: int) -> float:
    """The number that comes of other answers; NaN where that cannot be told."""
    known = {**answers}
    with settled(0), contextlib.suppress(Exception):  # whatever the user's metric raises is no fault of the script
        for entry in entries:
            drawn = {slot: tape.value(slot) for slot in entry.results.values() if slot not in tape.hot}
            if ops.is_a(entry.op, "draws") and len(drawn) == len(entry.results) and None not in drawn.values():
                known |= {slot: value for slot, value in drawn.items() if value is not None}
                continue
            for slot in entry.reads:
                if slot not in known:
                    value = tape.value(slot)
                    if value is None:
                        return math.nan
                    known[slot] = value
            result = entry.call(*filled(entry.args, known), **filled(entry.kwargs, known))
            made = dict(tensors(result))
            known |= {slot: made[path] for path, slot in entry.results.items()}
        return float(known[wanted])
    return math.nan
