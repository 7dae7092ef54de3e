"""Where a loss asks for the next token: does an output depend on tokens that come after it?

The call is played as it was and with the later half of the tokens cut away; the outputs before the cut must stay as
they are. The same cut tells of a model that is asked for the very token it is given. A picture has an order where a
pixel shows in the outputs of later rows and columns alone: then the same is asked of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch

from .. import ops
from ..run.record.losses import Asked
from ..trace import Answer, Causality, ProbeFact, Unasked
from .align import Change, difference, tolerance
from .blame import counterparts, culprit
from .parts import leaves, rebuilt
from .replay import Play, Played, apart, is_random, play
from .shifted import Shift, asked_of, by_sample, shift
from .subject import Subject

QUESTION = "causality"
ORDER = 30
FEWEST, PLACES = 8, 8  # numbers per sample, and those that are changed
SAME = 0.999  # the correlation of numbers that differ by rounding


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """`holds`: no output depends on a later token."""
    told = shift(subject)
    if told is None:
        picture = next(_pictures(subject), None)
        if picture is not None:
            yield picture
            return
        yield ProbeFact(QUESTION, None, Unasked("the targets are not the input shifted"), subject.uid)
        return
    asked = _asked(told, next(leaf for path, leaf in leaves(subject.inputs) if path == told.path))
    length = _half(told.steps, asked)
    change, short = Change(told.steps, tuple(range(length))), _cut(subject, told, length)
    whole = play(subject, subject.inputs)
    try:
        cut = play(subject, short)
    except Exception:  # the model has so many steps and no fewer: the later ones hold other tokens instead
        change, short = replace(change, filled=True), _refilled(subject, told, length)
        cut = play(subject, short)
    kept = [
        p
        for p in whole.outputs
        if p in cut.outputs and whole.outputs[p].is_floating_point() and change.axes(whole.outputs[p], cut.outputs[p])
    ]
    if not kept:
        yield ProbeFact(QUESTION, None, Unasked("no output keeps the time axis"), subject.uid)
        return
    places = subject.run.sources.sites(told.loss.stack)
    data = Causality(
        told.by,
        told.compared,
        told.steps,
        length,
        subject.name,
        told.loss.inside,
        places[-1] if places else None,
        told.loss.event,
        real=told.real,
    )
    apart_at = ((p, found) for p in kept if (found := _apart(told, whole, cut, p, change, asked)) is not None)
    path, (largest, scale) = next(apart_at, (None, (0.0, 0.0)))
    if path is None:
        own = told.by != 0 or _own_read(subject, told, whole, kept)
        yield subject.says(True, replace(data, own=own), subject.capture.stack)
        return
    if is_random(subject, whole, path):
        yield ProbeFact(QUESTION, None, Unasked("the model is random"), subject.uid)
        return
    found = culprit(play(subject, subject.inputs, record=True), play(subject, short, record=True), change, path)
    op, modules, stack = (found[0].op, found[0].modules, found[0].stack) if found is not None else ("", (), ())
    data = replace(data, largest=largest, scale=scale, op=op, modules=modules)
    yield subject.says(False, data, subject.capture.stack + stack)


def _asked(told: Shift, tokens: torch.Tensor) -> torch.Tensor | None:
    """Of which steps the loss asks the next token, (samples, steps): a prefix that the targets ignore may be read in
    both directions. `None` where that is not known."""
    count = tokens.shape[1 - told.axis] if tokens.dim() >= 2 and told.axis < 2 else 0
    if told.real or not count or told.loss.target.numel() % count:
        return None
    return by_sample(told.loss.target, count, told.axis) >= 0


def _half(steps: int, asked: torch.Tensor | None) -> int:
    """Where the tokens are cut: half way, or half way through those that are asked for where all come later."""
    places = asked.any(0).nonzero().flatten().tolist() if asked is not None else []
    late = bool(places) and places[0] >= steps // 2
    return min(steps - 1, places[len(places) // 2] + 1) if late else steps // 2


def _apart(
    told: Shift, whole: Play, cut: Play, path: tuple, change: Change, asked: torch.Tensor | None
) -> tuple[float, float] | None:
    """The largest difference of an output and the size of its values, where the loss asks for a token and the
    arithmetic does not explain it."""
    left = whole.outputs[path]
    largest, scale, gap = difference(left, cut.outputs[path], change)
    if gap is not None and asked is not None and gap.dim() >= 2 and gap.shape[1 - told.axis] == len(asked):
        along = gap if told.axis else gap.transpose(0, 1)
        wide = min(along.shape[1], asked.shape[1])
        found = along[:, :wide][asked[:, :wide]]
        largest = float(found.max()) if found.numel() else 0.0
    return (largest, scale) if largest > tolerance(left.dtype, scale) else None


def _pictures(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """Where a model is asked for the picture that it is given, and no output depends on a pixel after its own: does it
    depend on its own one? So too of numbers in any order, where the outputs show one."""
    for told in subject.losses():
        for path, leaf in leaves(subject.inputs):
            if isinstance(leaf, torch.Tensor) and leaf.dim() >= 2 and _equal(leaf, told.target):
                yield from _raster(subject, told, path, leaf) if leaf.dim() == 4 else ()
                yield from _ordered(subject, told, path, leaf)


def _raster(subject: Subject, told: Asked, path: tuple, leaf: torch.Tensor) -> Iterator[ProbeFact[Answer]]:
    """The order of a picture's pixels, row after row."""
    whole = play(subject, subject.inputs, record=True)
    turned = [play(subject, _touched(subject, path, c), record=True) for c in range(leaf.shape[1])]
    out = next((p for p, made in whole.outputs.items() if made.shape[-2:] == leaf.shape[-2:]), None)
    if out is None or any(out not in other.outputs for other in turned) or is_random(subject, whole, out):
        return
    moved = torch.stack([_moved(whole.outputs[out], other.outputs[out]) for other in turned])
    at = leaf.shape[-2] // 2 * leaf.shape[-1] + leaf.shape[-1] // 2
    if bool(moved[:, :at].any()) or not bool(moved[:, at + 1 :].any()):
        return
    own = bool(moved[:, at].all())  # of several channels the last has no say in its own
    pairs = ((p, turned[-1].played[j]) for i, j in counterparts(whole, turned[-1]).items() if (p := whole.played[i]))
    first = next((p for p, q in pairs if own and p.modules and _shows(p, q, leaf.shape[-2:], at)), None)
    data = replace(_asked_back(subject, told, leaf, at), own=own, modules=first.modules if first is not None else ())
    yield subject.says(True, data, subject.capture.stack + (first.stack if first is not None else ()))


