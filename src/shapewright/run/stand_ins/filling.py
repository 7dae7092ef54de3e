"""Small values for arguments that a script needs and nobody gave: from choices, types, names of counts, help."""

from __future__ import annotations

import inspect
import os
import re
import types
import typing
from collections.abc import Sequence
from typing import Any

LISTED = re.compile(r"[\w./-]+(?:\s*\|\s*[\w./-]+)+")  # `cifar10 | lsun | fake`
ENDED = re.compile(  # `path to mnist.npz`
    r"[\w./-]*\w\.(?:txt|tsv|csv|json|jsonl|npz|npy|pt|pth|pkl|pickle|ya?ml|jpe?g|png|wav|h5|hdf5|mat|zip)\b"
)
SETTINGS = re.compile(r"\b(ya?ml|json|toml)\b", re.IGNORECASE)  # `yaml file of settings`
MADE = "data"  # the name of what nothing is known of
SMALL = {"int": "2", "float": "0.1", "bool": "False"}
FILED = re.compile(r"file|weights|checkpoint", re.IGNORECASE)  # no folder, which may be there
PICTURED = re.compile(r"image|img|picture|photo", re.IGNORECASE)
ONCE = re.compile(r"epoch|iter|every|step|world|rank|gpu|worker")


def value(name: str, kind: str = "", choices: Sequence[object] | None = None, help: str = "") -> str:
    """The text of a small value.

    >>> value("epochs", "int"), value("lr", "float"), value("data", help="lsun | fake"), value("mode", "", ["a", "b"])
    ('1', '0.1', 'fake', 'a')
    >>> value("data", help="path to mnist.npz"), value("config", help="settings, as YAML")
    ('mnist.npz', 'data.yaml')
    """
    if choices:
        return str(next(iter(choices)))
    if kind in SMALL:
        return "1" if kind == "int" and ONCE.search(name) else SMALL[kind]
    if listed := LISTED.search(help):
        words = [word.strip() for word in listed[0].split("|")]
        return "fake" if "fake" in words else words[0]
    if ended := ENDED.search(help):
        return ended[0]
    if written := SETTINGS.search(help):
        return f"{MADE}.{written[0].lower()}"
    if not (FILED.search(name) and os.path.isdir("data")):
        return MADE
    return "data.jpg" if PICTURED.search(name) else "data.bin"


def of_annotation(name: str, annotation: Any) -> str:
    """The text of a small value for a parameter of this annotation.

    >>> of_annotation("steps", int | None), of_annotation("mode", typing.Literal["a", "b"])
    ('1', 'a')
    """
    if typing.get_origin(annotation) is typing.Annotated:
        annotation = typing.get_args(annotation)[0]
    if typing.get_origin(annotation) is typing.Literal:
        return value(name, choices=typing.get_args(annotation))
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        annotation = next(kind for kind in typing.get_args(annotation) if kind is not type(None))
    return value(name, getattr(annotation, "__name__", str(annotation)))


def required(function: Any) -> list[tuple[str, Any]]:
    """The parameters of a function or class that have no default, each with its annotation."""
    try:
        parameters = inspect.signature(function, eval_str=True).parameters.values()
    except (TypeError, ValueError, NameError):
        return []
    plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [(item.name, item.annotation) for item in parameters if item.kind in plain and item.default is item.empty]
