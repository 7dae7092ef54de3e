"""Lightning's module under this name."""

from ..lightning.installed import patch_module as patch

__all__ = ["patch"]
