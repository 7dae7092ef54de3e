"""shapewright: find, explain and repair tensor-shape faults in PyTorch training scripts.

    diagnosis = shapewright.check("train.py", ["--epochs", "3"])
    print(shapewright.explain("mat1 and mat2 shapes cannot be multiplied (4x1024 and 4096x10)"))
    with shapewright.clarify():
        loss = model(batch)

Attributes load on first use: importing the package imports neither torch nor any of its own parts.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

FACADE = {
    "Resident": "run.process.supervisor",
    "check": "checking",
    "check_model": "model_checking",
    "clarify": "explain.clarify",
    "explain": "explain.answer",
    "fix": "checking",
}
__all__ = ["__version__", *sorted(FACADE)]


def __getattr__(name: str) -> Any:
    if name not in FACADE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{FACADE[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *FACADE])


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext shapewright`: the magics of a notebook."""
    importlib.import_module(f"{__name__}.notebook.magics").load(shell)
