"""Does a loss over time average over padding?

The targets of the first losses are laid beside the padding of the model's input: at padded steps they must be what the
loss ignores.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import nn

from .. import ops
from ..run.record.losses import LOSSES
from ..run.record.tape import Closed, Entry, Leaf
from ..trace import Answer, PaddingInLoss, ProbeFact, Site, TensorFact, Unasked
from .padded import NAMED, THROUGH, Padding, laid_out, paddings
from .pairing import gradients_of
from .parts import leaves
from .subject import Batching, Subject

QUESTION = "padding-in-loss"
ORDER = 25
FEWEST, LEAST = 4, 3  # rows, steps
LEFT = 6  # steps that a mask leaves out: fewer may fall together with padding by chance
CLASSES = ops.named("classifies") | {"gather"}
LAID = frozenset({"getitem", "view", "reshape", "flatten", "narrow", "select", "slice"})


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """`holds`: no loss counts padding."""
    batching = subject.batching()
    every = list(paddings(subject, batching)) if batching is not None and batching.size >= 2 else []
    shown = itertools.chain(_by_targets(subject), _after_the_end(subject, batching), _one_late(subject))
    if not every:
        yield next(shown, ProbeFact(QUESTION, None, Unasked("no padding is certain"), subject.uid))
        return
    moved = next((one for told in every for one in _moved(subject, batching, told)), None)
    if moved is not None:
        yield moved
        return
    time_first = next(iter(batching.axes.values())) == 1
    for told, asked in itertools.product(every, filter(_counts, subject.losses())):
        tails = _tails(asked, told.lengths, told.longest, time_first)
        if tails is not None:
            ends = _ends(subject, batching, asked, told.lengths, int(tails[0]), time_first)
            yield _says(subject, asked, tails, told.site, ends)
            return
    yield next(shown, subject.says(True, PaddingInLoss()))


def _counts(asked: Any) -> bool:
    """Whether a loss is an average over classes that may leave one number out."""
    return (
        ops.is_a(asked.op, "classifies")
        and asked.ignored is not None
        and asked.reduction != "none"
        and not asked.target.is_floating_point()
    )


def _tails(asked: Any, lengths: Sequence[int], longest: int, time_first: bool) -> torch.Tensor | None:
    """The targets beyond each length, where they are one number that the loss does not ignore and that no real target
    need have: it is told by where it stands, never by how often."""
    wide, rest = divmod(asked.target.numel(), len(lengths))
    if rest or not 0 <= longest - wide <= 1:
        return None
    target = asked.target.reshape(wide, -1).t() if time_first else asked.target.reshape(-1, wide)
    ends = torch.tensor(lengths)[:, None]
    tails = target[torch.arange(wide)[None] >= ends]
    tails = tails[tails != asked.ignored]  # what a library fills in at the end is left out by the loss
    real = target[torch.arange(wide)[None] < (ends - 1).clamp(min=1)]
    if tails.numel() < 2 or bool((tails != tails[0]).any()) or int(tails[0]) == asked.ignored:
        return None
    return None if bool((real == tails[0]).all()) else tails


def _ends(
    subject: Subject, batching: Batching, asked: Any, lengths: Sequence[int], value: int, time_first: bool
) -> bool:
    """Whether the number of the padding also ends what is real: the model is given it as a token, before others, and no
    number of its own stands at the end of all targets."""
    target = asked.target.reshape(-1, len(lengths)).t() if time_first else asked.target.reshape(len(lengths), -1)
    last = target[torch.arange(len(lengths)), (torch.tensor(lengths) - 1).clamp(max=target.shape[1] - 1)]
    if bool((last == last[0]).all()) and int(last[0]) != value:
        return False
    for path, leaf in leaves(subject.inputs):
        whole = isinstance(leaf, torch.Tensor) and not leaf.is_floating_point()
        if whole and leaf.dim() == 2 and path in batching.axes:
            rows = leaf.movedim(batching.axes[path], 0)
            later = (rows != value).long().flip(1).cumsum(1).flip(1) > 0
            if bool(((rows == value) & later).any()):
                return True
    return False


def _says(
    subject: Subject, asked: Any, tails: torch.Tensor, where: Site | None, ends: bool = False
) -> ProbeFact[Answer]:
    data = PaddingInLoss(
        counted=tails.numel(), of=asked.target.numel(), value=int(tails[0]), where=where, event=asked.event, ends=ends
    )
    return subject.says(False, data, asked.stack)


def _by_targets(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """Losses whose targets were themselves made by `pad_sequence`, as a translation's are."""
    raw = subject.run.recorder.raw
    for asked in subject.run.losses.asked:
        if not _counts(asked) or asked.iteration != subject.capture.step or not 0 <= asked.event < len(raw):
            continue
        args, kwargs = raw[asked.event][2], raw[asked.event][3]
        made = _padded(raw, args[1] if len(args) > 1 else kwargs.get("target"))
        if made is None:
            continue
        rows = [part.shape[0] for part in made[2][0] if isinstance(part, TensorFact) and part.shape]
        value = int(made[3].get("padding_value", made[2][2] if len(made[2]) > 2 else 0))
        for time_first in (True, False):
            for less in (0, 1):  # a target whose first entry was cut off is one shorter
                tails = _tails(asked, [n - less for n in rows], max(rows), time_first) if rows else None
                if tails is not None and int(tails[0]) == value and tails.numel() == sum(max(rows) - n for n in rows):
                    where = subject.run.sources.sites(made[1])
                    yield _says(subject, asked, tails, where[-1] if where else None)
                    return


