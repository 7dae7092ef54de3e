"""`app.run(main)`: reads the flags of the command line and calls a function."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from .flags import FLAGS


class UsageError(Exception):
    """The script refuses its flags."""


def run(main: Callable[[list[str]], Any], argv: list[str] | None = None, **_: object) -> None:
    """Leave with what `main` gives for the arguments that are no flags."""
    sys.exit(main(FLAGS(argv or sys.argv)))
