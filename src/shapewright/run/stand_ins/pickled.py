"""Pickled files that are not on this machine: what they held is unknown, as what a library gives that is not installed,
and takes the form that its use demands. It is told, and no evidence (`Context.loose`)."""

from __future__ import annotations

import contextlib
import functools
import gzip
import io
import os
import pickle
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch.utils.data._utils import collate as _collate

from .checkpoints import fetched
from .context import Context, current
from .files.contents import ARCHIVES, JSON, NOTHING, PICTURES, SETTINGS, TEXTS, ending_of
from .how import HELD, refuse
from .unknown import UnknownThing, forms, of_file

ENDINGS = frozenset({".pkl", ".pickle", ".p", ".pk", ".pck", ".npy", ".npz"})
WHOLE = frozenset({"pickle.load", "cPickle.load", "dill.load", "joblib.load", "numpy.load", "torch.load"})
KNOWN = TEXTS | JSON | SETTINGS | ARCHIVES | PICTURES.keys()  # of which it is known what they hold


class Sealed(io.BytesIO):
    """A pickled file that is not there, opened: what unpickles it is answered, a copy of it is as little there."""

    def __init__(self, path: str) -> None:
        fetched(NOTHING)
        super().__init__(gzip.compress(NOTHING) if path.endswith(".gz") else NOTHING)
        self.name = self.stands_for = path


def sealed(path: Any, readers: Iterable[str] = ()) -> Sealed | None:
    """The file at `path`, opened, where its name tells that it is pickled or an array, or where its name tells nothing
    and the script has `readers` that load such files whole; `None` elsewhere."""
    known = ending_of(path)
    loaded = known not in KNOWN and any(name in WHOLE for name in readers)
    return Sealed(os.fsdecode(path)) if known in ENDINGS or loaded else None


@contextlib.contextmanager
def active(context: Context) -> Iterator[None]:
    """Answer for what is unpickled from absent files while the body runs."""
    load, whole, plain = pickle.load, pickle.loads, torch.from_numpy
    HELD.clear()

    @functools.wraps(load)
    def load_file(file: Any, *args: Any, **options: Any) -> Any:
        file = getattr(file, "myfileobj", None) or file  # what a compressed one was opened as
        if not isinstance(file, Sealed) and not hasattr(file, "stands_for"):  # whatever its name tells of its form
            return load(file, *args, **options)
        return unpickled(file.stands_for)

    @functools.wraps(whole)
    def loads(data: Any, *args: Any, **options: Any) -> Any:
        return (
            unpickled("data") if len(data) == len(NOTHING) and bytes(data) == NOTHING else whole(data, *args, **options)
        )

    def unpickled(name: str) -> Any:
        context.made_up(name)
        context.loosen(tried=True)
        context.stands()
        return of_file(name)

    pickle.load, pickle.loads = load_file, loads
    take()
    try:
        yield
    finally:
        pickle.load, pickle.loads, torch.from_numpy = load, whole, plain


def take() -> None:
    """Let torch take what stands for arrays as it takes them."""
    if (context := current()) is not None:
        context.stands()
    _collate.default_collate_fn_map[UnknownThing] = _collated
    kept = torch.from_numpy
    if hasattr(kept, "takes_unknown"):
        return

    @functools.wraps(kept)
    def from_numpy(array: Any) -> Any:
        return kept(array.__array__() if isinstance(array, UnknownThing) else array)

    from_numpy.takes_unknown = True  # type: ignore[attr-defined]
    torch.from_numpy = from_numpy


def _collated(batch: list[UnknownThing], *, collate_fn_map: Any = None) -> Any:
    """A batch of made-up numbers or rows."""
    return _collate.default_collate([refuse(one) if one._fed == "learns" else forms().scalar(one) for one in batch])