def _after_the_end(subject: Subject, batching: Batching | None) -> Iterator[ProbeFact[Answer]]:
    """Losses that leave out one number, and not the one that stands beyond the end of every target."""
    rows = batching.size if batching is not None else 0
    for asked in subject.run.losses.asked:
        if not _counts(asked) or asked.iteration != subject.capture.step or asked.ignored < 0 or rows < FEWEST:
            continue
        wide, rest = divmod(asked.target.numel(), rows)
        if rest or wide < LEAST or asked.target.dim() > 2 or (asked.target.dim() == 2 and len(asked.target) != rows):
            continue
        tails = _beyond(asked.target.reshape(rows, wide))
        if tails is not None and int(tails[0]) != asked.ignored:
            yield _says(subject, asked, tails, None)
            return


def _beyond(target: torch.Tensor) -> torch.Tensor | None:
    """What stands beyond the ends of targets that tell them themselves: each row holds one number once, the same in all
    of them, and nothing but another number after it, which occurs nowhere else; of some rows it is the last one."""
    value = target[:, -1].mode().values
    real = (target != value).long().flip(1).cumsum(1).flip(1) > 0
    lengths = real.sum(1)
    short = lengths[lengths < target.shape[1]]
    if bool(((target == value) & real).any()) or int(lengths.min()) < 1 or len(short) < 2 or len(lengths.unique()) < 3:
        return None
    ends = target[torch.arange(len(target)), lengths - 1]
    once = bool((ends == ends[0]).all()) and bool(((target == ends[0]).sum(1) == 1).all())
    return target[~real] if once and len(target[real].unique()) > 3 else None


