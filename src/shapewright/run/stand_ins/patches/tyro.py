"""Required fields of tyro that the user does not give."""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import Any

from ..context import Context, is_user_file
from ..filling import of_annotation, required


def patch(module: ModuleType, context: Context) -> None:
    """Wrap `cli` for a script that was started without arguments."""
    original = getattr(module.cli, "__wrapped__", module.cli)

    @functools.wraps(original)
    def cli(f: object, *more: Any, **options: Any) -> Any:
        given = options.get("args"), options.get("default")
        if given == (None, None) and len(sys.argv) == 1 and is_user_file(sys._getframe(1).f_code.co_filename):
            args: list[str] = []
            for name, annotation in required(f):
                text = of_annotation(name, annotation)
                context.note("argument-filled", name=f"--{name}", value=text)
                args += [f"--{name.replace('_', '-')}", text]
            options["args"] = args or None
        return original(f, *more, **options)

    module.cli = cli
