"""Stands for the logger neptune where it is not installed."""

from shapewright.run.stand_ins.silence import silent_getattr

__getattr__ = silent_getattr("neptune")
