"""What happened in one run, as plain frozen data.

Nothing here imports torch, keeps a tensor alive or writes prose; a `Trace` pickles, and rules read it in a process
without torch.
"""

from .assumption import Assumption
from .axis import Axis, Origin
from .bound import (
    Binding,
    ClassWeights,
    Crossed,
    Kin,
    LargeInput,
    Merged,
    Mispaired,
    NotFinite,
    OffScale,
    OneScale,
    OtherScale,
    Reseeded,
    Retested,
    Scaled,
    Stored,
    TableFact,
    Turned,
    Unscaled,
)
from .derivatives import Derivative, Volume
from .event import Event, Failure, LoopFact, ModuleFact, StepFact, TensorFact
from .host import HostFact
from .ledger import Averaged, ParameterFact
from .mixture import Mixture, Walk
from .outcome import Outcome
from .pairing import Pairing
from .picked import Excluded, Lists, LowestFirst, Picked, Summed, Withheld
from .probe import (
    Answer,
    BatchIndependence,
    BatchOfOne,
    BoxesApart,
    Causality,
    Decoded,
    EpisodeSums,
    GradientReach,
    IdealAnswers,
    LossWeights,
    MetricOrder,
    PaddingInLoss,
    PaddingInvariance,
    ProbeFact,
    SameSample,
    SampleReach,
    ShownTargets,
    SizedByBatch,
    StateCarried,
    StepsRead,
    TargetLeak,
    Unasked,
    UnreadFlags,
)
from .record import Trace
from .returns import Outgrown, PassedEnd, RunningSum, Unadvanced, Unended
from .said import Refusal
from .seen import Seen
from .site import Site

__all__ = [
    "Answer",
    "Assumption",
    "Averaged",
    "Axis",
    "BatchIndependence",
    "BatchOfOne",
    "Binding",
    "BoxesApart",
    "Causality",
    "ClassWeights",
    "Crossed",
    "Decoded",
    "Derivative",
    "EpisodeSums",
    "Event",
    "Excluded",
    "Failure",
    "GradientReach",
    "HostFact",
    "IdealAnswers",
    "Kin",
    "LargeInput",
    "Lists",
    "LoopFact",
    "LossWeights",
    "LowestFirst",
    "Merged",
    "MetricOrder",
    "Mispaired",
    "Mixture",
    "ModuleFact",
    "NotFinite",
    "OffScale",
    "OneScale",
    "Origin",
    "OtherScale",
    "Outcome",
    "Outgrown",
    "PaddingInLoss",
    "PaddingInvariance",
    "Pairing",
    "ParameterFact",
    "PassedEnd",
    "Picked",
    "ProbeFact",
    "Refusal",
    "Reseeded",
    "Retested",
    "RunningSum",
    "SameSample",
    "SampleReach",
    "Scaled",
    "Seen",
    "ShownTargets",
    "Site",
    "SizedByBatch",
    "StateCarried",
    "StepFact",
    "StepsRead",
    "Stored",
    "Summed",
    "TableFact",
    "TargetLeak",
    "TensorFact",
    "Trace",
    "Turned",
    "Unadvanced",
    "Unasked",
    "Unended",
    "UnreadFlags",
    "Unscaled",
    "Volume",
    "Walk",
    "Withheld",
]
