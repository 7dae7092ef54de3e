"""A loop that trains or evaluates goes through an iterator that an earlier run of it has used up.

## What it finds
A generator, `iter(loader)`, `map`, `zip` or a reader of a file that is made once, before the loop over the epochs, and
whose items a loop within goes through in every epoch.

## Why it hurts
An iterator gives its items once. When the loop runs again, as in the second epoch, it has no items: its body does not
run, and nothing fails.

## Example
    batches = read_batches(path)
    for epoch in range(10):
        for x, y in batches:

## Instead
    for epoch in range(10):
        for x, y in read_batches(path):

## Fix safety
Safe where making the iterator anew gives its items again. A loop with a `break` reads a stream on and is not reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.calls import every
from ...graph.source import Source, walk
from ...graph.training import place
from ...trace import Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW385"


def check(trace: Trace) -> Iterator[Facts]:
    """Every loop that found its iterator used up, once a line."""
    source = Source(trace)
    loops = {(at.file, at.line): node for node, at in every(trace, ast.For)}
    for site in dict.fromkeys(loop.site for loop in trace.loops if loop.spent):
        loop = loops.get((site.file, site.line))
        if loop is not None and any(isinstance(node, ast.Break) for node in walk(loop)):
            continue  # it reads on where it stopped
        names = [node for node in walk(loop.iter) if isinstance(node, ast.Name)] if loop is not None else []
        made = [(name, bound) for name in names if (bound := source.bound_before(site, name.id)) is not None]
        name, bound = next(((name, bound) for name, bound in made if isinstance(bound.value, ast.Call)), (None, None))
        where = source.site(bound, site.file) if bound is not None else None
        yield Facts(
            site,
            fields={"name": name.id if name is not None else "", "line": where.line if where is not None else "?"},
            why="why" if name is not None else "why_unnamed",
            origins=place(trace, where),
            remedy=Rewrite(source.text(bound.value, site.file, 200), source.site(name, site.file))
            if name is not None and bound is not None
            else None,
        )


MESSAGES = {
    "en": {
        "message": "the first run of this loop uses up its iterator: later runs get no items",
        "why": (
            "{name} is created once, on line {line}, and returns each item only once; when the loop runs again (in a "
            "second epoch, for example), nothing is left, and the loop body does not run"
        ),
        "why_unnamed": (
            "an iterator returns each item only once; when the loop runs again (in a second epoch, for example), "
            "nothing is left, and the loop body does not run"
        ),
    },
    "es": {
        "message": "la primera pasada de este bucle agota su iterador: las siguientes no reciben elementos",
        "why": (
            "{name} se crea una sola vez, en la línea {line}, y da cada elemento una sola vez; cuando el bucle se "
            "repite (en una segunda época, por ejemplo), no queda nada y su cuerpo no se ejecuta"
        ),
        "why_unnamed": (
            "un iterador da cada elemento una sola vez; cuando el bucle se repite (en una segunda época, por ejemplo), "
            "no queda nada y su cuerpo no se ejecuta"
        ),
    },
    "ja": {
        "message": "このループを最初に実行した時点でイテレータが使い切られ、次からは要素がありません",
        "why": (
            "{name} は {line} 行目で一度だけ作られ、各要素を一度しか返しません。"
            "次のエポックなどでループが再び実行されても要素は残っておらず、ループの中身は実行されません"
        ),
        "why_unnamed": (
            "イテレータは各要素を一度しか返しません。次のエポックなどでループが再び実行されても要素は残っておらず、"
            "ループの中身は実行されません"
        ),
    },
}
