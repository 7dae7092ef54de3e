"""The picture of the axes' way to a fault: one row per line or layer, one column per axis, a band from axis to axis."""

from __future__ import annotations

from html import escape

from ...trace import Axis
from .axes import key, related
from .route import Route, Stop
from .sheet import COLORS, Sheet, breakable
from .words import word


def figure(found: Route, sheet: Sheet) -> str:
    """The whole picture."""
    lang = sheet.lang
    strands = "".join(_strand(strand, sheet) for strand in found.strands)
    return (
        f'<figure class="route"><figcaption><b>{escape(word("route", lang))}</b> '
        f"<small>{escape(word('route_hint', lang))}</small></figcaption>{strands}{_meeting(found, sheet)}</figure>"
    )


def _strand(stops: tuple[Stop, ...], sheet: Sheet) -> str:
    rows = []
    before: tuple[Axis, ...] = ()
    for stop in stops:
        name = f"<b>{escape(stop.name)}</b> " if stop.bound else f'<b class="op">{escape(stop.name)}</b> '
        text = f"<code>{escape(stop.text)}</code>" if stop.text else ""
        rows.append(
            f'<li><div class="said">{name}{sheet.line(stop.site)}{text}</div>'
            f'<div class="ribbon" aria-hidden="true">{_bands(before, stop.axes, sheet)}</div>'
            f'<div class="shape">{"".join(map(sheet.chip, stop.axes))}</div></li>'
        )
        before = stop.axes
    return f'<ol class="strand">{"".join(rows)}</ol>'


def _bands(before: tuple[Axis, ...], after: tuple[Axis, ...], sheet: Sheet) -> str:
    """Curves from the axes of one row to the same axes of the next, in units of one column. What goes on below the end
    of the ribbon is seen where a narrow page puts the name of a row between its axes and those above."""
    paths = []
    for one, axis in enumerate(before):
        for other, target in enumerate(after):
            same = related(axis, target) or (axis.size == target.size == 1 and one == other and key(target) is None)
            entry = sheet.book.entry(axis) if same and sheet.book is not None else None
            if entry is not None:
                start, end = one + 0.5, other + 0.5
                paths.append(
                    f'<path class="c{entry.number % COLORS}" data-axis="{sheet.prefix}a{entry.number}" '
                    f'd="M{start} 0C{start} .6 {end} .4 {end} 1V9"/>'
                )
    columns = max(len(before), len(after), 1)
    if not paths:
        return ""
    return (
        f'<svg viewBox="0 0 {columns} 1" preserveAspectRatio="none" style="width:calc({columns}*var(--w))">'
        f"{''.join(paths)}</svg>"
    )


def _meeting(found: Route, sheet: Sheet) -> str:
    """The operands under one another, aligned at the right as broadcasting aligns them, and what the call gave."""
    rows = [(name, strand[-1].axes) for name, strand in zip(found.names, found.strands)]
    if found.result is not None and len(rows) > 1:
        rows.append(("→", found.result))
    columns = max(len(axes) for _, axes in rows)
    lines = "".join(
        f'<tr><th scope="row">{breakable(name, names=True)}</th>'
        + "<td></td>" * (columns - len(axes))
        + "".join(f"<td>{sheet.chip(axis)}</td>" for axis in axes)
        + "</tr>"
        for name, axes in rows
    )
    return (
        f'<div class="meeting"><p><span class="bad">{escape(word("fault", sheet.lang))}</span> '
        f"<code>{escape(found.op)}</code> {sheet.line(found.site)}</p><table>{lines}</table></div>"
    )
