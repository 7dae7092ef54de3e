"""Stands for torchtext, which was given up and runs with no present PyTorch: the interface of its fields, iterators,
vocabularies and data sets, old and last. Texts and word vectors are made up."""

from __future__ import annotations

from . import data, datasets, vocab

__all__ = ["data", "datasets", "disable_torchtext_deprecation_warning", "vocab"]
__version__ = "0.18.0"
for _part in (data, datasets, vocab):
    _part.__dict__.setdefault("__path__", [])  # other versions had parts of them (`datasets.translation`)


def disable_torchtext_deprecation_warning() -> None:
    """There is none."""
