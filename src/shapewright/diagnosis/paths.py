"""Paths as the user gave them. It touches no disk."""

from __future__ import annotations

import os
from dataclasses import replace

from ..trace import Site


def as_given(file: str, script: str) -> str:
    """`file` written in the manner of `script`: the script itself as given, a file below its folder relative to it.

    >>> as_given("/home/u/p/model.py", "p/train.py") if os.getcwd() == "/home/u" else "p/model.py"
    'p/model.py'
    """
    if not file or file == script:
        return file
    whole, given = os.path.abspath(file), os.path.abspath(script)
    if whole == given:
        return script
    if os.path.isabs(script):
        return whole
    folder = os.path.dirname(given)
    if whole.startswith(folder + os.sep):
        return os.path.join(os.path.dirname(script), os.path.relpath(whole, folder))
    return file


def site_as_given(site: Site, script: str) -> Site:
    """`site` with its file written as the user would write it, and its end filled in where it is unknown."""
    end_line = max(site.end_line, site.line)
    end_column = site.end_column
    if end_line == site.line and end_column <= site.column:
        end_column = site.column + 1 if end_column <= 0 else max(end_column, site.column)
    return replace(site, file=as_given(site.file, script), end_line=end_line, end_column=end_column)
