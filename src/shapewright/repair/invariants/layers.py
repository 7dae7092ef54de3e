"""The layers that ran still run: no edit leaves out a part of the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...trace import Trace
from .change import Change

TEXTS = {
    "layers": {
        "en": "fewer {kind} layers run than before: a part of the model is left out",
        "es": "se ejecutan menos capas {kind} que antes: se omite una parte del modelo",
        "ja": "実行される {kind} の層が修正前より減り、モデルの一部が抜けます",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the layers with parameters that were called, and that the edited texts still make."""
    now = _called(change.after)
    for kind, count in _called(change.before).items():
        if now[kind] < count and not change.removed[kind]:
            yield "layers", {"kind": kind}


def _called(trace: Trace) -> Counter[str]:
    """How many layers of each class with parameters of its own ran, the failing one included."""
    ran = {uid for event in trace.events for uid in event.modules}
    ran |= set(trace.failure.modules) if trace.failure is not None else set()
    known = (trace.modules.get(uid) for uid in ran)
    return Counter(module.kind for module in known if module is not None and module.parameters)
