"""Reading a sample changes the data set: `__getitem__` writes into what it stores.

## What it finds
A data set whose arrays have different values after each reading of the same sample: `x = self.images[i]` is a view, and
`x += noise` or `x -= mean` writes through it.

## Why it hurts
Each reading changes the stored sample again: noise piles up, a mean is subtracted again, erased patches stay erased.

## Example
    x = self.images[i]
    x += 0.1 * np.random.randn(*x.shape)

## Instead
    x = self.images[i].copy()
    x += 0.1 * np.random.randn(*x.shape)

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.batches import names_of
from ...graph.source import Source, walk
from ...graph.training import place
from ...trace import Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW239"
IN_PLACE = frozenset({"sort", "fill", "shuffle"})  # what arrays and lists call so


def check(trace: Trace) -> Iterator[Facts]:
    """Every data set that two readings of one sample changed twice."""
    source = Source(trace)
    for known in trace.data.changing:
        for file in trace.sources:
            method = next(
                (
                    part
                    for node in source.nodes(file)
                    if isinstance(node, ast.ClassDef) and node.name == known["class"]
                    for part in node.body
                    if isinstance(part, ast.FunctionDef) and part.name == "__getitem__"
                ),
                None,
            )
            if method is None:
                continue
            views = {
                target.id: node
                for node in walk(method)
                if isinstance(node, ast.Assign) and f"self.{known['name']}" in ast.unparse(node.value)
                for target in _names(node.targets[0])
            }
            written = next((node for node in walk(method) if _writes(node, set(views), known["name"])), None)
            if written is None:
                continue
            view = next(
                (node for name, node in views.items() if name in names_of(written)),
                None,
            )
            site = source.site(written, file)
            yield Facts(
                site,
                fields={"class": known["class"], "name": f"self.{known['name']}", "text": source.text(written, file)},
                origins=place(trace, source.site(view, file)) if view is not None else (),
                remedy=_copy(source, file, view, known),
            )
            break


def _copy(source: Source, file: str, view: ast.Assign | None, known: dict[str, object]) -> Rewrite | None:
    """A copy where the sample is taken out of the data set."""
    for part in walk(view.value) if view is not None else ():
        if isinstance(part, ast.Subscript) and ast.unparse(part).startswith(f"self.{known['name']}["):
            return Rewrite("{}.clone()" if known["tensor"] else "{}.copy()", source.site(part, file))
    return None


def _names(target: ast.expr) -> list[ast.Name]:
    return [part for part in walk(target) if isinstance(part, ast.Name)]


def _writes(node: ast.AST, views: set[str], name: str) -> bool:
    """Whether a statement writes into a view of the stored array, or into the array itself."""
    if isinstance(node, ast.AugAssign):
        held = node.target
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        held = node.targets[0]
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        held = node.value.func.value if node.value.func.attr.endswith("_") or node.value.func.attr in IN_PLACE else None
        if node.value.func.attr == "shuffle":
            held = node.value.args[0] if node.value.args else None
    else:
        return False
    text = ast.unparse(held) if held is not None else ""
    return (
        any(isinstance(part, ast.Name) and part.id in views for part in walk(held)) or f"self.{name}" in text
        if held is not None
        else False
    )


MESSAGES = {
    "en": {
        "message": "reading a sample of {class} changes the stored data: `{text}` writes into {name}",
        "why": (
            "the first sample was read twice, and {name} had different values after each reading. An integer or slice "
            "index can return a view, and changes to a view change the stored data"
        ),
    },
    "es": {
        "message": "leer una muestra de {class} cambia los datos guardados: `{text}` escribe en {name}",
        "why": (
            "se leyó dos veces la primera muestra, y {name} tenía valores distintos tras cada lectura. Indexar con un "
            "entero o un slice puede dar una vista, y los cambios en una vista cambian los datos guardados"
        ),
    },
    "ja": {
        "message": (
            "{class} のサンプルを読むと、保存されているデータが変わります。`{text}` が {name} に書き込んでいます"
        ),
        "why": (
            "最初のサンプルを 2 回読むと、読むたびに {name} の値が変わりました。整数やスライスの添字はビューを返すこと"
            "があり、ビューを書き換えると保存されているデータも変わります"
        ),
    },
}
