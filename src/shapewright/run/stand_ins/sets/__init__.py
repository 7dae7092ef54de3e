"""Public data sets by name: columns and class labels from `tables/*.toml`, rows made up. Nothing here imports a
library."""

from .rows import make_rows
from .slices import split_rows
from .table import SetDescription, find_set

__all__ = ["SetDescription", "find_set", "make_rows", "split_rows"]
