"""How options look in `--help`: what stands for a value, and no defaults that say nothing."""

from __future__ import annotations

import tyro

PLAIN = tyro.conf.arg(help_behavior_hint="")
LANGUAGE = tyro.conf.arg(metavar="LANG", help_behavior_hint="")
SECONDS = tyro.conf.arg(metavar="SECONDS", help_behavior_hint="")
BYTES = tyro.conf.arg(metavar="SIZE", help_behavior_hint="")
FILE = tyro.conf.arg(metavar="FILE", help_behavior_hint="")
RULES = tyro.conf.arg(metavar="RULES", help_behavior_hint="")
CONFIG = (tyro.conf.FlagCreatePairsOff, tyro.conf.DisallowNone)
