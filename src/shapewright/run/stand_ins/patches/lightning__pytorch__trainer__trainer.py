"""Lightning's trainer under this name."""

from ..lightning.installed import patch_trainer as patch

__all__ = ["patch"]
