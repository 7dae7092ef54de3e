"""A forked run as the resident process sees it. It reads no pipe and ends no process."""

from __future__ import annotations

import socket
from dataclasses import field

from ...dataclass import dataclass
from .framing import EARLY, HEADER
from .request import RunRequest
from .strain import Clock

SHORT = 0.05  # seconds at the least until it is looked at again


@dataclass
class Child:
    """A forked run: what it has sent so far and until when it may live."""

    ticket: int
    request: RunRequest
    pid: int
    scratch: str
    result_fd: int
    output_fd: int
    deadline: float
    began: float
    result: bytearray = field(default_factory=bytearray)
    output: bytearray = field(default_factory=bytearray)
    status: int | None = None
    timed_out: bool = False
    controls: tuple[socket.socket, ...] = ()  # of a run that parks, one for each place
    waiting: set[int] = field(default_factory=set)  # the numbers of the places at which it waits by now
    resumed: bool = False
    clock: Clock = field(init=False)

    def __post_init__(self) -> None:
        self.clock = Clock(self.deadline - self.began, self.pid)

    def late(self, now: float) -> bool:
        """Whether it has had its time; where it waited for the machine meanwhile, it is given that time back."""
        if now < self.deadline:
            return False
        if not self.timed_out and (left := self.clock.left()):
            self.deadline = now + max(left, SHORT)
            return False
        return True

    @property
    def parked(self) -> bool:
        """Whether it waits at all of its places."""
        return bool(self.controls) and len(self.waiting) == len(self.controls)

    @property
    def finished(self) -> bool:
        """Whether the whole trace has arrived."""
        return len(self.result) >= HEADER.size and len(self.result) >= HEADER.size + HEADER.unpack_from(self.result)[0]

    def early(self) -> bytes | None:
        """What the run told before its end: taken off what it has sent, once it has arrived whole."""
        if len(self.result) < HEADER.size:
            return None
        (length,) = HEADER.unpack_from(self.result)
        whole = HEADER.size + length - EARLY
        if not HEADER.size <= whole <= len(self.result):
            return None
        body = bytes(self.result[HEADER.size : whole])
        del self.result[:whole]
        return body
