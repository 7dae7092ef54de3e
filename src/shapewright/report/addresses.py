"""Where the page of a rule is on the web. A checkout's pages lie in docs/rules; who publishes them tells the folder's
address in SHAPEWRIGHT_PAGES, as the action does for its own repository."""

from __future__ import annotations

import os


def address(code: str, slug: str) -> str:
    """The address of a rule's page, empty where nobody told where the pages are."""
    base = os.environ.get("SHAPEWRIGHT_PAGES", "").rstrip("/")
    return f"{base}/{code}-{slug}.md" if base else ""
