"""Bars of notebooks where what draws them (ipywidgets) is not installed: they are bars of a terminal."""

from __future__ import annotations

from types import ModuleType

from ..context import Context


def patch(module: ModuleType, context: Context) -> None:
    """`tqdm.notebook.tqdm` and `trange` iterate without a notebook."""
    if getattr(module, "IProgress", None) is None:
        from tqdm import std

        module.tqdm = module.tqdm_notebook = std.tqdm  # type: ignore[attr-defined]
        module.trange = module.tnrange = std.trange  # type: ignore[attr-defined]
