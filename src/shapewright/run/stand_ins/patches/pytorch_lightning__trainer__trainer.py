"""Lightning's trainer under this name."""

from ..lightning import patch_trainer as patch

__all__ = ["patch"]
