"""What a script prints: kept, however the script treats its standard output."""

from __future__ import annotations

import io

MOST = 200_000  # characters


class Output(io.StringIO):
    """Stays open: a script that closes its standard output, or a logger that it put in its place, is not over yet."""

    def close(self) -> None:
        """What was printed is still asked for."""

    def text(self) -> str:
        """The beginning of what was printed."""
        return self.getvalue()[:MOST]
