"""Do the loss's targets stand among the numbers that the model is given?

The leaves of the recorded losses are laid beside the inputs of the models before them. A target of one or a few numbers
a sample is looked for in a table of features, at the end of a window or, where the windows overlap as those of a series
do, anywhere in it, the first of several steps to forecast at its last step, and classes at just the places where they
are asked for: a reconstruction's target is the whole input, and no leak.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

from .. import ops
from ..run.record.tables import keys_of
from ..run.record.tape import Closed
from ..trace import Answer, ProbeFact, Site, TargetLeak
from ..trace.event import tensors
from .foreseen import foreseen, making
from .pairing import played
from .parts import leaves
from .subject import Subject

QUESTION = TargetLeak.QUESTION
ORDER = 16
LEAST_BITS = 20.0
CLASS_BITS = 120.0
MANY = 400  # samples in one step, where no loader holds the data
DISTINCT = 6
FEWEST, VARIED = 6, 4
JOINING = frozenset({"add", "add_", "cat", "concat", "stack", "lerp"})
CLASSES = ops.named("classifies")
SCALED = 1 - 1e-9
SHARED = 0.98  # the share of different numbers in windows that overlap


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """One answer for each loss that begins with this model."""
    tape, shown = subject.run.tape, _shown(subject) or _word(subject) or _one_by_one(subject) or _later(subject)
    if shown is not None:
        yield subject.says(False, TargetLeak(subject.name, **shown), subject.capture.stack)
    for closed in tape.closed if tape is not None else ():
        models = [entry for entry in closed.entries if isinstance(entry.call, nn.Module)]
        if not models or models[0].call is not subject.module:
            continue
        read = {slot for entry in models for slot in entry.reads}
        found = _found(closed, read, subject.run.loading.tables) or _picked(closed, read)
        marks = _cut_out(subject, closed) if found is not None else ()
        if found is not None and found["where"] in TargetLeak.COLUMNS:
            marks += tuple(making(subject.run.functions.made.kept, subject.run.rows, found["index"]))
        yield subject.says(found is None, TargetLeak(subject.name, **(found or {}), marks=marks), models[0].stack)


def _cut_out(subject: Subject, closed: Closed) -> tuple[Site, ...]:
    """Where the tables came into being whose rows the model is given and asked for."""
    data = [leaf.value for slot, leaf in sorted(closed.leaves.items()) if not isinstance(leaf.value, nn.Parameter)]
    held = [keys for value in data if value.dim() and (keys := keys_of(value)) is not None]
    tables = subject.run.rows.tables
    found = [next((one.site for one in tables if len(one.keys) > len(keys) and one.holds(keys)), None) for keys in held]
    found += subject.run.rows.pieces.holding(data)
    return tuple(dict.fromkeys(site for site in found if site is not None))


def _found(closed: Closed, read: set[int], tables: list[tuple[torch.Tensor, ...]]) -> dict[str, Any] | None:
    handed = {slot for entry in closed.entries if entry.op in JOINING for slot in entry.reads}  # a residual's start
    for slot, leaf in closed.leaves.items():
        target = leaf.value
        if slot in read | handed or isinstance(target, nn.Parameter) or target.dim() < 1 or target.dtype == torch.bool:
            continue
        rows = target.reshape(target.shape[0], -1)
        for other in read & set(closed.leaves):
            given = closed.leaves[other]
            if isinstance(given.value, nn.Parameter) or not given.value.is_floating_point():
                continue
            place, samples = _stretch(given.value, target), len(rows)
            if place is not None and given.value.shape[0] != len(rows):
                samples = given.value.shape[1]  # time comes first
            if place is None and given.value.shape[:1] == rows.shape[:1]:
                place = _place(given.value, rows, tables) if target.dim() <= 2 else _last(given.value, target)
                place = place or (_first(given.value, target) if not _handed_through(closed, slot, target) else None)
            if place is not None:
                where, index, width = place
                return {
                    "where": where,
                    "index": index,
                    "width": width,
                    "samples": samples,
                    "input": given.fact,
                    "target": leaf.fact,
                }
    return None


def _place(
    given: torch.Tensor, rows: torch.Tensor, tables: list[tuple[torch.Tensor, ...]]
) -> tuple[str, int, int] | None:
    """Where in the inputs the targets stand: `(kind, index, width)`."""
    rows = rows.to(given.dtype)
    if given.dim() == 2 and given.shape[1] > 1 and rows.shape[1] == 1:
        same = (given == rows).all(dim=0)
        if int(same.sum()) == 1:
            column = int(same.int().argmax())
            # classes may agree with a column that is merely close to them: all of the data must say so
            all_say = _in_all(given, column, tables) or (not tables and len(rows) >= MANY and _telling(rows[:, 0], 1))
            sure = all_say or _telling(rows[:, 0], given.shape[1], CLASS_BITS)
            return ("column", column, given.shape[1]) if sure else None
    if given.dim() == 2 and given.shape[1] > 1 and rows.shape[1] == 1 and _telling(rows[:, 0], given.shape[1]):
        scaled = _correlation(given.double(), rows[:, 0].double()) > SCALED
        if int(scaled.sum()) == 1:
            return "scaled", int(scaled.int().argmax()), given.shape[1]
    steps = given.shape[1] if given.dim() >= 2 else 0
    wide = rows.shape[1]
    columns = given.shape[2] if given.dim() == 3 else 1
    if not 0 < wide < steps or not all(_telling(rows[:, i], columns) for i in range(wide)):
        return None
    if given.dim() == 3 and wide == given.shape[2] and bool((given[:, -1] == rows).all()):
        return "window", 1, steps  # all channels of the last step
    if given.dim() == 3 or (given.dim() == 2 and wide > 1):
        return _within(given.unsqueeze(2) if given.dim() == 2 else given, rows.unsqueeze(2))
    return None


def _within(window: torch.Tensor, asked: torch.Tensor) -> tuple[str, int, int] | None:
    """Where a window `(samples, steps, channels)` holds the steps to forecast, `(samples, few steps, channels)`: at its
    end, or, in windows that overlap, somewhere else. What is drawn for itself may be a number to remember."""
    steps, wide = window.shape[1], asked.shape[1]
    for place in (steps - wide, *range(steps - wide)):
        own = window[:, place : place + wide]
        if all(any(torch.equal(part, one) for part in own.unbind(2)) for one in asked.unbind(2)):
            if place == steps - wide:
                return "window", wide, steps
            return ("inside", place + 1, steps) if _overlap(window) else None
    return None


def _overlap(window: torch.Tensor) -> bool:
    """Whether windows share many of their numbers, as those of one series do."""
    values = window[:, :, 0].flatten()
    values = values[_odd(values)]
    return len(values) >= FEWEST and len(values.unique()) <= SHARED * len(values)


def _last(given: torch.Tensor, target: torch.Tensor) -> tuple[str, int, int] | None:
    """Targets of several numbers a sample that are the last step along some axis of the inputs."""
    for axis in range(1, given.dim()) if given.dim() == target.dim() + 1 else ():
        last = given.select(axis, -1)
        if given.shape[axis] > 1 and last.shape == target.shape and torch.equal(last, target.to(given.dtype)):
            return ("window", 1, given.shape[axis]) if _telling(target.flatten(), 1) else None
    return None


def _stretch(given: torch.Tensor, target: torch.Tensor) -> tuple[str, int, int] | None:
    """Several steps to forecast, each of several channels, that are steps of the window; time is the second axis of
    both or the first."""
    if given.dim() != 3 or target.dim() != 3 or not target.is_floating_point():
        return None
    for window, asked in ((given, target), (given.transpose(0, 1), target.transpose(0, 1))):
        fits = window.shape[0] == asked.shape[0] and 1 < asked.shape[1] < window.shape[1]
        if fits and all(_fine(one[:, 0]) or _fine(one[0]) for one in asked.unbind(2)):  # windows may overlap
            return _within(window, asked.to(given.dtype))
    return None


def _first(given: torch.Tensor, target: torch.Tensor) -> tuple[str, int, int] | None:
    """Several steps to forecast that begin with the last step of the window."""
    if not target.is_floating_point() or not given.dim() <= 3 or not target.dim() <= 3:
        return None
    window = given if given.dim() == 3 else given.unsqueeze(-1)
    asked = target if target.dim() == 3 else target.unsqueeze(-1)
    if window.dim() != 3 or asked.dim() != 3 or window.shape[1] < 3 or asked.shape[1] < 2:
        return None
    steps, channels = window.shape[1], range(window.shape[2])
    told = [asked[:, :, one] for one in range(asked.shape[2])]
    if len(told) > len(channels) or not all(_fine(one[:, 0]) for one in told):
        return None
    for one in told:
        own = [c for c in channels if torch.equal(window[:, -1, c], one[:, 0].to(window.dtype))]
        after = one[:, 1].to(window.dtype)
        if not own or any(bool((window[:, step, own[0]] == after).all()) for step in range(steps)):
            return None
    return "first", asked.shape[1], steps


def _fine(values: torch.Tensor) -> bool:
    """Whether values are measurements, of which no two are equal by accident."""
    return len(values[_odd(values)].unique()) >= max(3, len(values) // 2)


def _odd(values: torch.Tensor) -> torch.Tensor:
    """Which values are no small multiples of a power of two, as counts and rounded numbers are."""
    return (values.double() * 1024).frac() != 0


def _handed_through(closed: Closed, slot: int, target: torch.Tensor) -> bool:
    """Whether what is compared with the target has its first step from the start, as a solver's path does."""
    known = played(closed, {})
    for entry in closed.entries:
        if slot in entry.reads[:2] and len(entry.reads) > 1:
            answer = known[next((other for other in entry.reads if other != slot), slot)]
            same = answer.shape == target.shape and target.dim() > 1
            if not same or torch.allclose(answer[:, 0], target[:, 0].to(answer.dtype), rtol=1e-4, atol=1e-5):
                return True
    return False


