"""What a person chose: `[tool.shapewright]` in the nearest pyproject.toml above the script, and the command line over
it."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from .dataclass import dataclass
from .report.language import language

ENGINES = ("auto", "live", "dry")
LEAST_MEMORY = 16 << 20
UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


@dataclass(frozen=True)
class Settings:
    """`timeout` in seconds, `memory` in bytes; `lang` empty means the locale's; `opinions` lets
    rules speak that tell of taste; `strict` makes a broken rule raise."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    lang: str = ""
    timeout: float = 60.0
    memory: int = 8 << 30
    engine: str = "auto"
    opinions: bool = False
    strict: bool = False

    def changed(self, **values: Any) -> Settings:
        """The same settings with every value that is not `None` put over them."""
        return replace(self, **{name: value for name, value in values.items() if value is not None})


def parse_memory(text: str | int) -> int:
    """Bytes from `4G`, `512M`, `2.5 GiB` or a plain number. Raises `ValueError` with the text where it is none of
    these.

    >>> parse_memory("4G")
    4294967296
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", str(text), re.IGNORECASE)
    size = int(float(match.group(1)) * UNITS[match.group(2).lower()]) if match else 0
    if size <= 0:
        raise ValueError(f"memory must be a size such as 4G or 512M, not {text!r}")
    if size < LEAST_MEMORY:
        raise ValueError(f"memory must be at least {LEAST_MEMORY >> 20}M; {text} is {size} bytes")
    return size


def find_pyproject(script: str | Path) -> Path | None:
    """The nearest pyproject.toml in the script's folder or above it."""
    folder = Path(script).absolute().parent
    return next(
        (path for parent in (folder, *folder.parents) if os.path.isfile(path := parent / "pyproject.toml")), None
    )


def read_settings(script: str | Path) -> Settings:
    """The settings that hold for `script`. Raises `ValueError`, naming file and key, where the table is malformed."""
    path = find_pyproject(script)
    if path is None:
        return Settings()
    try:
        tool = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from error
    table = tool.get("shapewright", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise ValueError(f"{path}: [tool.shapewright] must be a table, not {table!r}")
    return _settings(table, path)


def _settings(table: dict[str, Any], path: Path) -> Settings:
    known = {item.name for item in fields(Settings)} - {"strict"}
    unknown = sorted(set(table) - known)
    if unknown:
        raise ValueError(f"{path}: [tool.shapewright] has no key {unknown[0]!r}; it takes {', '.join(sorted(known))}")
    values = dict(table)
    for key in ("select", "ignore"):
        entries = values.get(key, [])
        entries = [entries] if isinstance(entries, str) else entries
        if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
            raise ValueError(f"{path}: {key} must be a list of codes or slugs")
        values[key] = tuple(entries)
    if "memory" in values:
        values["memory"] = _placed(path, parse_memory, values["memory"])
    timeout = values.get("timeout", 1)
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or timeout <= 0:
        raise ValueError(f"{path}: timeout must be a number of seconds above 0")
    if values.get("engine", "auto") not in ENGINES:
        raise ValueError(f"{path}: engine must be one of {', '.join(ENGINES)}")
    if not isinstance(values.get("opinions", False), bool):
        raise ValueError(f"{path}: opinions must be true or false")
    if not isinstance(values.get("lang", ""), str):
        raise ValueError(f"{path}: lang must be en, es or ja")
    values["lang"] = (values.get("lang") and _placed(path, language, values["lang"])) or ""
    return Settings(**values)


def _placed(path: Path, read: Callable[[str], Any], value: str) -> Any:
    try:
        return read(value)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
