"""Stands for tiktoken where it is not installed: its vocabularies' sizes and special tokens, with pieces that are
numbered as they come. What is encoded decodes to itself; the numbers are not those of the real vocabulary."""

from __future__ import annotations

import re
from typing import Any

from shapewright.run.stand_ins.context import tell

_SIZES = {"gpt2": 50257, "r50k_base": 50257, "p50k_base": 50281, "cl100k_base": 100277, "o200k_base": 200019}
_PIECE = re.compile(r" ?\w+| ?[^\w\s]|\s")
_END = "<|endoftext|>"
_BYTES = 256


class Encoding:
    """A vocabulary of a known size."""

    def __init__(self, name: str) -> None:
        self.name, self.n_vocab = name, _SIZES[name]
        self.eot_token = 50256 if self.n_vocab < 60000 else self.n_vocab - 20
        self.max_token_value = self.n_vocab - 1
        self.special_tokens_set = {_END}
        self._numbers: dict[str, int] = {_END: self.eot_token}
        self._pieces: dict[int, str] = {self.eot_token: _END}
        tell("stand-in-tokenizer", name=f"tiktoken {name}")

    def encode(self, text: str, *, allowed_special: object = (), disallowed_special: object = ()) -> list[int]:
        """The numbers of the pieces of a text."""
        parts = text.split(_END) if allowed_special else [text]
        found: list[int] = []
        for index, part in enumerate(parts):
            found += [self.eot_token] * bool(index) + [self._number(piece) for piece in _PIECE.findall(part)]
        return found

    def _number(self, piece: str) -> int:
        if piece not in self._numbers:
            number = _BYTES + len(self._numbers)
            self._numbers[piece] = number % self.eot_token
            self._pieces.setdefault(number, piece)
        return self._numbers[piece]

    def encode_ordinary(self, text: str) -> list[int]:
        """As `encode`, without special tokens."""
        return self.encode(text)

    def encode_batch(self, text: list[str], **options: object) -> list[list[int]]:
        """Several texts."""
        return [self.encode(part) for part in text]

    encode_ordinary_batch = encode_batch

    def encode_single_token(self, text: str) -> int:
        """The number of one piece."""
        return self._number(text)

    def decode(self, tokens: Any, errors: str = "replace") -> str:
        """The text of numbers; those that no text had are named by their number."""
        return "".join(self._pieces.get(int(number), f" {int(number)}") for number in tokens)

    def decode_bytes(self, tokens: object) -> bytes:
        """The text as bytes."""
        return self.decode(tokens).encode()

    def decode_single_token_bytes(self, token: int) -> bytes:
        """One piece as bytes."""
        return self.decode([token]).encode()

    def decode_batch(self, batch: Any) -> list[str]:
        """Several texts."""
        return [self.decode(tokens) for tokens in batch]


def get_encoding(encoding_name: str) -> Encoding:
    """The vocabulary of a name."""
    return Encoding(encoding_name)


def encoding_for_model(model_name: str) -> Encoding:
    """The vocabulary of a model."""
    return Encoding("gpt2" if "gpt2" in model_name else "o200k_base" if "4o" in model_name else "cl100k_base")
