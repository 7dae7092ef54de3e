"""The pieces that made-up vocabularies consist of: 4,977 byte-pair merges learnt from English text (`merges.txt`), and
fillers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TOKENS = re.compile(r"\w+|[^\w\s]")
"""Words and single signs, for tokenizers of libraries that are not there."""
_MERGES = Path(__file__).parent / "merges.txt"
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "ai", "ou")]


@cache
def merges() -> tuple[tuple[str, str], ...]:
    """Byte-level merges in order of rank; `Ġ` is a space."""
    lines = _MERGES.read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split(" ")) for line in lines)  # type: ignore[misc]


@cache
def words() -> tuple[str, ...]:
    """Whole lower-case words among the pieces, the most frequent first."""
    joined = (left + right for left, right in merges())
    return tuple(
        dict.fromkeys(
            token[1:].lower()
            for token in joined
            if token.startswith("Ġ") and token[1:].isalpha() and "Ġ" not in token[1:]
        )
    )


def byte_symbols() -> list[str]:
    """GPT-2's 256 printable stand-ins for bytes, in its own order."""
    keep = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return [chr(byte) for byte in keep] + [chr(256 + index) for index in range(256 - len(keep))]


def fillers(prefix: str = "") -> Iterator[str]:
    """Pronounceable names, the same ones in the same order for ever, no two equal."""
    for a, b, c in itertools.product(_SYLLABLES, repeat=3):
        yield prefix + a + b + c


def place(pieces: list[str], special: dict[str, int], size: int, prefix: str) -> list[str]:
    """The token of every id below `size`: special tokens at their own ids, pieces in order, then fillers."""
    seen = set(special)
    pieces = [piece for piece in dict.fromkeys(pieces) if piece not in seen]
    seen.update(pieces)
    inner = {index: token for token, index in special.items() if index < size}
    free = size - len(inner)
    pieces = pieces[:free]
    pieces += itertools.islice((name for name in fillers(prefix) if name not in seen), free - len(pieces))
    for index in sorted(inner):
        pieces.insert(index, inner[index])
    return pieces
