"""Stands for torchtyping where it is not installed: annotations that say nothing to the run."""

from __future__ import annotations

from typing import Any


class TensorType:
    """`TensorType["batch", 3]` is an annotation."""

    def __class_getitem__(cls, item: object) -> type[TensorType]:
        return cls


def patch_typeguard() -> None:
    """Annotations are not checked."""
