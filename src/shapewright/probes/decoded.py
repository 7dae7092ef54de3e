"""Does a function that reads labels off the outputs of a CTC loss merge what it should, and nothing else?

A call of the user's that was given scores, or a label for each step, is played again with paths that are made up: a
label that lasts two steps is one label, a label twice with a blank between is two. It judges nothing beyond that.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch

from .. import ops
from ..run.record.functions import Called, path, scored
from ..run.record.stepping import stepped
from ..trace import Answer, Decoded, ProbeFact
from .replay import settled

if TYPE_CHECKING:
    from ..run.process.child import Run

PATTERN, ORDERS = 3, 2  # steps; of two labels
SURE = 6.0
RIGHT, MERGED, KEPT = "right", "merged", "kept"
Said = tuple[Any, ...]


def ask_decoded(run: Run) -> Iterator[ProbeFact[Answer]]:
    """One answer for each kept function that decodes in another way."""
    found = [(index, values[0]) for index, op, values in run.codes.found if op == "ctc_loss"]
    scores = [next(iter(run.recorder.event(run.recorder.raw[index], index).given), None) for index, _ in found]
    classes, blanks = {fact.sizes[-1] for fact in scores if fact is not None}, {blank for _, blank in found}
    if len(blanks) != 1 or len(classes) != 1:
        return
    (blank,), (count,) = blanks, classes
    alone = not any(ops.is_a(raw[0], "classifies") for raw in run.recorder.raw)
    for code, call in run.functions.paths.items():
        told = ((one, how) for one in _players(run, call, count, blank) if (how := _judged(one)))
        player, how = next(told, (None, ""))
        if player is None or how == RIGHT or not (how == MERGED or alone):
            continue
        file, first = code.co_filename, code.co_firstlineno
        sites = (*run.sources.sites(call.stack), run.sources.lines(file, first, first))
        data = Decoded(code.co_name, blank, how == MERGED)
        line = player.parting()
        yield ProbeFact(Decoded.QUESTION, False, data, -1, run.sources.lines(file, line, line), sites)


class Player:
    """One call, played with paths in the place of one of its arguments."""

    def __init__(self, run: Run, call: Called, name: str, count: int, blank: int, axis: int) -> None:
        self.run, self.call, self.name, self.count, self.blank, self.axis = run, call, name, count, blank, axis
        self.scored = scored(call.given[name])
        kinds = [one for one in range(count) if one != blank]
        self.pair = kinds[0], kinds[-1]

    def __call__(self, *labels: int) -> Said | None:
        """What is read off a path that begins with some labels (-1: the blank) and goes on with blanks."""
        given = self.call.given | {self.name: self._made([self.blank if one < 0 else one for one in labels])}
        with contextlib.suppress(Exception), self.run.functions.replaying(self.run.loops), settled(0):
            return _told(self.call.play(given))
        return None

    def parting(self) -> int:
        """The last line before a path with one label twice is treated otherwise than one with two labels; the last of
        all where none is."""
        a, b = self.pair
        alike = itertools.takewhile(lambda two: two[0] == two[1], zip(self._ran(a, -1, a), self._ran(a, -1, b)))
        return [one for one, _ in alike][-1]

    def _ran(self, *labels: int) -> list[int]:
        lines: list[int] = []
        with stepped(self.call.code, lambda frame, event: lines.append(frame.f_lineno)):
            self(*labels)
        return lines

    def _made(self, labels: list[int]) -> Any:
        own = self.call.given[self.name]
        if not self.scored:
            row = [*labels, *[self.blank] * (len(own) - len(labels))]
            return row if type(own) is list else _as(own, torch.tensor(row))
        held = torch.as_tensor(own)
        row = torch.tensor([*labels, *[self.blank] * (held.shape[self.axis] - len(labels))])
        rest = [size for at, size in enumerate(held.shape[:-1]) if at != self.axis]
        scores = torch.nn.functional.one_hot(row, self.count).to(held.dtype) * (2 * SURE) - SURE
        if bool((held >= 0).all()):
            scores = scores.softmax(-1)
        elif bool((held <= 0).all()):
            scores = scores.log_softmax(-1)
        for size in rest:
            scores = scores[None].expand(size, *scores.shape) if self.axis else scores[:, None].expand(-1, size, -1)
        return _as(own, scores.contiguous())


def _as(own: Any, made: torch.Tensor) -> Any:
    return made.to(own.dtype) if isinstance(own, torch.Tensor) else made.numpy().astype(own.dtype)


def _players(run: Run, call: Called, count: int, blank: int) -> Iterator[Player]:
    """The call with each of its arguments, and each axis of those, that may be the steps."""
    for name, value in call.given.items():
        if path(value) and len(value) > PATTERN:
            yield Player(run, call, name, count, blank, 0)
        elif scored(value) and value.shape[-1] == count:
            for axis in reversed(range(len(value.shape) - 1)):
                if value.shape[axis] > PATTERN:
                    yield Player(run, call, name, count, blank, axis)


def _judged(player: Player) -> str:
    """Whether two labels with a blank between are merged, or one that lasts is not; nothing where that cannot be
    told."""
    found = []
    for a, b in (player.pair, player.pair[::-1]):
        one, other, both, turned, back = player(a), player(b), player(a, b), player(b, a), player(a, b, a)
        apart, lasting = player(a, -1, a), player(a, a)
        said = (one, other, both, turned, back, apart, lasting)
        if any(part is None for part in said) or one == other or both in (turned, back):
            return ""
        if not len(one) < len(both) < len(back):
            return ""
        if apart == one == lasting:
            found.append(MERGED)
        elif player.scored and len(one) < len(lasting) and lasting == apart:
            found.append(KEPT)
        elif lasting == one and len(one) < len(apart):
            found.append(RIGHT)
    return found[0] if len(found) == ORDERS and len(set(found)) == 1 else ""


def _told(value: Any, inner: bool = False) -> Said | None:
    """The labels and letters of what a function gives back, list by list; `None` of a number alone."""
    if isinstance(value, str):
        return ('"', *value, '"')
    if isinstance(value, torch.Tensor) or type(value).__module__ == "numpy":
        if not getattr(value, "ndim", 0):
            return _told(value.item(), inner)
        value = value.tolist()
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, (list, tuple)):
        parts = [_told(part, True) for part in value]
        return ("[", *(leaf for part in parts if part is not None for leaf in part), "]")
    return (value,) if inner and isinstance(value, int) else None
