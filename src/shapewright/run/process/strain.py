"""How busy the machine is: what takes a second alone takes several where others compute too, and time limits should not
decide what is found."""

from __future__ import annotations

import os
from time import monotonic  # by name: a script may replace the module's

MOST_WAITED = 3.0  # times its limit that a run may have waited for the machine beside it


def strain() -> float:
    """How many times longer the same work takes while others use the machine: from 1 to 4."""
    try:
        waiting = os.getloadavg()[0]
    except (AttributeError, OSError):  # not told by this system
        return 1.0
    return min(max(waiting / (os.cpu_count() or 1), 1.0), 4.0)


def waited(pid: int | str = "self") -> float:
    """Seconds that the main thread of a process was ready and the machine computed for others; 0 where the system does
    not tell."""
    try:
        told = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY)
        try:
            return int(os.read(told, 256).split()[1]) / 1e9
        finally:
            os.close(told)
    except (OSError, IndexError, ValueError):
        return 0.0


class Clock:
    """The time that a process has had since now: that in which it waited for the machine counts not, up to
    `MOST_WAITED` times the limit (s)."""

    def __init__(self, limit: float, pid: int | str = "self") -> None:
        self.limit, self.pid = limit, pid
        self.began, self.before = monotonic(), waited(pid)

    def left(self) -> float:
        """Seconds until the limit, none where it is reached."""
        free = min(max(waited(self.pid) - self.before, 0.0), MOST_WAITED * self.limit)
        return max(0.0, self.began + self.limit + free - monotonic())
