"""The text that every Python installation carries: the language reference's topics behind `help()`, some 600 kilobytes
of English."""

from __future__ import annotations

import textwrap

from ..settings import UsageError


def paragraphs() -> list[str]:
    """Its paragraphs, one line each, in a fixed order. The text depends on the version of Python."""
    try:
        from pydoc_data.topics import topics
    except ImportError as error:
        raise UsageError("this Python installation has no pydoc_data; give --data FILE") from error
    seen: dict[str, None] = {}
    for topic in sorted(topics):
        for paragraph in textwrap.dedent(topics[topic]).split("\n\n"):
            line = " ".join(paragraph.split())
            if len(line) > 30:
                seen.setdefault(line)
    return list(seen)
