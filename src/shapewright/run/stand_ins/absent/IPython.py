"""Stands for IPython where it is not installed: what a notebook shows is shown to nobody."""

from typing import Any

from shapewright.run.stand_ins.plots import plotting
from shapewright.run.stand_ins.silence import Silent

_named = plotting(__name__)


def get_ipython() -> Silent:
    """The shell, which runs nothing."""
    return Silent("get_ipython")


def __getattr__(name: str) -> Any:
    return _named(name)
