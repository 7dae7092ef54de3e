"""Questions asked of the captured models after the script has ended: one file, one question, found by discovery.

A probe plays a captured call again with a small change of its inputs and compares. It names no fault: rules do.
"""

from .asking import ask

__all__ = ["ask"]
