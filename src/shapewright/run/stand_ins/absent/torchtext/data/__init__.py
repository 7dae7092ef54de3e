"""Fields, examples, data sets, iterators and tokenizers."""

from __future__ import annotations

from . import functional, metrics, utils
from .examples import Dataset, Example, TabularDataset
from .fields import Field, LabelField, NestedField, Pipeline, RawField, ReversibleField
from .functional import to_map_style_dataset
from .iterators import Batch, BPTTIterator, BucketIterator, Iterator, batch, pool
from .metrics import bleu_score
from .utils import get_tokenizer, interleave_keys, ngrams_iterator

__all__ = [
    "BPTTIterator",
    "Batch",
    "BucketIterator",
    "Dataset",
    "Example",
    "Field",
    "Iterator",
    "LabelField",
    "NestedField",
    "Pipeline",
    "RawField",
    "ReversibleField",
    "TabularDataset",
    "batch",
    "bleu_score",
    "functional",
    "get_tokenizer",
    "interleave_keys",
    "metrics",
    "ngrams_iterator",
    "pool",
    "to_map_style_dataset",
    "utils",
]
