"""How a column becomes a tensor."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import torch

from ..vocab import Vocab
from .examples import Dataset
from .utils import get_tokenizer


class Pipeline:
    """Functions for each token, one after another."""

    def __init__(self, convert_token: Callable[[Any], Any] | None = None) -> None:
        self._steps = [convert_token] if convert_token is not None else []

    def __call__(self, x: Any, *args: Any) -> Any:
        for step in self._steps:
            x = [step(token, *args) for token in x] if isinstance(x, list) else step(x, *args)
        return x

    def add_after(self, pipeline: Any) -> Pipeline:
        """One more at the end."""
        self._steps.append(pipeline)
        return self


class RawField:
    """A column that is left as it is."""

    def __init__(self, preprocessing: Any = None, postprocessing: Any = None, is_target: bool = False) -> None:
        self.preprocessing, self.postprocessing, self.is_target = preprocessing, postprocessing, is_target

    def preprocess(self, x: Any) -> Any:
        """A value of an example."""
        return self.preprocessing(x) if self.preprocessing is not None else x

    def process(self, batch: Any, *args: Any, **options: Any) -> Any:
        """The values of a batch."""
        return self.postprocessing(batch) if self.postprocessing is not None else batch


class Field(RawField):
    """A column of texts or numbers."""

    vocab_cls = Vocab

    def __init__(
        self,
        sequential: bool = True,
        use_vocab: bool = True,
        init_token: str | None = None,
        eos_token: str | None = None,
        fix_length: int | None = None,
        dtype: torch.dtype = torch.long,
        preprocessing: Any = None,
        postprocessing: Any = None,
        lower: bool = False,
        tokenize: Any = None,
        tokenizer_language: str = "en",
        include_lengths: bool = False,
        batch_first: bool = False,
        pad_token: str | None = "<pad>",
        unk_token: str | None = "<unk>",
        pad_first: bool = False,
        truncate_first: bool = False,
        stop_words: Any = None,
        is_target: bool = False,
        tensor_type: Any = None,
    ) -> None:
        super().__init__(preprocessing, postprocessing, is_target)
        self.sequential, self.use_vocab, self.fix_length, self.lower = sequential, use_vocab, fix_length, lower
        self.dtype = dtype if tensor_type is None else tensor_type.dtype
        self.init_token, self.eos_token, self.unk_token = init_token, eos_token, unk_token
        self.pad_token = pad_token if sequential else None
        self.tokenize = get_tokenizer(tokenize, tokenizer_language)
        self.include_lengths, self.batch_first = include_lengths, batch_first
        self.pad_first, self.truncate_first = pad_first, truncate_first
        self.stop_words = frozenset(stop_words or ())
        self.vocab: Any = None

    def preprocess(self, x: Any) -> Any:
        """A value of an example: its tokens."""
        if self.sequential and isinstance(x, str):
            x = self.tokenize(x.rstrip("\n"))
        if self.lower:
            x = [token.lower() for token in x] if isinstance(x, list) else x.lower()
        if self.sequential and self.use_vocab and self.stop_words:
            x = [token for token in x if token not in self.stop_words]
        return self.preprocessing(x) if self.preprocessing is not None else x

    def process(self, batch: Any, device: Any = None, **_: Any) -> Any:
        """The tensor of a batch."""
        return self.numericalize(self.pad(batch), device=device)

    def pad(self, minibatch: Any) -> Any:
        """As many tokens in each, with the marks at both ends; with the lengths where they are asked for."""
        rows = list(minibatch)
        if not self.sequential:
            return rows
        marks = (self.init_token is not None) + (self.eos_token is not None)
        size = (max(map(len, rows), default=0) if self.fix_length is None else self.fix_length - marks) + marks
        padded, lengths = [], []
        for row in rows:
            kept = row[-(size - marks) :] if self.truncate_first else row[: size - marks]
            full = [self.init_token] * (self.init_token is not None) + list(kept)
            full += [self.eos_token] * (self.eos_token is not None)
            filling = [self.pad_token] * (size - len(full))
            lengths.append(len(full))
            padded.append(filling + full if self.pad_first else full + filling)
        return (padded, lengths) if self.include_lengths else padded

    def build_vocab(self, *args: Any, **options: Any) -> None:
        """The vocabulary of columns or data sets; the most frequent first."""
        counter: collections.Counter = collections.Counter()
        for source in args:
            columns = [source]
            if isinstance(source, Dataset):
                columns = [getattr(source, name) for name, field in source.fields.items() if field is self]
            for column in columns:
                for value in column:
                    counter.update(value if self.sequential else [value])
        marks = [self.unk_token, self.pad_token, self.init_token, self.eos_token, *options.pop("specials", ())]
        self.vocab = self.vocab_cls(counter, specials=[mark for mark in dict.fromkeys(marks) if mark], **options)

    def numericalize(self, arr: Any, device: Any = None) -> Any:
        """A tensor of numbers; `(batch, time)` where the batch comes first, else `(time, batch)`."""
        lengths = None
        if self.include_lengths and isinstance(arr, tuple):
            arr, lengths = arr[0], torch.tensor(arr[1], dtype=torch.long, device=device)
        if self.use_vocab:
            known = self.vocab.stoi
            numbers = [[known[token] for token in row] for row in arr] if self.sequential else [known[x] for x in arr]
        else:
            kind = float if self.dtype.is_floating_point else int
            whole = not self.sequential
            numbers = [kind(x) if isinstance(x, str) else x for x in arr] if whole else [list(row) for row in arr]
        if self.postprocessing is not None:
            numbers = self.postprocessing(numbers, self.vocab if self.use_vocab else None)
        made = torch.tensor(numbers, dtype=self.dtype, device=device)
        if self.sequential and not self.batch_first:
            made = made.t().contiguous()
        return (made, lengths) if lengths is not None else made


class ReversibleField(Field):
    """A column of texts that are read back."""

    def reverse(self, batch: torch.Tensor) -> list[str]:
        """The texts of a batch."""
        rows = batch if self.batch_first else batch.t()
        marks = {self.pad_token, self.init_token, self.eos_token}
        texts = [[self.vocab.itos[number] for number in row] for row in rows.tolist()]
        return [" ".join(token for token in text if token not in marks) for text in texts]


class NestedField(Field):
    """A column of lists of what another field reads, `(batch, words, letters)`."""

    def __init__(self, nesting_field: Field, **options: Any) -> None:
        super().__init__(batch_first=True, **{"pad_token": nesting_field.pad_token, **options})
        self.nesting_field = nesting_field

    def preprocess(self, x: object) -> Any:
        """The tokens, each read by the other field."""
        return [self.nesting_field.preprocess(token) for token in super().preprocess(x)]

    def build_vocab(self, *args: Any, **options: Any) -> None:
        """The vocabulary of the letters."""
        columns = [getattr(source, name) for source in args for name, field in source.fields.items() if field is self]
        self.nesting_field.build_vocab([word for column in columns for row in column for word in row], **options)
        self.vocab = self.nesting_field.vocab

    def process(self, batch: Any, device: Any = None, **_: Any) -> Any:
        """The tensor of a batch."""
        count, size = max(map(len, batch)), max((len(word) for row in batch for word in row), default=1)
        rows = [[list(word) + [self.pad_token] * (size - len(word)) for word in row] for row in batch]
        full = [row + [[self.pad_token] * size] * (count - len(row)) for row in rows]
        return torch.tensor([[[self.vocab.stoi[x] for x in word] for word in row] for row in full], device=device)


class LabelField(Field):
    """A column of classes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "sequential": False, "unk_token": None, "is_target": True})
