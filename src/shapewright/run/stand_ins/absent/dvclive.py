"""Stands for the logger dvclive where it is not installed."""

from shapewright.run.stand_ins.silence import silent_getattr

__getattr__ = silent_getattr("dvclive")
