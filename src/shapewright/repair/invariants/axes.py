"""A view that was refused keeps the number of axes that the author wrote sizes for."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands
from ...trace import TensorFact
from .change import Change

TEXTS = {
    "fewer-axes": {
        "en": "{op} on line {line} is written for {old} axes, and this edit leaves {new}: the code that follows may "
        "read the axes that are lost",
        "es": "{op} en la línea {line} está escrito para {old} ejes, y este cambio deja {new}: el código que sigue "
        "puede leer los ejes que se pierden",
        "ja": "{line} 行目の {op} は {old} 個の軸のために書かれていますが、この修正では {new} 個になります。"
        "後のコードが、なくなる軸を読んでいるかもしれません",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By what an edited line makes of the tensor that the view was given."""
    failed = change.before.failure.event if change.before.failure is not None else None
    given = next(iter(operands(failed)), None) if failed is not None and ops.is_a(failed.op, "views") else None
    if failed is None or failed.site is None or given is None:
        return
    sizes = failed.args[1] if len(failed.args) == 2 and isinstance(failed.args[1], (tuple, list)) else failed.args[1:]
    for event in change.events():
        made, viewed = event.result, next(iter(operands(event)), None)
        again = ops.is_a(event.op, "views", "flattens") and viewed is not None and viewed.sizes == given.sizes
        if again and isinstance(made, TensorFact) and made.rank < len(sizes):
            fields = {"op": failed.op, "line": failed.site.line, "old": len(sizes), "new": made.rank}
            yield "fewer-axes", fields
