"""What happened in one run, as plain frozen data.

Nothing here imports torch, keeps a tensor alive or writes prose; a `Trace` pickles, and rules read it in a process
without torch.
"""

from .assumption import Assumption
from .axis import Axis, Origin
from .bound import Binding
from .event import Event, Failure, LoopFact, ModuleFact, StepFact, TensorFact
from .ledger import ParameterFact
from .outcome import Outcome
from .probe import ProbeFact
from .record import Trace
from .site import Site

__all__ = [
    "Assumption",
    "Axis",
    "Binding",
    "Event",
    "Failure",
    "LoopFact",
    "ModuleFact",
    "Origin",
    "Outcome",
    "ParameterFact",
    "ProbeFact",
    "Site",
    "StepFact",
    "TensorFact",
    "Trace",
]
