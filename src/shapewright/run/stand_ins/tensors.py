"""What torch is given of what a library that is not installed made of plain data: numbers of the form that the call
tells (`forms`), one number where data were compared. What is made of what learns is not known, and names the
library."""

from __future__ import annotations

from typing import Any

import numpy
import torch

from .columns import ranked
from .context import current
from .how import refuse
from .unknown import UnknownClass, UnknownThing, forms, of_data

HALF = 0.5
ABSENT = (UnknownThing, UnknownClass)  # of a library that is not installed


def taken(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of torch's, with tensors in the place of what is unknown."""
    tensors = (one for one in (*args, *kwargs.values()) if isinstance(one, torch.Tensor))
    place = next((one.device for one in tensors), None)
    return func(*_given(args, place), **{key: _given(value, place) for key, value in kwargs.items()})


def _given(value: Any, place: torch.device | None) -> Any:
    if isinstance(value, (list, tuple)) and any(isinstance(part, (*ABSENT, list, tuple)) for part in value):
        return type(value)([_given(part, place) for part in value])
    if isinstance(value, UnknownClass):
        refuse(value)  # a class that is used as a number: nothing tells which
    if not isinstance(value, UnknownThing):
        return value
    made = made_of(value)
    return made if place is None else made.to(place)


def made_of(thing: UnknownThing) -> torch.Tensor:
    """The tensor that torch is given for something unknown, the same one each time."""
    if thing._fed in ("graph", "lent", "learns"):
        refuse(thing)
    if "_tensor" not in thing.__dict__:
        compared, context = compares(thing), current()
        if compared and context is not None:
            context.invents(thing._module, ranked=True)
        found = numpy.asarray(HALF if compared else forms().array(thing))
        if found.dtype.kind not in "biuf":
            refuse(thing)
        made = torch.as_tensor(found)
        thing.__dict__["_tensor"] = made.float() if made.dtype == torch.float64 else made
    return thing.__dict__["_tensor"]


def pictured(thing: UnknownThing) -> Any:
    """The picture that something is, of bytes: an array of other numbers is none."""
    if "_picture" not in thing.__dict__:
        found = forms().array(thing)
        thing.__dict__["_picture"] = found if getattr(found, "dtype", None) == numpy.uint8 else ranked(0, 3)
    return thing.__dict__["_picture"]


def numbers_of(thing: UnknownThing) -> Any:
    """The numbers, of single precision, of which torch makes a tensor for something unknown that may be data; any other
    is given back as it is."""
    if thing._fed or not of_data(thing):
        return thing
    found = numpy.asarray(forms().array(thing))
    return (
        found.astype(numpy.float32) if found.dtype == numpy.float64 else found if found.dtype.kind in "biuf" else thing
    )


def compares(thing: UnknownThing) -> bool:
    """Whether something came of a call that was given several tensors or arrays of equally many rows: it measures how
    far they agree."""
    how = thing._how
    if how.kind != "call":
        return False
    given = [one for one in (*how.given, *how.options.values()) if isinstance(one, (torch.Tensor, numpy.ndarray))]
    return len(given) > 1 and all(one.ndim for one in given) and len({len(one) for one in given}) == 1
