"""Pickled files that are not on this machine: what they held is unknown, as what a library gives that is not installed,
and takes the form that its use demands; it is told, and no evidence (`Context.loose`). Where that ends a run, another
sees what the script takes out of them as out of documents (`files/entries`), and the next one is given that."""

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
        return unpickled(file.stands_for, context)

    @functools.wraps(whole)
    def loads(data: Any, *args: Any, **options: Any) -> Any:
        absent = len(data) == len(NOTHING) and bytes(data) == NOTHING
        return unpickled("data", context) if absent else whole(data, *args, **options)

    pickle.load, pickle.loads = load_file, loads
    take()
    try:
        yield
    finally:
        pickle.load, pickle.loads, torch.from_numpy = load, whole, plain


def unpickled(name: str, context: Context) -> Any:
    """What a file held, or, of a file that is read again, what came next in it."""
    context.made_up(name)
    context.loaded[name] += 1
    if (found := told(name if context.loaded[name] == 1 else f"{name} {context.loaded[name]}", context)) is not None:
        return found
    context.loosen(tried=True)
    context.stands()
    return of_file(name)


def told(part: str, context: Context) -> Any:
    """What a pickled part holds as far as the script tells it: what notes what is asked, where the run observes; `None`
    where nothing was asked."""
    from .files.answering import Writer
    from .files.asked import Asked, of_form
    from .files.entries import Entry

    context.read.append((part, ""))
    asked = of_form(dict(context.guess.forms).get(part, ""))
    if context.guess.observes:
        return Entry(context.asked.setdefault(part, asked or Asked()), place=part)
    if asked is None:
        return None

    def sizes(name: str) -> tuple[int, ...]:
        context.loosen()  # of a table of numbers it is not known how many axes it has
        return context.row(context.of_file(f"{part}[{name}]"))

    return Writer(context.usage, context.guess, 0, sizes).held(asked, 0, "")


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
