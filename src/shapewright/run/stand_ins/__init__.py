"""What answers for things that are not on the machine: weights, tokenizers, data sets, loggers, missing libraries.

`install` costs a folder listing; everything else happens when the script imports a library that has a patch here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .context import Context

if TYPE_CHECKING:
    from ..record.assume import Assumptions


def install(
    assumptions: Assumptions, scratch: Path | None = None, display: Callable[[str], str] = str, script: str = ""
) -> Context:
    """Make stand-ins available to the script that is about to run in this process.

    Args:
        assumptions: has `add(kind, *, site=None, **fields)`; every use of a stand-in is told to it.
        scratch: folder that may be written to; a temporary one is made at first need when it is `None`.
        display: turns an absolute path of a user file into the path as the user gave it.
        script: path of the script, to look for modules of its project.

    Returns:
        The context that patches share.
    """
    from .hook import Finder  # with torch, which who only fills arguments does without

    context = Context(assumptions, scratch, display, script)
    context.offline()
    finder = Finder(context)
    finder.install()
    return context
