"""Addresses that a script asks `requests` for are answered as those that it opens with `urllib`."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from ..context import Context, user_frame
from ..files.opening import answered


def patch(module: ModuleType, context: Context) -> None:
    """Wrap `Session.request`."""
    original = getattr(module.Session.request, "__wrapped__", module.Session.request)

    @functools.wraps(original)
    def request(self: Any, method: str, url: object, *args: Any, **options: Any) -> Any:
        made = answered(url, context, user_frame()) if context.active and method.lower() == "get" else None
        return original(self, method, url, *args, **options) if made is None else made

    module.Session.request = request
