"""A diagnosis as a notebook shows it: the HTML page in a frame of its own, the terminal's page as text."""

from __future__ import annotations

from html import escape
from typing import Any

from ..diagnosis import Diagnosis
from ..report import html, terminal

LEAST, PER_FINDING, MOST = 160, 420, 1400  # pixels


class Shown:
    """What IPython displays for a diagnosis."""

    def __init__(self, diagnosis: Diagnosis) -> None:
        self.diagnosis = diagnosis

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        height = min(MOST, LEAST + PER_FINDING * len(self.diagnosis.findings))
        page = escape(html.render([self.diagnosis]), quote=True)
        frame = f'<iframe srcdoc="{page}" style="width:100%;height:{height}px;border:0" title="shapewright"></iframe>'
        return {"text/html": frame, "text/plain": terminal.render([self.diagnosis])}
