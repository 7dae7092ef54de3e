"""Reads `lexicon.toml`: what words tell of a writer's intent, in the languages that code is written in.

It is asked only where nothing but words can tell (which answer is preferred, which data are held out); what a word
says of structure is no business of its. The words of an identifier are its parts: `valLoss2` has `val` and `loss`.
"""

from __future__ import annotations

import functools
import itertools
import re
import tomllib
import unicodedata
from pathlib import Path

from .dataclass import dataclass

WORDS = re.compile(r"[^\W\d_]+\d*|\d+")
HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True)
class Topic:
    """The words that say one thing: plain ones, those that must be a whole identifier, those of scripts that put no
    spaces between words."""

    words: frozenset[str]
    whole: frozenset[str]
    unspaced: tuple[str, ...]


@functools.cache
def _topics() -> dict[str, Topic]:
    read = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    found = {}
    for name, lists in read.items():
        words = [word for key, text in lists.items() if key != "whole" for word in text.split()]
        plain = frozenset(word for word in words if word.isascii())
        unspaced = tuple(word for word in words if not word.isascii())
        found[name] = Topic(plain, frozenset(lists.get("whole", "").split()), unspaced)
    return found


@functools.cache
def _known() -> frozenset[str]:
    return frozenset().union(*(topic.words for topic in _topics().values()))


@functools.lru_cache(maxsize=4096)
def parts(text: str) -> tuple[str, ...]:
    """The words of an identifier or of an expression, in small letters, without accents.

    >>> parts("valLoss2"), parts("X_trainset"), parts("pérdida")
    (('val', 'loss2'), ('x', 'train', 'set'), ('perdida',))
    """
    stripped = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    text = stripped if stripped.isascii() else text
    found: list[str] = []
    for word in WORDS.findall(HUMPS.sub("_", text).lower()):
        found += _apart(word)
    return tuple(found)


def _apart(word: str) -> list[str]:
    """Two known words that are written as one, `valset`, apart."""
    if not _one(word, _known()):
        for at in range(3, len(word) - 1):
            if word[:at] in _known() and _one(word[at:], _known()):
                return [word[:at], word[at:]]
    return [word]


def _one(word: str, words: frozenset[str]) -> bool:
    """Whether a word is one of these: itself, with a number, or as a plural."""
    bare = word.rstrip("0123456789")
    return word in words or bare in words or (len(bare) > 3 and bare.endswith("s") and bare[:-1] in words)


def says(text: str, *topics: str) -> bool:
    """Whether any word of an identifier or of an expression says one of these things.

    >>> says("X_val", "held_out"), says("recompensas", "reward"), says("invalid", "held_out"), says("r", "reward")
    (True, True, False, True)
    """
    return any(_says(text, topic) for topic in topics)


def besides(text: str, *topics: str) -> str:
    """The words of a text that say none of these things.

    >>> besides("train/X_2.npy", "training", "held_out"), besides("val/X_2.npy", "training", "held_out")
    ('x 2 npy', 'x 2 npy')
    """
    return " ".join(word for word in parts(text) if not says(word, *topics))


@functools.lru_cache(maxsize=8192)
def _says(text: str, topic: str) -> bool:
    told, words = _topics()[topic], parts(text)
    if any(word in text for word in told.unspaced) or "_".join(words) in told.whole:
        return True
    pairs = (f"{one}_{other}" for one, other in itertools.pairwise(words))
    return any(_one(word, told.words) for word in (*words, *pairs))
