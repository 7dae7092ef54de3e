"""Numberings of words that the script keeps as dictionaries, and lists of texts or of words: which numbering wrote what
a model learned from, and which what it was judged on. It is told by values alone and judges nothing."""

from __future__ import annotations

import itertools
import sys
from collections import deque
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import torch

from ...dataclass import dataclass
from ...trace import Site, TableFact, Unscaled
from ..script.added import NAME
from .readable import readable
from .tables import Keys, Table

WORDS, ROWS, ROW, LISTS, MAPS, TEXTS, LARGEST, BATCHES = 3, 8, 2, 32, 24, 4000, 1 << 16, 4
SURE, ALIKE, TIMES = 0.9, 0.5, 3
Batch = tuple[list[list[int]], Site | None]


@dataclass
class _Bound:
    """A dictionary, or a list of texts, as it was first bound, and the lines of the script that were under way, the
    outermost first; what it holds is asked at the end."""

    name: str
    site: Site
    value: Any
    lines: tuple[int, ...] = ()

    def told(self, other: _Bound) -> TableFact:
        """Where it was made; where another one was made at the same line, the line that asked for this one."""
        apart = (line for line, there in zip(self.lines, other.lines) if line != there)
        line = next(apart, self.site.line) if self.site == other.site else self.site.line
        site = self.site if line == self.site.line else Site(self.site.file, line)
        return TableFact(self.name, site, len(self.value))


class Vocabularies:
    """Fed with bindings and with what models are given."""

    def __init__(self) -> None:
        self._maps: dict[int, _Bound] = {}
        self._lists: dict[int, _Bound] = {}
        self._learned: dict[int, tuple[list[Batch], deque[Batch]]] = {}  # by model: the first and the last
        self._judged: list[tuple[int, Batch]] = []
        self._times: dict[tuple[str, Site], int] = {}
        self.asked: list[tuple[Keys, Site | None]] = []
        """What models' answers were compared with."""

    def bound(self, name: str, site: Callable[[], Site], value: Any) -> None:
        """A variable was bound."""
        if type(value) is dict and id(value) not in self._maps and len(self._maps) < MAPS:
            first = next(iter(value.items()), None)
            if first is None or (isinstance(first[0], str) and type(first[1]) is int):
                self._maps[id(value)] = _Bound(name, site(), value, _lines(sys._getframe(1)))
        elif type(value) in (list, tuple) and len(value) >= ROWS and id(value) not in self._lists:
            if len(self._lists) < LISTS and _text(value[0]) is not None:
                at = name, site()
                self._times[at] = times = self._times.get(at, 0) + 1  # the words of each text are no list of texts
                if times <= TIMES:
                    self._lists[id(value)] = _Bound(*at, value)

    def given(self, model: int, args: tuple[object, ...], learns: bool, place: Callable[[], Site | None]) -> None:
        """An outermost model is called, to learn or to be judged: perhaps with whole numbers."""
        value = next((one for one in args if isinstance(one, torch.Tensor)), None) if self._maps else None
        if value is None or value.dtype != torch.int64 or value.dim() != 2:
            return
        if not readable(value, LARGEST):
            return
        if not learns:
            if len(self._judged) < 2 * BATCHES and model in self._learned:
                self._judged.append((model, (value.tolist(), place())))
            return
        first, last = self._learned.setdefault(model, ([], deque(maxlen=BATCHES)))
        (first if len(first) < BATCHES else last).append((value.tolist(), place()))

    def renumbered(self, tables: list[Table], met: list[tuple[Keys, Keys, Site | None]]) -> Unscaled | None:
        """The first words that have other numbers where a model is judged than where it learned."""
        return self._inputs() or self._labels(tables, met)

    # texts that models are given
    # -----------------------------------------------------------------------------------------------------------------
    def _inputs(self) -> Unscaled | None:
        maps = [one for one in self._maps.values() if _numbering(one.value)]
        pairs = [(one, other) for one in maps for other in maps if one is not other and _word(one, other)]
        if not pairs or not self._judged:
            return None
        texts = [text for one in self._lists.values() for text in map(_text, one.value[:TEXTS]) if text]
        written = {id(one): self._written(one.value, texts) for pair in pairs for one in pair}
        for (own, other), (model, batch) in itertools.product(pairs, self._judged):
            learned = [*itertools.chain(*self._learned[model])]
            if written[id(own)](learned) < SURE or written[id(other)](learned) >= ALIKE:
                continue
            if written[id(other)]([batch]) >= SURE and written[id(own)]([batch]) < ALIKE:
                word = _word(own, other)
                return Unscaled(own.told(other), other.told(own), batch[1], word, (own.value[word], other.value[word]))
        return None

    @staticmethod
    def _written(numbers: dict[str, int], texts: list[tuple[str, ...]]) -> Callable[[list[Batch]], float]:
        """What gives the share of rows that are texts in a numbering."""
        words = {number: word for word, number in numbers.items()}
        for split in (tuple, _lower, _characters):
            known = [tuple(word for word in split(text) if word in numbers) for text in texts]
            lines = {text for text in known if len(text) >= ROW}
            used = {word for text in lines for word in text}
            if len(used) >= WORDS and lines:
                break
        starts: set[tuple[str, ...]] = set()

        def share(batches: list[Batch]) -> float:
            rows = [tuple(words[n] for n in row if words.get(n) in used) for batch, _ in batches for row in batch]
            rows = [row for row in rows if len(row) >= ROW]
            for size in {len(row) for row in rows} if len(starts) < LARGEST else ():  # a row may be cut off
                starts.update(line[:size] for line in lines)
            return sum(row in lines or row in starts for row in rows) / len(rows) if rows else 0.0

        return share

    # labels
    # -----------------------------------------------------------------------------------------------------------------
    def _labels(self, tables: list[Table], met: list[tuple[Keys, Keys, Site | None]]) -> Unscaled | None:
        """Labels whose names have other numbers among what answers were compared with than among the targets."""
        named = list(self._named(tables)) if met and self.asked else []
        own = [(one, numbers) for one, numbers in named if any(one.holds(keys) for _, keys, _ in met)]
        for other, numbers in named:
            where = next((place for keys, place in self.asked if other.holds(keys)), None)
            if where is None or not own or any(_agree(numbers, known) for _, known in own):
                continue
            if any(one is not other and _agree(numbers, known) for one, known in named):
                continue  # another task's, perhaps
            table, known = own[0]
            word = next(word for word, number in numbers.items() if known.get(word, number) != number)
            facts = (TableFact(one.name, one.site, len(one.keys)) for one in (table, other))
            return Unscaled(*facts, where, word, (known[word], numbers[word]))
        return None

    def _named(self, tables: list[Table]) -> Iterator[tuple[Table, dict[str, int]]]:
        """Tables of whole numbers that number the words of a list, row by row."""
        lists = [one.value for one in self._lists.values() if all(isinstance(word, str) for word in one.value)]
        for table in tables:
            whole = bool(table.keys) and all(type(key) is float and key % 1 == 0 for key in table.keys)
            for words in lists if whole else ():
                pairs = set(zip(words, map(int, table.keys))) if len(words) == len(table.keys) else set()
                if WORDS <= len(pairs) == len({word for word, _ in pairs}) == len({number for _, number in pairs}):
                    yield table, dict(pairs)


