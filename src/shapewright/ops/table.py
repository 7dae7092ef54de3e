"""The table of operators: what an entry says, how it is taught, how it is asked.

An operator that has no entry is unknown: every question about it is answered with "no", "nothing" or `None`, never
with evidence.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import field
from typing import TYPE_CHECKING

from ..dataclass import dataclass

if TYPE_CHECKING:
    from .call import Bound, Misfit
    from .places import Layout

AxisMap = Callable[["Bound"], "Layout | None"]
Shapes = str | Callable[["Bound"], "str | None"]
Uses = Callable[["Bound"], dict[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Op:
    """One operator.

    `parameters` are the names of its arguments in order, tensors and plain values alike; with `rest` the last takes all
    that follow. `shapes` is the pattern of its operands and results (see `patterns`), from which axis map, constraint
    and uses follow; where no pattern can say it, `axes` maps each axis of the result to where it came from, `dim`
    says what the axes named by the argument `dims` are used as, and `fits` states the constraint. `sign` is +1 where
    the result grows with every operand in proportion or not at all, -1 where it falls, 0 where neither is certain.
    `used` says what the first operand's axes are used as where neither a pattern nor an argument does, `*` before what
    any number of axes is.
    """

    name: str
    parameters: tuple[str, ...] = ()
    defaults: dict[str, object] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    shapes: Shapes | None = None
    axes: AxisMap | None = None
    dim: str = ""
    dims: str = ""
    fits: Callable[[Bound], Misfit | None] | None = None
    sign: int = 0
    rest: bool = False
    used: str | Callable[[Bound], str] = ""

    def position(self, parameter: str) -> int | None:
        """The place of a parameter among the positional arguments."""
        return self.parameters.index(parameter) if parameter in self.parameters else None


_ops: dict[str, Op] = {}


def teach(
    names: str,
    signature: str = "",
    shapes: Shapes | None = None,
    *,
    tags: str = "",
    axes: AxisMap | None = None,
    dim: str = "",
    fits: Callable[[Bound], Misfit | None] | None = None,
    sign: int = 0,
    used: str | Callable[[Bound], str] = "",
) -> None:
    """Enter operators that differ in nothing but their names.

    Args:
        names: the canonical names, with spaces between.
        signature: the parameters, such as `input dim=-1 *rest`; the one that names axes is `dim`, `dims` or begins
        with `@`. shapes: the pattern of operands and results, such as `*kept features, outputs features -> *kept
        outputs`. tags: the groups that they belong to.
        axes, dim, fits, sign: see `Op`.
    """
    parameters, defaults, dims = [], {}, ""
    for part in signature.split():
        name, given, value = part.partition("=")
        if name.startswith("@"):
            name = dims = name[1:]
        parameters.append(name.lstrip("*"))
        if given:
            defaults[name] = _value(value)
    dims = dims or next((name for name in ("dim", "dims") if name in parameters), "")
    groups = frozenset(tags.split())
    for name in names.split():
        rest = "*" in signature
        _ops[name] = Op(name, tuple(parameters), defaults, groups, shapes, axes, dim, dims, fits, sign, rest, used)
    find.cache_clear()
    is_a.cache_clear()


def _value(text: str) -> object:
    plain: dict[str, object] = {"None": None, "True": True, "False": False}
    return plain[text] if text in plain else int(text) if text.lstrip("-").isdigit() else text


@functools.cache
def find(name: str) -> Op | None:
    """The entry of an operator by its canonical name; an in-place form (`add_`) has that of its plain form.

    >>> find("softmax").dim, find("no_such_operator")
    ('normalized', None)
    """
    entry = _ops.get(name)
    if entry is None and name.endswith("_") and not name.endswith("__"):
        entry = _ops.get(name[:-1])
    return entry


@functools.cache
def is_a(name: str, *tags: str) -> bool:
    """Whether an operator belongs to any of these groups. In-place forms belong where the plain ones do.

    >>> is_a("add_", "arithmetic"), is_a("my_own", "arithmetic")
    (True, False)
    """
    entry = find(name)
    return entry is not None and not entry.tags.isdisjoint(tags)


def named(*tags: str) -> frozenset[str]:
    """The names of all operators of any of these groups, each also in its in-place form.

    >>> "mul" in named("scales"), "mul_" in named("scales")
    (True, True)
    """
    return frozenset().union(*map(_group, tags))


@functools.cache
def _group(tag: str) -> frozenset[str]:
    found = [name for name, entry in _ops.items() if tag in entry.tags]
    if not found:
        raise ValueError(f"no operator has the tag {tag!r}")
    return frozenset([*found, *(f"{name}_" for name in found)])


def names_axis(argument: str) -> bool:
    """Whether an argument of this name says which axes a call works along, in torch's words or in NumPy's.

    >>> names_axis("dim"), names_axis("keepdim")
    (True, False)
    """
    return argument in _AXES


_AXES = frozenset({"dim", "dims", "dim0", "dim1", "start_dim", "end_dim", "axis", "axes"})


def every() -> Iterable[Op]:
    """All entries."""
    return _ops.values()
