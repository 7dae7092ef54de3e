"""The Dirichlet toy set: points of a simplex with one-hot labels, as a map-style data set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
import torch
from torch import Tensor
from torch.utils.data import Dataset


def sample(size: int, concentration: Sequence[float], seed: int = 0) -> tuple[Tensor, Tensor]:
    """Points and their labels: one-hot of the largest coordinate. Shape: (size, classes) each, float32

    Raises `ValueError` for a concentration that is not positive.
    """
    if len(concentration) < 2 or min(concentration) <= 0:
        raise ValueError(
            f"a Dirichlet distribution wants at least two positive concentrations, not {tuple(concentration)}"
        )
    points = torch.from_numpy(numpy.random.default_rng(seed).dirichlet(concentration, size).astype("float32"))
    return points, torch.nn.functional.one_hot(points.argmax(1), len(concentration)).float()


class DirichletSet(Dataset):
    """`size` points for a `DataLoader`; an item is a point and its one-hot label, Shape: (classes,) each."""

    def __init__(self, size: int, concentration: Sequence[float], seed: int = 0) -> None:
        self.points, self.labels = sample(size, concentration, seed)

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, place: int) -> tuple[Tensor, Tensor]:
        return self.points[place], self.labels[place]
