"""`mcp`: the tools for agents, over the Model Context Protocol on standard input and output."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro

from .options import CONFIG, LANGUAGE


@dataclass
class Mcp:
    """Serve an agent over the Model Context Protocol: the tools check, fix, walk, explain and rule.

    The server reads only files in the folders that are given, and writes only if `fix` is asked to save."""

    folders: Annotated[
        tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="FOLDER ...", help_behavior_hint="")
    ] = (".",)
    """The folders that the server may read; by default the current folder."""
    lang: Annotated[str, LANGUAGE] = ""
    """en, es or ja; by default the locale's."""


def main(argv: Sequence[str]) -> int:
    """Serve until the client goes away."""
    options = tyro.cli(Mcp, prog="shapewright mcp", args=list(argv), config=CONFIG)
    missing = next((folder for folder in options.folders if not os.path.isdir(folder)), None)
    if missing is not None:
        raise ValueError(f"{missing} is not a folder")
    try:
        from ..agent.server import serve
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] in ("mcp", "mcp_types", "anyio"):
            raise ValueError("the MCP server needs mcp: pip install 'shapewright[agent]'") from error
        raise
    return serve(options.folders, options.lang)
