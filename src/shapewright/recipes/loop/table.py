"""The table at the end of a run. Rich on a terminal, aligned plain text where piped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table


def show(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], *, note: str = "", console: Console | None = None
) -> None:
    """Print a table; numbers are right-aligned, floats get four digits."""
    console = console or Console()
    table = Table(
        title=title, title_justify="left", box=box.SIMPLE_HEAD if console.is_terminal else None, pad_edge=False
    )
    for number, column in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[number], (int, float)) for row in rows)
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*[text(cell) for cell in row])
    console.print(table, highlight=False, markup=False)
    if note:
        console.print(note, highlight=False, markup=False, soft_wrap=True)


def text(cell: Any) -> str:
    """A cell as it is printed.

    >>> text(0.98765), text(61706), text("a")
    ('0.9877', '61,706', 'a')
    """
    if isinstance(cell, bool) or not isinstance(cell, (int, float)):
        return str(cell)
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:.4f}" if abs(cell) < 1000 else f"{cell:,.1f}"
