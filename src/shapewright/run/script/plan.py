"""Which items of an iterable are still to come for a loop: all in their order, or after a cut those that matter. It
cuts nothing by itself."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from typing import Any

from .iterables import drain, length

FURTHEST = 100_000  # counts that are looked through
ALIKE = 256  # counts before this one, in which a test has not changed


class Plan:
    """Which items of an iterable are still to come."""

    def __init__(self, source: Any, counted: bool, start: int, tests: list) -> None:
        self.source, self.counted, self.start, self.tests = source, counted, start, tests
        self.targets: list[int] | None = None
        self.direct = isinstance(source, (range, list, tuple))
        self.first, self.step = self._of_count() if type(source) is itertools.count else (0, 1)
        self.drained = False
        self.last = -1  # the position of the last item, where the readers know it
        self.readers: dict[int, Any] = {}

    def _of_count(self) -> tuple[int, int]:
        """Where an endless count begins, and by how much it goes on."""
        first, *step = self.source.__reduce__()[1]
        return first, step[0] if step else 1

    def hurry(self, position: int, brief: bool = False, worn: bool = False, few: bool = False) -> None:
        """From now on jump to the iterations that matter; in a brief run to the last alone, in one that is `worn` to
        those without which it goes nowhere, which come also where the items are `few`."""
        size = len(self.source) if self.direct else None
        self.targets = [] if brief else self._matter(position, size, worn, few)
        if not self.direct and self.readers:
            kept = len(self.targets)
            self.last = position + min(reader.hurry(kept) for reader in self.readers.values())

    def left(self, position: int) -> int:
        """How many items are still to come, as far as can be told."""
        size = len(self.source) if self.direct else operator.length_hint(self.source, 1000)
        return size - position - 1 if self.direct or not hasattr(self.source, "__next__") else size

    def turning(self, position: int) -> int | None:
        """The next position at which one of the tests on the counter changes that has long told the same; `None` where
        there is none, or what lies between cannot be left out."""
        if not (self.direct or type(self.source) is itertools.count) or self.targets is not None:
            return None
        limit = min(len(self.source), FURTHEST) if self.direct else FURTHEST
        found: list[int] = []
        for test, _ in self.tests if self.counted or not isinstance(self.source, (list, tuple)) else ():
            try:
                told = bool(test(self._counter(position)))
                if all(bool(test(self._counter(at))) is told for at in range(max(0, position - ALIKE), position)):
                    places = range(position + 1, min(limit, *found, limit))
                    found += [next(at for at in places if bool(test(self._counter(at))) is not told)]
            except StopIteration:
                continue
            except Exception:  # the user's expression reads a name that is not bound yet
                continue
        return min(found, default=None)

    def _counter(self, position: int) -> int:
        """What the loop's counter is at a position."""
        if self.counted:
            return position + self.start
        return self.source[position] if self.direct else self.first + position * self.step

    def leap(self, iterator: Iterator, position: int, to: int) -> tuple[Iterator, int]:
        """Leave out what comes before the position `to`, and go on from there."""
        if self.direct:
            return iter(self.source[to:]), to - 1
        next(itertools.islice(iterator, to - position - 1, to - position - 1), None)
        return iterator, to - 1

    def next(self, iterator: Iterator, position: int) -> tuple[int, Any]:
        if self.targets is None:
            return position + 1, next(iterator)
        if self.direct:
            size = len(self.source)
            wanted = self.targets.pop(0) if self.targets else size - 1
            if wanted <= position or wanted >= size:
                wanted = size - 1
            if wanted <= position:
                raise StopIteration
            return wanted, self.source[wanted]
        if self.targets:
            return self.targets.pop(0), next(iterator)
        if not self.drained:
            self.drained = True
            count, last = drain(iterator)
            if count:
                return max(position + count, self.last), last
        raise StopIteration

    def _matter(self, position: int, size: int | None, worn: bool, few: bool) -> list[int]:
        """The first counter after `position` at which each test turns true, each that is needed where it is `worn`."""
        found = set()
        if not self.counted and not isinstance(self.source, range):
            return []
        limit = min(size if size is not None else length(self.source), FURTHEST)
        for test, needed in self.tests:
            limited = FURTHEST if needed and few and not self.direct else limit if needed or not worn else 0
            for at in range(position + 1, limited):
                value = self._counter(at)
                try:
                    if test(value):
                        found.add(at)
                        break
                except (
                    Exception
                ):  # the user's expression reads a name that is not bound yet: the iteration decides itself
                    break
        return sorted(found)
