"""Runs of one script that begin as a pair, with a pair of sockets between them (`stand_ins.company`). The server of
forks keeps the end of the second until it is forked."""

from __future__ import annotations

import os
import socket

from ..stand_ins import company
from .request import RunRequest


class Pairs:
    """The pairs of which one is forked, by their mark."""

    def __init__(self) -> None:
        self.ends: dict[str, tuple[int, int]] = {}

    def awaits(self, request: RunRequest) -> bool:
        """Whether the other of its pair runs already, and must not wait."""
        return request.pair in self.ends

    def begin(self, request: RunRequest) -> None:
        """In the server, before a fork."""
        if request.pair and request.pair not in self.ends:
            one, other = socket.socketpair()
            self.ends[request.pair] = (one.detach(), other.detach())

    def enter(self, request: RunRequest) -> None:
        """In the fork: keep the own end alone."""
        own = self._own(request)
        for fd in {fd for fds in self.ends.values() for fd in fds if fd >= 0} - {own}:
            os.close(fd)
        if own >= 0:
            company.joined(own)

    def forked(self, request: RunRequest) -> None:
        """In the server: let go of the end that the fork has."""
        own = self._own(request)
        if own >= 0:
            os.close(own)
            first, second = self.ends.pop(request.pair)
            if own == first:
                self.ends[request.pair] = (-1, second)

    def _own(self, request: RunRequest) -> int:
        """The end that is this run's, below 0 where it is none of a pair."""
        first, second = self.ends.get(request.pair, (-1, -1))
        return first if first >= 0 else second
