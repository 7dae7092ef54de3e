"""The declared form of axis faults: an operator uses an axis as one thing, and it counts another.

A rule states `AxisUse(operators, use, never)`; from that follow the events, the place, the spans, the origins and the
remedy. What an axis is used as is in the table of operators; what it counts is told by `graph.roles`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .. import ops
from ..dataclass import dataclass
from ..graph.flow import one_per_place, result_shape, shown
from ..graph.probed import constructor
from ..graph.roles import Roles, roles
from ..trace import Event, Site, TensorFact, Trace
from .facts import Facts, Span, distinct
from .remedy import Remedy, SetDim


@dataclass(frozen=True)
class Seen:
    """One axis of one operand at one call, with what it counts."""

    trace: Trace
    roles: Roles
    event: Event
    fact: TensorFact
    axis: int

    def counted(self, axis: int) -> str:
        """What an axis of the operand counts."""
        return self.roles.of(self.fact.axes[axis])

    @property
    def module(self) -> int:
        """The innermost module that made the call, -1 where there is none."""
        return self.event.modules[-1] if self.event.modules else -1

    @property
    def others(self) -> list[int]:
        """The other axes of the operand."""
        return [d for d in range(self.fact.rank) if d != self.axis]


def set_dim(seen: Seen, wanted: int | None) -> Remedy:
    """Another axis for the call."""
    return SetDim(dim=seen.axis, want=wanted, module=seen.module)


@dataclass(frozen=True)
class AxisUse:
    """Operators (by tag or name) that use an axis as `use`, which must `never` count one of these things.

    `but` is what another axis must count, one of these things: the axis that was meant; `unless` are excuses; `message`
    and `why` name entries of the rule's texts; `remedy` makes the remedy, another axis for the call unless a rule says
    otherwise; with `always` every call of the place must do so."""

    operators: tuple[str, ...]
    use: str
    never: str
    but: str = ""
    unless: tuple[Callable[[Seen], bool], ...] = ()
    message: str = "message"
    why: str = "why"
    severity: str = "error"
    remedy: Callable[[Seen, int | None], Remedy] | None = set_dim
    always: bool = False

    def names(self) -> frozenset[str]:
        """The operators meant, by name."""
        tags = [name for name in self.operators if ops.find(name) is None]
        return frozenset(self.operators) | (ops.named(*tags) if tags else frozenset())


def declared(*lines: AxisUse) -> Callable[[Trace], Iterator[Facts]]:
    """The `check` of a rule that declares axis uses."""
    meant = [(line, line.names()) for line in lines]

    @one_per_place
    def check(trace: Trace) -> Iterator[Facts]:
        for line, names in meant:
            calls = [event for event in trace.events if event.op in names and event.site is not None]
            missed: set[Site] = set()
            found: list[Facts] = []
            for event in calls:
                facts = list(_found(trace, event, line))
                found += facts
                if line.always and not facts:
                    missed.add(event.site)
            yield from (facts for facts in found if facts.site not in missed)

    return check


def _found(trace: Trace, event: Event, line: AxisUse) -> Iterator[Facts]:
    call, known = ops.bound(event), roles(trace)
    used = ops.uses(call) if call is not None else {}
    for name, uses in used.items():
        fact = call.tensor(name)
        if fact is None or fact.rank < 1 or len(fact.axes) != fact.rank or len(uses) != fact.rank:
            continue
        for axis, use in enumerate(uses):
            seen = Seen(trace, known, event, fact, axis)
            if use != line.use or seen.counted(axis) not in line.never.split():
                continue
            wanted = [d for d in seen.others if seen.counted(d) in line.but.split()]
            if (line.but and not wanted) or any(excuse(seen) for excuse in line.unless):
                continue
            yield stated(seen, line, wanted[0] if wanted else None)


def stated(seen: Seen, line: AxisUse, wanted: int | None) -> Facts:
    """The finding: where it is, the two axes, where they came from, which axis to use."""
    event, fact, axis = seen.event, seen.fact, seen.axis
    module = seen.trace.modules.get(seen.module)
    origins = [one for d in (axis, wanted) if d is not None and (one := fact.axes[d].origin) is not None]
    library = module is not None and module.site is not None and module.is_torch
    origins[:0] = constructor(seen.trace, module) if library else ()
    kept = ", ".join(str(d) for d in seen.others if fact.shape[d] > 1)
    return Facts(
        event.site,
        message=line.message,
        why=line.why,
        fields={
            "op": module.kind if library else event.op,
            "name": fact.name or "input",
            "shape": shown(fact.shape),
            "dim": axis,
            "size": fact.shape[axis],
            "samples": fact.shape[axis],
            "others": kept,
            "want": wanted if wanted is not None else kept,
            "meant": fact.shape[wanted] if wanted is not None else "",
            "maker": next((fact.axes[d].origin.note for d in (axis, wanted) if d is not None and _made(seen, d)), ""),
            "result": shown(result_shape(event)),
        },
        origins=distinct(tuple(origins), event),
        severity=line.severity,
        spans=(Span(event.site, f"{fact.name or 'x'} {shown(fact.shape)}, dim {axis}"),),
        event=event.index,
        remedy=line.remedy(seen, wanted) if line.remedy is not None else None,
    )


def _made(seen: Seen, axis: int) -> bool:
    return seen.counted(axis) == "features"
