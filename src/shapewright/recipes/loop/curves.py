"""Loss curves of the training and the validation phase as a PNG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path


def draw(history: Sequence[Mapping[str, float]], lines: Mapping[str, str], path: Path, label: str) -> None:
    """One line per entry of `lines` (its name -> the metric) over the epochs, written to `path`."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    # No pyplot: it would keep global state and look for a display.
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot(xlabel="epoch", ylabel=label)
    for name, metric in lines.items():
        axes.plot([row["epoch"] for row in history], [row[metric] for row in history], marker="o", label=name)
    axes.legend()
    axes.grid(alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    FigureCanvasAgg(figure).print_png(str(path))
