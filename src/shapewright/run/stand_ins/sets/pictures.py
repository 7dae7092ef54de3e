"""Made-up pictures of a set's columns."""

from __future__ import annotations

from typing import Any


def picture(height: int, width: int, mode: str, seed: int) -> Any:
    """A PIL image of noise, the same for a seed at every run."""
    import numpy
    from PIL import Image

    shape = (height, width) if mode == "L" else (height, width, 3)
    return Image.fromarray(numpy.random.RandomState(seed).randint(0, 256, shape, dtype="uint8"))
