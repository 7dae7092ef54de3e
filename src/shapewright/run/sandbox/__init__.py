"""What keeps a run from touching anything outside its scratch folder. Entered in the forked child, before the user's code."""

from .enter import Sandbox, enter

__all__ = ["Sandbox", "enter"]
