"""How jupyterlab-lsp starts the language server; JupyterLab finds it by its entry point."""

from __future__ import annotations

import sys
from typing import Any


def spec(manager: object) -> dict[str, dict[str, Any]]:
    """The server as jupyter-lsp wants it told."""
    return {
        "shapewright": {
            "version": 2,
            "argv": [sys.executable, "-m", "shapewright", "lsp"],
            "languages": ["python"],
            "mime_types": ["text/x-python", "text/x-ipython"],
            "display_name": "shapewright",
        }
    }
