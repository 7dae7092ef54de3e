"""The answers of the probes of captured models and functions: one dataclass for each question."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

from ..dataclass import dataclass
from .derivatives import Derivative, Volume
from .event import TensorFact
from .pairing import Pairing
from .site import Site

Argument = object  # a `TensorFact`, a plain value, or tuples of them: what an `Event` holds in `args`


@dataclass(frozen=True, slots=True)
class Unasked:
    """The question could not be put: `why`."""

    why: str


@dataclass(frozen=True, slots=True)
class BatchIndependence:
    """`op` mixed the samples: of `of` others `changed` when sample 0 was another. `before` and `shape` are the shapes
    of its operands and results, with the axes that count samples; `other_axis` is `independent`, `mixed`, `reduced` or
    `absent`; `every` tells that all outputs are mixed."""

    QUESTION: ClassVar = "batch-independence"
    batch: int
    certain: bool
    model: str = ""
    op: str = ""
    changed: tuple[int, ...] = ()
    of: int = 0
    largest: float = 0.0
    scale: float = 0.0
    other_axis: str = ""
    args: tuple[Argument, ...] = ()
    modules: tuple[int, ...] = ()
    axes: tuple[tuple[int, ...], ...] = ((),)
    shape: tuple[tuple[int, ...], ...] = ()
    before: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    tested: int = 1
    statistics: int = 0
    every: bool = False


@dataclass(frozen=True, slots=True)
class BatchOfOne:
    """The shape of the output in company (`whole`) and `alone`, and whether the run `met` a single sample."""

    QUESTION: ClassVar = "batch-of-one"
    batch: int
    model: str = ""
    op: str = ""
    whole: tuple[int, ...] = ()
    alone: tuple[int, ...] = ()
    met: bool = False


@dataclass(frozen=True, slots=True)
class PaddingInvariance:
    """A sample of `length` steps, padded to `padded`, gave `together`, and `alone` without its padding. `how` the
    padding is known, `where` it was done; `op` let it in; `leaf` names those of its results that differ; `token` tells
    that the output keeps the time axis."""

    QUESTION: ClassVar = "padding-invariance"
    length: int
    padded: int
    how: str
    where: Site | None = None
    model: str = ""
    token: bool = False
    largest: float = 0.0
    scale: float = 0.0
    together: float = 0.0
    alone: float = 0.0
    op: str = ""
    modules: tuple[int, ...] = ()
    leaf: tuple[int, ...] = (0,)
    before: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    after: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class PaddingInLoss:
    """`counted` of `of` targets are padding, with the value `value`; or, where `kind` is `moved`, the loss moves with
    what the model answers at `counted` of `of` padded places (`only`: at no real one), where it is `late`, with what it
    answers at the end of `counted` of `of` rows, which padding follows; `marks` are the places where
    what tells the padding was made; `ends` tells that real sequences end with the number as well."""

    QUESTION: ClassVar = "padding-in-loss"
    kind: str = ""
    only: bool = False
    marks: tuple[Site, ...] = ()
    counted: int = 0
    of: int = 0
    value: int = 0
    where: Site | None = None
    event: int = -1
    ends: bool = False

    @property
    def share(self) -> float:
        """The share of padding among the targets."""
        return self.counted / max(1, self.of)


@dataclass(frozen=True, slots=True)
class Causality:
    """All `compared` targets are the input `shift` steps later (0: the token itself, 1: the next, 2: the one after,
    -1: the one before). With the steps after `cut` of `steps` taken away, earlier outputs moved by `largest`, at `op`.
    `loss` is the place of the loss, `inside` a module or not, `event` its call; `own` tells that an output depends on
    the token of its own step, `real` that the steps hold real numbers, `picture` that they are the pixels of a picture,
    row after row; then `modules` lead to the layer by which an output sees its own. `ordered`: they are numbers of a
    sample in some other order, which the outputs show."""

    QUESTION: ClassVar = "causality"
    shift: int
    compared: int
    steps: int
    cut: int
    model: str
    inside: bool
    loss: Site | None
    event: int
    own: bool = True
    real: bool = False
    largest: float = 0.0
    scale: float = 0.0
    op: str = ""
    modules: tuple[int, ...] = ()
    picture: bool = False
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class GradientReach:
    """Modules whose parameters are astray. `kind` is `unregistered` (used and differentiated, but no part of the
    model), `replaced` (made after the optimizer), `thawed` (frozen when it was made, given gradients later),
    `forgotten` (a whole model that no optimizer holds), `part` (layers that none holds, beside others that one does),
    `starved` (held, used under grad, never given a gradient) or
    `ungraded` (held, made from scratch, called under no_grad alone while the rest learns)."""

    QUESTION: ClassVar = "gradient-reach"
    kind: str = ""
    modules: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()
    parameters: int = 0
    optimizer: Site | None = None
    model: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class TargetLeak:
    """The targets stand in the inputs: in `column` `index` of `width`, there `scaled`, or as the last `index` of
    `width` steps of a `window`, or `inside` it from step `index` on; the `first` of `index` is the last of `width`
    steps; or the classes that are asked for at `index` of `width` places are `shown` there, or the one asked for is a
    `word` of the `width` given; or rows change with targets that come `index` rows `later`, in `width` of 16 tries.
    `marks` are the places where the tables of both were bound, or these rows were made."""

    QUESTION: ClassVar = "target-leak"
    COLUMNS: ClassVar = frozenset({"column", "scaled"})
    model: str
    where: str = ""
    index: int = 0
    width: int = 0
    samples: int = 0
    input: TensorFact | None = None
    target: TensorFact | None = None
    marks: tuple[Site, ...] = ()


@dataclass(frozen=True, slots=True)
class IdealAnswers:
    """A loss is `ideal` where `model` answers as it should and `other` where it answers something else: alike for both
    `views` of each of `samples`, the targets' `quantiles` of the levels, or the `targets`; `events` lie between."""

    QUESTION: ClassVar = "ideal-answers"
    kind: str
    model: str
    samples: int
    ideal: float
    other: float
    events: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Decoded:
    """What `function`, which begins at `line`, reads off the outputs of a CTC loss with this `blank`: a label twice
    with a blank between is one label (`merged`), or a label that lasts two steps is two."""

    QUESTION: ClassVar = "ctc-decoding"
    function: str
    blank: int
    merged: bool


