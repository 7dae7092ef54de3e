"""Which statements of the user's files lead to a training: they call `backward`, or a function of the user's that does.

Functions are told by the name that a call has alone, whatever holds them. Asked only where a loop has run for long and
trained nothing: experience is gathered there, or data are made.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from ...trace import Site

BACKWARD = "backward"  # torch's name


class Gathering:
    """The trainings of some files.

    >>> text = "def learn():\\n loss.backward()\\ndef play():\\n me.learn()\\nfor i in x:\\n play()\\nfor i in x:\\n 1"
    >>> found = Gathering({"a.py": text})
    >>> found.within(Site("a.py", 5, end_line=6)), found.within(Site("a.py", 7, end_line=8)), found.trains()
    (True, False, True)
    """

    def __init__(self, texts: Mapping[str, str], shown: Callable[[str], str] = str) -> None:
        self._texts, self._shown = texts, shown
        self._known = self._counted = -1
        self._trains = False
        self._calls: dict[str, list[tuple[int, str]]] = {}
        self._names: set[str] = set()

    def trains(self) -> bool:
        """Whether any of the files so far trains something."""
        if not self._trains and self._counted != len(self._texts):
            self._counted = len(self._texts)
            self._trains = any(f".{BACKWARD}(" in text for text in self._texts.values())
        return self._trains

    def within(self, site: Site) -> bool:
        """Whether some lines of a file lead to a training."""
        if self._known != len(self._texts):
            self._read()
        return any(site.covers(line) and name in self._names for line, name in self._calls.get(site.file, ()))

    def _read(self) -> None:
        self._known = len(self._texts)
        bodies: dict[str, set[str]] = {}  # of functions by their names, the calls in them
        for file, text in self._texts.items():
            try:
                nodes = list(ast.walk(ast.parse(text)))
            except (SyntaxError, ValueError, RecursionError):
                continue
            calls = [node for node in nodes if isinstance(node, ast.Call)]
            self._calls[self._shown(file)] = [(node.lineno, _called(node)) for node in calls]
            for node in nodes:
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    inside = (part for part in ast.walk(node) if isinstance(part, ast.Call))
                    bodies.setdefault(node.name, set()).update(map(_called, inside))
        self._names, before = {BACKWARD}, 0
        while len(self._names) > before:
            before = len(self._names)
            self._names |= {name for name, calls in bodies.items() if not calls.isdisjoint(self._names)}


def _called(call: ast.Call) -> str:
    """The name that a call has."""
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
