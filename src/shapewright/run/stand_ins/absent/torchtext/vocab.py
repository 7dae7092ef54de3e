"""Vocabularies and word vectors."""

from __future__ import annotations

import collections
import itertools
import re
import sys
import zlib
from collections.abc import Callable, Iterable
from typing import Any

import torch

from shapewright.run.stand_ins.checkpoints import prepared_at
from shapewright.run.stand_ins.context import tell, user_frame
from shapewright.run.stand_ins.hub.pieces import words

_SIZES = re.compile(r"(\d+)d\b")


class Vocab:
    """Tokens and their numbers: the specials first, then the most frequent."""

    def __init__(
        self,
        counter: Any = (),
        max_size: int | None = None,
        min_freq: int = 1,
        specials: Any = ("<unk>", "<pad>"),
        vectors: Any = None,
        unk_init: Callable[[torch.Tensor], Any] | None = None,
        vectors_cache: Any = None,
        specials_first: bool = True,
    ) -> None:
        self.freqs = counter = collections.Counter(counter)
        ranked = sorted(((-count, str(token), token) for token, count in counter.items()), key=lambda row: row[:2])
        kept = [token for count, _, token in ranked if -count >= min_freq and token not in specials][:max_size]
        self.itos: list[Any] = [*specials, *kept] if specials_first else [*kept, *specials]
        numbers = {token: at for at, token in enumerate(self.itos)}
        unknown = numbers.get("<unk>")
        self.stoi = (
            collections.defaultdict(itertools.repeat(unknown).__next__, numbers) if unknown is not None else numbers
        )
        self.default: int | None = None
        self.vectors: torch.Tensor | None = None
        if vectors is not None:
            self.load_vectors(vectors, unk_init=unk_init)

    def load_vectors(self, vectors: Any, unk_init: Any = None, **_: Any) -> None:
        """A vector for each token."""
        parts = [_known(one, unk_init) for one in (vectors if isinstance(vectors, (list, tuple)) else [vectors])]
        self.vectors = torch.cat([part.get_vecs_by_tokens(list(map(str, self.itos))) for part in parts], 1)

    def set_vectors(self, stoi: Any, vectors: Any, dim: int, unk_init: Any = torch.Tensor.zero_) -> None:
        """The vectors that are given for its tokens."""
        empty = [unk_init(torch.Tensor(dim)) if token not in stoi else None for token in self.itos]
        self.vectors = torch.stack(
            [torch.as_tensor(vectors[stoi[token]]) if one is None else one for token, one in zip(self.itos, empty)]
        )

    def __len__(self) -> int:
        return len(self.itos)

    def __contains__(self, token: object) -> bool:
        return dict.__contains__(self.stoi, token)

    def __getitem__(self, token: Any) -> int:
        if token in self:
            return self.stoi[token]
        number = self.default if self.default is not None else self.stoi.get("<unk>")
        if number is None:
            raise RuntimeError(f"Token {token} not found and default index is not set")
        return number

    def __call__(self, tokens: Iterable[str]) -> list[int]:
        return [self[token] for token in tokens]

    lookup_indices = __call__

    def forward(self, tokens: Iterable[str]) -> list[int]:
        """The numbers of tokens."""
        return self(tokens)

    def lookup_token(self, index: int) -> str:
        """The token of a number."""
        return self.itos[index]

    def lookup_tokens(self, indices: Iterable[int]) -> list[str]:
        """The tokens of numbers."""
        return [self.itos[index] for index in indices]

    def set_default_index(self, index: int | None) -> None:
        """The number of what it does not hold."""
        self.default = index

    def get_default_index(self) -> int | None:
        """The number of what it does not hold."""
        return self.default

    def get_itos(self) -> list[str]:
        """All tokens."""
        return list(self.itos)

    def get_stoi(self) -> dict[str, int]:
        """All numbers."""
        return dict(self.stoi)

    def append_token(self, token: str) -> None:
        """One more."""
        self.insert_token(token, len(self.itos))

    def insert_token(self, token: str, index: int) -> None:
        """One more, before others."""
        if token in self:
            raise RuntimeError(f"Token {token} already exists in the Vocab with index: {self[token]}")
        self.itos.insert(index, token)
        self.stoi.update((one, at) for at, one in enumerate(self.itos))


