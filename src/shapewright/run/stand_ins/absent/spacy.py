"""Stands for spaCy where it, or its models, are not installed: texts are divided into words and marks; nothing else is
known of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shapewright.run.stand_ins.context import tell
from shapewright.run.stand_ins.hub.pieces import TOKENS


class Token:
    """A word or a mark."""

    def __init__(self, text: str, index: int) -> None:
        self.text = self.orth_ = text
        self.lemma_ = self.lower_ = self.norm_ = text.lower()
        self.i = index
        self.is_alpha, self.is_digit, self.is_space = text.isalpha(), text.isdigit(), text.isspace()
        self.is_punct = not text[:1].isalnum()
        self.is_stop, self.like_num, self.like_url = len(text) < 3, text.isdigit(), False

    def __str__(self) -> str:
        return self.text

    def __len__(self) -> int:
        return len(self.text)


class Doc:
    """The tokens of a text."""

    def __init__(self, text: str) -> None:
        self.text, self._tokens = text, [Token(part, at) for at, part in enumerate(TOKENS.findall(text))]

    def __iter__(self) -> Iterator[Token]:
        return iter(self._tokens)

    def __len__(self) -> int:
        return len(self._tokens)

    def __getitem__(self, index: Any) -> Any:
        return self._tokens[index]


class Language:
    """A model: its tokenizer alone."""

    def __init__(self, name: str = "") -> None:
        self.tokenizer = self.make_doc = Doc
        tell("stand-in-tokenizer", name=f"spaCy {name}".strip())

    def __call__(self, text: str) -> Doc:
        return Doc(text)

    def pipe(self, texts: Any, **_: Any) -> Iterator[Doc]:
        """Several texts."""
        return map(Doc, texts)


def load(name: str, **_: object) -> Language:
    """The model of a name."""
    return Language(name)


blank = load
