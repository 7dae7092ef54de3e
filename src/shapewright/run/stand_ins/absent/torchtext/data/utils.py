"""Tokenizers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from shapewright.run.stand_ins.hub.pieces import TOKENS


def get_tokenizer(tokenizer: object, language: str = "en") -> Callable[[str], list[str]]:
    """A tokenizer by its name: words and marks for all but none at all, which divides at spaces."""
    if tokenizer is None:
        return str.split
    if callable(tokenizer):
        return tokenizer
    if tokenizer == "basic_english":
        return lambda text: TOKENS.findall(text.lower())
    return TOKENS.findall


def ngrams_iterator(token_list: list[str], ngrams: int) -> Iterator[str]:
    """The words, then their pairs, and so on."""
    for size in range(1, ngrams + 1):
        for at in range(len(token_list) - size + 1):
            yield " ".join(token_list[at : at + size])


def interleave_keys(a: int, b: int) -> int:
    """A number that sorts by two numbers, near in both."""
    return int("".join(one + two for one, two in zip(f"{a:016b}", f"{b:016b}")), 2)
