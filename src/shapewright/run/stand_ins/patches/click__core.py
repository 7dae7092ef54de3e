"""Required parameters of click that the user does not give, also those that it would ask for."""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import Any

from ..context import Context, user_frame
from ..filling import value


def patch(module: ModuleType, context: Context) -> None:
    """Wrap `Command.main` for a script that was started without arguments."""
    original = getattr(module.Command.main, "__wrapped__", module.Command.main)

    @functools.wraps(original)
    def main(self: Any, args: Any = None, *more: Any, **options: Any) -> Any:
        if args is None and len(sys.argv) == 1 and user_frame(sys._getframe(1)) is not None:
            args = _filled(self, context, module)
        return original(self, args, *more, **options)

    module.Command.main = main


def _filled(command: Any, context: Context, module: ModuleType) -> list[str]:
    found: list[str] = []
    for item in command.params:
        asked = getattr(item, "prompt", None) and item.default is None
        if not (item.required or asked) or getattr(item, "is_flag", False):
            continue
        kind = {"integer": "int", "integer range": "int", "boolean": "bool"}.get(item.type.name, item.type.name)
        text = value(item.name or "", kind, getattr(item.type, "choices", None), getattr(item, "help", None) or "")
        context.note("argument-filled", name=item.opts[-1], value=text)
        count = item.nargs if item.nargs > 0 else 1
        found += [*([item.opts[-1]] if item.param_type_name == "option" else []), *[text] * count]
    commands = getattr(command, "commands", None)
    if commands and not getattr(command, "invoke_without_command", False):
        name = next((name for name in commands if "train" in name), next(iter(commands)))
        context.note("argument-filled", name="command", value=name)
        found += [name, *_filled(commands[name], context, module)]
    return found
