"""Both directions of a bidirectional net read, and the layer behind them made as wide."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...graph.flow import forward
from ...rules.remedy import ReadBothDirections
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source

PASSING = frozenset({"dropout", "relu", "tanh", "gelu", "squeeze", "layer_norm", "contiguous"})


ANSWERS = (ReadBothDirections,)
TITLES = {
    "both-directions": {
        "en": "use the output of both directions: {code}",
        "es": "usar la salida de las dos direcciones: {code}",
        "ja": "両方向の出力を使う: {code}",
    },
}


@at(cst.Subscript)
def propose(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """For one direction read of two: the last two rows of the state side by side, and twice the inputs for the linear
    layer that reads them."""
    layer = next((user for user in forward(case.trace, case.event, PASSING, 8) if user.op == "linear"), None)
    found = case.module_call(layer.modules[-1]) if layer is not None and layer.modules else None
    given = found[0].given(found[1], 0, "in_features") if found is not None else None
    if given is not None:
        home, size, state = found[0], found[0].place(given), source.text_of(source.place(place.node.value))
        code = f"torch.cat(({state}[-2], {state}[-1]), dim=-1)"
        edits = (source.replace(place, code), home.replace(size, home.twice(size)))
        yield Candidate("both-directions", edits, 5, {"code": code})