def _lines(frame: FrameType | None) -> tuple[int, ...]:
    """The lines under way in the file of the innermost frame that ran instrumented source, the outermost first."""
    file, lines = "", []
    while frame is not None:
        if not file and NAME in frame.f_globals:
            file = frame.f_code.co_filename
        lines += [frame.f_lineno] if file == frame.f_code.co_filename else []
        frame = frame.f_back
    return tuple(reversed(lines))


def _numbering(value: dict[Any, Any]) -> bool:
    """Whether a dictionary gives each word a number of its own."""
    whole = all(isinstance(word, str) and type(number) is int for word, number in value.items())
    return WORDS <= len(value) <= LARGEST and whole and len(set(value.values())) == len(value)


def _word(one: _Bound, other: _Bound) -> str:
    """The first word that has another number in another numbering, where most of the words of both do."""
    return (
        next((w for w, n in one.value.items() if other.value.get(w, n) != n), "")
        if not _agree(one.value, other.value)
        else ""
    )


def _agree(one: dict[str, int], other: dict[str, int]) -> bool:
    """Whether most of the words of both have the same numbers, or there are too few to tell."""
    both = one.keys() & other.keys()
    return len(both) < WORDS or sum(one[word] == other[word] for word in both) > ALIKE * len(both)


def _text(value: Any) -> tuple[str, ...] | None:
    """The words of a text, which may be the first of what belongs together."""
    if isinstance(value, str):
        return tuple(value.split())
    if isinstance(value, (list, tuple)) and value:
        if all(isinstance(word, str) for word in value):
            return tuple(word for part in value[:1] for word in part.split()) if _beside(value) else tuple(value)
        return _text(value[0]) if isinstance(value[0], (str, list, tuple)) else None
    return None


def _beside(value: Any) -> bool:
    """Whether a text and its label lie side by side."""
    return len(value) == 2 and len(value[0].split()) > 1


def _lower(text: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.lower() for word in text)


def _characters(text: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(" ".join(text))