def _one_late(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """Losses whose mask tells which of the tokens that were read are real, not which of those that are asked for: what
    follows the end of each shorter row counts, though it is padding."""
    tape = subject.run.tape
    for closed in tape.closed if tape is not None else ():
        values = {slot: leaf.value for slot, leaf in closed.leaves.items() if not isinstance(leaf.value, nn.Parameter)}
        pairs = [entry.reads[:2] for entry in closed.entries if entry.op in CLASSES]
        asked = [values[pair[1]] for pair in pairs if len(pair) == 2 and pair[1] in values]
        tokens = [one for one in values.values() if one.dim() == 2 and not one.is_floating_point()]
        for entry in closed.entries:
            for slot in entry.reads if entry.op not in CLASSES else ():
                mask = values.get(slot)
                if mask is None or not 1 <= mask.dim() <= 3 or not bool(((mask == 0) | (mask == 1)).all()):
                    continue
                for target, given in itertools.product(asked, tokens):
                    late, rows = _ends_late(given, target, mask), len(given)
                    if late:
                        made = _made(subject, closed.leaves[slot])
                        marks = (made,) if made is not None else ()
                        data = PaddingInLoss("late", False, marks, late, rows, event=entry.event)
                        yield subject.says(False, data, entry.stack, entry.event)
                        return


def _ends_late(given: torch.Tensor, target: torch.Tensor, mask: torch.Tensor) -> int:
    """How many rows a mask ends one step after the targets, which are the given tokens (rows, steps) one step later and
    are padded at the end; 0 where any does not, or where the padding may be what ends each row."""
    rows, wide = len(given), target.numel() // max(1, len(given))
    if not rows * wide == target.numel() == mask.numel() or not 0 <= given.shape[1] - wide <= 1 or wide < LEAST:
        return 0
    asked, counted, read = target.reshape(rows, wide), mask.reshape(rows, wide) != 0, given[:, :wide]
    value = asked[:, -1].mode().values
    real, own = asked != value, read != value
    lengths = real.sum(1)
    short = lengths < wide
    if not torch.equal(asked[:, :-1], read[:, 1:]) or bool((own[:, 1:] & ~own[:, :-1]).any()) or int(short.sum()) < 2:
        return 0
    at = torch.arange(rows)[short], lengths[short]
    ends = read[at]
    ended = bool((ends == ends[0]).all()) and bool(((read == ends[0]).sum(1) <= 1).all())
    late = bool(counted[at].all()) and not bool((counted & ~own).any()) and int((~own).sum()) >= LEFT
    return int(short.sum()) if late and (ended or not bool(short.all())) else 0


def _moved(subject: Subject, batching: Batching, told: Padding) -> Iterator[ProbeFact[Answer]]:
    """The gradient of a loss with regard to what this model answers at padded steps: it must be zero."""
    tape = subject.run.tape
    steps_first = next(iter(batching.axes.values())) == 1
    for closed in tape.closed if tape is not None else ():
        models = [entry for entry in closed.entries if isinstance(entry.call, nn.Module)]
        own = next((entry for entry in models if _same_batch(subject, closed, entry)), None)
        if own is None or any(entry.call is not subject.module for entry in models):
            continue
        if told.how == "tails" and not _labelled(closed, models, told, steps_first):
            continue
        made = list(own.results.values())
        gradients = gradients_of(closed, made)
        for gradient in gradients:
            if gradient is not None and gradient.dim() == 2 and len(gradient) == batching.size * told.longest:
                gradient = gradient.unflatten(0, (-1, batching.size) if steps_first else (batching.size, -1))
            if gradient is None or gradient.dim() != 3 or told.longest not in gradient.shape[:2]:
                continue
            rows = gradient if gradient.shape[:2] == (batching.size, told.longest) else gradient.transpose(0, 1)
            if rows.shape[:2] != (batching.size, told.longest):
                continue
            moves = (rows.abs().amax(dim=2) > 1e-12).float()
            ends = torch.tensor(told.lengths)[:, None]
            steps = torch.arange(told.longest)[None]
            padded, real = moves[steps >= ends], moves[steps < (ends - 1).clamp(min=1)]
            losses = [entry for entry in closed.entries if entry.op in LOSSES or entry.op == "ctc_loss"]
            last = losses[-1] if losses else closed.entries[-1]
            if _of_samples(subject, last.event, batching.size) and bool(real.any()):
                continue  # one target a sample: the steps were pooled before the loss
            late = _late(subject, batching, told, moves)
            if late or (padded.numel() > 1 and float(padded.mean()) > 0.5):
                marks = {made for made in (_added_up(subject, closed, made, padded.numel() + real.numel()),) if made}
                marks |= {made for slot, leaf in closed.leaves.items() if (made := _made(subject, leaf)) is not None}
                data = PaddingInLoss(
                    "late" if late else "moved",
                    not bool(real.any()),
                    tuple(sorted(marks, key=lambda site: site.line)),
                    late or int(padded.sum()),
                    batching.size if late else padded.numel(),
                    where=told.site,
                    event=last.event,
                )
                yield subject.says(False, data, last.stack, last.event)


def _late(subject: Subject, batching: Batching, told: Padding, moves: torch.Tensor) -> int:
    """How many rows are asked what follows their end mark, which is padding: all that are short, and nothing beyond it.
    A loss `moves` (rows, steps) with what the model answers there, though not with the last answer of the longest rows:
    each is compared with the token that follows."""
    ends = torch.tensor(told.lengths)
    short, rows = ends < told.longest, torch.arange(len(ends))
    if int(short.sum()) < 2 or bool(short.all()) or bool(moves[:, -1].any()):
        return 0
    if not bool(moves[rows, ends - 1][short].all()) or bool(moves[torch.arange(told.longest) >= ends[:, None]].any()):
        return 0
    for path, leaf in leaves(subject.inputs):
        if (
            not isinstance(leaf, torch.Tensor)
            or leaf.is_floating_point()
            or leaf.dim() != 2
            or path not in batching.axes
        ):
            continue
        tokens = leaf.movedim(batching.axes[path], 0)
        if tokens.shape != moves.shape:
            continue
        marks = tokens[rows, ends - 1]
        if bool((marks == marks[0]).all()) and bool(((tokens == marks[0]).sum(1) == 1).all()):
            return int(short.sum())
    return 0


def _labelled(closed: Closed, models: list[Entry], told: Padding, steps_first: bool) -> bool:
    """Whether the loss reads whole numbers, one for each step, or for each that follows one, that are one and the same
    at the padding and differ elsewhere."""
    given = {slot for entry in models for slot in entry.reads}
    ends = torch.tensor(told.lengths)[:, None]
    for slot, leaf in closed.leaves.items():
        padded = torch.arange(told.longest) >= ends
        if leaf.value.numel() == padded[:, 1:].numel():
            padded = padded[:, 1:]
        if slot not in given and not leaf.value.is_floating_point() and leaf.value.numel() == padded.numel():
            rows = leaf.value.reshape(padded.t().shape).t() if steps_first else leaf.value.reshape(padded.shape)
            if len(rows[padded].unique()) == 1 and len(rows[~padded].unique()) > 1:
                return True
    return False


def _of_samples(subject: Subject, event: int, size: int) -> bool:
    """Whether the loss of an event asks for one number of each sample, not of each step."""
    return any(asked.event == event and asked.target.numel() == size for asked in subject.run.losses.asked)


def _same_batch(subject: Subject, closed: Closed, entry: Entry) -> bool:
    """Whether the model's call on the tape is the captured one."""
    given = [leaf for _, leaf in leaves(subject.inputs) if isinstance(leaf, torch.Tensor)]
    taped = [closed.leaves[slot].value for slot in entry.reads if slot in closed.leaves]
    return bool(given and taped) and given[0].shape == taped[0].shape and torch.equal(given[0], taped[0])


def _added_up(subject: Subject, closed: Closed, made: list[int], steps: int) -> Site | None:
    """Where the steps of the model's answer are added up: there is a number for each before, and fewer after."""
    reached, raw = set(made), subject.run.recorder.raw
    for entry in closed.entries:
        if reached & set(entry.reads) and not isinstance(entry.call, nn.Module):
            reached |= set(entry.results.values())
            result = raw[entry.event][4] if 0 <= entry.event < len(raw) else None
            if isinstance(result, TensorFact) and result.shape is not None and math.prod(result.shape) < steps:
                sites = subject.run.sources.sites(entry.stack)
                return sites[-1] if sites else None
    return None


def _made(subject: Subject, leaf: Leaf) -> Site | None:
    """Where a leaf that no loss can be without was made: a mask, lengths."""
    raw, producer = subject.run.recorder.raw, leaf.fact.producer
    if isinstance(leaf.value, nn.Parameter) or not 0 <= producer < len(raw):
        return None
    op, stack, _, _, _, modules, *_ = raw[producer]
    sites = subject.run.sources.sites(stack)
    return sites[-1] if sites and not modules and op not in NAMED else None


def _padded(raw: list, fact: object) -> tuple | None:
    """The `pad_sequence` call behind a tensor that has since only been cut and laid out anew."""
    event = next((one for one in laid_out(raw, fact, THROUGH | LAID, 10) if one[0] in NAMED), None)
    return event if event is not None and event[2] and isinstance(event[2][0], tuple) else None
