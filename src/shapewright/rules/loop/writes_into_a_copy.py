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
What an in-place operation returns is stored where its tensor came from (`weight[small] = weight[small].zero_()`), two
subscripts become one, a data frame is asked by `.loc`, and a dictionary keeps its default by `setdefault`. Where both
subscripts are lists of indices, pairs of them may be intended as well as all combinations, so that edit is unsafe.
Nothing is reported where the memory is shared, as that of a view is, in any of the calls, or where
a function of the script is given the copy.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.source import Source
from ...trace import LostWrite, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import CallOther, Remedy, Rewrite

code = "SW319"
HELD = frozenset({"tensor", "array"})
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
            remedy=_kept(source, lost, node) if isinstance(node, (ast.Subscript, ast.Call)) else None,
        )


def _kept(source: Source, lost: LostWrite, node: ast.Subscript | ast.Call) -> Remedy | None:
    """The edit with which the change is kept."""
    outer = getattr(node, "parent", None)
    if isinstance(node, ast.Call):
        defaulted = lost.kind in CONTAINERS and getattr(node.func, "attr", "") == "get" and len(node.args) == 2
        return CallOther("setdefault", lost.site) if defaulted else None
    if isinstance(outer, ast.Subscript) and isinstance(outer.ctx, ast.Store):
        return _joined(source, lost, node, outer)
    call = outer.parent if isinstance(outer, ast.Attribute) else outer  # type: ignore[attr-defined]
    statement = getattr(call, "parent", None)
    changed = isinstance(call, ast.Call) and (call.func is outer or call.args[:1] == [node])
    if lost.kind != "tensor" or not changed or not isinstance(statement, ast.Expr):
        return None
    site = source.site(call, lost.site.file)
    whole, text = (source.whole(one, site.file) for one in (node, call))
    return Rewrite(f"{whole} = {text}", site)


def _joined(source: Source, lost: LostWrite, inner: ast.Subscript, outer: ast.Subscript) -> Rewrite | None:
    """`x[rows][:, 2]` as `x[rows, 2]`; of a data frame `table[rows]["a"]` as `table.loc[rows, "a"]`."""
    kind, file = lost.kind, lost.site.file
    base, first, second = (source.whole(part, file) for part in (inner.value, inner.slice, outer.slice))
    site: Site = source.site(outer, file)
    if kind in ("DataFrame", "Series"):
        rows = kind == "DataFrame" and not isinstance(inner.slice, ast.List)
        return Rewrite(f"{base}.loc[{first if rows else second}, {second if rows else first}]", site)
    parts = outer.slice.elts if isinstance(outer.slice, ast.Tuple) else [outer.slice]
    whole = isinstance(parts[0], ast.Slice) and not any((parts[0].lower, parts[0].upper, parts[0].step))
    if kind not in HELD or not whole or isinstance(inner.slice, (ast.Tuple, ast.Slice)):
        return None
    others = parts[1:]
    plain = all(isinstance(one, (ast.Slice, ast.Constant, ast.UnaryOp)) for one in others) and _of_rows(source, lost)
    texts = (source.whole(one, file) for one in others)
    return Rewrite(f"{base}[{', '.join((first, *texts))}]", site, guessed=not plain) if others else None


def _of_rows(source: Source, lost: LostWrite) -> bool:
    """Whether what was picked stands along one axis: by a mask or a list; an array's index is unknown."""
    picked = [one.args[1] for one in source.trace.events if one.site == lost.site and len(one.args) > 1]
    return bool(picked) and all(
        isinstance(one, TensorFact) and (one.dtype == "bool" or one.rank == 1) for one in picked
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
