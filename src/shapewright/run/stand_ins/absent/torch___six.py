"""Stands for `torch._six`, which PyTorch had until 1.13: names that Python 2 and 3 spell differently."""

from __future__ import annotations

import collections.abc as container_abcs
import queue
from math import inf, nan

string_classes, int_classes = (str, bytes), int

__all__ = ["container_abcs", "inf", "int_classes", "nan", "queue", "string_classes"]
