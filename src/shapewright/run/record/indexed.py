"""Notes which rows whole numbers pick, and how rows are added up to samples, by value. What that means is asked by
rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from ...trace import Lists, Picked, Summed
from .readable import readable

PICKING = frozenset({"getitem", "index_select", "embedding"})
ADDING = frozenset({"index_add", "index_add_", "scatter_add", "scatter_add_", "scatter_reduce", "scatter_reduce_"})
COUNTING = frozenset({"bincount"})
CALLS, LARGEST, LEAST = 12, 200_000, 8
TABLES, LISTS = 8, 6


class Indexed:
    """Told by the recorder of every operator that it keeps."""

    def __init__(self) -> None:
        self.picked: list[Picked] = []
        self.summed: list[Summed] = []
        self.tallied: list[tuple[int, int]] = []
        self._calls: dict[tuple, int] = {}
        self._tables: dict[int, tuple[torch.Tensor, list[tuple[torch.Tensor, list[int]]]]] = {}

    def found(self) -> dict[str, tuple]:
        """What it noted, by the names of `trace.Seen`."""
        told = {"picked": tuple(self.picked), "summed": tuple(self.summed), "tallied": tuple(self.tallied)}
        return {**told, "lists": tuple(self._lists())}

    def _lists(self) -> Iterator[Lists]:
        """The tables from which a few different lists pick, and not others in every step."""
        for _, lists in self._tables.values():
            if 1 < len(lists) <= LISTS:
                shared = tuple(tuple(int(torch.isin(one, other).sum()) for other, _ in lists) for one, _ in lists)
                yield Lists(tuple(tuple(events) for _, events in lists), tuple(len(one) for one, _ in lists), shared)

    def _listed(self, table: torch.Tensor, places: torch.Tensor, index: int) -> None:
        """A list of places, or a mask, picks rows of labels."""
        if table.requires_grad or not 1 <= table.dim() <= 2 or len(table) < LEAST or not readable(places, LARGEST):
            return
        if id(table) not in self._tables and len(self._tables) >= TABLES:
            return
        _, lists = self._tables.setdefault(id(table), (table, []))
        if len(lists) > LISTS:
            return
        rows = places.detach().nonzero().flatten() if places.dtype == torch.bool else places.detach() % len(table)
        known = next((events for one, events in lists if torch.equal(one, rows)), None)
        if known is None:
            lists.append((rows.clone(), [index]))
        elif len(known) < CALLS:
            known.append(index)

    def note(self, op: str, args: tuple, kwargs: dict, index: int, place: tuple) -> None:
        """An operator was called."""
        if op not in PICKING and op not in ADDING and op not in COUNTING:
            return
        numbers = _numbers(op, args, kwargs)
        if op == "getitem" and numbers is not None and numbers.dtype in (torch.int64, torch.bool):
            self._listed(args[0], numbers, index)
        if numbers is None or numbers.dtype != torch.int64 or not readable(numbers, LARGEST):
            return
        place = (*place, torch.is_grad_enabled())  # in training and in evaluation
        calls = self._calls[place] = self._calls.get(place, 0) + 1
        if calls > CALLS or not isinstance(args[0], torch.Tensor):
            return
        own = numbers.reshape(len(numbers), -1)[:, 0] if numbers.dim() else numbers.reshape(1)
        if op != "embedding" and len(own) >= LEAST and int(own.min()) >= 0 and int(own.max()) < LARGEST:
            self.tallied.append((index, hash(tuple(torch.bincount(own).tolist()))))
        if op in COUNTING:
            return
        if op in PICKING:
            if op == "embedding" or numbers.numel() >= LEAST:
                rows = (args[1] if op == "embedding" else args[0]).shape[0]
                least, greatest = numbers.aminmax()
                values = int(numbers.unique().numel()) if op != "embedding" else 0
                self.picked.append(Picked(index, rows, int(least), int(greatest), values, numbers.numel()))
            return
        if len(own) >= LEAST and bool((own[1:] >= own[:-1]).all()):
            counts = torch.bincount(own)
            if len(counts) > 1 and bool((counts > 0).all()):
                self.summed.append(Summed(index, len(own), len(counts), int(counts.max())))


def _numbers(op: str, args: tuple, kwargs: dict) -> torch.Tensor | None:
    """The whole numbers that pick rows of the first axis."""
    if op == "embedding":
        given: Any = args[0] if len(args) > 1 else None
    elif op in COUNTING:
        given = args[0] if args and "weights" not in kwargs and len(args) < 2 else None
    elif op == "getitem":
        given = args[1] if len(args) > 1 else None
        given = given[0] if type(given) is tuple and given else given
        given = given if isinstance(given, torch.Tensor) and given.dim() == 1 else None
    else:
        along = args[1] if len(args) > 1 else kwargs.get("dim")
        given = (args[2] if len(args) > 2 else kwargs.get("index")) if along == 0 else None
    return given if isinstance(given, torch.Tensor) else None
