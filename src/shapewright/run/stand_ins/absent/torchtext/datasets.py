"""Data sets by their names: made-up rows with the real columns and classes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from shapewright.run.stand_ins.context import current, tell
from shapewright.run.stand_ins.sets.rows import sentence

from .data.examples import Dataset, Example

_COUNTS = {"train": 203, "valid": 67, "test": 67}
# name: columns, classes of the old interface, splits
_LABELLED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "IMDB": (("neg", "pos"), ("train", "test")),
    "SST": (("negative", "neutral", "positive"), ("train", "valid", "test")),
    "SST2": (("0", "1"), ("train", "valid", "test")),
    "TREC": (("ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"), ("train", "test")),
    "AG_NEWS": (("1", "2", "3", "4"), ("train", "test")),
    "YelpReviewPolarity": (("1", "2"), ("train", "test")),
    "YelpReviewFull": (tuple("12345"), ("train", "test")),
    "AmazonReviewPolarity": (("1", "2"), ("train", "test")),
    "DBpedia": (tuple(str(number) for number in range(1, 15)), ("train", "test")),
    "YahooAnswers": (tuple(str(number) for number in range(1, 11)), ("train", "test")),
}
_PAIRED = ("SNLI", "MultiNLI")
_TRANSLATED = ("Multi30k", "IWSLT", "IWSLT2016", "IWSLT2017", "WMT14")
_TAGGED = ("UDPOS", "CoNLL2000Chunking")
_PLAIN = ("WikiText2", "WikiText103", "PennTreebank")
_TAGS = ("DET", "NOUN", "VERB", "ADJ", "PUNCT")


class Rows:
    """Rows of a split, gone through as often as wished."""

    def __init__(self, rows: list[object]) -> None:
        self._rows, self._at = rows, 0

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    def __next__(self) -> Any:
        if self._at >= len(self._rows):
            raise StopIteration
        self._at += 1
        return self._rows[self._at - 1]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, at: int) -> Any:
        return self._rows[at]

    def __add__(self, other: Any) -> Rows:
        return Rows([*self, *other])  # as data pipes are joined


def _rows(name: str, split: str) -> list[tuple[Any, ...]]:
    """Made-up rows in the order of the old interface's columns."""
    if (context := current()) is not None:
        context.few = True
    chance = random.Random(f"{name}/{split}")
    found: list[tuple[Any, ...]] = []
    for number in range(_COUNTS[split]):
        text = sentence(chance, 5, 40)
        if name in _LABELLED:
            classes = _LABELLED[name][0]
            found.append((text, classes[(number + number // len(classes)) % len(classes)]))
        elif name in _PAIRED:
            found.append((text, sentence(chance, 4, 15), ("entailment", "neutral", "contradiction")[number % 3]))
        elif name in _TRANSLATED:
            found.append((text, sentence(chance, 5, 40)))
        elif name in _TAGGED:
            tokens = text.split()
            found.append((tokens, [chance.choice(_TAGS) for _ in tokens], [chance.choice(_TAGS) for _ in tokens]))
        else:
            found.append((text + "\n",))
    return found


class _Named(Dataset):
    """A data set that both interfaces know: `splits` of fields, or rows by `split=`."""

    names: tuple[str, ...] = ("text", "label")
    parts: tuple[str, ...] = ("train", "valid", "test")

    def __new__(cls, *args: Any, **options: Any) -> Any:
        split = options.get("split", next((one for one in args if isinstance(one, tuple) or one in _COUNTS), cls.parts))
        tell("stand-in-dataset", name=cls.__name__, columns=", ".join(cls.names))
        made = [Rows([_new(cls.__name__, row) for row in _rows(cls.__name__, part)]) for part in _each(split)]
        return made[0] if isinstance(split, str) else tuple(made)

    @classmethod
    def splits(cls, *fields: Any, **options: Any) -> tuple[Dataset, ...]:
        """One part after the other, its columns read by the fields."""
        if "fields" in options or "exts" in options:
            fields = options["fields"] if "fields" in options else fields[-1]
        elif len(fields) == 2 and isinstance(fields[1], (list, tuple)):
            fields = fields[1]  # extensions came first
        elif len(fields) == 1 and isinstance(fields[0], (list, tuple)):
            fields = fields[0]
        fields = tuple(fields) or tuple(options[key] for key in ("text_field", "label_field") if key in options)
        if cls.__name__ in _PAIRED and len(fields) == 2:
            fields = (fields[0], fields[0], fields[1])
        pairs = [one if isinstance(one, tuple) else (name, one) for name, one in zip(cls.names, fields)]
        tell("stand-in-dataset", name=cls.__name__, columns=", ".join(str(name) for name, _ in pairs))
        made = []
        for part in cls.parts:
            rows = _rows(cls.__name__, part)
            if cls.__name__ in _PLAIN:  # one example: the whole text
                rows = [(" <eos> ".join(row[0].strip() for row in rows),)]
            one = Dataset([Example.fromlist(row, pairs) for row in rows], pairs)
            one.sort_key = _length(pairs[0][0])
            made.append(one)
        return tuple(made)


def _length(name: Any) -> Any:
    return lambda example: len(getattr(example, name if isinstance(name, str) else name[0]))


def _each(split: Any) -> tuple[str, ...]:
    return (split,) if isinstance(split, str) else tuple(split)


def _new(name: str, row: tuple[object, ...]) -> Any:
    """A row of the last interface: a number for the class first."""
    if name in _LABELLED:
        classes = _LABELLED[name][0]
        return classes.index(row[1]) + (name != "SST2"), row[0]
    return row[0] if name in _PLAIN else row


def _named(name: str, names: tuple[str, ...], parts: tuple[str, ...] = _Named.parts) -> Any:
    return type(name, (_Named,), {"names": names, "parts": parts})


globals().update(
    {name: _named(name, ("text", "label"), parts) for name, (_, parts) in _LABELLED.items()}
    | {name: _named(name, ("premise", "hypothesis", "label")) for name in _PAIRED}
    | {name: _named(name, ("src", "trg")) for name in _TRANSLATED}
    | {name: _named(name, ("text", "udtags", "ptbtags")) for name in _TAGGED}
    | {name: _named(name, ("text",)) for name in _PLAIN}
)
multi30k = SimpleNamespace(URL={}, MD5={})
