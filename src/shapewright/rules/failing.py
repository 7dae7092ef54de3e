"""The failing call with its operands by name: what every loud rule begins with."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .. import ops
from ..dataclass import dataclass
from ..graph.flow import shown
from ..graph.origins import Origins
from ..trace import Event, Failure, ModuleFact, Site, TensorFact, Trace
from .facts import Facts, Span
from .remedy import Misfit, Recast


@dataclass(frozen=True)
class Call:
    """The failing call. `named` maps parameter names to facts and plain values; `event` is `None` where only a module
    is known to have refused its inputs; `module` is the innermost module being called."""

    op: str
    named: dict[str, object]
    site: Site
    failure: Failure
    event: Event | None = None
    module: ModuleFact | None = None

    def tensor(self, name: str) -> TensorFact | None:
        """The tensor operand of this name."""
        value = self.named.get(name)
        return value if isinstance(value, TensorFact) and value.shape is not None else None

    def number(self, name: str, default: int | None = None) -> int | None:
        """The whole-number operand of this name."""
        value = self.named.get(name, default)
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    @functools.cached_property
    def violated(self) -> ops.Misfit | None:
        """The constraint of the operator that its operands violate, `None` where the table states none that they do."""
        call = ops.bound(self.event) if self.event is not None else None
        return ops.misfit(call) if call is not None else None

    @property
    def stack(self) -> tuple[Site, ...]:
        """The user's sites, outermost first."""
        return self.event.stack if self.event is not None and self.event.stack else self.failure.stack

    @property
    def layer(self) -> ModuleFact | None:
        """The innermost module being called, where it is one of torch's."""
        return self.module if self.config("library") == "torch" else None

    def config(self, name: str, default: object = None) -> Any:
        """A plain attribute of the module being called."""
        return self.module.config.get(name, default) if self.module is not None else default


def failing_call(trace: Trace) -> Call | None:
    """The call that ended the script; `None` where the failure is no call of torch's."""
    failure = trace.failure
    if failure is None or failure.site is None:
        return None
    event = failure.event
    if event is not None:
        module = trace.layer(event)
        entry = ops.find(event.op)
        named = dict(zip(entry.parameters if entry is not None else (), event.args)) | event.kwargs
        return Call(event.op, named, failure.site, failure, event, module)
    module = trace.modules.get(failure.module)
    if module is None or trace.outcome.state != "stopped":
        return None
    layer = ops.layer_of(module.kind, module.config)
    whole = layer is not None and ops.is_a(layer.op, "recurrent")
    names = ("input", "hx") if whole else tuple(f"input{i}" for i in range(1, len(failure.module_args) + 1))
    named = dict(zip(names, failure.module_args)) | failure.module_kwargs
    return Call(layer.op if layer is not None and whole else module.kind, named, failure.site, failure, None, module)


Refuses = Callable[[Call, Origins], Iterable[Facts]]


def refused(*operators: str, event: bool = True) -> Callable[[Refuses], Callable[[Trace], Iterator[Facts]]]:
    """Makes the `check` of a rule about one failing call: the rule is asked where these operators (by group or name;
    any where none is given) refused their operands. Without `event` also where only a module did."""

    def declared(rule: Refuses) -> Callable[[Trace], Iterator[Facts]]:
        @functools.wraps(rule)
        def check(trace: Trace) -> Iterator[Facts]:
            call = failing_call(trace)
            meant = call is not None and not (event and call.event is None)
            if meant and (not operators or call.op in operators or ops.is_a(call.op, *operators)):
                yield from rule(call, Origins(trace))

        return check

    return declared


def shape_text(shape: tuple[int, ...] | None) -> str:
    """`(16, 4)`, and `(3,)` of one axis.

    >>> shape_text((3,))
    '(3,)'
    """
    return shown(shape)


def range_text(low: int, high: int) -> str:
    """`2–3`, and `4` where both are one."""
    return str(low) if low == high else f"{low}–{high}"


def spans(call: Call, *names: str) -> tuple[Span, ...]:
    """Labels for the operands of these names, such as `input (16, 4)`; all tensors where no name is given."""
    chosen = names or tuple(name for name in call.named if call.tensor(name) is not None)
    return tuple(
        Span(call.site, f"{name} {shape_text(fact.shape)}")
        for name in chosen
        if (fact := call.tensor(name)) is not None
    )


def recast(call: Call, operand: str, wanted_dtype: str = "") -> Recast:
    """What repair is to know of a call that refused the data type or the device of its operand."""
    known = misfit(call, operand, None, None, None)
    return Recast(known.op, operand, shape=known.shape, module=known.module, wanted_dtype=wanted_dtype)


def misfit(call: Call, operand: str, axis: int | None, size: int | None, wanted: int | None, **more: object) -> Misfit:
    """What repair is to know of a refused call: its operand at fault, the axis (from 0, or negative from the end), its
    size and the wanted one."""
    fact = call.tensor(operand)
    known = {"shape": fact.shape if fact else None, "module": call.module.uid if call.module else -1, **more}
    return Misfit(call.op, operand, axis, size, wanted, **known)
