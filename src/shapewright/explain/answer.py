"""From a text to an explanation: the message that ended the script, the user's line, the warnings that do not
matter."""

from __future__ import annotations

import re

from ..report.language import language
from .discovery import known_messages
from .model import Explanation, Message, Place
from .pasted import cleaned, joined, user_line
from .unrelated import unrelated_warnings

ERROR = re.compile(
    r"^\s*(?:\[rank\d+\]:\s*)?((?:[\w.]+\.)?\w*(?:Error|Exception|Interrupt|Warning|Iteration|Exit)\b(?:: .*)?)$", re.M
)


def explain(text: str, lang: str = "") -> Explanation:
    """The explanation of an error text or a whole traceback.

    Args:
        text: the message, with or without its traceback and the warnings before it.
        lang: `en`, `es` or `ja`; the locale's by default.

    Returns:
        An explanation whose `known` is false where the message is none of those that are known; nothing is guessed
        then.
    """
    lang = language(lang)
    text = cleaned(text)
    unrelated = unrelated_warnings(text, lang)
    best = _best(text)
    place = user_line(text[: best[2].start()] if best is not None else text) or user_line(text)
    best = best or _best(joined(text))
    if best is None:
        return Explanation(last_line(text), lang, place=place, unrelated=unrelated)
    return _explanation(*best, lang, place, unrelated)


def _best(text: str) -> tuple[str, Message, re.Match[str]] | None:
    """The known message in a text, with its family: the last one, and of two at one place the longer."""
    best = None
    for family, message in known_messages():
        match = message.search(text)
        if match is not None and (best is None or _rank(match) > _rank(best[2])):
            best = (family, message, match)
    return best


def _rank(match: re.Match[str]) -> tuple[int, int]:
    """Later in the text wins; of two at one place, the longer."""
    return match.start(), match.end() - match.start()


def _explanation(
    family: str, message: Message, match: re.Match[str], lang: str, place: Place | None, unrelated: tuple[str, ...]
) -> Explanation:
    wants, got, causes, hints = message.words(match, lang)
    return Explanation(
        " ".join(match.group(0).split()), lang, message.slug, family, wants, got, causes, hints, place, unrelated
    )


def last_line(text: str) -> str:
    """The error line of a traceback, else the last line that says anything."""
    errors = ERROR.findall(text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return errors[-1] if errors else lines[-1] if lines else ""
