"""A layer whose width is the product of two axes of what it is given was made for both in one: another width would
leave out what was to be merged."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...graph.flow import operands, tensors
from ...rules.remedy import Misfit
from .change import Change

TEXTS = {
    "unmerged": {
        "en": "the expected size {wanted} is the product of the axes {sizes}: perhaps they should be merged before",
        "es": "el tamaño esperado, {wanted}, es el producto de los ejes {sizes}: quizá haya que unirlos antes",
        "ja": "求められるサイズ {wanted} は軸 {sizes} の積です。先にこれらの軸をまとめるべきかもしれません",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the last axes of what was refused, but the first one, where the edits write sizes and nothing else."""
    failure, misfit = change.before.failure, change.finding.facts.remedy
    if failure is None or not isinstance(misfit, Misfit) or not misfit.wanted or not change.sizes_alone:
        return
    given = next(tensors(failure.module_args), None) if failure.module >= 0 else None
    given = given or next(iter(operands(failure.event)), None) if failure.event is not None else given
    sizes = given.sizes[1:] if given is not None else ()
    for count in range(2, len(sizes) + 1):
        last = sizes[-count:]
        if math.prod(last) == misfit.wanted and min(last) > 1:
            yield "unmerged", {"wanted": misfit.wanted, "sizes": " × ".join(map(str, last))}
