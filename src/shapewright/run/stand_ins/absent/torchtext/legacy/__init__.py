"""What torchtext 0.9 to 0.11 called its older half."""

from __future__ import annotations

import sys

from .. import data, datasets, vocab

__all__ = ["data", "datasets", "vocab"]
for _part in (data, datasets, vocab):
    sys.modules[f"{__name__}.{_part.__name__.rpartition('.')[2]}"] = _part
