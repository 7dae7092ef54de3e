"""The kinds of edit that rules name: what mends a fault, with what only the rule knows of it. Plain frozen data.

A rule states its remedy in `Facts.remedy`; the module of `repair.remedies` that answers this class writes the edit. A
loud rule states a `Misfit`, which every kind of edit of shapes answers. A silent fault without one is only shown.
"""

from __future__ import annotations

from ..dataclass import dataclass
from ..trace import Site


@dataclass(frozen=True)
class Remedy:
    """A kind of edit."""


@dataclass(frozen=True)
class Misfit(Remedy):
    """A call refused its operands: `operand` of `op` has `size` on `axis` (from 0, or negative from the end) and would
    have to have `wanted`, or has `shape` for `wanted_shape`. `swap_with` is an axis that has the wanted size, `turned`
    tells that the axes are in another order, `layout` that `batch_first` is the question. `module` is the uid of the
    layer that refused; `asked` the sizes that a view was given, `mask` and `state` the shapes of those arguments;
    `count` how many names a statement unpacks into."""

    op: str = ""
    operand: str = ""
    axis: int | None = None
    size: int | None = None
    wanted: int | None = None
    shape: tuple[int, ...] | None = None
    module: int = -1
    problem: str = ""
    wanted_shape: tuple[int, ...] | None = None
    swap_with: int | None = None
    turned: bool = False
    layout: bool = False
    dim: int | None = None
    asked: tuple[int, ...] | None = None
    mask: tuple[int, ...] | None = None
    state: tuple[int, ...] | None = None
    lstm: bool = False
    count: int | None = None


@dataclass(frozen=True)
class DivideHeads(Misfit):
    """A width that so many parts do not divide."""

    width: int = 0
    parts: int = 0


@dataclass(frozen=True)
class FitCheckpoint(Misfit):
    """An entry of a checkpoint has the shape `saved`, the module's own has `own`; they differ on `axis`."""

    saved: tuple[int, ...] = ()
    own: tuple[int, ...] = ()


@dataclass(frozen=True)
class ReturnGradient(Misfit):
    """Gradient number `at` of a function of the user's has the shape `got` for `due`; so many are `missing`."""

    at: int = 0
    got: tuple[int, ...] | None = None
    due: tuple[int, ...] | None = None
    missing: int = 0


@dataclass(frozen=True)
class Recast(Misfit):
    """An operand has another data type than `wanted_dtype`, or, where that is empty, is on another device: no shape is
    in question."""

    wanted_dtype: str = ""


@dataclass(frozen=True)
class TakePart(Misfit):
    """A pair of values and indices, `name`, is used where one of them belongs."""

    name: str = ""


# any expression, argument or line
@dataclass(frozen=True)
class Rewrite(Remedy):
    """The expression at `site` (the finding's where there is none) becomes `code`; `{}` in it is the expression
    itself. `argument` takes that argument of the call instead, by place and keyword; `guessed` tells that another
    place could be meant as well."""

    code: str
    site: Site | None = None
    argument: tuple[int, str] | None = None
    guessed: bool = False


@dataclass(frozen=True)
class SetArgument(Remedy):
    """An argument of the call at `site` (the finding's where there is none), or where the layer `module` is made;
    `guessed` tells that another edit could be meant as well."""

    keyword: str
    value: str
    position: int | None = None
    site: Site | None = None
    module: int = -1
    guessed: bool = False


@dataclass(frozen=True)
class CallOther(Remedy):
    """The call at `site` (the finding's where there is none) calls another function of the same signature; `guessed`
    tells that another edit could be meant as well."""

    name: str
    site: Site | None = None
    guessed: bool = False


@dataclass(frozen=True)
class InsertLine(Remedy):
    """A line above the finding's, or above the one at `site` (with `below` under it), which needs the module `needs` to
    be imported; `guessed` tells that another line could be meant as well."""

    code: str
    needs: str = ""
    site: Site | None = None
    below: bool = False
    guessed: bool = False