def _shown(subject: Subject) -> dict[str, Any] | None:
    """Classes that are asked for at some places alone, and are what the model is given at each of these."""
    facts, raw = subject.facts(), subject.run.recorder.raw
    for asked in subject.losses():
        if asked.op not in CLASSES or asked.ignored is None or asked.target.is_floating_point():
            continue
        target = asked.target.flatten()
        counted = target != asked.ignored
        for path, tokens in leaves(subject.inputs):
            whole = isinstance(tokens, torch.Tensor) and tokens.dim() == 2 and tokens.dtype in (torch.long, torch.int)
            if whole and tokens.numel() == len(target) and _given_away(tokens.flatten(), counted, target[counted]):
                fact = raw[asked.event][2][1:2] if asked.event < len(raw) and raw[asked.event][0] == asked.op else ()
                told = {"where": "shown", "index": int(counted.sum()), "width": len(target), "samples": len(tokens)}
                return told | {"input": facts.get(path), "target": next(iter(fact), None)}
    return None


def _word(subject: Subject) -> dict[str, Any] | None:
    """Classes, one a sample, that are the same one of the few tokens that each sample consists of, or its last before
    the padding."""
    facts, raw = subject.facts(), subject.run.recorder.raw
    own = {fact.producer for fact in tensors(subject.told.get("result"))}
    for asked in subject.losses():
        target = asked.target.flatten()
        if asked.op not in CLASSES or asked.target.is_floating_point() or not _telling(target, 1):
            continue
        if len(target) < FEWEST or len(target.unique()) < VARIED or not _straight(raw, asked.event, own):
            continue
        for path, leaf in leaves(subject.inputs):
            tokens = _tokens(leaf) if isinstance(leaf, torch.Tensor) else None
            if tokens is None or len(tokens) != len(target):
                continue
            same = [place for place in range(tokens.shape[1]) if torch.equal(tokens[:, place], target)]
            if not same and not _ends_with(tokens, target):
                continue
            given = raw[asked.event][2][1:2]
            told = {"where": "word", "width": tokens.shape[1], "samples": len(tokens)}
            return told | {"input": facts.get(path), "target": next(iter(given), None)}
    return None


