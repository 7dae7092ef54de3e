"""Finds a public model by name in `families/*.toml` and writes the files of its repository on demand.

Real files and caches are asked before this module; it knows nothing of weights.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any

from ....dataclass import dataclass
from .vocabulary import tokenizer_files

_FAMILIES = Path(__file__).parent / "families"


@dataclass(frozen=True)
class Repository:
    """A model repository made up from the table.

    `config` is its config.json; `tokenizer` the description in `families/` (see `vocabulary.tokenizer_files`);
    `files` other JSON files by name, such as preprocessor_config.json."""

    name: str
    config: dict[str, Any]
    tokenizer: dict[str, Any] = field(default_factory=dict)
    files: dict[str, Any] = field(default_factory=dict)

    def file(self, filename: str, folder: Path) -> Path | None:
        """Path of `filename`, written under `folder` at first need; `None` where such a repository has no such file."""
        path = folder / filename
        if path.exists():
            return path
        if filename == "config.json":
            content: str | None = json.dumps(self.config)
        elif filename in self.files:
            content = json.dumps(self.files[filename])
        elif self.tokenizer:
            content = tokenizer_files(self.tokenizer, filename)
        else:
            content = None
        if content is None:
            return None
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path


@cache
def find(name: str) -> Repository | None:
    """The repository of this name or alias, or `None`.

    Only family files that contain the quoted name are parsed, so an unknown name costs a few milliseconds."""
    quoted = f'"{name}"'
    for path in sorted(_FAMILIES.glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        if quoted not in text:
            continue
        family = tomllib.loads(text)
        for key, model in family["models"].items():
            if name != key and name not in model.get("aliases", ()):
                continue
            tokenizer = family.get("tokenizer", {}) if model.get("tokenizer") is not False else {}
            return Repository(
                name=name,
                config={**family["config"], **model.get("config", {})},
                tokenizer={**tokenizer, **(model.get("tokenizer") or {})},
                files={**family.get("files", {}), **model.get("files", {})},
            )
    return None
