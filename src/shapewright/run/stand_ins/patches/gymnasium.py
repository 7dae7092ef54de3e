"""Environments of gymnasium whose engine is not on this machine are made up; nothing is drawn on a screen."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ..context import Context
from ..offered import absent_environment


def patch(module: ModuleType, context: Context) -> None:
    """Wrap `make`: the real environment first, without a window."""
    original = module.make

    def make(id: object, *args: Any, **options: Any) -> Any:
        from ..arena import Arena, picture

        options.pop("render_mode", None)
        try:
            made = original(id, *args, **options)
        except (module.error.Error, ImportError, AttributeError):
            name = getattr(id, "id", str(id))
            try:
                made = Arena(name)
            except KeyError:
                raise absent_environment(id, name) from None
        made.unwrapped.render = lambda *args, **options: picture()
        made.unwrapped.render_mode = "rgb_array"
        return made

    module.make = make
