"""Stands for matplotlib where it is not installed: nothing is drawn."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy

from shapewright.run.stand_ins.plots import Plot, plotting

__version__ = "3.9.0"
SIDE = 64
# names that `from pylab import *` binds
DRAWN = (
    "annotate",
    "arrow",
    "axes",
    "axhline",
    "axis",
    "axvline",
    "bar",
    "cla",
    "clf",
    "close",
    "cm",
    "colorbar",
    "contour",
    "contourf",
    "draw",
    "figtext",
    "figure",
    "fill",
    "fill_between",
    "gca",
    "gcf",
    "grid",
    "hist",
    "imshow",
    "ioff",
    "ion",
    "legend",
    "loglog",
    "pause",
    "pcolormesh",
    "plot",
    "quiver",
    "rc",
    "rcParams",
    "savefig",
    "scatter",
    "semilogx",
    "semilogy",
    "show",
    "style",
    "subplot",
    "subplots",
    "suptitle",
    "text",
    "tight_layout",
    "title",
    "xlabel",
    "xlim",
    "xticks",
    "ylabel",
    "ylim",
    "yticks",
)


def _saved(file: Any = None, *args: object, format: str = "png", **options: object) -> None:
    """A picture of nothing, where a script writes a figure into a stream, from which it is read back."""
    from PIL import Image

    if hasattr(file, "write"):
        Image.new("RGB", (SIDE, SIDE)).save(file, "JPEG" if format in ("jpg", "jpeg") else "PNG")


class Figure(Plot):
    """A figure: a grid of plots has as many as were asked for."""

    savefig = staticmethod(_saved)

    def subplots(self, nrows: int = 1, ncols: int = 1, *, squeeze: bool = True, **options: object) -> Any:
        """One plot, a row, a column or a grid of them."""
        grid = numpy.empty((int(nrows), int(ncols)), object)
        for place in numpy.ndindex(grid.shape):
            grid[place] = Plot()
        if squeeze:
            grid = grid.squeeze()
        return grid.item() if squeeze and grid.ndim == 0 else grid


def _subplots(nrows: int = 1, ncols: int = 1, **options: Any) -> Any:
    figure = Figure()
    return figure, figure.subplots(nrows, ncols, squeeze=options.get("squeeze", True))


def _read(file: Any, *args: Any, **options: Any) -> Any:
    """A picture is data: it is read."""
    from PIL import Image

    with Image.open(file) as picture:
        numbers = numpy.asarray(picture)
        return numbers.astype("float32") / 255 if picture.format == "PNG" else numbers


__getattr__ = plotting(__name__)
pyplot, image = ModuleType(f"{__name__}.pyplot"), ModuleType(f"{__name__}.image")
for _part in (pyplot, image):
    _part.__dict__.update(__getattr__=__getattr__, imread=_read)
    sys.modules[_part.__name__] = _part
pylab = ModuleType(f"{__name__}.pylab")  # which has NumPy's names too
pylab.__dict__.update(
    {name: getattr(numpy, name) for name in numpy.__all__ if not isinstance(getattr(numpy, name), ModuleType)}
)
pylab.__dict__.update({name: __getattr__(name) for name in DRAWN})
pylab.__dict__.update(__getattr__=__getattr__, np=numpy, numpy=numpy, plt=pyplot)
sys.modules |= {pylab.__name__: pylab, "pylab": pylab}
pyplot.__dict__.update(subplots=_subplots, figure=Figure, gcf=Figure, savefig=_saved)
