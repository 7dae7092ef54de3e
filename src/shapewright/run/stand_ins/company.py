"""What two processes that run the same script tell each other: every collective call with its tensors, so that each
gets what a real rank would. Nobody waits for ever: where the calls do not belong together, or the other has ended or is
silent for `PATIENCE`, the exchange is over. No network: a pair of sockets that both were given at their start."""

from __future__ import annotations

import fcntl
import io
import os
import pickle
import select
import struct
from collections import deque
from os import read, write  # by name: a script may replace the module's
from typing import Any

import torch

PATIENCE = 20.0  # seconds
HIGH = 500  # out of the way of scripts that close low file descriptors
HEADER = struct.Struct("<Q")
CALL, SENT, WAITS = "call", "sent", "waits"
_given: list[Company] = []


def given() -> Company | None:
    """The company of this process, if it was started with another."""
    return _given[-1] if _given else None


def joined(fd: int) -> None:
    """This process is one of two; `fd` is its end of what connects them."""
    own = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, HIGH)
    os.close(fd)
    os.set_blocking(own, False)
    _given[:] = [Company(own)]


class Company:
    """The other process. `parted` is what the two were at when the exchange ended: (our call, the other's)."""

    def __init__(self, fd: int) -> None:
        self.fd, self.open = fd, True
        self.waiting: deque[Any] = deque()  # calls of the other that are still to be met
        self.letters: deque[Any] = deque()  # what it sent to this one alone
        self.sent = self.received = 0
        self.parted: tuple[tuple | None, tuple | None] | None = None
        self._bytes = bytearray()
        self._stuck: tuple | None = None  # the other waits for a letter, with all of ours read

    def meet(self, call: tuple[str, tuple[int, ...], object], value: Any) -> tuple[Any] | None:
        """The other's value of the same call; `None` where there is no such call."""
        self._push((CALL, call, value))
        while self.open and not self.waiting and self._stuck is None:
            self._pull()
        if not self.waiting:
            return self._over(call, self._stuck)
        theirs, value = self.waiting.popleft()
        return (value,) if theirs[:2] == call[:2] else self._over(call, theirs)

    def send(self, value: object) -> None:
        """Give the other one a letter."""
        self.sent += 1
        self._stuck = None
        self._push((SENT, value))

    def receive(self, call: tuple[str, tuple[int, ...], object]) -> tuple[Any] | None:
        """The next letter of the other; `None` where none will come."""
        while self.open and not self.letters and select.select([self.fd], [], [], 0)[0]:
            self._take()
        if not self.letters:
            self._push((WAITS, call, self.received))
        while self.open and not self.letters and not self.waiting and self._stuck is None:
            self._pull()
        if self.letters:
            self.received += 1
            return (self.letters.popleft(),)
        return self._over(call, self.waiting[0][0] if self.waiting else self._stuck)

    def _over(self, ours: tuple | None, theirs: tuple | None) -> None:
        if self.parted is None and (self.open or theirs is not None):
            self.parted = (ours, theirs)
        self.open = False

    def _push(self, message: tuple) -> bool:
        """Tell the other; what it tells meanwhile is read, so that two that write at once do not block each other."""
        try:
            body = dumped(message)
        except Exception:  # a value that cannot be sent
            self.open = False
        if not self.open:
            return False
        left = memoryview(HEADER.pack(len(body)) + body)
        while left and self.open:
            readers, writers, _ = select.select([self.fd], [self.fd], [], PATIENCE)
            try:
                if readers:
                    self._take()
                if writers:
                    left = left[write(self.fd, left) :]
            except OSError:
                self.open = False
            if not readers and not writers:
                self.open = False
        return self.open

    def _pull(self) -> None:
        if not select.select([self.fd], [], [], PATIENCE)[0]:
            self.open = False
        else:
            self._take()

    def _take(self) -> None:
        """Read what is there."""
        try:
            data = read(self.fd, 1 << 20)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.open = False
        self._bytes += data
        while len(self._bytes) >= HEADER.size:
            end = HEADER.size + HEADER.unpack_from(self._bytes)[0]
            if len(self._bytes) < end:
                return
            kind, *parts = pickle.loads(self._bytes[HEADER.size : end])
            del self._bytes[:end]
            if kind == CALL:
                self.waiting.append(tuple(parts))
            elif kind == SENT:
                self.letters.append(parts[0])
                self._stuck = None
            elif parts[1] == self.sent:
                self._stuck = parts[0]


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        """Tensors as their bytes."""
        if not isinstance(value, torch.Tensor):
            return NotImplemented
        flat = value.detach().cpu().contiguous().reshape(-1)
        return _made, (flat.view(torch.uint8).numpy().tobytes(), str(flat.dtype), tuple(value.shape))


def _made(data: bytes, dtype: str, shape: tuple[int, ...]) -> torch.Tensor:
    kind = getattr(torch, dtype.removeprefix("torch."))
    return torch.frombuffer(bytearray(data), dtype=kind).reshape(shape) if data else torch.empty(shape, dtype=kind)


def dumped(value: object) -> bytes:
    """`value` as bytes that `pickle` reads.

    >>> pickle.loads(dumped(torch.tensor([1, 2])))
    tensor([1, 2])
    """
    held = io.BytesIO()
    _Pickler(held, pickle.HIGHEST_PROTOCOL).dump(value)
    return held.getvalue()
