"""Two stated shapes, in annotations or comments for example, contradict each other for the tensors that were seen.

## What it finds
Annotations (`Float[Tensor, "batch seq dim"]`), einops patterns, asserted or unpacked shapes, docstrings and comments
with shapes (`# (B, T, C)`) name axes. Reported are: a name that is used for one axis and later for a different axis,
although the first axis is still there under another name; an axis that two statements name differently, while the name
that one gives it belongs to a different axis in the other; an axis that is named as the batch, while the samples of the
`DataLoader` are on a different axis; an operation that combines two axes with different names although one operand has
both. Axes are distinguished by where they come from, not by their sizes.

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

from ...graph.contracts import Statement
from ...graph.contradictions import Contradiction, contradictions
from ...graph.flow import produced, shown
from ...graph.training import place
from ...trace import Origin, Trace
from ..facts import Facts, Span

code = "SW270"


def check(trace: Trace) -> Iterator[Facts]:
    """The first contradiction of each pair of symbols and of each pair of axes."""
    told: set[object] = set()
    for found in contradictions(trace):
        words = (found.one.site.file, frozenset((found.one.symbols[found.axis], found.name)))
        if not told & {words, found.axes}:
            yield _facts(trace, found)
        told |= {words, found.axes}


def _facts(trace: Trace, found: Contradiction) -> Facts:
    one, other = found.one, found.other
    made = produced(trace, one.fact)
    site = one.caller or one.site
    said = [other] if other is not one else []
    if one.caller or one.written or found.event is not None:
        said.append(one)
    if found.event is not None and found.event.site is not None:
        site = found.event.site
    shape = shown(one.fact.shape)
    return Facts(
        site,
        message=found.how,
        why=f"{found.how}_why",
        fields={
            "symbol": one.symbols[found.axis],
            "other": found.name,
            "axis": found.axis,
            "real": found.real,
            "shape": shape,
            "line": other.place.line,
            "here": one.place.line,
            "stated": one.text[1:-1],
            "before": other.text[1:-1],
        },
        origins=(
            *map(stated, said),
            *(
                place(trace, made.site)
                if made is not None and made.site is not None and made.site.line != site.line
                else ()
            ),
        ),
        spans=(Span(site, f"{one.fact.name or 'x'} {shape}"),) if found.event is None else (),
        severity="warning" if found.how != "crossed" or any(_weak(s) for s in (one, other)) else "error",
        event=found.event.index if found.event is not None else None,
    )


def stated(one: Statement) -> Origin:
    """A statement as a place that explains a finding."""
    return Origin(one.kind, one.text, one.place)


def _weak(one: Statement) -> bool:
    return one.loose or one.kind == "unpacked"


MESSAGES = {
    "en": {
        "crossed": (
            "axis {axis} of {shape} is called {symbol} here; the axis that line {line} calls {symbol} is now axis "
            "{real}"
        ),
        "crossed_why": (
            "the shape stated here is ({stated}); line {line} states ({before}). After the operations in between, axis "
            "{symbol} of line {line} is axis {real}, but the shape stated here calls axis {real} {other}"
        ),
        "renamed": "axis {axis} of {shape} is called {symbol} here, but line {line} calls it {other}",
        "renamed_why": (
            "the shape stated here is ({stated}); line {line} states ({before}). After the operations in "
            "between, axis {axis} is the axis that line {line} calls {other}, not the one that it calls "
            "{symbol}"
        ),
        "samples": "axis {axis} of {shape} is called {symbol}, but the samples of the batch are on axis {real}",
        "samples_why": (
            "the stated shape is ({stated}). In fact, the samples of the batch are on axis {real}, which is called "
            "{other} here, not on axis {axis}"
        ),
        "combined": "axis {symbol}, declared on line {here}, is combined with axis {other}, declared on line {line}",
        "combined_why": (
            "broadcasting aligns axes from the right: axis {symbol} of ({stated}) on line {here} is aligned with axis "
            "{other} of ({before}) on line {line}, although both tensors have an axis {symbol}"
        ),
    },
    "es": {
        "crossed": (
            "el eje {axis} de {shape} se llama aquí {symbol}; el eje que la línea {line} llama {symbol} es ahora el "
            "eje {real}"
        ),
        "crossed_why": (
            "la forma indicada aquí es ({stated}); la línea {line} indica ({before}). Tras las operaciones "
            "intermedias, el eje {symbol} de la línea {line} es el eje {real}, pero la forma indicada aquí llama "
            "{other} al eje {real}"
        ),
        "renamed": "el eje {axis} de {shape} se llama aquí {symbol}, pero la línea {line} lo llama {other}",
        "renamed_why": (
            "la forma indicada aquí es ({stated}); la de la línea {line} es ({before}). Tras las operaciones "
            "intermedias, el eje {axis} de aquí es el que la línea {line} llama {other}, no el que llama "
            "{symbol}"
        ),
        "samples": "el eje {axis} de {shape} se llama {symbol}, pero las muestras del lote están en el eje {real}",
        "samples_why": (
            "la forma indicada es ({stated}). En realidad, las muestras del lote están en el eje {real}, que aquí se "
            "llama {other}, y no en el eje {axis}"
        ),
        "combined": (
            "el eje {symbol}, declarado en la línea {here}, se combina con el eje {other}, declarado en la línea {line}"
        ),
        "combined_why": (
            "el broadcasting alinea los ejes desde la derecha: el eje {symbol} de ({stated}), línea {here}, se alinea "
            "con el eje {other} de ({before}), línea {line}, aunque ambos tensores tienen un eje {symbol}"
        ),
    },
    "ja": {
        "crossed": (
            "{shape} の軸 {axis} はここでは {symbol} とされていますが、{line} 行目で {symbol} とされた軸は、ここでは軸 "
            "{real} です"
        ),
        "crossed_why": (
            "ここに書かれた形状は ({stated})、{line} 行目に書かれた形状は ({before}) です。途中の演算をたどると"
            "、{line} 行目の {symbol} はここの軸 {real} に当たりますが、ここでは軸 {real} が {other} とされてい"
            "ます"
        ),
        "renamed": "{shape} の軸 {axis} はここでは {symbol} とされていますが、{line} 行目では {other} とされています",
        "renamed_why": (
            "ここに書かれた形状は ({stated})、{line} 行目に書かれた形状は ({before}) です。途中の演算をたどると"
            "、ここの軸 {axis} は {line} 行目の {other} に当たり、{symbol} ではありません"
        ),
        "samples": "{shape} の軸 {axis} は {symbol} とされていますが、バッチのサンプルは軸 {real} に並んでいます",
        "samples_why": (
            "書かれた形状は ({stated}) ですが、実際には、バッチのサンプルは軸 {axis} ではなく、ここで {other} "
            "とされている軸 {real} に並んでいます"
        ),
        "combined": "{here} 行目の軸 {symbol} が {line} 行目の軸 {other} と組み合わされています",
        "combined_why": (
            "ブロードキャストは軸を右からそろえます。{here} 行目の ({stated}) の軸 {symbol} は {line} 行目の "
            "({before}) の軸 {other} とそろえられますが、どちらのテンソルにも軸 {symbol} があります"
        ),
    },
}
