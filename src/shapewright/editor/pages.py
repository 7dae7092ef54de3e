"""The page of each rule, as an address that an editor can open."""

from __future__ import annotations

import os

from ..report.docs import page
from ..rules import find_rule


class Pages:
    """Writes the pages that are asked for into a folder of the server's, which goes away with it."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def address(self, code: str, slug: str) -> str:
        """The address of a rule's page, empty where there is no such rule."""
        path = os.path.join(self._folder, "rules", f"{code}-{slug}.md")
        if not os.path.exists(path):
            rule = find_rule(code)
            if rule is None:
                return ""
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(page(rule))
        return "file://" + path
