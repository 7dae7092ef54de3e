"""A layer that flattens put into a list of layers, before the one that takes all features of a sample at once."""

from __future__ import annotations

import math
from collections.abc import Iterator

import libcst as cst

from ...graph.imports import library
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..source import Place, Source
from .constructor import refused, sizes

ANSWERS = (Misfit,)
TITLES = {
    "flatten-layer": {
        "en": "flatten each sample before {layer}: {code}",
        "es": "aplanar cada muestra antes de {layer}: {code}",
        "ja": "{layer} の前で各サンプルを平坦化する: {code}",
    },
}
CALL = "Flatten()"


def propose(case: Case) -> Iterator[Candidate]:
    """Where the layer takes as many features as each sample has values, of several axes."""
    for module, given in refused(case):
        wanted = {module.config.get(keyword) for keyword, *_ in sizes(module.kind)}
        found = case.module_call(module.uid) if given.rank > 2 and math.prod(given.sizes[1:]) in wanted else None
        for source, call in [found] if found is not None else ():
            name = source.code(call.node.func)
            around = name.rpartition(".")[0]
            code = f"{around}.{CALL}" if around and library(source.text, name) else f"torch.nn.{CALL}"
            code = CALL if not around and library(source.text, CALL[:-2]) else code
            if _listed(source, call):
                indent = source.indent(call.line)
                space = f"\n{indent}" if len(indent) == call.column - 1 else " "
                start = Place(call.node, call.line, call.column, call.line, call.column)
                edit = source.replace(start, f"{code},{space}")
                yield Candidate("flatten-layer", (edit,), 4, {"layer": module.kind, "code": code})


def _listed(source: Source, call: Place) -> bool:
    """Whether a call is one of several in a list, or one of the arguments, by place, of another."""
    lists = (part for part in source.of_kind(cst.List) for part in part.node.elements)
    outer = (place for place in source.enclosing(call.line, cst.Call) if len(place.node.args) > 1)
    given = (one for place in outer for one in place.node.args if one.keyword is None and not one.star)
    return any(one.value is call.node for one in (*lists, *given))
