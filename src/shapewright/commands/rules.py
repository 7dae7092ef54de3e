"""`rules` and `rule`: what is known, in a list and in full."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro
from rich.text import Text

from ..report.catalogue import listing, rule_page
from ..report.language import language
from ..report.terminal import as_text, page_settings
from ..rules import all_rules, find_rule
from .options import LANGUAGE


@dataclass
class Rules:
    """List every fault that shapewright knows: SW1xx crash, SW2xx run but are wrong, SW3xx are faults of the training
    loop."""

    lang: Annotated[str, LANGUAGE] = ""
    """en, es or ja; by default the locale's."""


@dataclass
class OneRule:
    """Show one rule in full: what it finds, why that is a problem, an example, what to write instead."""

    code: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="CODE", help_behavior_hint="")]
    """The rule's code (SW101) or slug."""
    lang: Annotated[str, LANGUAGE] = ""
    """en, es or ja; by default the locale's."""


def rules(argv: Sequence[str]) -> int:
    """Prints the list of all rules."""
    options = tyro.cli(Rules, prog="shapewright rules", args=list(argv))
    return _printed(listing(all_rules(), language(options.lang), page_settings()["width"]))


def rule(argv: Sequence[str]) -> int:
    """Prints one rule; 2 where there is none of that name."""
    options = tyro.cli(OneRule, prog="shapewright rule", args=list(argv))
    found = find_rule(options.code)
    if found is None:
        raise ValueError(f"there is no rule {options.code!r}; shapewright rules lists them")
    return _printed(rule_page(found, language(options.lang), page_settings()["width"]))


def _printed(lines: Sequence[Text]) -> int:
    sys.stdout.write(as_text(list(lines), page_settings()["color"]))
    return 0
