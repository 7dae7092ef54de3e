"""What is known of live tensors beside their values: axes, producer, name. Tensors are not kept alive and not
touched."""

from __future__ import annotations

import itertools
import weakref
from dataclasses import field
from typing import Any

from ...dataclass import dataclass
from ...trace import Axis

_uids = itertools.count(1)
_key = object.__hash__  # one number an object, as `id` is, of which no audit hook is told


@dataclass(slots=True)
class Note:
    """`axes` has one entry a dimension; `producer` is the index of the event that made the tensor; `kind` as in
    `TensorFact`."""

    axes: tuple[Axis, ...] = ()
    producer: int = -1
    name: str = ""
    kind: str = "tensor"
    uid: int = 0
    extra: dict[str, Any] = field(default_factory=dict)


class Notes:
    """Notes by tensor identity."""

    def __init__(self) -> None:
        self._by_id: dict[int, tuple[weakref.ref, Note]] = {}
        self._derived: dict[tuple, int] = {}

    def get(self, tensor: object) -> Note | None:
        entry = self._by_id.get(_key(tensor))
        return entry[1] if entry is not None and entry[0]() is tensor else None

    def put(self, tensor: object, note: Note) -> Note:
        key = _key(tensor)
        table = self._by_id

        def forget(reference: weakref.ref) -> None:
            entry = table.get(key)
            if entry is not None and entry[0] is reference:
                del table[key]

        note.uid = note.uid or next(_uids)
        table[key] = (weakref.ref(tensor, forget), note)
        return note

    def new_uid(self) -> int:
        """A fresh identity, for tensors and axes alike."""
        return next(_uids)

    def derived(self, source: tuple) -> int:
        """The identity of what `source` describes: equal descriptions have one identity."""
        return self._derived.setdefault(source, next(_uids))
