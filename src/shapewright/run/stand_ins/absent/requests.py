"""Stands for `requests` where it is not installed: an address that a script asks for is answered as one that it opens
with `urllib`; all else is unknown."""

from __future__ import annotations

from typing import Any

from shapewright.run.stand_ins.context import current, user_frame
from shapewright.run.stand_ins.files.opening import answered
from shapewright.run.stand_ins.unknown import unknown_name


class RequestException(OSError):
    """What `requests` raises; `HTTPError`, `ConnectionError` and `Timeout` are of its kind."""


class Session:
    """A session that asks as the module itself does."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *raised: object) -> None:
        """Nothing is open."""

    def get(self, url: object, *args: object, **options: object) -> Any:
        """What an address answers; unknown where nothing is known of it."""
        context = current()
        found = answered(url, context, user_frame()) if context is not None else None
        return unknown_name("get", "requests")(url) if found is None else found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return unknown_name(name, "requests")


get = Session().get
HTTPError = ConnectionError = Timeout = RequestException


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown_name(name, "requests")