@dataclass(frozen=True, slots=True)
class BoxesApart:
    """`function`, which gives the overlap of two boxes (or, `turned`, one minus it), gives boxes that do not touch the
    overlap `value`; `how` tells what it multiplies: `tensors`, `numbers`, or, where that was not seen, nothing."""

    QUESTION: ClassVar = "boxes-apart"
    function: str
    value: float
    turned: bool
    how: str = ""


@dataclass(frozen=True, slots=True)
class MetricOrder:
    """The followed number `number`, which was `own`, is `right` where the answers equal the truth, `wrong` where none
    does, `more` where half of what is not true is marked as well, and `fewer` where half of what is true is not marked;
    NaN where that is not known. `upwards` tells that higher scores are known to be the better ones; `events` are the
    calls that it was read off by. It is `unmoved` where it is `own` for whatever models answer; `whole` tells that the
    truth has each class and that surer answers give `right`, too."""

    QUESTION: ClassVar = "metric-order"
    number: int
    own: float
    right: float
    wrong: float
    more: float
    fewer: float
    upwards: bool = False
    events: tuple[int, ...] = ()
    unmoved: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class SameSample:
    """In `rows` of `of` rows the two inputs that `model` compares hold the same numbers: in all, or in exactly those of
    one `label`. `marks` are the places where they were made."""

    QUESTION: ClassVar = "same-sample"
    model: str
    rows: int
    of: int
    label: float | None = None
    marks: tuple[Site, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownTargets:
    """A loss asks `model` at `counted` places for what it is given there, and at none of the `hidden` ones; `marks` are
    the places where what else the loss reads was made."""

    QUESTION: ClassVar = "shown-targets"
    model: str
    counted: int
    hidden: int
    target: TensorFact | None = None
    marks: tuple[Site, ...] = ()


@dataclass(frozen=True, slots=True)
class SampleReach:
    """The answers, of this shape, are the same whichever sample stands where; `op` is where the samples stop to
    show."""

    QUESTION: ClassVar = "sample-reach"
    batch: int
    model: str = ""
    shape: tuple[int, ...] = ()
    certain: bool = False
    op: str = ""


@dataclass(frozen=True, slots=True)
class StepsRead:
    """Of sequences of up to `longest` steps, the answers depend on the `first` step alone, or not on the last real one
    (`before`); `op` is where the other steps stop to show."""

    QUESTION: ClassVar = "steps-read"
    longest: int
    model: str = ""
    kind: str = ""
    op: str = ""


@dataclass(frozen=True, slots=True)
class SizedByBatch:
    """The parameters that count the samples of a batch."""

    QUESTION: ClassVar = "sized-by-batch"
    batch: int
    model: str = ""
    names: tuple[str, ...] = ()
    shapes: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class UnreadFlags:
    """The flags `name` have no say in what `function` (a model's class where `model`) gives back. `kind` is `mask` or
    `lengths` of a model, `steps` (a function whose results are as long as the flags), `column` (the same for
    one place of listed steps) or `function`; `line` is where the function begins, `set` the share that is set; `absent`
    flags have a say, but not over what the function was given as `other`: it counts where they are not set."""

    QUESTION: ClassVar = "unread-flags"
    BY_STEP: ClassVar = frozenset({"steps", "column"})
    kind: str
    name: str
    function: str
    model: bool = False
    line: int = 0
    set: float = 0.0
    other: str = ""


@dataclass(frozen=True, slots=True)
class EpisodeSums:
    """What the sums of `function`, whose text begins at `line`, over the steps of episodes count of `other` and may
    not. `kind` is `crossed` (what comes after a step that `name` marks as an end), `earlier` (steps before instead of
    those that follow), `own` (a step's own number where that of the next is meant) or `late` (`other` a step late,
    where the flags `name` end the last step)."""

    QUESTION: ClassVar = "episode-sums"
    kind: str
    name: str
    function: str
    other: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class StateCarried:
    """The state that a model gave for one batch was handed in with the next, of which only `following` of `rows` go on
    where those before ended; or it was `dropped`, though they do: each call began with one anew, or with `none`."""

    QUESTION: ClassVar = "state-carried"
    model: str
    rows: int
    following: int
    shuffled: bool = False
    dropped: bool = False
    none: bool = False


@dataclass(frozen=True, slots=True)
class LossWeights:
    """A loss falls without end as `count` learned weights, or a `scale` (uid) of the outputs, rise, or else sink."""

    QUESTION: ClassVar = "loss-weights"
    count: int
    rising: bool
    scale: int = 0


Answer = (
    LossWeights
    | Volume
    | StateCarried
    | EpisodeSums
    | UnreadFlags
    | Unasked
    | BatchIndependence
    | BatchOfOne
    | PaddingInvariance
    | PaddingInLoss
    | Causality
    | Pairing
    | GradientReach
    | TargetLeak
    | SampleReach
    | StepsRead
    | IdealAnswers
    | Decoded
    | BoxesApart
    | MetricOrder
    | SameSample
    | ShownTargets
    | Derivative
    | SizedByBatch
)
T_co = TypeVar("T_co", covariant=True, bound=Answer)


@dataclass(frozen=True)
class ProbeFact(Generic[T_co]):
    """`question` is the probe's slug; `holds` its answer (`None`: it could not be asked, `data` is `Unasked`); `module`
    the uid of the model; `site` the first operator at which the answer turned; `data` the numbers that a diagnosis
    shows."""

    question: str
    holds: bool | None
    data: T_co
    module: int = -1
    site: Site | None = None
    stack: tuple[Site, ...] = ()
    event: int = -1
