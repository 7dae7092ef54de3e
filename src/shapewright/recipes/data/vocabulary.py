"""Tokens and their numbers: words between spaces, or characters.

Number 0 is padding, 1 the unknown token, 2 the end of a text (and what stands before its first token). A text's own
`<unk>` is the unknown token.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

PAD, UNKNOWN, END = 0, 1, 2
SPECIAL = ("<pad>", "<unk>", "<end>")


@dataclass(frozen=True)
class Vocabulary:
    """`tokens[number]` is a token's text; `numbers` the way back."""

    unit: Literal["word", "character"]
    tokens: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", {token: number for number, token in enumerate(self.tokens)})

    def __len__(self) -> int:
        return len(self.tokens)

    @classmethod
    def of(
        cls, texts: Iterable[str], unit: Literal["word", "character"] = "word", min_count: int = 1, most: int = 0
    ) -> Vocabulary:
        """All tokens that occur at least `min_count` times, the most frequent first; at most `most` of them where that
        is not 0."""
        counts = Counter(token for text in texts for token in split(text, unit) if token not in SPECIAL)
        kept = [
            token for token, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if count >= min_count
        ]
        return cls(unit, (*SPECIAL, *(kept[:most] if most else kept)))

    def encode(self, text: str) -> list[int]:
        """A text's numbers, END before it and behind it.

        >>> Vocabulary("word", (*SPECIAL, "a", "cat")).encode("a dog")
        [2, 3, 1, 2]
        """
        return [END, *(self.numbers.get(token, UNKNOWN) for token in split(text, self.unit)), END]

    def decode(self, numbers: Iterable[int]) -> str:
        """The text of numbers, for people."""
        return ("" if self.unit == "character" else " ").join(self.tokens[number] for number in numbers)


def split(text: str, unit: Literal["word", "character"]) -> list[str]:
    """A text's tokens."""
    return text.split() if unit == "word" else list(text)
