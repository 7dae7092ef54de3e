"""Two resident processes in place of one: what large libraries leave in memory would make every other fork a third
dearer."""

import os

from shapewright.run.process.supervisor import Resident
from shapewright.run.script.reading import library_names, read

LARGE = frozenset(
    {"accelerate", "datasets", "lightning", "peft", "pytorch_lightning", "torchmetrics", "transformers", "trl"}
)


class Residents(Resident):
    """A resident process, and a second one, begun when it is needed, for scripts that import a large library."""

    def __init__(self):
        super().__init__()
        self._second, self._known_to_second = None, set()

    def submit(self, request, parked=None, early=None):
        path = os.path.join(request.cwd, request.script)
        text = "\n".join(request.sources.values()) or getattr(read(path), "text", "")
        if (parked is not None and parked[0] in self._known_to_second) or (
            parked is None and library_names(text, LARGE)
        ):
            if self._second is None:
                self._second = Resident()
                self._second.known = self.known
                self._second._tickets = 1 << 30  # no ticket of the first is one of the second
            ticket = self._second.submit(request, parked, early)
            self._known_to_second.add(ticket)
            return ticket
        return super().submit(request, parked, early)

    def result(self, ticket):
        return self._of(ticket).result(ticket)

    def cancel(self, ticket):
        self._of(ticket).cancel(ticket)

    def close(self):
        if self._second is not None:
            self._second.close()
        super().close()

    def _of(self, ticket):
        return self._second if ticket in self._known_to_second else super()
