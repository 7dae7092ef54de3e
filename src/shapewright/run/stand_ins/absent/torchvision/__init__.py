"""Stands for torchvision where it is not installed: its names, shapes and errors, made-up pictures and weights."""

from . import datasets, io, models, ops, transforms, utils

__version__ = "0.29.0"
__all__ = [
    "datasets",
    "disable_beta_transforms_warning",
    "get_image_backend",
    "io",
    "models",
    "ops",
    "set_image_backend",
    "transforms",
    "utils",
]


def disable_beta_transforms_warning() -> None:
    """There is no warning to disable."""


def set_image_backend(backend: str) -> None:
    """Pictures are always PIL's."""


def get_image_backend() -> str:
    """Pictures are always PIL's."""
    return "PIL"
