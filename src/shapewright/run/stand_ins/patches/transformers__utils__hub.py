"""Every file that transformers asks of the Hub passes here: real caches first, then the table, then a plain error. No
network."""

from __future__ import annotations

import os
from types import ModuleType
from typing import Any

from ..context import Context
from ..hub import find

_SLOW_ONLY = ("vocab.json", "merges.txt", "vocab.txt")
"""Files that transformers 5 asks for but does not need beside tokenizer.json."""


def patch(module: ModuleType, context: Context) -> None:
    """Wrap `cached_files` (or `cached_file`, where transformers < 4.50 has only that)."""
    several = hasattr(module, "cached_files")
    new_style = hasattr(module, "resolve_revision") or not hasattr(module, "TRANSFORMERS_CACHE")
    original = module.cached_files if several else module.cached_file

    def answer(name: str, filename: str, subfolder: str) -> str | None:
        repository = find(name)
        if repository is None or (new_style and repository.tokenizer and filename in _SLOW_ONLY):
            return None
        path = repository.file(os.path.join(subfolder, filename), context.folder(f"hub/{name}"))
        if path is not None and filename == "tokenizer_config.json":
            context.note("stand-in-tokenizer", name=name)
        return None if path is None else str(path)

    def look(name: object, filenames: list[str], *args: Any, **options: Any) -> list[str] | None:
        asked = filenames if several else filenames[0]
        if os.path.exists(str(name)):
            found = original(name, asked, *args, **options)
            return found if several or found is None else [found]
        try:
            found = original(name, asked, *args, **{**options, "local_files_only": True})
        except OSError as error:
            found, failure = None, error
        else:
            failure = None
        if found:
            return found if several else [found]
        made = [answer(str(name), filename, options.get("subfolder") or "") for filename in filenames]
        if any(made):
            return [path for path in made if path is not None]
        if find(str(name)) is not None and (
            failure is None or not options.get("_raise_exceptions_for_missing_entries", True)
        ):
            return None
        if find(str(name)) is None and failure is not None:
            context.note("unknown-model", name=name)
        if failure is not None:
            raise failure
        return None

    def cached_files(path_or_repo_id: object, filenames: list[str], *args: Any, **options: Any) -> list[str] | None:
        return look(path_or_repo_id, filenames, *args, **options)

    def cached_file(path_or_repo_id: object, filename: str, *args: Any, **options: Any) -> str | None:
        found = look(path_or_repo_id, [filename], *args, **options)
        return found[0] if found else None

    if several:
        module.cached_files = cached_files
    else:
        module.cached_file = cached_file
