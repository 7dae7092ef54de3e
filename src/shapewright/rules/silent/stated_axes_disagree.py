"""Two statements of the author's about axes cannot both be true of the tensors that were seen.

## What it finds
Annotations (`Float[Tensor, "batch seq dim"]`), einops patterns, asserted or unpacked shapes, docstrings and comments
with shapes (`# (B, T, C)`) name axes. Where one symbol names one axis of a tensor, and later another axis although the
first one is there too under another symbol, the two cannot both hold. What counts are identities of axes, not sizes.

## Why it hurts
What follows treats the axes in the stated order: where sizes agree nothing raises, and samples are mixed with steps or
channels.

## Example
    emb = self.embed(tokens)            # (B, T, D)
    emb = self.mix(emb.transpose(0, 1)) # (B, T, D)

## Instead
    emb = self.mix(emb)                 # (B, T, D)

## Fix safety
None is offered: either the code or the statement is wrong, and only the author knows which.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.contracts import Statement, statements
from ...graph.flow import produced, shown
from ...graph.source import Source
from ...graph.training import place
from ...trace import Axis, Origin, Site, Trace
from ..facts import Facts, Span

code = "SW270"
slug = "stated-axes-disagree"
order = 5


def check(trace: Trace) -> Iterator[Facts]:
    """The first statement about each pair of symbols that contradicts an earlier one."""
    held: list[Statement] = []
    told: set[tuple[str, frozenset[str]]] = set()
    every = statements(trace)
    shared = _shared(trace, every)
    for one in sorted(every, key=lambda one: (one.fact.uid, one.site.line)):
        for other in held:
            if one.site.file != other.site.file or (
                one.function != other.function
                and {(one.site.file, one.function), (other.site.file, other.function)} & shared
            ):
                continue
            found = _crossed(one, other, held)
            if found is not None:
                words = frozenset((one.symbols[found[0]], one.symbols[found[1]]))
                if (one.site.file, words) not in told:
                    told.add((one.site.file, words))
                    yield _facts(trace, one, other, *found)
                break
        else:
            held.append(one)


def _crossed(one: Statement, other: Statement, held: list[Statement]) -> tuple[int, int] | None:
    """`(i, j)`: the symbol of axis `i` names, in the other statement, what is here axis `j` under another symbol."""
    for i, symbol in enumerate(one.symbols):
        known = _named(other, symbol)
        here = _identity(one.axes[i])
        if not symbol or one.symbols.count(symbol) > 1 or known is None or here is None or known == here:
            continue
        j = next((j for j, axis in enumerate(one.axes) if _identity(axis) == known), None)
        if j is None or not one.symbols[j] or one.symbols[j] == symbol:
            continue
        both = _named(other, one.symbols[j]) == here
        near = bool(one.scope) and one.scope == other.scope and one.kind != "unpacked" and other.kind != "unpacked"
        if one.function != other.function and any(
            s.function == one.function and _named(s, one.symbols[j]) == known for s in held
        ):
            near = False  # this function says so throughout: it has words of its own
        if both or (near and all(_named(s, symbol) in (None, known) for s in held if s.scope == one.scope)):
            return i, j
    return None


def _named(statement: Statement, symbol: str) -> object:
    """The identity of the one axis that a statement gives a symbol to."""
    if statement.symbols.count(symbol) != 1:
        return None
    return _identity(statement.axes[statement.symbols.index(symbol)])


def _identity(axis: Axis) -> object:
    """What tells an axis from others: the samples of a loader are one thing, batch after batch."""
    if axis.size == 1:
        return None
    if axis.role == "batch" and axis.origin is not None and axis.origin.kind == "loader":
        return "samples"
    return axis.uids or None


def _shared(trace: Trace, held: list[Statement]) -> set[tuple[str, int]]:
    """The functions, by file and line, that are called from several lines: their words fit any of the callers."""
    source, callers = Source(trace), {}
    for inner, outer in {pair for event in trace.events for pair in zip(event.stack[1:], event.stack)}:
        callers.setdefault((inner.file, inner.line), set()).add((outer.file, outer.line))
    found: dict[tuple[str, int], set] = {}
    for (file, line), lines in callers.items() if held else ():
        function = source.function_at(Site(file, line))
        if function is not None:
            found.setdefault((file, function.lineno), set()).update(lines)
    return {place for place, lines in found.items() if len(lines) > 1}


def _facts(trace: Trace, one: Statement, other: Statement, i: int, j: int) -> Facts:
    made = produced(trace, one.fact)
    site = one.caller or one.site
    spoken = (
        Origin("condition", f"{other.kind}: ({', '.join(name or '·' for name in other.symbols)})", other.site),
        *(
            (Origin("condition", f"{one.kind}: ({', '.join(name or '·' for name in one.symbols)})", one.site),)
            if one.caller
            else ()
        ),
    )
    return Facts(
        site,
        fields={
            "symbol": one.symbols[i],
            "other": one.symbols[j],
            "axis": i,
            "real": j,
            "shape": shown(one.fact.shape),
            "line": other.site.line,
            "stated": ", ".join(name or "·" for name in one.symbols),
            "before": ", ".join(name or "·" for name in other.symbols),
        },
        origins=(
            *spoken,
            *(
                place(trace, made.site)
                if made is not None and made.site is not None and made.site.line != site.line
                else ()
            ),
        ),
        spans=(Span(site, f"{one.fact.name or 'x'} {shown(one.fact.shape)}"),),
        severity="warning" if one.loose or other.loose or "unpacked" in (one.kind, other.kind) else "error",
    )


MESSAGES = {
    "en": {
        "message": "axis {axis} of {shape} is called {symbol} here, but what line {line} calls {symbol} is axis {real}",
        "why": (
            "({stated}) here and ({before}) on line {line} cannot both be true: traced through the operators in "
            "between, axis {real} is {symbol} of line {line}, but it is called {other} here"
        ),
    },
    "es": {
        "message": (
            "el eje {axis} de {shape} se llama aquí {symbol}, pero lo que la línea {line} llama {symbol} es el eje "
            "{real}"
        ),
        "why": (
            "({stated}) aquí y ({before}) en la línea {line} no pueden ser ciertos a la vez: siguiendo las "
            "operaciones intermedias, el eje {real} es {symbol} de la línea {line}, pero aquí se llama {other}"
        ),
    },
    "ja": {
        "message": "{shape} の軸 {axis} はここでは {symbol} とされていますが、{line} 行目の {symbol} は軸 {real} です",
        "why": (
            "ここの ({stated}) と {line} 行目の ({before}) は両立しません。途中の演算を追うと、軸 {real} が {line} "
            "行目の {symbol} であり、ここでは {other} と呼ばれています"
        ),
    },
}
