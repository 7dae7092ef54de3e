"""Turns kinds and named fields into sentences of one language. The texts themselves stand in `phrases`, `assumptions`,
`outcomes`."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..trace import Assumption, Origin, Outcome, Site
from .outcomes import NOT_RUN
from .phrases import ORIGINS, phrase

if TYPE_CHECKING:
    from ..diagnosis.model import Diagnosis, Fix


def filled(messages: Mapping[str, Mapping[str, str]], lang: str, key: str, fields: Mapping[str, Any]) -> str:
    """Entry `key` of a rule's `MESSAGES` in `lang` (English where that is missing), filled with `fields`; empty where
    there is none.

    Raises:
        KeyError: the text names a field that the facts lack.
    """
    text = messages.get(lang, {}).get(key) or messages.get("en", {}).get(key, "")
    return text.format(**fields)


def origin_note(origin: Origin, lang: str) -> str:
    """`set by Linear(768, 1)` in the reader's language."""
    if not origin.note:
        return ""
    if origin.note == "call":
        return ORIGINS["call"][lang]
    return ORIGINS.get(origin.kind, ORIGINS["unknown"])[lang].format(note=origin.note)


def assumption_note(item: Assumption, lang: str) -> str:
    """The sentence of an assumption; a kind without a text gives its kind and values, so that nothing is hidden."""
    return _sentence("assumptions", item.kind, item.fields, lang)


def outcome_reason(outcome: Outcome, lang: str) -> str:
    """The sentence that says why a run ended early."""
    return _sentence("outcomes", outcome.reason, outcome.fields, lang)


def place(diagnosis: Diagnosis, site: Site) -> str:
    """Where something is, as the reader finds it: `rl.py:45:12`, and for a notebook `faulty.ipynb, cell 4, line 2`."""
    line = diagnosis.line(site.line, site.file)
    cell, _, inner = line.partition(":")
    return (
        f"{site.file}, {phrase('cell', diagnosis.lang, cell=cell, line=inner)}"
        if inner
        else f"{site.file}:{line}:{site.column}"
    )


def verification(fix: Fix, lang: str) -> str:
    """How a fix was verified, at which batch sizes or by a run of a script that has no batches; of an unsafe one what
    it leaves open."""
    if not fix.safe:
        return phrase("unsafe", lang, doubt=fix.doubt)
    if fix.verified:
        several = "verified" if len(fix.verified) > 1 else "verified_one"
        return phrase(several, lang, sizes=", ".join(map(str, fix.verified)))
    return phrase("verified_run", lang)


def unchecked(diagnosis: Diagnosis) -> str:
    """What was not checked, as a sentence in the diagnosis's language; empty where everything was."""
    lang, end = diagnosis.lang, diagnosis.end
    if diagnosis.outcome == "complete":
        return ""
    if diagnosis.reason_kind in NOT_RUN:
        return phrase("not_run", lang, reason=diagnosis.reason)
    if diagnosis.outcome != "stopped" or not diagnosis.told_end:
        return phrase("incomplete", lang, reason=diagnosis.reason or phrase("unexplained", lang))
    if end is None or not end.line:
        return phrase("stopped_nowhere", lang)
    return (
        phrase("stopped", lang, line=diagnosis.line(end.line))
        if end.file == diagnosis.script
        else phrase("stopped_elsewhere", lang, place=f"{end.file}:{end.line}")
    )


def _sentence(module: str, kind: str, fields: Mapping[str, str], lang: str) -> str:
    texts = importlib.import_module(f"{__package__}.{module}").TEXTS.get(kind, {})
    template = texts.get(lang) or texts.get("en")
    if template is None:
        return " ".join([kind, *(f"{name}={value}" for name, value in fields.items())])
    try:
        return str(template.format(**fields))
    except (KeyError, IndexError, ValueError):
        return " ".join([kind, *(f"{name}={value}" for name, value in fields.items())])