def _one_by_one(subject: Subject) -> dict[str, Any] | None:
    """The same where a model is given one sample at a time."""
    groups: dict[tuple, list[tuple[torch.Tensor, torch.Tensor, Any, Any]]] = {}
    for closed in subject.run.tape.closed if subject.run.tape is not None else ():
        makers = {slot: entry for entry in closed.entries for slot in entry.results.values()}
        for entry in closed.entries:
            asked = closed.leaves.get(entry.reads[1]) if entry.op in CLASSES and len(entry.reads) == 2 else None
            model = makers.get(entry.reads[0]) if asked is not None else None
            if model is None or asked is None or model.call is not subject.module or asked.value.numel() != 1:
                continue
            for slot in model.reads:
                leaf = closed.leaves.get(slot)
                tokens = leaf.value if leaf is not None and leaf.value.dtype in (torch.long, torch.int) else None
                if leaf is not None and tokens is not None and tokens.numel() > 1 and tokens.numel() in tokens.shape:
                    pair = (tokens.flatten().long(), asked.value.flatten().long(), leaf.fact, asked.fact)
                    groups.setdefault((entry.stack, tokens.numel()), []).append(pair)
    for (_, width), pairs in groups.items():
        target = torch.cat([one[1] for one in pairs])
        if len(target) < FEWEST or len(target.unique()) < VARIED or not _telling(target, 1):
            continue
        if bool((torch.stack([one[0] for one in pairs]) == target[:, None]).all(0).any()):
            told = {"where": "word", "width": width, "samples": len(pairs)}
            return told | {"input": pairs[-1][2], "target": pairs[-1][3]}
    return None


def _tokens(given: torch.Tensor) -> torch.Tensor | None:
    """The tokens of each sample, `(samples, steps)`: numbers of them, or rows in which one place is set."""
    if given.dtype in (torch.long, torch.int):
        return given.long() if given.dim() == 2 else None
    if not given.is_floating_point() or given.dim() not in (2, 3) or given.shape[-1] < VARIED:
        return None
    single = bool(((given == 0) | (given == 1)).all()) and bool((given.sum(-1) == 1).all())
    return given.argmax(-1).reshape(len(given), -1) if single else None


