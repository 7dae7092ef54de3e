"""Another number of axes for what was made up: whether a script runs with one more or one fewer tells whether it says
itself how many there are (`RunRequest.axes`). What is known of its rows stays: an axis of one is put behind them or at
the end, a longer one behind them, or the first behind them is left out."""

from __future__ import annotations

from typing import Any

import numpy

from ..script.naming import alike
from .context import Context

LONGER = 12  # of what a window may run over
MOST = 60


def tried(context: Context, name: str, found: Any) -> Any:
    """An array of this name with as many axes as are tried of it; that it was made up is remembered."""
    name = alike(name)
    like = " ".join(word for word in name.split() if not word.isdigit())
    if like in context.untold or len(context.untold) < MOST:
        known = context.untold.setdefault(like, {})
        if name in known or len(known) < MOST:
            known.setdefault(name, numpy.ndim(found))
    way = next((way for key, way in context.axes if key in (name, like)), "")
    if not way:
        return found
    if way == "fewer":
        return found[:, 0] if numpy.ndim(found) > 1 else found
    at = -1 if way == "last" else min(1, numpy.ndim(found))
    more = numpy.expand_dims(found, at)
    return numpy.repeat(more, LONGER, at) if way == "longer" else more
