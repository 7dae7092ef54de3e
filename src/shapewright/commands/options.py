"""How options look in `--help`: what stands for a value, and no defaults that say nothing.

tyro is imported by who reads the annotations: a check that is given scripts and nothing else has no options to parse.
"""

from __future__ import annotations

from typing import Any

VALUES = {"PLAIN": "", "LANGUAGE": "LANG", "SECONDS": "SECONDS", "BYTES": "SIZE", "FILE": "FILE", "RULES": "RULES"}


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    import tyro

    if name == "CONFIG":
        return (tyro.conf.FlagCreatePairsOff, tyro.conf.DisallowNone)
    return (
        tyro.conf.arg(help_behavior_hint="", **{"metavar": VALUES[name]} if VALUES[name] else {})
        if name in VALUES
        else getattr(tyro, name)
    )
