"""Notes how the user's DataLoaders draw their samples, and whether reading a sample changes the data."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils.data import (
    BatchSampler,
    DataLoader,
    RandomSampler,
    SequentialSampler,
    Subset,
    SubsetRandomSampler,
    WeightedRandomSampler,
)

from ...trace import Mispaired, Reseeded, Site, Turned
from .anew import reseeded
from .batched import Batched, moved
from .changed import changed
from .collated import SAMPLES, apart
from .functions import Functions
from .neighbor import neighbor
from .nested import tensors
from .overlap import overlap, windows
from .passes import Passes
from .readable import readable
from .rearranged import rearranged
from .seedings import Seedings
from .seeds import seed_all
from .turned import Collated, Replayed, turned

MOST = 8
LARGEST = 4_000_000
FEWEST, STORED = 8, 4096


class Datasets:
    """Fed by `Loading` with every loader that the script makes. `loaders` is plain data for rules."""

    def __init__(self) -> None:
        self.loaders: list[dict[str, Any]] = []
        self._sets: list[Any] = []
        self._collated: list[Collated] = []
        self._passes: dict[int, Passes] = {}
        self._read: list[tuple[dict[str, Any], Any, bool]] = []  # every loader, its data, whether it reads all

    @property
    def held(self) -> list[Any]:
        """The data sets that loaders were made of."""
        return self._sets

    def made(self, loader: DataLoader, stack: tuple) -> None:
        """A loader was made at `stack`."""
        dataset, sampler = loader.dataset, loader.sampler
        length = len(dataset) if hasattr(type(dataset), "__len__") else -1
        weights = len(sampler.weights) if isinstance(sampler, WeightedRandomSampler) else -1
        if len(self.loaders) < 64:
            self.loaders.append(
                {
                    "stack": stack,
                    "length": length,
                    "weights": weights,
                    "sequential": isinstance(sampler, SequentialSampler),
                    "batch": loader.batch_size or 0,
                    "repeated": False,
                    "trained": False,
                    "fed": False,
                    "judged": False,
                    "again": (),
                    "shared": (0, 0),
                    "of": 0,
                    "beside": False,
                    "itself": False,
                    "windows": False,
                    "class": type(dataset).__name__,
                    "table": _table(dataset),
                }
            )
            whole = type(sampler) in (SequentialSampler, RandomSampler) and type(loader.batch_sampler) is BatchSampler
            picked = Subset(dataset, [*sampler.indices]) if type(sampler) is SubsetRandomSampler else dataset
            self._read.append((self.loaders[-1], picked, whole))
            self._passes[id(loader)] = Passes(sampler, self.loaders[-1])
        while "dataset" in getattr(dataset, "__dict__", ()) and not isinstance(dataset, DataLoader):
            dataset = dataset.dataset  # held, not answered for by what has any attribute
        if len(self._sets) < MOST and all(known is not dataset for known in self._sets):
            self._sets.append(dataset)
        home = getattr(sys.modules.get(getattr(loader.collate_fn, "__module__", "torch")), "__file__", None) or ""
        if "site-packages" not in home and length > 0 and len(self._collated) < MOST:
            self._collated.append(Collated(loader.dataset, loader.collate_fn))

    def drawn(self, loader: int, iterator: object, trained: int, asked: int, looped: bool) -> None:
        """A batch was drawn from a loader (its identity), after so many steps of training and calls of models, by a
        loop of the user's or not."""
        if loader in self._passes:
            self._passes[loader].drawn(iterator, trained, asked, looped)

    def marks(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The loaders that were trained on and go through all of their data, each with a number that equal data share.
        It reads two samples; ask when the script has ended."""
        for told, dataset, whole in self._read:
            if whole and told["trained"] and told["length"] > 1:
                with contextlib.suppress(Exception):  # as for `changing`
                    seed_all(0)
                    samples = [dataset[at] for at in (0, told["length"] - 1)]
                    sums = [float(part.double().sum()) for _, part in tensors(samples) if readable(part, LARGEST)]
                    if any(sums):
                        yield hash((told["length"], *sums)), told

    def facts(self, sites: Callable[[tuple], tuple[Site, ...]]) -> tuple[dict[str, Any], ...]:
        """How the script's loaders draw their samples, each with its site."""
        self._again()
        return tuple(
            {
                **{name: value for name, value in known.items() if name != "stack"},
                "sites": sites(known["stack"]),
                "again": sites(known["again"]),
            }
            for known in self.loaders
        )

    def _again(self) -> None:
        """Tell the loaders that are only judged which of their samples are those of one that is trained on, and by
        which line that one was made; `itself` says that both read one data set. Where any loader judges by other data,
        a part that is judged alone is `beside` them, since it may be asked on purpose."""
        trained = [(told, dataset, _print(dataset)) for told, dataset, _ in self._read if told["fed"]]
        own = {id(dataset): told for told, dataset, _ in trained}
        pairs: list[tuple[dict[str, Any], dict[str, Any], tuple[int, int]]] = []
        others = False
        for at, (told, dataset, whole) in enumerate(self._read):
            if told["fed"] or not told["judged"]:
                continue
            if id(dataset) in own:
                told["itself"] = whole
                pairs += [(told, own[id(dataset)], (told["length"], told["length"]))] if whole else []
                continue
            mark = _print(dataset)
            first = next((one for one, other, same in trained if mark and same == mark), None)
            first = first or next((one for one, other, _ in trained if _within(dataset, other)), None)
            if first is not None:
                pairs.append((told, first, (told["length"], told["length"])))
                continue
            with contextlib.suppress(Exception):  # as for `changing`
                near = [part for part in trained if any(part[0] is one for one in self.loaders[: at + 1])][
                    -1:
                ] or trained[:1]
                pairs += [(told, one, most) for one, other, _ in near if any(most := overlap(dataset, other))]
                if not pairs or pairs[-1][0] is not told:
                    pairs += [(told, one, most) for one, other, _ in near if any(most := windows(dataset, other))]
                    told["windows"] = bool(pairs) and pairs[-1][0] is told
            others = others or not pairs or pairs[-1][0] is not told
        for told, first, shared in pairs:
            told["again"], told["shared"], told["of"] = first["stack"], shared, first["length"]
            told["beside"] = others and not first["judged"]

    def changing(self, display: Callable[[str], str]) -> tuple[dict[str, Any], ...]:
        """The user's data sets, and those whose batches a function of the user's makes, of which readings of one sample
        each changed what is stored. It reads the first sample; ask when the script has ended."""
        found: dict[Site, dict[str, Any]] = {}
        read = (dataset for _, dataset, _ in self._read if _written(dataset))
        for dataset in [*{id(one): one for one in (*self.own(), *read, *self._collated)}.values()][:MOST]:
            with contextlib.suppress(Exception):  # whatever reading raises out of its place is no fault of the script
                told = changed(dataset, display)
                if told is not None:
                    found.setdefault(told["site"], told | {"joined": isinstance(dataset, Collated)})
        return tuple(found.values())

    def read(
        self, display: Callable[[str], str], functions: Functions, seedings: Seedings
    ) -> tuple[tuple[Turned, ...], tuple[Mispaired, ...], tuple[Reseeded, ...]]:
        """The user's data sets, functions that make their batches, and functions of which calls were kept, that
        mirror one part of a sample alone, the first that gives out two lists of one sample, or two parts of a
        batch, in two orders, and what is trained on and seeds a generator in the same way for each sample. Ask when
        the script has ended."""
        mirrored, mispaired, seeded = [], [], []
        played = list(map(Replayed, functions.pictured.values()))
        for dataset in (*self.own(), *self._collated, *played):
            with contextlib.suppress(Exception):  # whatever reading raises out of its place is no fault of the script
                mirrored.append(turned(dataset, display))
        for dataset in (*self.own(), *played):
            with contextlib.suppress(Exception):
                mispaired.append(rearranged(dataset, display))
        for dataset in self.own():
            with contextlib.suppress(Exception):
                mispaired.append(neighbor(dataset, display))
        for asked in self._collated:
            with contextlib.suppress(Exception):
                seed_all(0)
                mispaired.append(apart(asked, display) or moved(_batch(asked), display))
        for made in functions.batched():
            with contextlib.suppress(Exception):
                mispaired.append(moved(Batched(*made), display))
        for told, dataset, _ in self._read:
            with contextlib.suppress(Exception):
                seeded.append(reseeded(dataset, seedings) if told["fed"] and _written(dataset) else None)
        return tuple(filter(None, mirrored)), tuple(filter(None, mispaired))[:1], tuple(filter(None, seeded))[:1]

    def own(self) -> Iterator[Any]:
        """Data sets of classes that the user wrote."""
        return filter(_written, self._sets)


def _batch(asked: Collated) -> Batched:
    samples = [asked.dataset[index] for index in range(min(SAMPLES, len(asked.dataset)))]
    return Batched(asked.collate.__code__, asked.collate, samples)


def _written(dataset: Any) -> bool:
    """Whether a data set, or the one that it is a part of, is of a class that the user wrote."""
    while isinstance(dataset, torch.utils.data.Subset):
        dataset = dataset.dataset
    kind = type(dataset)
    home = getattr(sys.modules.get(kind.__module__), "__file__", "") or ""
    return "__getitem__" in vars(kind) and "site-packages" not in home and not kind.__module__.startswith("torch.")


def _table(dataset: Any) -> int:
    """A number that the parts of one data set share: those picked from it, and those cut from one tensor."""
    while isinstance(dataset, torch.utils.data.Subset):
        dataset = dataset.dataset
    if type(dataset) is not torch.utils.data.TensorDataset or not readable(dataset.tensors[0], LARGEST):
        return id(dataset)
    return dataset.tensors[0].untyped_storage().data_ptr()


def _print(dataset: Any) -> tuple:
    """What equal data have alike: of every array, list and tuple among the attributes its length and a few parts, the
    whole numbers, which may say where the data begin, and how many samples there are. Empty for what holds no array."""
    if isinstance(getattr(dataset, "indices", None), (list, tuple)) and hasattr(dataset, "dataset"):
        own = _print(dataset.dataset)
        return (*own, tuple(dataset.indices)) if own else ()
    found = []
    held = {"": dataset, **getattr(dataset, "__dict__", {})}
    for name, value in held.items():
        if isinstance(value, (torch.Tensor, list, tuple)) or type(value).__module__ == "numpy":
            with contextlib.suppress(Exception):  # a list that is the user's own kind of list
                count = len(value)
                parts = [value[at] for at in (0, count // 2, count - 1)] if count >= FEWEST else []
                if parts:
                    found.append((name, count, *map(_plain, parts)))
    numbers = [(name, value) for name, value in held.items() if type(value) is int]
    count = len(dataset) if hasattr(type(dataset), "__len__") else -1
    return (type(dataset), count, *found, *numbers) if found else ()


def _within(part: object, whole: object) -> bool:
    """Whether every sample that one data set stores is stored by another of its kind, which has more of them: each
    built for itself, no part cut from the other on purpose."""
    if type(part) is not type(whole) or hasattr(part, "dataset") or part is whole:
        return False
    held = [{name: _rows(value) for name, value in getattr(one, "__dict__", {}).items()} for one in (part, whole)]
    told = [(rows, held[1].get(name, [])) for name, rows in held[0].items() if len(set(rows)) >= FEWEST]
    return bool(told) and all(len(rows) < len(others) and set(rows) <= set(others) for rows, others in told)


def _rows(value: Any) -> list[Any]:
    """A mark of each real-valued sample in a list, an array or a tensor of not too many."""
    if isinstance(value, (torch.Tensor, list)) or type(value).__module__ == "numpy":
        with contextlib.suppress(Exception):  # a list that is the user's own kind of list
            marks = [_plain(value[at]) for at in range(len(value))] if FEWEST <= len(value) <= STORED else []
            return [one for one in marks if isinstance(one, tuple) and any(part % 1 for part in one)]
    return []


def _plain(part: Any) -> Any:
    """Something that equal samples have alike."""
    with torch._C.DisableTorchFunction():
        numbers = [float(one.double().sum()) for _, one in tensors([part]) if readable(one, LARGEST)]
    if not numbers and type(part).__module__ == "numpy":
        numbers = [float(part.astype("float64").sum())]
    return tuple(numbers) or (part if isinstance(part, (str, int, float, tuple)) else type(part))
