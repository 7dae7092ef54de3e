"""Batches of examples."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

from .examples import Dataset, Example
from .fields import RawField


class Batch:
    """The tensors of several examples, by column."""

    def __init__(
        self, data: list[Example] | None = None, dataset: Dataset | None = None, device: object = None
    ) -> None:
        if data is None or dataset is None:
            return
        self.batch_size, self.dataset, self.fields = len(data), dataset, dataset.fields.keys()
        self.input_fields = [
            name for name, field in dataset.fields.items() if field is not None and not field.is_target
        ]
        self.target_fields = [name for name, field in dataset.fields.items() if field is not None and field.is_target]
        for name, field in dataset.fields.items():
            if isinstance(field, RawField):
                setattr(self, name, field.process([getattr(one, name) for one in data], device=device))

    def __iter__(self) -> Any:
        for names in (self.input_fields, self.target_fields):
            values = tuple(getattr(self, name) for name in names)
            yield values[0] if len(values) == 1 else values or None

    def __len__(self) -> int:
        return self.batch_size


def batch(data: Any, batch_size: int, batch_size_fn: Callable[..., int] | None = None) -> Any:
    """Lists of as many examples as fill a batch."""
    held, size = [], 0
    for one in data:
        held.append(one)
        size = len(held) if batch_size_fn is None else batch_size_fn(one, len(held), size)
        if size >= batch_size:
            over = size > batch_size and len(held) > 1
            yield held[:-1] if over else held
            held = held[-1:] if over else []
            size = batch_size_fn(one, 1, 0) if over and batch_size_fn is not None else len(held)
    if held:
        yield held


def pool(data: Any, batch_size: int, key: Callable[[Any], Any], **options: Any) -> Any:
    """Batches of examples of like length."""
    yield from batch(sorted(data, key=key), batch_size, options.get("batch_size_fn"))


class Iterator:
    """Batches of a data set."""

    def __init__(
        self,
        dataset: Dataset,
        batch_size: int,
        sort_key: Callable[[Any], Any] | None = None,
        device: Any = None,
        batch_size_fn: Callable[..., int] | None = None,
        train: bool = True,
        repeat: bool = False,
        shuffle: bool | None = None,
        sort: bool | None = None,
        sort_within_batch: bool | None = None,
    ) -> None:
        self.dataset, self.batch_size, self.batch_size_fn, self.train = dataset, batch_size, batch_size_fn, train
        self.repeat, self.device = repeat, None if isinstance(device, int) and device < 0 else device
        self.shuffle = train if shuffle is None else shuffle
        self.sort = not train if sort is None else sort
        self.sort_within_batch = self.sort if sort_within_batch is None else sort_within_batch
        self.sort_key = sort_key or dataset.sort_key
        self.epoch = self.iterations = 0

    @classmethod
    def splits(cls, datasets: Any, batch_sizes: Any = None, **options: Any) -> tuple[Any, ...]:
        """One for each data set; the first is for training."""
        sizes = batch_sizes or [options.pop("batch_size")] * len(datasets)
        options.pop("batch_size", None)
        return tuple(cls(one, size, train=at == 0, **options) for at, (one, size) in enumerate(zip(datasets, sizes)))

    def data(self) -> list[Example]:
        """The examples in the order of this pass."""
        if self.sort:
            return sorted(self.dataset, key=self.sort_key)
        return random.sample(list(self.dataset), len(self.dataset)) if self.shuffle else list(self.dataset)

    def _batches(self) -> Any:
        return batch(self.data(), self.batch_size, self.batch_size_fn)

    def init_epoch(self) -> None:
        """From the first again."""

    def __len__(self) -> int:
        if self.batch_size_fn is not None:
            return sum(1 for _ in self._batches())
        return math.ceil(len(self.dataset) / self.batch_size)

    def __iter__(self) -> Any:
        while True:
            for rows in self._batches():
                self.iterations += 1
                if self.sort_within_batch:
                    rows = sorted(rows, key=self.sort_key, reverse=True)
                yield Batch(rows, self.dataset, self.device)
            self.epoch += 1
            if not self.repeat:
                return


class BucketIterator(Iterator):
    """Batches of examples of like length."""

    def _batches(self) -> Any:
        if self.sort or self.sort_key is None:
            return super()._batches()
        made = list(pool(self.data(), self.batch_size, self.sort_key, batch_size_fn=self.batch_size_fn))
        return random.sample(made, len(made)) if self.shuffle else made


class BPTTIterator(Iterator):
    """Pieces of one long text, and the same a token later: `(bptt_len, batch)`."""

    def __init__(self, dataset: Dataset, batch_size: int, bptt_len: int, **options: Any) -> None:
        self.bptt_len = bptt_len
        super().__init__(dataset, batch_size, **options)

    def __len__(self) -> int:
        return math.ceil((len(self.dataset[0].text) / self.batch_size - 1) / self.bptt_len)

    def __iter__(self) -> Any:
        field, text = self.dataset.fields["text"], self.dataset[0].text
        rows = math.ceil(len(text) / self.batch_size)
        text = text + [field.pad_token] * (rows * self.batch_size - len(text))
        numbers = field.numericalize([text], device=self.device)
        numbers = numbers.view(self.batch_size, -1).t().contiguous()
        for at in range(0, rows - 1, self.bptt_len):
            size = min(self.bptt_len, rows - 1 - at)
            made = Batch()
            made.batch_size, made.dataset, made.fields = self.batch_size, self.dataset, ("text", "target")
            made.input_fields, made.target_fields = ["text"], ["target"]
            ends = numbers[at : at + size], numbers[at + 1 : at + 1 + size]
            made.text, made.target = (end.t().contiguous() if field.batch_first else end for end in ends)
            yield made
