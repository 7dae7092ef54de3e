"""Stands for Hugging Face `datasets` where it is not installed: tables in memory, public sets made up after the
tables."""

from .dataset import (
    Dataset,
    DatasetDict,
    IterableDataset,
    IterableDatasetDict,
    concatenate_datasets,
    interleave_datasets,
)
from .features import Audio, ClassLabel, Features, Image, Sequence, Translation, Value
from .loading import get_dataset_config_names, load_dataset, load_dataset_builder, load_from_disk

__version__ = "3.0.0"
List = Sequence
__all__ = [
    "Audio",
    "ClassLabel",
    "Dataset",
    "DatasetDict",
    "Features",
    "Image",
    "IterableDataset",
    "IterableDatasetDict",
    "Sequence",
    "Translation",
    "Value",
    "concatenate_datasets",
    "disable_caching",
    "disable_progress_bars",
    "enable_caching",
    "get_dataset_config_names",
    "interleave_datasets",
    "load_dataset",
    "load_dataset_builder",
    "load_from_disk",
]


def disable_caching() -> None:
    """Nothing is cached."""


enable_caching = disable_progress_bars = disable_progress_bar = disable_caching
