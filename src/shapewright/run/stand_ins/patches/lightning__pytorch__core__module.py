"""Lightning's module under this name."""

from ..lightning import patch_module as patch

__all__ = ["patch"]
