"""The rules: one file, one fault. Each is found by discovery in `loud/`, `silent/` and `loop/`; no list names them."""

from .discovery import Rule, all_rules, find_rule
from .facts import Facts, Span

__all__ = ["Facts", "Rule", "Span", "all_rules", "find_rule"]
