"""Required arguments that the user does not give are filled from their choices, types and help."""

from __future__ import annotations

import re
import sys
from types import ModuleType
from typing import Any

from ..context import Context, is_user_file
from ..files.usage import usage
from ..filling import value
from ..offered import Setting

TRAINING = re.compile(r"((do|is|run)_)?train(ing)?")


def patch(module: ModuleType, context: Context) -> None:
    """Wrap `ArgumentParser.parse_known_args` for a script that was started without arguments."""
    original = getattr(module.ArgumentParser.parse_known_args, "__wrapped__", module.ArgumentParser.parse_known_args)

    def parse_known_args(self: Any, args: Any = None, namespace: object = None, **options: Any) -> Any:
        if args is None and context.guess.argv:
            parsed, rest = original(self, args, namespace, **options)
            if rest and sys._getframe(1).f_code.co_name == "parse_args":  # which refuses them
                context.note("argument-unknown", words=" ".join(rest))
                rest = []
            return parsed, rest
        if args or len(sys.argv) != 1 or not is_user_file(_caller().f_code.co_filename):
            return original(self, args, namespace, **options)
        made: set[str] = set()
        parsed, rest = original(self, _filled(self, context, module, made), namespace, **options)
        for name in made:
            word = getattr(parsed, name, None)
            context.worded |= type(word) is str
            if type(word) is str and context.guess.words:
                setattr(parsed, name, Setting(word, name, context.offered))
        return parsed, rest

    parse_known_args.__wrapped__ = original  # type: ignore[attr-defined]
    module.ArgumentParser.parse_known_args = parse_known_args


def _caller() -> Any:
    """The frame outside argparse that asks for the arguments."""
    frame: Any = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename.endswith("argparse.py"):
        frame = frame.f_back
    return frame


def _filled(parser: Any, context: Context, module: ModuleType, made: set[str]) -> list[str]:
    """Arguments for what is required; the names of those that are one word are added to `made`."""
    found: list[str] = []
    told, known = usage(context.texts()), dict(context.guess.words)  # of the files that are loaded by now
    groups = [
        action for group in parser._mutually_exclusive_groups if group.required for action in group._group_actions[:1]
    ]
    for action in parser._actions:
        if isinstance(action, module._SubParsersAction):
            name = next((name for name in action.choices if "train" in name), next(iter(action.choices), None))
            if name is not None and (action.required or not action.option_strings):
                context.note(
                    "argument-filled", name=action.dest if action.dest != module.SUPPRESS else "command", value=name
                )
                return [*found, name, *_filled(action.choices[name], context, module, made)]
        word = action.type in (None, str) and action.nargs is None and not action.choices
        compared = list(dict.fromkeys(told.choices.get(action.dest, []))) if word else []
        bare = action.nargs is None and action.default is None
        bare = bare and action.dest in told.attributes and action.dest not in told.asked
        offered = list(action.choices or compared) if action.nargs is None else []
        refused = len(offered) > 1 and isinstance(action.default, str) and action.default not in ("", *offered)
        context.left_out |= bare or refused
        if isinstance(action, module._StoreTrueAction) and TRAINING.fullmatch(action.dest) and action.dest not in known:
            context.switch = context.switch or action.dest
        if bare and action.choices and action.dest not in known:
            context.offered[action.dest, parser] = [str(word) for word in action.choices]
        needed = action.required or action in groups or (context.guess.chosen and (bare or refused))
        if not (needed or action.dest in known) or (not action.option_strings and action.nargs in ("*", "?")):
            continue
        kind = getattr(action.type, "__name__", "") or told.kinds.get(action.dest, "")
        chosen = [known[action.dest]] if known.get(action.dest) else action.choices or compared
        text = value(action.dest, kind, chosen, action.help or "")
        values = [] if action.nargs == 0 else [text] * (action.nargs if isinstance(action.nargs, int) else 1)
        made |= {action.dest} if word else set()
        flag = (action.option_strings or [action.dest])[-1]
        context.note("argument-filled", name=flag, value=" ".join(values) or "True")
        found += [*action.option_strings[-1:], *values]
    return found
