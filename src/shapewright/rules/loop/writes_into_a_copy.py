"""A statement writes into a copy that it has just made and that nothing else holds, so the original stays as it is.

## What it finds
An element of a tensor, an array, a list or a data frame is assigned to, or an in-place operation is called, on the
result of an expression of the same statement that shares no memory with what it was made from: indexing with a list of
places or a mask makes a copy, and so do `flatten()`, `clone()`, a slice of a list or the default of `dict.get`.

## Why it hurts
Nothing reads the copy. A mask, a reset or a clipped value that the author wrote down has no effect.

## Example
    scores[users][:, seen] = -torch.inf
    weight[small].zero_()

## Instead
    scores[users, seen] = -torch.inf
    weight[small] = 0

## Fix safety
No edit is offered. Nothing is reported where the memory is shared, as that of a view is, in any of the calls, or where
a function of the script is given the copy.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.source import Source
from ...trace import Trace
from ..facts import Facts

code = "SW319"
CONTAINERS = frozenset(["list", "dict", "set"])


def check(trace: Trace) -> Iterator[Facts]:
    """Every place where each change was lost."""
    source = Source(trace)
    for lost in trace.data.lost:
        node = source.spanned(lost.site, ast.Subscript, ast.Call, ast.Attribute)
        inner = getattr(getattr(node, "func", node), "value", None)
        yield Facts(
            lost.site,
            why="default_why" if lost.kind in CONTAINERS else "why",
            fields={
                "text": source.site_text(lost.site),
                "of": source.text(inner, lost.site.file),
                "kind": lost.kind,
                "count": lost.count,
            },
            severity="warning",
        )


MESSAGES = {
    "en": {
        "message": "this changes a copy: {text} shares no memory with {of}, and nothing else holds it",
        "why": (
            "{text} makes a new {kind}, as indexing with a mask or a list of indices does. The change is made to that "
            "{kind} and is lost with it: {of} keeps its values"
        ),
        "default_why": (
            "{text} makes a new {kind} that is not stored in {of}. The change is made to that {kind} and is lost with "
            "it: {of} stays the same"
        ),
    },
    "es": {
        "message": "esto modifica una copia: {text} no comparte memoria con {of} y no se guarda en ningún otro lugar",
        "why": (
            "{text} crea un objeto nuevo ({kind}), como hace la indexación con una máscara o una lista de índices. El "
            "cambio se hace en ese objeto y se pierde con él: {of} conserva sus valores"
        ),
        "default_why": (
            "{text} crea un objeto nuevo ({kind}) que no se guarda en {of}. El cambio se hace en ese objeto y se "
            "pierde con él: {of} no cambia"
        ),
    },
    "ja": {
        "message": "変更されるのはコピーです: {text} は {of} とメモリを共有せず、どこにも保持されません",
        "why": (
            "マスクやインデックスの列による参照と同じく、{text} は新しい {kind} を作ります。変更はその {kind} に"
            "対して行われ、一緒に失われます。{of} の値は元のままです"
        ),
        "default_why": (
            "{text} は {of} に保存されない新しい {kind} を作ります。変更はその {kind} に対して行われ、一緒に"
            "失われます。{of} は変わりません"
        ),
    },
}
