"""Other sizes of the files of rows that were made up for a run: how wide rows are, how many there are, which axes they
have, of all files or of some. What a file of rows to learn from is, one of rows held out is too (`script/naming`). No
torch here."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator

from ... import ops
from ...trace import Event, Trace
from ..process.request import Guess
from ..script.naming import alike
from .fitting import mismatch

ROWS, MOST_ROWS = 103, 100_000  # that are made up where nothing tells how many there are, and at most
MORE = 2000  # rows, where those that were made up were too few
FILES = 6  # of which sizes of their own are tried
LAST = 3
STEPS, COLOURS = 12, 3  # as many steps as no batch has
LONGER = 8  # times as many steps, where a script counted on more and nothing tells how many
RESHAPED = re.compile(r"cannot reshape array of size (\d+) into shape \(([\d, ]+)\)")  # numpy's words
NO_INDEX = re.compile(r"only integers")  # numpy's words
INDEXED = re.compile(  # numpy's words, and torch's
    r"too many indices for (?:array: array is (\d)-dimensional, but (\d) were indexed|tensor of dimension (\d))"
)


def by_file(guess: Guess, other: Guess, trace: Trace) -> Iterator[Guess]:
    """Another guess of the size of all files of rows, then of that of some alone, where there are several."""
    yield other
    width, many = (other.width - guess.width, other.many if other.many != guess.many else 0)
    if (width or many) and len(trace.data.sized) > 1:
        for names in _files(trace)[:FILES]:
            old, rows, _ = _sizes(guess, names[0])
            wide = (old or guess.width) + width if width and (old or guess.width) + width > 0 else old
            yield _own(guess, names, width=wide, many=many or rows)


def widened(guess: Guess, trace: Trace) -> Iterator[Guess]:
    """Guesses of rows as wide as a failed operator or layer expects, where it was given a whole number of rows side by
    side or one with others."""
    expected, given = mismatch(trace)
    if given > guess.width and given % guess.width == 0 == guess.width * expected % given:
        yield from by_file(guess, dataclasses.replace(guess, width=guess.width * expected // given), trace)
    if expected != given:
        yield from by_file(guess, dataclasses.replace(guess, width=wide(guess, trace)), trace)


def wide(guess: Guess, trace: Trace) -> int:
    """How wide rows are with which a failed call would go."""
    expected, given = mismatch(trace)
    wanted = guess.width + expected - given
    return wanted if wanted > 0 or expected == given else expected


def shaped(guess: Guess, trace: Trace) -> Iterator[Guess]:
    """Guesses of as many rows as an array would have to have that a script shapes otherwise, of the last file that was
    read and of all files, and of rows as wide."""
    told = RESHAPED.search(trace.failure.message) if trace.failure is not None else None
    if told is None or not trace.data.sized:
        return
    size, wanted = int(told[1]), math.prod(int(part) for part in told[2].split(",") if part.strip())
    _, rows, _ = _sizes(guess, trace.data.sized[0])
    now = rows or guess.many or ROWS
    if size and wanted * now % size == 0 and 0 < wanted * now // size <= MOST_ROWS:
        yield _own(guess, trace.data.sized[:1], many=wanted * now // size)
        yield dataclasses.replace(guess, many=wanted * now // size)
    if size and size % guess.width == 0 and 0 < (wide := wanted * guess.width // size) <= MOST_ROWS:
        yield dataclasses.replace(guess, width=wide)


def indexed(guess: Guess, trace: Trace) -> Iterator[Guess]:
    """Guesses of as many axes as a script takes places along, of some of the files that have as many as it complained
    of."""
    told = INDEXED.search(trace.failure.message) if trace.failure is not None else None
    if told is None:
        return
    had = int(told[1] or told[3])
    asked = int(told[2] or had + 1)
    for names in _files(trace):
        width, _, axes = _sizes(guess, names[0])
        if had == (1 if width < 0 else 1 + len(axes or guess.axes or (width,))):
            yield _own(guess, names, width=0 if width < 0 else width, axes=(0,) * (asked - 2) + (-1,))


def whole(guess: Guess, trace: Trace) -> Iterator[Guess]:
    """Guesses of integers in one of the parts that were used last, where something else was to be an index."""
    if trace.failure is not None and NO_INDEX.search(trace.failure.message):
        for names in _files(trace)[:FILES]:
            yield dataclasses.replace(guess, whole=tuple(dict.fromkeys([*guess.whole, *names])))


def deeper(guess: Guess, trace: Trace) -> Iterator[Guess]:
    """Guesses of one axis more, steps, of some of the files of which a call took what it was given for something else;
    of pictures where it puts axes in another order; of a column where a loss expects one."""
    event = trace.failure.event if trace.failure is not None else None
    had = {name: axes for _, known in trace.data.untold for name, axes in known}
    facts = [fact.sizes for fact in event.given] if event is not None else []
    column = event is not None and ops.is_a(event.op, "losses") and len(facts) == 2 and facts[0] == (*facts[1], 1)
    expected = mismatch(trace)[0] if event is None else 0  # of a layer of steps, which are not there
    order = _order(event) if event is not None and event.op == "permute" else 0
    for names in sorted(_files(trace)[:LAST], key=lambda names: had.get(alike(names[0])) == 1 and not column):
        width, _, axes = _sizes(guess, names[0])
        if axes or guess.axes or width < 0:
            continue
        if had.get(alike(names[0])) == 1:
            yield _own(guess, names, axes=(1,) if column else (STEPS,))
        elif order > 3:
            yield _own(guess, names, axes=(*(STEPS,) * (order - 4), 0, 0, COLOURS))
        else:
            yield _own(guess, names, width=expected or None, axes=(STEPS, -1))


def longer(guess: Guess, trace: Trace, places: tuple[int, ...]) -> Iterator[Guess]:
    """Guesses of more steps in all files that have as many as the `places` that a script counted on and that were not
    there: as many as the loop runs over, where its length is known."""
    event = trace.failure.event if trace.failure is not None else None
    lengths, uid = [], event.loop if event is not None else -1
    known = {loop.uid: loop for loop in trace.loops}
    while uid in known:
        lengths.append(known[uid].length)
        uid = known[uid].parent
    for place in places:
        names = {}
        for name in trace.data.sized:
            width, _, axes = _sizes(guess, name)
            shape = tuple(guess.side if axis == 0 else axis for axis in axes) or (width or guess.width,)
            if place in shape and not guess.axes:
                names[name] = shape
        for size in [*(size for size in lengths if size > place), place * LONGER] if names else ():
            own = guess
            for name, axes in names.items():
                own = _own(own, (name,), axes=tuple(size if axis == place else axis for axis in axes))
            yield own


def _order(event: Event) -> int:
    """How many axes a call puts in another order."""
    given = [part for value in event.args[1:] for part in (value if isinstance(value, tuple) else [value])]
    return sum(type(part) is int for part in given)


def unranked(guess: Guess, trace: Trace) -> Iterator[Guess]:
    """Guesses of one list of numbers in place of rows, of each of the last things of which it is not known which they
    are."""
    for names in _files(trace)[:LAST]:
        if not _sizes(guess, names[0])[0]:
            yield _own(guess, names, width=-1)


def _files(trace: Trace) -> list[tuple[str, ...]]:
    """The files of rows, those whose names are alike together, those that were read last first."""
    found: dict[str, list[str]] = {}
    numbered = len({*map(alike, trace.data.sized)}) > FILES  # as where a folder of them was listed
    for name in trace.data.sized:
        words = alike(name).split()
        found.setdefault(" ".join(word for word in words if not (numbered and word.isdigit())), []).append(name)
    return [*map(tuple, found.values())]


def _sizes(guess: Guess, name: str) -> tuple[int, int, tuple[int, ...]]:
    """The width, rows and axes that are a file's own; 0 or none for the usual ones."""
    return next(((width, many, axes) for known, width, many, axes in guess.own if known == name), (0, 0, ()))


def _own(
    guess: Guess, names: tuple[str, ...], width: int | None = None, many: int = 0, axes: tuple[int, ...] = ()
) -> Guess:
    kept = {name: (name, *sizes) for name, *sizes in guess.own}
    for name in names:
        wide, rows, before = _sizes(guess, name)
        kept[name] = (name, wide if width is None else width, many or rows, axes or before)
    return dataclasses.replace(guess, own=tuple(kept.values()))