@dataclass(frozen=True)
class MoveLine(Remedy):
    """The finding's line goes below `below` (with `out` behind the loop of both), it, or those at `lines`, above the
    loop around `above` (with `outermost` above all of them), or away where it is `spare`, else to the end of its
    loop."""

    below: Site | None = None
    out: bool = False
    above: Site | None = None
    lines: tuple[Site, ...] = ()
    outermost: bool = False
    spare: bool = False


@dataclass(frozen=True)
class KeepCopy(Remedy):
    """What is kept shares its memory: the expression at `site` becomes a copy. `code` is the copy of a tensor or array
    (`.clone()`), empty where a whole object is copied; `name` the object, where it is another than the expression;
    `state` tells that it is a state dictionary."""

    site: Site | None = None
    code: str = ""
    name: str = ""
    state: bool = False


# axes
@dataclass(frozen=True)
class SetDim(Remedy):
    """Another axis than `dim` for the call, `want` where it is known. `own` tells that a reduction goes over the
    samples and is to go over each sample's own values."""

    dim: int | None = None
    want: int | None = None
    module: int = -1
    own: bool = False


@dataclass(frozen=True)
class ScaleColumns(Remedy):
    """A mean and a deviation of all values of a table are to be those of each column."""


@dataclass(frozen=True)
class AlignAxes(Remedy):
    """Two operands whose axes do not correspond; `second` tells that the second one is to be transposed."""

    second: bool = False


@dataclass(frozen=True)
class Refold(Remedy):
    """A view of `old` as `new` that relabels axes; `fault` is `swapped`, `unmoved` or another of the rule's kinds.
    `merged` tells that an axis of `old` was merged before; `channels` and `classes` that these moved."""

    old: tuple[int, ...] = ()
    new: tuple[int, ...] = ()
    fault: str = ""
    axes: tuple[int, int] | None = None
    channels: bool = False
    classes: bool = False
    merged: bool = False


@dataclass(frozen=True)
class BatchFirst(Remedy):
    """A layer reads the batch axis as time: its `batch_first`, or the order of its input."""

    modules: tuple[int, ...] = ()


@dataclass(frozen=True)
class TurnAxes(Remedy):
    """The input's axes in another order: `to` is `channels` (before a convolution over features), `classes` (before a
    loss) or `column` (a column of predictions made flat)."""

    to: str = ""
    module: int = -1


@dataclass(frozen=True)
class NameAxis(Remedy):
    """`squeeze()` removed an axis that it should keep."""


@dataclass(frozen=True)
class RunAlongSteps(Remedy):
    """What runs along the samples is to run along the steps; `sites` are the slices that cut them."""

    sites: tuple[Site, ...] = ()


@dataclass(frozen=True)
class AlignOrder(Remedy):
    """Two sides in two orders: `kind` is `flatten`, `repeat`, `shuffle`, `sorted` (one side of the loss at `site`),
    `mask`, `columns`, `pairs` or `array`, `site` the side to change, `old` and `new` the shapes where they say how."""

    kind: str
    site: Site | None = None
    old: tuple[int, ...] = ()
    new: tuple[int, ...] = ()


@dataclass(frozen=True)
class CountSteps(Remedy):
    """Positions that count samples are to count steps."""


@dataclass(frozen=True)
class ReadBothDirections(Remedy):
    """Of a bidirectional layer only one direction is read."""


# masks, padding, time
@dataclass(frozen=True)
class HidePadding(Remedy):
    """Padding read as data: `read` is `last`, `pooled`, `divided` (by it), `attended`, `loss` or `targets`; `number`
    the padding's own, with which, where it `ends` them, real sequences end as well."""

    read: str
    number: int | None = None
    ends: bool = False


