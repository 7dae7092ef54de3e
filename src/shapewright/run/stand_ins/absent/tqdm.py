"""Stands for tqdm where it is not installed: iterates, and shows nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any


class tqdm:
    """An iterator with a progress bar's methods."""

    def __init__(
        self,
        iterable: Iterable | None = None,
        desc: str | None = None,
        total: int | None = None,
        *args: object,
        **options: object,
    ) -> None:
        self.iterable, self.desc, self.n = iterable, desc, 0
        self.total = total if total is not None else len(iterable) if hasattr(iterable, "__len__") else None

    def __iter__(self) -> Iterator[Any]:
        for item in self.iterable or ():
            yield item
            self.n += 1

    def __len__(self) -> int:
        return self.total or 0

    def __enter__(self) -> tqdm:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def update(self, n: int = 1) -> None:
        """Count on."""
        self.n += n

    def _nothing(self, *args: object, **options: object) -> None:
        """Nothing is shown."""

    close = set_description = set_postfix = set_postfix_str = set_description_str = refresh = reset = clear = _nothing

    @staticmethod
    def write(text: str, *args: object, **options: object) -> None:
        """Print a line."""
        print(text)


def trange(*args: int, **options: Any) -> tqdm:
    """A bar over a range."""
    return tqdm(range(*args), **options)


for _name in ("auto", "notebook", "autonotebook", "std"):
    _part = ModuleType(f"tqdm.{_name}")
    _part.__dict__.update(tqdm=tqdm, trange=trange)
    sys.modules[f"tqdm.{_name}"] = _part
    globals()[_name] = _part
