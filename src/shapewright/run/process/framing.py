"""Length-prefixed pickles over a socket between the supervisor and the resident process. Torch objects never cross."""

from __future__ import annotations

import dataclasses
import functools
import io
import operator
import pickle
import socket
import struct
from collections.abc import Callable
from typing import Any

from ...dataclass import is_frozen

BUILTINS = {
    "tuple",
    "frozenset",
    "set",
    "bool",
    "int",
    "float",
    "str",
    "bytes",
    "bytearray",
    "complex",
    "list",
    "dict",
    "slice",
    "range",
}
HEADER = struct.Struct("!Q")
EARLY = 1 << 63  # in a frame's length: another frame follows


@functools.cache
def _slots(kind: type) -> tuple[Callable[[Any], Any], tuple[Callable[[Any, Any], None], ...]] | None:
    """What reads all fields of a frozen class with slots, and what puts each: a trace has thousands of objects, and for
    each `dataclasses` itself looks its fields up again."""
    if not (_ours(kind.__module__) and dataclasses.is_dataclass(kind) and "__slots__" in vars(kind)):
        return None
    names = [part.name for part in dataclasses.fields(kind)]
    if len(names) < 2 or not is_frozen(kind):
        return None
    return operator.attrgetter(*names), tuple(getattr(kind, name).__set__ for name in names)


def restored(kind: type, values: tuple) -> Any:
    """An object of a frozen class with slots, from the values of its fields."""
    slots = _slots(kind)
    if slots is None:
        raise pickle.UnpicklingError(f"{kind.__qualname__} has no place in a trace")
    made = object.__new__(kind)
    for put, value in zip(slots[1], values):
        put(made, value)
    return made


class PlainPickler(pickle.Pickler):
    """Pickles plain data; what is of a foreign type is turned into a plain value, so that the reader needs no torch."""

    def reducer_override(self, value: Any) -> Any:
        kind = type(value)
        if (slots := _slots(kind)) is not None:
            return restored, (kind, slots[0](value))
        module = kind.__module__ or ""
        if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")):
            owner, name = getattr(value, "__module__", None) or "", getattr(value, "__qualname__", "?")
            return NotImplemented if _ours(owner) or _known(owner, name) else (str, (name,))
        if (
            hasattr(value, "item")
            and getattr(value, "size", 0) == 1
            and "numpy" in {of.__module__ for of in kind.__mro__}
        ):
            return _number, (repr(value.item()),)  # also our own kinds of them
        if _ours(module) or _known(module, kind.__qualname__):
            return NotImplemented
        if isinstance(value, tuple):
            return tuple, (list(value),)
        for plain in (bool, int, float, str, bytes):
            if isinstance(value, plain):
                return plain, (plain(value),)
        return str, (_short(value),)


class PlainUnpickler(pickle.Unpickler):
    """Reads what `PlainPickler` wrote: this package's classes and harmless builtins, nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if _ours(module) or _known(module, name):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a trace")


def _known(module: str, name: str) -> bool:
    return (module == "builtins" and name in BUILTINS) or (module, name) in (
        ("collections", "OrderedDict"),
        ("_codecs", "encode"),
    )


def _ours(module: str) -> bool:
    return module.startswith(__package__.split(".")[0] + ".") or module == __package__.split(".")[0]


def _number(text: str) -> Any:
    return (
        {"True": True, "False": False}.get(text)
        if text in ("True", "False")
        else float(text)
        if not text.lstrip("-").isdigit()
        else int(text)
    )


def _short(value: object) -> str:
    try:
        return repr(value)[:200]
    except Exception as error:
        return f"<{type(value).__name__}: {type(error).__name__}>"


def packed(value: object, early: bool = False) -> bytes:
    """The frame of `value`: eight bytes of length, then its pickle. `early` marks one that another is to follow."""
    buffer = io.BytesIO()
    buffer.write(HEADER.pack(0))
    PlainPickler(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
    HEADER.pack_into(buffer.getbuffer(), 0, (buffer.tell() - HEADER.size) | (EARLY if early else 0))
    return buffer.getvalue()


def receive(channel: socket.socket) -> Any:
    """The next frame's value. Raises EOFError where the other side is gone."""
    (length,) = HEADER.unpack(_exactly(channel, HEADER.size))
    return pickle.loads(_exactly(channel, length))


def _exactly(channel: socket.socket, count: int) -> bytearray:
    data = bytearray(count)
    view = memoryview(data)
    while view:
        try:
            read = channel.recv_into(view)
        except ConnectionResetError as error:
            raise EOFError("the other side is gone") from error
        if not read:
            raise EOFError("the other side is gone")
        view = view[read:]
    return data