@dataclass(frozen=True)
class HideLater(Remedy):
    """Later tokens are seen by these modules."""

    modules: tuple[int, ...] = ()


@dataclass(frozen=True)
class TurnMask(Remedy):
    """A mask that hides what it should show, made at `made`, that `every` reader takes alike, the call as `name`;
    or the `factor` (a tensor's uid) that does; or that of the fill at `filled`."""

    made: Site | None = None
    name: str = ""
    factor: int = -1
    every: bool = False
    filled: Site | None = None


@dataclass(frozen=True)
class CountMasked(Remedy):
    """A mean of masked values that divides by all of them."""


@dataclass(frozen=True)
class Shift(Remedy):
    """Targets to be shifted by one step, or, with `back`, shifted once less; or what was cut at one of the `places`."""

    back: bool = False
    places: tuple[Site, ...] = ()


# losses and gradients
@dataclass(frozen=True)
class DropActivation(Remedy):
    """An activation (the event `made`) that the loss applies itself; with `logs` the loss expects its logarithm."""

    made: int
    logs: bool = False


@dataclass(frozen=True)
class Squash(Remedy):
    """Scores (of the event `made`) given as probabilities: a sigmoid after it, or the loss (of the module `criterion`,
    or the finding's call) that applies one itself."""

    made: int
    criterion: int = -1


@dataclass(frozen=True)
class TurnSign(Remedy):
    """A term with the wrong sign: the finding's own, with `minus` where it is added, or the sum at `term`; `assigned`
    turns what its statement binds."""

    term: Site | None = None
    minus: bool = False
    assigned: bool = False


@dataclass(frozen=True)
class Complement(Remedy):
    """A score between 0 and 1 that is minimized: one minus it."""


@dataclass(frozen=True)
class SwapSides(Remedy):
    """Two sides to exchange; `kind` is `ranking`, `hinge`, `divergence`, `copy` (of one network), `shares` (factors of
    an average), `target` (of a loss), `parts` (of what is joined), `difference` or `quotient` (at `sites`)."""

    kind: str = "ranking"
    sites: tuple[Site, ...] = ()


@dataclass(frozen=True)
class Detach(Remedy):
    """A tensor to be taken off its graph: `kind` is `operand` (of the finding's call), `target` (of a loss), `state`
    (of a recurrent layer) or `fresh` (a state not to be handed on); `name` where only one of them may be."""

    kind: str = "operand"
    name: str = ""


@dataclass(frozen=True)
class Attach(Remedy):
    """A loss without a graph: a cut to be removed; `sampled` is the event that drew what the reward is about, `module`
    where the model was made that the optimizer does not know."""

    sampled: int | None = None
    module: Site | None = None


@dataclass(frozen=True)
class ScaleByRoot(Remedy):
    """Scores of the product at `product` are divided by another number than the root of the size it sums over."""

    product: Site


@dataclass(frozen=True)
class Unreduce(Remedy):
    """An average (the event `source`) taken before the weights."""

    source: int


@dataclass(frozen=True)
class SumFromEnd(Remedy):
    """Returns summed from the first step; `backward` tells of a loop, and whether it runs backwards already."""

    backward: bool | None = None


@dataclass(frozen=True)
class StopAtFlags(Remedy):
    """Sums go on at the flags `name` (in that `place` of each of its steps), of which the share `set` is set."""

    name: str
    place: int | None = None
    set: float = 0.0


@dataclass(frozen=True)
class GateAlone(Remedy):
    """What hides a whole sum of two terms is to hide the one at `term` alone."""

    term: int


@dataclass(frozen=True)
class NumberPairs(Remedy):
    """One label for all pairs of a table of samples: row i belongs to column i."""


@dataclass(frozen=True)
class DifferentiateForward(Remedy):
    """The gradient of argument `at` is another one: `times` as much along one direction; `through` tells that it may be
    handed on as it comes on purpose."""

    at: int
    times: float
    through: bool = False
