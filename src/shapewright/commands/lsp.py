"""`lsp`: the language server for editors, on standard input and output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro

from .options import CONFIG


@dataclass
class Lsp:
    """Serve an editor: diagnostics, shapes at the ends of lines, hovers and repairs, over standard input and output."""

    python: Annotated[str, tyro.conf.arg(metavar="PYTHON", help_behavior_hint="")] = ""
    """The interpreter that runs the scripts; by default the one that runs the server."""


def main(argv: Sequence[str]) -> int:
    """Serve until the client goes away."""
    # some editors add --stdio, which is how this server speaks anyway
    options = tyro.cli(Lsp, prog="shapewright lsp", args=[word for word in argv if word != "--stdio"], config=CONFIG)
    try:
        from ..editor.features import serve
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] in ("pygls", "lsprotocol"):
            raise ValueError("the language server needs pygls: pip install 'shapewright[editor]'") from error
        raise
    return serve(options.python or None)
