"""Edits that answer one another add the axis that the same kind of data lacks at one position, wherever they add it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ...graph.flow import operands
from ...trace import Event, TensorFact
from .change import Change

TEXTS = {
    "placed": {
        "en": "the same kind of data would get an axis at different positions: axis {first} on line {line}, axis "
        "{second} on line {other}",
        "es": "datos de la misma clase recibirían un eje en posiciones distintas: eje {first} en la línea {line}, "
        "eje {second} en la línea {other}",
        "ja": "同じ種類のデータに加わる軸の位置が異なります: {line} 行目では軸 {first}、{other} 行目では軸 {second} "
        "です",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """Where there are several edits: two calls that they added, whose operands differ in the number of samples alone
    and whose results have an axis more, in two places."""
    found = [one for one in map(_added, change.events()) if one is not None] if len(change.candidates) > 1 else []
    for (event, given, places), (later, other, others) in itertools.combinations(found, 2):
        alike = (given.sizes[1:], given.dtype) == (other.sizes[1:], other.dtype)
        if alike and not places & others:
            yield (
                "placed",
                {
                    "first": min(places),
                    "line": event.site.line,
                    "second": min(others),
                    "other": later.site.line,
                },
            )


def _added(event: Event) -> tuple[Event, TensorFact, set[int]] | None:
    """A call that adds an axis to rows of several numbers, and where that may be."""
    given, made = next(iter(operands(event)), None), event.result
    if given is None or not isinstance(made, TensorFact) or given.rank < 2 or made.rank != given.rank + 1:
        return None
    places = {at for at in range(made.rank) if (*given.sizes[:at], 1, *given.sizes[at:]) == tuple(made.sizes)}
    return (event, given, places) if places else None
