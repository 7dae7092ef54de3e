"""Reading a sample changes the data set: `__getitem__`, or what it calls, writes into what is stored.

## What it finds
A data set whose arrays, tensors or lists have different values after several readings of the same sample: `x =
self.images[i]` is a view, and `x += noise` or `x -= mean` writes through it; boxes of a stored pair are mirrored in
place, at random too. The same where a `collate_fn` writes into the samples that it joins. The sample has to depend on
what changed: a count of visits is no data.

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
from ...graph.scopes import enclosing
from ...graph.source import Source, walk
from ...graph.training import place
from ...trace import Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW239"


def check(trace: Trace) -> Iterator[Facts]:
    """Every line that changed what is stored in readings of one sample."""
    source = Source(trace)
    for known in trace.data.changing:
        file = known["site"].file
        written = source.statement_on(file, known["site"].line)
        if written is None:
            continue
        views = {
            target.id: node
            for node in walk(enclosing(written) or written)
            if isinstance(node, ast.Assign) and f"self.{known['name']}" in ast.unparse(node.value)
            for target in _names(node.targets[0])
        }
        view = next((node for name, node in views.items() if name in names_of(written)), None)
        kind = "joined" if known["joined"] else "message"
        yield Facts(
            source.site(written, file),
            message=kind,
            fields={"class": known["class"], "name": f"self.{known['name']}", "text": source.text(written, file)},
            origins=place(trace, source.site(view, file)) if view is not None else (),
            remedy=_copy(source, file, view, known),
        )


def _copy(source: Source, file: str, view: ast.Assign | None, known: dict[str, object]) -> Rewrite | None:
    """A copy where the sample is taken out of the data set."""
    for part in walk(view.value) if view is not None else ():
        if isinstance(part, ast.Subscript) and ast.unparse(part).startswith(f"self.{known['name']}["):
            return Rewrite("{}.clone()" if known["tensor"] else "{}.copy()", source.site(part, file))
    return None


def _names(target: ast.expr) -> list[ast.Name]:
    return [part for part in walk(target) if isinstance(part, ast.Name)]


MESSAGES = {
    "en": {
        "message": "reading a sample of {class} changes the stored data: `{text}` writes into {name}",
        "why": (
            "the first sample was read several times, and {name} had different values afterwards. Indexing can return "
            "a view or the stored object itself, and in-place changes to it change the stored data"
        ),
        "joined": "joining samples into a batch changes the stored samples: `{text}`",
    },
    "es": {
        "message": "leer una muestra de {class} cambia los datos guardados: `{text}` escribe en {name}",
        "why": (
            "se leyó varias veces la primera muestra, y {name} tenía después valores distintos. Indexar puede dar una "
            "vista o el propio objeto guardado, y los cambios in-place en él cambian los datos guardados"
        ),
        "joined": "unir muestras en un lote cambia las muestras guardadas: `{text}`",
    },
    "ja": {
        "message": (
            "{class} のサンプルを読むと、保存されているデータが変わります。`{text}` が {name} に書き込んでいます"
        ),
        "why": (
            "最初のサンプルを何度か読むと、{name} の値が変わりました。添字はビューや保存されているオブジェクトそのもの"
            "を返すことがあり、それを in-place で変更すると保存されているデータも変わります"
        ),
        "joined": "サンプルをバッチにまとめると、保存されているサンプルが変わります。`{text}`",
    },
}
