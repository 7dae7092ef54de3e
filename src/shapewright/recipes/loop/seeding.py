"""Random number generators: seeding all of them, and taking and restoring their state exactly.

Covers Python's `random`, NumPy's legacy generator and torch's (CPU and every CUDA device).
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Any

import numpy
import torch


def seed_everything(seed: int, rank: int = 0) -> None:
    """Seed every generator. Processes differ in `rank`, so that their dropout masks differ; weights are broadcast by
    DDP."""
    random.seed(seed + rank)
    numpy.random.seed((seed + rank) % 2**32)
    torch.manual_seed(seed + rank)


def capture() -> dict[str, Any]:
    """The state of all generators as plain JSON values and uint8 tensors (see `restore`)."""
    kind, keys, position, has_gauss, gauss = numpy.random.get_state()
    state: dict[str, Any] = {
        "python": _listed(random.getstate()),
        "numpy": [kind, keys.tolist(), int(position), int(has_gauss), float(gauss)],
        "torch": torch.get_rng_state(),
    }
    if torch.cuda.is_available():
        state["cuda"] = torch.cuda.get_rng_state_all()
    return state


def restore(state: dict[str, Any]) -> None:
    """Set all generators to a state that `capture` took. CUDA's is skipped where the number of devices differs."""
    version, values, gauss = state["python"]
    random.setstate((version, tuple(values), gauss))
    kind, keys, position, has_gauss, cached = state["numpy"]
    numpy.random.set_state((kind, numpy.asarray(keys, dtype=numpy.uint32), position, has_gauss, cached))
    torch.set_rng_state(state["torch"].cpu())
    if torch.cuda.is_available() and len(state.get("cuda", ())) == torch.cuda.device_count():
        torch.cuda.set_rng_state_all([value.cpu() for value in state["cuda"]])


@contextlib.contextmanager
def untouched() -> Iterator[None]:
    """Whatever runs inside leaves every generator as it was."""
    state = capture()
    try:
        yield
    finally:
        restore(state)


def _listed(value: Any) -> Any:
    return [_listed(item) for item in value] if isinstance(value, tuple) else value