def _ends_with(tokens: torch.Tensor, target: torch.Tensor) -> bool:
    """Whether each sample's last token before those that fill it up is its class; a class that fills up cannot be
    told."""
    filling = tokens[:, -1].mode().values
    real = (tokens != filling).long() * torch.arange(1, tokens.shape[1] + 1)
    last = tokens.gather(1, (real.amax(1) - 1).clamp(min=0)[:, None])[:, 0]
    told = target != filling
    return int(told.sum()) >= FEWEST and torch.equal(last[told], target[told])


def _later(subject: Subject) -> dict[str, Any] | None:
    """Rows that were computed from the later values that are to be predicted."""
    functions = subject.run.functions
    with functions.replaying(subject.run.loops):
        found = None if functions.made.told else foreseen(functions.made.kept, subject.run.rows)
    if found is None:
        return None
    functions.made.told = True  # of the first model
    made, ahead, felt, samples = found
    told = {"where": "later", "index": ahead, "width": felt, "samples": samples}
    return told | {"marks": (made.site, *made.within)}


def _straight(raw: list, event: int, own: set[int]) -> bool:
    """Whether a loss is computed of a model's own answer, but for its shape: what another network says of it may well
    be what it was given."""
    for _ in range(4):
        given = next(iter(tensors(raw[event][2][:1])), None) if 0 <= event < len(raw) else None
        if given is None or given.producer in own:
            return given is not None
        event = given.producer
        if not (0 <= event < len(raw) and ops.is_a(raw[event][0], "reshapes", "softmaxes")):
            return False
    return False


def _picked(closed: Closed, read: set[int]) -> dict[str, Any] | None:
    """The same where the answers at these places are picked by a mask."""
    for entry in closed.entries:
        leaf = closed.leaves.get(entry.reads[1]) if entry.op in CLASSES and len(entry.reads) == 2 else None
        made = next((one for one in closed.entries if entry.reads[0] in one.results.values()), None)
        masks = [closed.leaves[slot].value for slot in made.reads if slot in closed.leaves] if made is not None else []
        if leaf is None or leaf.value.is_floating_point():
            continue
        for given in (closed.leaves[slot] for slot in read & set(closed.leaves)):
            tokens, own = given.value, leaf.value.flatten()
            if tokens.dtype not in (torch.long, torch.int):
                continue
            for mask in masks:
                fits = mask.dtype == torch.bool and mask.shape == tokens.shape and int(mask.sum()) == len(own)
                if fits and _given_away(tokens.flatten(), mask.flatten(), own):
                    told = {"where": "shown", "index": len(own), "width": mask.numel(), "samples": len(tokens)}
                    return told | {"input": given.fact, "target": leaf.fact}
    return None


def _given_away(tokens: torch.Tensor, counted: torch.Tensor, asked: torch.Tensor) -> bool:
    """Whether the tokens at the places that count are the targets, and those elsewhere are many different ones."""
    some = FEWEST <= len(asked) < len(tokens) // 2
    return some and torch.equal(tokens[counted], asked.to(tokens.dtype)) and len(tokens[~counted].unique()) >= VARIED


def _in_all(given: torch.Tensor, column: int, tables: list[tuple[torch.Tensor, ...]]) -> bool:
    """Whether that column equals the targets in the whole of the data that a loader holds."""
    for table in tables:
        for features in (
            part
            for part in table
            if isinstance(part, torch.Tensor)
            and part.dim() == 2
            and part.shape[1] == given.shape[1]
            and part.is_floating_point()
        ):
            for target in (
                part
                for part in table
                if part is not features and isinstance(part, torch.Tensor) and part.numel() == len(features)
            ):
                values = target.reshape(-1).to(features.dtype)
                if bool((features[:, column] == values).all()) and _telling(values, given.shape[1]):
                    return True
    return False


def _correlation(table: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """The absolute correlation of every column with `values`; 0 for a constant column."""
    table, values = table - table.mean(0), values - values.mean()
    norms = table.norm(dim=0) * values.norm()
    return ((table * values[:, None]).sum(0).abs() / norms.clamp(min=1e-30)).where(
        table.norm(dim=0) > 1e-9, torch.zeros(()).double()
    )


def _telling(values: torch.Tensor, columns: int, least: float = LEAST_BITS) -> bool:
    """Whether an agreement with one of so many columns cannot be an accident."""
    _, counts = torch.unique(values, return_counts=True)
    if len(counts) >= DISTINCT and not bool((values == values.round()).all()):
        return True
    share = counts.float() / len(values)
    return (
        len(counts) > 1
        and (least <= LEAST_BITS or len(counts) >= DISTINCT)
        and float(-(counts.float() * share.log2()).sum()) - math.log2(columns) >= least
    )
