"""Where a loop that only asks a model is shortened, so that several executions of it end alike: what two of them make
may meet."""

from __future__ import annotations

OFTEN = 4  # times that it is shortened where it was at first; then once more by the clock


class Shortened:
    """A loop that was shortened, after how many `iterations`.

    >>> loop = Shortened()
    >>> loop.once_more(3)
    >>> loop.reached(2), loop.reached(3)
    (False, True)
    """

    def __init__(self) -> None:
        self.iterations = self.times = 0

    def once_more(self, iterations: int) -> None:
        """It was shortened after so many."""
        self.iterations, self.times = iterations, self.times + 1

    def reached(self, iterations: int) -> bool | None:
        """Whether another execution is to be shortened after so many; `None` where the clock says it."""
        return None if self.times == OFTEN else iterations >= self.iterations