class _Numbered(Vocab):
    """Without a number for what it does not hold, until it is set."""

    def __getitem__(self, token: Any) -> int:
        if token not in self and self.default is None:
            raise RuntimeError(f"Token {token} not found and default index is not set")
        return super().__getitem__(token)


def build_vocab_from_iterator(
    iterator: Iterable[Iterable[str]],
    min_freq: int = 1,
    specials: Any = None,
    special_first: bool = True,
    max_tokens: int | None = None,
    num_lines: Any = None,
) -> Vocab:
    """The vocabulary of tokenized texts."""
    counter = collections.Counter(token for tokens in iterator for token in tokens)
    most = None if max_tokens is None else max_tokens - len(specials or ())
    kind = Vocab if specials is None else _Numbered
    return kind(counter, most, min_freq, specials or (), specials_first=special_first)


def vocab(ordered_dict: Any, min_freq: int = 1, specials: Any = None, special_first: bool = True) -> Vocab:
    """The vocabulary of tokens in the order that they come in."""
    kept = [token for token, count in ordered_dict.items() if count >= min_freq]
    made = _Numbered(specials=[*(specials or ()), *kept] if special_first else [*kept, *(specials or ())])
    made.freqs = collections.Counter(ordered_dict)
    return made


class _Numbers(dict):
    """The numbers of words; one that a script names without asking whether it is there the real collection has too."""

    def __missing__(self, token: Any) -> int:
        frame = user_frame(sys._getframe(1))
        if not self or not isinstance(token, str) or not token.isalpha() or frame is None:
            raise KeyError(token)
        if prepared_at(frame, KeyError):
            raise KeyError(token)
        return zlib.crc32(token.encode()) % len(self)


class Vectors:
    """A made-up vector for each common word."""

    def __init__(self, name: str = "", cache: Any = None, dim: int = 0, unk_init: Any = None, **_: Any) -> None:
        told = _SIZES.search(str(name))
        self.dim = dim or (int(told[1]) if told else 300 if "fasttext" in name.lower() else 100)
        self.unk_init = unk_init or torch.Tensor.zero_
        self.itos = list(words())
        self.stoi = _Numbers((token, at) for at, token in enumerate(self.itos))
        drawn = torch.Generator().manual_seed(0)
        self.vectors = torch.randn(len(self.itos), self.dim, generator=drawn) * 0.3
        tell("stand-in-dataset", name=name or "GloVe", columns=f"vectors of {self.dim}")

    def __len__(self) -> int:
        return len(self.itos)

    def __contains__(self, token: str) -> bool:
        return token in self.stoi

    def __getitem__(self, token: str) -> torch.Tensor:
        return self.vectors[self.stoi[token]] if token in self.stoi else self.unk_init(torch.zeros(self.dim))

    def get_vecs_by_tokens(self, tokens: Any, lower_case_backup: bool = False) -> torch.Tensor:
        """The vectors of tokens."""
        if isinstance(tokens, str):
            return self[tokens]
        return torch.stack([self[one.lower() if lower_case_backup and one not in self else one] for one in tokens])


class GloVe(Vectors):
    """Vectors of a public collection."""

    def __init__(self, name: str = "840B", dim: int = 300, **options: Any) -> None:
        super().__init__(f"glove.{name}.{dim}d", dim=dim, **options)


class FastText(Vectors):
    """Vectors of a public collection."""

    def __init__(self, language: str = "en", **options: Any) -> None:
        super().__init__(f"fasttext.{language}.300d", **options)


class CharNGram(Vectors):
    """Vectors of a public collection."""

    def __init__(self, **options: Any) -> None:
        super().__init__("charngram.100d", **options)


def _known(vectors: object, unk_init: object) -> Vectors:
    return vectors if isinstance(vectors, Vectors) else Vectors(str(vectors), unk_init=unk_init)
