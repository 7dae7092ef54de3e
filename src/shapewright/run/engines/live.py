"""The live engine: real CPU tensors, so values exist. It adds only what the script needs: a simulated device, and a
budget under `auto`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from ...trace import Site
from ..device.simulated import Devices
from ..device.worlds import world
from ..process.request import RunRequest
from ..record.assume import Assumptions
from .budget import Budget


class Live:
    """See the module."""

    name = "live"

    def __init__(
        self, request: RunRequest, assumptions: Assumptions, place: Callable[[], Site | None], texts: tuple[str, ...]
    ) -> None:
        self.devices = Devices(assumptions, place, world(request, texts))
        self.budget = Budget(request.memory, request.timeout, request.measured) if request.engine == "auto" else None

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Run the body under this engine. Raises `Outgrown` under `auto`."""
        with contextlib.ExitStack() as stack:
            if self.budget is not None:
                stack.enter_context(self.budget.watched())
            stack.enter_context(self.devices.active())
            yield
