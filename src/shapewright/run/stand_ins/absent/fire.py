"""Stands for fire where it is not installed: calls what it is given with the arguments of the command line, or with
small values where there are none."""

from __future__ import annotations

import ast
import inspect
import sys
from typing import Any

from shapewright.run.stand_ins.context import tell
from shapewright.run.stand_ins.filling import of_annotation, required


def Fire(component: Any = None, command: Any = None, name: object = None, **_: object) -> Any:
    """Calls a function, a method of a class, or an entry of a dictionary."""
    words = command.split() if isinstance(command, str) else list(command or sys.argv[1:])
    if component is None:
        component = {key: value for key, value in vars(sys.modules["__main__"]).items() if inspect.isfunction(value)}
    while not callable(component) or inspect.isclass(component):
        parts = component if isinstance(component, dict) else _methods(component)
        if not parts:
            break
        key = (
            words.pop(0)
            if words and words[0] in parts
            else next((key for key in parts if "train" in key), next(iter(parts)))
        )
        component = parts[key]
    given: dict[str, Any] = {}
    places: list[Any] = []
    while words:
        word = words.pop(0)
        if word.startswith("--"):
            key, _mark, text = word[2:].partition("=")
            text = text if _mark else words.pop(0) if words and not words[0].startswith("--") else "True"
            given[key.replace("-", "_")] = _read(text)
        else:
            places.append(_read(word))
    for key, annotation in required(component)[len(places) :]:
        if key not in given:
            text = of_annotation(key, annotation)
            tell("argument-filled", name=f"--{key}", value=text)
            given[key] = _read(text)
    return component(*places, **given)


def _methods(kind: Any) -> dict[str, Any]:
    made = kind() if inspect.isclass(kind) else kind
    return {name: value for name, value in inspect.getmembers(made, inspect.ismethod) if not name.startswith("_")}


def _read(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
