"""Stands for ipywidgets where it is not installed: nothing is shown, and nobody moves a slider."""

from shapewright.run.stand_ins.plots import plotting

__getattr__ = plotting(__name__)
