"""shapewright: find, explain and repair tensor-shape faults in PyTorch training scripts."""

__version__ = "0.1.0"
