"""Both directions of a bidirectional net read, and the layer behind them made as wide."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...graph.flow import forward
from ...rules.remedy import ReadBothDirections
from ...trace import Event
from ..candidate import Candidate, Case

PASSING = frozenset({"dropout", "relu", "tanh", "gelu", "squeeze", "layer_norm", "contiguous"})


ANSWERS = (ReadBothDirections,)
TITLES = {
    "both-directions": {
        "en": "read both directions: {code}",
        "es": "leer las dos direcciones: {code}",
        "ja": "両方向を読む: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For one direction read of two: the last two rows of the state side by side, and twice the inputs for the linear
    layer that reads them."""
    event = case.event
    source, place = case.at(case.site, cst.Subscript)
    layer = _reader(case, event)
    found = case.module_call(layer.modules[-1]) if layer is not None and layer.modules else None
    if place is None or found is None:
        return
    home, call = found
    plain = [given for given in call.node.args if given.keyword is None or given.keyword.value == "in_features"]
    if not plain:
        return
    size = home.place(plain[0].value)
    text = home.text_of(size)
    twice = (
        str(2 * int(text))
        if text.isdigit()
        else f"2 * {text}"
        if isinstance(plain[0].value, (cst.Name, cst.Attribute))
        else f"2 * ({text})"
    )
    state = source.text_of(source.place(place.node.value))
    code = f"torch.cat(({state}[-2], {state}[-1]), dim=-1)"
    yield Candidate("both-directions", (source.replace(place, code), home.replace(size, twice)), 5, {"code": code})


def _reader(case: Case, event: Event) -> Event | None:
    """The linear layer that reads the row."""
    return next((user for user in forward(case.trace, event, PASSING, 8) if user.op == "linear"), None)
