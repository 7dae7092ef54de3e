"""What is held out for each user is also among the pairs that the model is trained on.

## What it finds
A dictionary, list or array that gives one held-out item for each user (or any key), where the script looks for that
item in what the model ranks first, and a table of pairs (a list of tuples, or the rows of an array) that the model
learns from and that holds every user with its held-out item. Pairs are recognized by their values.

## Why it hurts
The model has learned exactly the pairs that the metric asks for, so the metric says little about new items.

## Example
    for user, items in history.items():
        held_out[user] = items[-1]
        train += [(user, item) for item in items]

## Instead
        train += [(user, item) for item in items[:-1]]

## Fix safety
Where the held-out entry is the first or the last of a list, the others are what is trained on.
Nothing is reported where any of the held-out pairs is missing from the table that is trained on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.behind import behind
from ...graph.calls import dotted
from ...graph.source import Source
from ...graph.training import place
from ...trace import Site, Trace
from ..data_remedy import CutApart
from ..facts import Facts

code = "SW369"
GROWING = frozenset({"append", "extend", "add"})


def check(trace: Trace) -> Iterator[Facts]:
    """Where the table of pairs is filled."""
    for one in trace.data.withheld:
        sites = [*_filled(trace, one.pairs), *_filled(trace, one.held)]
        sites += [line for site in sites[:1] for line in list(behind(trace, site, 2))[1:5]]
        for site in sites[:1]:
            yield Facts(
                site,
                fields={"held": one.held, "pairs": one.pairs, "count": one.count, "rows": one.rows},
                origins=tuple(o for other in dict.fromkeys(sites[1:]) if other != site for o in place(trace, other)),
                severity="warning",
                remedy=CutApart(entries=True),
            )


def _filled(trace: Trace, name: str) -> list[Site]:
    """The statements that fill what has a name, those that make it grow first."""
    source, own = Source(trace), name.rpartition(".")[2]
    grown, bound = [], []
    for file in trace.sources:
        for node in source.nodes(file):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in GROWING:
                holder = dotted(node.func.value)
                grown += [source.site(node, file)] if holder.rpartition(".")[2] == own else []
            elif isinstance(node, ast.AugAssign) and dotted(node.target).rpartition(".")[2] == own:
                grown.append(source.site(node, file))
            elif isinstance(node, ast.Assign):
                parts = [part for target in node.targets for part in getattr(target, "elts", [target])]
                parts = [part.value if isinstance(part, ast.Subscript) else part for part in parts]
                named = any(dotted(part).rpartition(".")[2] == own for part in parts)
                (grown if isinstance(node.targets[0], ast.Subscript) else bound).extend(
                    [source.site(node, file)] if named else []
                )
    return grown or bound


MESSAGES = {
    "en": {
        "message": "the model is trained on what is held out: {pairs} contains all {count} pairs of {held}",
        "why": (
            "the evaluation looks for the entry of {held} among the highest scores, but the model learns from {pairs} "
            "({rows} pairs), which contains every key with its held-out entry: the metric says little about new pairs"
        ),
    },
    "es": {
        "message": "el modelo se entrena con lo que está apartado: {pairs} contiene los {count} pares de {held}",
        "why": (
            "la evaluación busca la entrada de {held} entre las puntuaciones más altas, pero el modelo aprende de "
            "{pairs} ({rows} pares), que contiene cada clave con su entrada apartada: la métrica dice poco de pares "
            "nuevos"
        ),
    },
    "ja": {
        "message": "評価用に残したデータで学習しています。{pairs} に {held} の {count} 組がすべて含まれています",
        "why": (
            "評価では {held} の要素をスコアの上位から探しますが、学習に使われる {pairs} ({rows} 組) には、どのキーも評"
            "価用の要素との組で含まれています。この指標からは、新しい組についてほとんど分かりません"
        ),
    },
}
