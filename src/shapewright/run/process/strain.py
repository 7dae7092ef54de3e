"""How busy the machine is: what takes a second alone takes several where others compute too, and time limits should not
decide what is found."""

from __future__ import annotations

import os


def strain() -> float:
    """How many times longer the same work takes while others use the machine: from 1 to 4."""
    try:
        waiting = os.getloadavg()[0]
    except (AttributeError, OSError):  # not told by this system
        return 1.0
    return min(max(waiting / (os.cpu_count() or 1), 1.0), 4.0)
