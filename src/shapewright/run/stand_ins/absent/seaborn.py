"""Stands for seaborn where it is not installed: nothing is drawn."""

from shapewright.run.stand_ins.plots import plotting

__getattr__ = plotting(__name__)
