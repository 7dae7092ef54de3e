"""The whole of one run."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import field
from typing import TypeVar, cast

from ..dataclass import dataclass
from .assumption import Assumption
from .bound import Binding
from .event import Event, Failure, LoopFact, ModuleFact, StepFact
from .host import HostFact
from .ledger import ParameterFact
from .outcome import Outcome
from .probe import Answer, ProbeFact
from .seen import Seen
from .site import Site

Asked = TypeVar("Asked", bound=Answer)


@dataclass(frozen=True)
class Trace:
    """Everything that rules may read. `sources` maps each user file that ran to its text; `bound` lists the
    variables that tensors were bound to, in order of first execution. `seconds` is the time of the run, `work` what the
    processor had to do for it (s), `computed` what its operators did, counted by calls and numbers, by no clock."""

    script: str
    outcome: Outcome
    engine: str = "live"
    seconds: float = 0.0
    work: float = 0.0
    computed: float = 0.0
    events: tuple[Event, ...] = ()
    steps: tuple[StepFact, ...] = ()
    loops: tuple[LoopFact, ...] = ()
    modules: dict[int, ModuleFact] = field(default_factory=dict)
    parameters: dict[int, ParameterFact] = field(default_factory=dict)
    host: tuple[HostFact, ...] = ()
    failure: Failure | None = None
    probes: tuple[ProbeFact[Answer], ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    bound: tuple[Binding, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)
    output: str = ""
    data: Seen = field(default_factory=Seen)

    def answers(self, kind: type[Asked], holds: bool = False) -> Iterator[ProbeFact[Asked]]:
        """The probes' answers of one kind that do not hold (or that do): of several of one sort at one place the
        first."""
        seen: set[tuple[Site, str]] = set()
        for fact in self.probes:
            if isinstance(fact.data, kind) and fact.holds is holds:
                key = (fact.site, getattr(fact.data, "kind", "")) if fact.site is not None else None
                if key not in seen:
                    yield cast("ProbeFact[Asked]", fact)
                if key is not None:
                    seen.add(key)

    def event(self, index: int) -> Event | None:
        """The event of this number, if it was recorded."""
        return self.events[index] if 0 <= index < len(self.events) else None

    def layer(self, event: Event) -> ModuleFact | None:
        """The innermost module whose call an event belongs to."""
        return self.modules.get(event.modules[-1]) if event.modules else None

    @functools.cached_property
    def bindings(self) -> tuple[tuple[Site, str, tuple[int, ...]], ...]:
        """`(site, name, shape)` of every binding, for the walk."""
        return tuple((one.site, one.name, one.fact.shape or ()) for one in self.bound)
