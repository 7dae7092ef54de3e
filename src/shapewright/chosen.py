"""The settings of one check: what pyproject says, with what was asked for over it. It reads no script."""

from __future__ import annotations

from typing import Any

from .diagnosis.allow import is_selected
from .report.language import language
from .rules import all_rules
from .settings import Settings, parse_memory, read_settings


def chosen_settings(script: str, **options: Any) -> Settings:
    """pyproject's settings with the command line's over them, and the language decided."""
    if options.get("memory") is not None:
        options["memory"] = parse_memory(options["memory"])
    for name in ("select", "ignore"):
        if options.get(name) is not None:
            options[name] = tuple(options[name])
    settings = read_settings(script).changed(**options)
    for entry in (*settings.select, *settings.ignore):
        if not any(is_selected(rule.code, rule.names, (entry,), ()) for rule in all_rules()):
            raise ValueError(f"no rule has the code or slug {entry!r}; shapewright rules lists them")
    return settings.changed(lang=language(settings.lang))