def _asked_back(subject: Subject, told: Asked, leaf: torch.Tensor, at: int) -> Causality:
    """What is known of a loss that asks for a model's own input."""
    places = subject.run.sources.sites(told.stack)
    data = Causality(
        0, leaf.numel(), leaf[0].numel(), at, subject.name, told.inside, places[-1] if places else None, told.event
    )
    return replace(data, picture=True)


def _ordered(subject: Subject, told: Asked, path: tuple, leaf: torch.Tensor) -> Iterator[ProbeFact[Answer]]:
    """Any order of the numbers of a sample that the outputs show: the fewer outputs a number reaches, the later it is,
    and those that it reaches are among those of every earlier one."""
    count = leaf[0].numel()
    whole = play(subject, subject.inputs)
    out = next((p for p, made in whole.outputs.items() if made.numel() == leaf.numel()), None)
    if count < FEWEST or out is None or is_random(subject, whole, out):
        return
    places = sorted({int(count * part) for part in torch.linspace(0.03, 0.97, PLACES).tolist()})
    reached = []
    for place in places:
        other = play(subject, _with_another(subject, path, place))
        if out not in other.outputs or other.outputs[out].numel() != leaf.numel():
            return
        reached.append((whole.outputs[out] != other.outputs[out]).reshape(len(leaf), count).any(0))
    sizes = [int(one.sum()) for one in reached]
    if len({size for size in sizes if size}) < PLACES // 2:
        return
    chain = [reached[at] for at in sorted(range(len(reached)), key=sizes.__getitem__)]
    if any(bool((small & ~large).any()) for small, large in itertools.pairwise(chain)):
        return
    own = [bool(one[place]) for place, one in zip(places, reached) if bool(one.any())]
    if all(own):
        data = _asked_back(subject, told, leaf, places[len(places) // 2])
        yield subject.says(True, replace(data, ordered=True), subject.capture.stack)


def _with_another(subject: Subject, path: tuple, place: int) -> tuple:
    """The inputs with another number at one place of each sample."""

    def other(at: tuple, leaf: Any) -> Any:
        if at != path:
            return leaf
        changed = leaf.clone().reshape(len(leaf), -1)
        low, high = leaf.min(), leaf.max()
        changed[:, place] = torch.where(changed[:, place] - low < high - changed[:, place], high, low)
        return changed.reshape(leaf.shape)

    return rebuilt(subject.inputs, other)


def _equal(leaf: torch.Tensor, target: torch.Tensor) -> bool:
    """Whether targets are an input, but for scale and type."""
    if leaf.numel() != target.numel() or leaf.shape[0] != target.shape[0]:
        return False
    one, other = (part.detach().flatten().double() - part.double().mean() for part in (leaf, target))
    return float(one @ other) > SAME * float(one.norm() * other.norm()) > 0


def _touched(subject: Subject, path: tuple, channel: int) -> tuple:
    """The inputs with another number in one channel of the pixel in the middle."""

    def other(at: tuple, leaf: Any) -> Any:
        if at != path:
            return leaf
        changed, low, high = leaf.clone(), leaf.min(), leaf.max()
        pixel = changed[:, channel, leaf.shape[-2] // 2, leaf.shape[-1] // 2]
        pixel.copy_(torch.where(pixel - low < high - pixel, high, low))
        return changed

    return rebuilt(subject.inputs, other)


def _moved(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Which pixels differ. Shape: (height * width)."""
    return (left != right).flatten(-2).flatten(0, -2).any(0)


def _shows(one: Played, other: Played, sides: tuple[int, ...], at: int) -> bool:
    """Whether the first result of an operator that reads more than a number at a time differs at a pixel."""
    left, right = one.results[:1], other.results[:1]
    if not left or left[0].shape[-2:] != sides or ops.is_a(one.op, "pointwise", "reshapes", "keeps_values"):
        return False
    return left[0].shape == right[0].shape and bool(_moved(left[0], right[0])[at])


def _own_read(subject: Subject, told: Shift, whole: Play, kept: list[tuple]) -> bool:
    """Whether another last token changes one of the outputs that are `kept`, those along time: a model that shifts its
    tokens itself does not read that one."""

    def other(path: tuple, leaf: Any) -> Any:
        if path != told.path:
            return leaf
        changed = leaf.clone()
        last = changed.select(told.axis, told.steps - 1)
        steps = (changed.select(told.axis, step).clone() for step in range(told.steps))
        last.copy_(next((one for one in (last.roll(1, 0), *steps) if not torch.equal(one, last)), last.clone()))
        return changed

    played = play(subject, rebuilt(subject.inputs, other))
    return any(apart(whole, played, path) for path in kept if path in played.outputs)


def _refilled(subject: Subject, told: Shift, length: int) -> tuple:
    """The inputs with the later tokens of each sample in another order; real numbers are moved by their deviation."""

    def other(path: tuple, leaf: Any) -> Any:
        if path != told.path:
            return leaf
        later = leaf.narrow(told.axis, length, told.steps - length)
        moved = later + leaf.std() if told.real else later.roll(1, told.axis)
        return torch.cat([leaf.narrow(told.axis, 0, length), moved], told.axis)

    return rebuilt(subject.inputs, other)


def _cut(subject: Subject, told: Shift, length: int) -> tuple:
    """The tokens, what marks them and what masks them, without the later steps; other inputs, such as a source text,
    stay whole."""
    tokens = next(leaf for path, leaf in leaves(subject.inputs) if path == told.path)

    def shorten(path: tuple, leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor):
            return leaf
        if path == told.path:
            return leaf.narrow(told.axis, 0, length)
        square = leaf.dim() >= 2 and leaf.shape[-1] == leaf.shape[-2] == told.steps
        marks = (
            leaf.dim() == 2
            and leaf.shape[told.axis] == told.steps
            and ("labels" in path or bool(((leaf == 0) | (leaf == 1)).all()))
        )
        asked = leaf.shape == tokens.shape[:2] and (
            torch.equal(leaf.flatten(), told.loss.target.flatten()) or asked_of(subject, told.loss, path)
        )
        counts = leaf.dim() == 1 and leaf.shape[0] == told.steps and torch.equal(leaf.long(), torch.arange(told.steps))
        if square and not asked:  # as many samples as steps make no mask of what is asked for
            return leaf[..., :length, :length]
        if marks or asked:
            return leaf.narrow(told.axis, 0, length)
        return leaf[:length] if counts else leaf

    return rebuilt(subject.inputs, shorten)
