"""Stands for absl where it is not installed: flags, and `app.run`, which reads them and calls what it is given."""

from __future__ import annotations
