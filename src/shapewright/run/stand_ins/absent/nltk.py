"""Stands for NLTK where it is not installed: texts are divided into words and sentences, a corpus is made-up prose.
What else it offers is unknown, and named when a tensor depends on it."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

from shapewright.run.stand_ins.context import tell
from shapewright.run.stand_ins.files.contents import prose
from shapewright.run.stand_ins.hub.pieces import TOKENS
from shapewright.run.stand_ins.unknown import unknown_name

__version__ = "3"
FreqDist = Counter
_STOPS = ("a", "an", "and", "are", "as", "at", "be", "by", "for", "in", "is", "it", "of", "on", "that", "the", "to")
_TAGS = ("NOUN", "VERB", "DET", "ADJ", ".")
_NAMED = ("O", "B-PER", "I-PER", "O", "B-LOC")


def word_tokenize(text: str, *_: object, **__: object) -> list[str]:
    """Words and marks."""
    tell("stand-in-tokenizer", name="NLTK")
    return TOKENS.findall(text)


wordpunct_tokenize = word_tokenize


def sent_tokenize(text: str, *_: object, **__: object) -> list[str]:
    """Sentences."""
    tell("stand-in-tokenizer", name="NLTK")
    return re.split(r"(?<=[.!?])\s+", text.strip())


def ngrams(sequence: Any, n: int, **_: Any) -> Iterator[tuple[Any, ...]]:
    """Every run of `n` neighbours."""
    kept = list(sequence)
    return zip(*(kept[at:] for at in range(n)))


def bigrams(sequence: object, **_: object) -> Iterator[tuple[Any, ...]]:
    """Every pair of neighbours."""
    return ngrams(sequence, 2)


def download(*_: object, **__: object) -> bool:
    """What is asked for is made up where it is read."""
    return True


class Corpus:
    """Texts under one name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def fileids(self, *_: object, **__: object) -> list[str]:
        """The names of its texts."""
        return ["first.txt", "second.txt"]

    def raw(self, *_: object, **__: object) -> str:
        """All of it."""
        tell("stand-in-file", file=f"NLTK {self._name}")
        return prose()

    def words(self, *_: object, **__: object) -> Sequence[str]:
        """Its words and marks."""
        return _STOPS if self._name == "stopwords" else TOKENS.findall(self.raw())

    def sents(self, *_: object, **__: object) -> list[list[str]]:
        """Its sentences, in words."""
        return [TOKENS.findall(part) for part in self.raw().split("\n\n")]

    def tagged_words(self, *_: object, **__: object) -> list[tuple[str, str]]:
        """Its words and marks, each with its part of speech."""
        return [(word, _TAGS[len(word) % len(_TAGS)]) for word in self.words()]

    def tagged_sents(self, *_: object, **__: object) -> list[list[tuple[str, str]]]:
        """Its sentences, in words with their parts of speech."""
        return [[(word, _TAGS[len(word) % len(_TAGS)]) for word in words] for words in self.sents()]

    def iob_sents(self, *_: object, **__: object) -> list[list[tuple[str, str, str]]]:
        """Its sentences, in words with their parts of speech and the names that they are parts of."""
        return [
            [(word, tag, _NAMED[at % len(_NAMED)]) for at, (word, tag) in enumerate(words)]
            for words in self.tagged_sents()
        ]

    def iob_words(self, *_: object, **__: object) -> list[tuple[str, str, str]]:
        """The same in one list."""
        return [word for words in self.iob_sents() for word in words]

    def categories(self, *_: object, **__: object) -> list[str]:
        """The kinds of its texts."""
        return ["neg", "pos"]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return unknown_name(name, "nltk")


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown_name(name, "nltk")


class _Corpora(ModuleType):
    def __getattr__(self, name: str) -> Corpus:
        if name.startswith("__"):
            raise AttributeError(name)
        return Corpus(name)


corpus = sys.modules[f"{__name__}.corpus"] = _Corpora(f"{__name__}.corpus")
tokenize = sys.modules[f"{__name__}.tokenize"] = sys.modules[__name__]
