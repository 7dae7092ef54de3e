"""Hooks into DataLoader: no worker processes, a jump to the last batch, another batch size, and the batch axis of what
it yields."""

from __future__ import annotations

import collections
import contextlib
import functools
import io
import itertools
import operator
import sys
from collections.abc import Iterator
from typing import Any

import torch
from torch.utils.data import DataLoader, SequentialSampler
from torch.utils.data.dataloader import _BaseDataLoaderIter

from ...trace import Axis, Origin, Site
from ..device.places import pinned
from ..record.datasets import Datasets
from ..record.nested import tensors
from ..record.notes import Note
from ..record.recorder import Recorder
from .places import Places
from .sources import OURS

TABLES = 8
LATER, ENDLESS = 10_000, 1_000_000  # batches


class Loading:
    """Patches `DataLoader` for the duration of a run."""

    def __init__(self, recorder: Recorder, batch_size: int | None = None, share: int = 1) -> None:
        self.recorder, self.batch_size, self.share = recorder, batch_size, share
        self.by_places = Places(recorder, share)
        self.places: dict[int, tuple] = {}
        self.sizes: set[int] = set()
        self.unordered: set[int] = set()  # identities of batches whose samples come in no order
        self.cut = False
        self.datasets = Datasets()
        self.tables: list[tuple[torch.Tensor, ...]] = []  # the whole data of the first loaders over tensors

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Hook DataLoader, and what draws places, while the body runs."""
        make, advance, begin = DataLoader.__init__, _BaseDataLoaderIter.__next__, _BaseDataLoaderIter.__init__
        loading = self

        @functools.wraps(make)
        def __init__(self, dataset, batch_size=1, *args, **kwargs):
            if batch_size is not None and kwargs.get("batch_sampler") is None and len(args) < 3:
                if loading.share > 1 and type(batch_size) is int and batch_size > 0:
                    sampler = kwargs.get("sampler", args[1] if len(args) > 1 else None)
                    counted = () if kwargs.get("drop_last") else dataset if sampler is None else sampler
                    batch_size = loading.smaller(batch_size, counted)
                batch_size = loading.batch_size or batch_size
            make(self, dataset, batch_size, *args, **kwargs)
            for name, value in (
                ("_shapewright_pins", bool(self.pin_memory)),
                ("num_workers", 0),
                ("persistent_workers", False),
                ("prefetch_factor", None),
                ("timeout", 0),
                ("pin_memory", False),
            ):
                object.__setattr__(self, name, value)
            self._DataLoader__multiprocessing_context = None
            held = getattr(getattr(dataset, "dataset", dataset), "tensors", ())
            if isinstance(held, tuple) and len(loading.tables) < TABLES:
                loading.tables.append(held)
            loading.places[id(self)] = loading.recorder.sources.stack(sys._getframe(1))
            with torch._C.DisableTorchFunction():
                loading.datasets.made(self, loading.places[id(self)])

        def __next__(self):
            return loading.next(self, advance)

        def start(self, loader):
            begin(self, loader)
            self._shapewright_loader = id(loader)
            self._shapewright_pins = getattr(loader, "_shapewright_pins", False)

        DataLoader.__init__, _BaseDataLoaderIter.__next__, _BaseDataLoaderIter.__init__ = __init__, __next__, start
        _BaseDataLoaderIter.hurry = _hurry
        try:
            with self.by_places.active():
                yield
        finally:
            DataLoader.__init__, _BaseDataLoaderIter.__next__, _BaseDataLoaderIter.__init__ = make, advance, begin
            del _BaseDataLoaderIter.hurry

    def smaller(self, size: int, source: Any) -> int:
        """The batch size that is given in place of another one, told."""
        new = shared(size, self.share, _length(source))
        if new != size:
            self.recorder.assumptions.add("made-small", old=str(size), new=str(new))
        return new

    def read(self) -> tuple[tuple[int, Site], ...]:
        """The loaders that were trained on and go through all of their data, each with a mark of them and its line; ask
        when the script has ended."""
        with torch._C.DisableTorchFunction(), contextlib.redirect_stdout(io.StringIO()):
            marks = ((mark, self.recorder.sources.sites(told["stack"])) for mark, told in self.datasets.marks())
            return tuple((mark, sites[-1]) for mark, sites in marks if sites)

    def next(self, iterator: Any, advance: Any) -> Any:
        recorder = self.recorder
        recorder.loops.draws(iterator)
        if recorder.loops.drawing is None and not recorder.loops.whole:
            self._cut_other_loop(iterator, _asking() in recorder.sources.texts)
        count: list[int] = []
        pick = iterator._next_index

        def next_index():
            index = pick()
            count.append(len(index) if isinstance(index, (list, tuple)) else 1)
            return index

        iterator._next_index = next_index
        outer, recorder.fetched = recorder.fetched, {}
        try:
            batch = advance(iterator)
        finally:
            recorder.fetched = outer
            del iterator._next_index
        if getattr(iterator, "_shapewright_pins", False):
            for _, tensor in tensors(batch):
                pinned(tensor)
        recorder.activity.batches += 1
        looped = recorder.loops.drawing is not None  # a loop of the user's; libraries tell their samplers the epoch
        told = recorder.activity.trained, recorder.activity.forwards, looped
        self.datasets.drawn(getattr(iterator, "_shapewright_loader", 0), iterator, *told)
        if count:
            self.sizes.add(count[-1])
            with torch._C.DisableTorchFunction():
                self._name(batch, count[-1], iterator)
        return batch

    def _cut_other_loop(self, iterator: Any, by_hand: bool) -> None:
        """No loop of the user's draws this batch: a library (Trainer, Lightning) does, or a `next` of the user's. Once
        two are drawn and something was trained, jump to the last one. A loop of the user's that draws `by_hand` goes
        by its own count, so that the others come after it.

        Accelerate draws a batch ahead, so what is drawn is counted, not what was trained on."""
        trained = self.recorder.activity.trained
        begun, drawn = getattr(iterator, "_shapewright_library", (trained, 0))
        if drawn >= self.recorder.loops.cap and trained > begun:
            begun = sys.maxsize  # once
            self.cut = True
            iterator.hurry(0, by_hand)
        iterator._shapewright_library = (begun, drawn + 1)

    def _name(self, batch: object, size: int, iterator: Any) -> None:
        """Name the batch axis of every tensor of the batch: the first axis whose size is the number of samples."""
        sites = self.recorder.sources.sites(self.places.get(getattr(iterator, "_shapewright_loader", 0), ()))
        origin = Origin("loader", "DataLoader", sites[-1] if sites else None, sites)
        uid = self.recorder.notes.new_uid()
        order = getattr(iterator, "_index_sampler", None)
        if iterator._dataset_kind == 0 and not isinstance(getattr(order, "sampler", order), SequentialSampler):
            self.unordered.add(uid)
        for _, tensor in tensors(batch):
            note = self.recorder.notes.get(tensor) or self.recorder.notes.put(tensor, Note(kind="tensor"))
            axes = (
                list(note.axes)
                if len(note.axes) == tensor.dim()
                else [
                    Axis(n, "", Origin("dataset", "", origin.site, sites), ((self.recorder.notes.new_uid(), n),))
                    for n in tensor.shape
                ]
            )
            fitting = [i for i, n in enumerate(tensor.shape) if n == size and axes[i].role != "time"]
            joined = [i for i in fitting if axes[i].origin and axes[i].origin.note in ("stack", "pad_sequence")]
            at = next(iter(joined or fitting), None)
            if at is not None:
                axes[at] = Axis(size, "batch", origin, ((uid, size),))
            note.axes = tuple(axes)


def shared(size: int, share: int, count: int) -> int:
    """The batch size that is such a share of another one, and whose last batch of `count` samples is whole, smaller or
    alone as with that one.

    >>> shared(64, 16, 640), shared(64, 16, 641), shared(64, 16, 644), shared(64, 16, 645), shared(1, 16, 9)
    (4, 4, 5, 6, 1)
    """
    wanted = min(count % size, 2)
    return next((new for new in range(max(2, size // share), size) if min(count % new, 2) == wanted), size)


def _length(source: Any) -> int:
    """How many samples a data set or a sampler tells; 0 where it tells none."""
    try:
        return operator.length_hint(source, 0)
    except Exception:  # of the script's own method: where it matters, the loader meets it too
        return 0


def _asking() -> str:
    """The file that the next batch is asked from."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back
    return frame.f_code.co_filename


def _count(sampler: Any) -> int:
    """The most batches that a sampler gives: what it says, else `LATER`."""
    try:
        return len(sampler)
    except (TypeError, NotImplementedError):
        return LATER


def _hurry(self, keep: int, later: bool = False) -> int:
    """Keep the next `keep` batches and the last one; skip those between without loading them, or have them come
    `later`, after the last. How many were to come; 0 where that is not known. A sampler may have no end, or say that it
    is beyond `ENDLESS`: nothing of it is skipped then."""
    if self._dataset_kind != 0 or self._sampler_iter is None:  # an iterable data set is drained by the loop
        return 0
    count = _count(self._index_sampler)
    if count > ENDLESS:
        return 0
    batches = collections.deque(maxlen=LATER if later else 1)
    first, left = [], 0
    for left, index in enumerate(itertools.islice(self._sampler_iter, count), 1):  # noqa: B007 (it is returned)
        if len(first) < keep:
            first.append(index)
        else:
            batches.append(index)
    batches.rotate(1)
    self._sampler_iter = itertools.chain(first, batches, self._sampler_iter)
    return left
