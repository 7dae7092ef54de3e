"""The whole of one run."""

from __future__ import annotations

from dataclasses import dataclass, field

from .assumption import Assumption
from .event import Event, Failure, LoopFact, ModuleFact, StepFact
from .ledger import ParameterFact
from .outcome import Outcome
from .probe import ProbeFact
from .site import Site


@dataclass(frozen=True)
class Trace:
    """Everything that rules may read. `sources` maps each user file that ran to its text; `bindings` lists, for a line
    of the
    walk, `(site, name, shape)` in order of first execution; `calls` maps a user file to the sites of its `.forward(`
    calls etc."""

    script: str
    outcome: Outcome
    engine: str = "live"
    seconds: float = 0.0
    events: tuple[Event, ...] = ()
    steps: tuple[StepFact, ...] = ()
    loops: tuple[LoopFact, ...] = ()
    modules: dict[int, ModuleFact] = field(default_factory=dict)
    parameters: dict[int, ParameterFact] = field(default_factory=dict)
    failure: Failure | None = None
    probes: tuple[ProbeFact, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    bindings: tuple[tuple[Site, str, tuple[int, ...]], ...] = ()
    sources: dict[str, str] = field(default_factory=dict)
    output: str = ""
    data: dict[str, object] = field(default_factory=dict)
