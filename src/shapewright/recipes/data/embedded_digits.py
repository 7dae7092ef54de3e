"""The handwritten digits that scikit-learn carries: 1,797 pictures of 8×8 with values 0…16 (UCI, E. Alpaydin, C.
Kaynak, CC BY 4.0).

The file is read directly: importing `sklearn.datasets` costs more than a second.
"""

from __future__ import annotations

import gzip
import importlib.util
from pathlib import Path

import numpy
import torch
from torch import Tensor
from torch.nn import functional

from ..settings import UsageError


def read() -> tuple[Tensor, Tensor]:
    """All digits. Shape: images (1797, 8, 8), float32 in 0…1; labels (1797,), int64."""
    spec = importlib.util.find_spec("sklearn")
    if spec is None or not spec.origin:
        raise UsageError(
            "the embedded digits come with scikit-learn, which is not installed: pip install 'shapewright[train]', or "
            "give --data"
        )
    path = Path(spec.origin).parent / "datasets" / "data" / "digits.csv.gz"
    with gzip.open(path, "rt", encoding="ascii") as file:
        table = numpy.loadtxt(file, delimiter=",", dtype=numpy.float32)
    return torch.from_numpy(table[:, :64].reshape(-1, 8, 8) / 16), torch.from_numpy(table[:, 64].astype(numpy.int64))


def enlarged(images: Tensor) -> Tensor:
    """8×8 pictures as 28×28 ones: three times as large, bilinear, with the margin of two that MNIST's have.

    Shape: (count, 8, 8) in 0…1 -> (count, 28, 28), uint8.
    """
    large = functional.interpolate(images[:, None], scale_factor=3, mode="bilinear", align_corners=False)
    return functional.pad((large * 255).round().clamp(0, 255).to(torch.uint8), (2, 2, 2, 2))[:, 0]
