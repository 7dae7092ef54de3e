"""A variable of the user's that a tensor was bound to."""

from __future__ import annotations

from ..dataclass import dataclass
from .event import TensorFact
from .site import Site


@dataclass(frozen=True, slots=True)
class Binding:
    """The first time that a tensor of this shape was bound to `name` at the lines of `site`.

    `fact` holds its axes as they were then; `caller` is the user's line that called the function in which it happened,
    if there is one."""

    site: Site
    name: str
    fact: TensorFact
    caller: Site | None = None


@dataclass(frozen=True, slots=True)
class TableFact:
    """A table of rows, as it was when it was bound to `name`; `changed` tells that it was put into another order in
    place, after that line."""

    name: str
    site: Site
    rows: int
    changed: bool = False


@dataclass(frozen=True, slots=True)
class ClassWeights:
    """The loss of `event` weighs class `i` by `weights[i]` and was asked for it `counts[i]` times."""

    event: int
    weights: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mispaired:
    """Samples and targets that met in training row by row, though their rows do not belong together: `samples` and
    `targets` are the tables as they came into being, `moved_samples` and `moved_targets` the forms in which they met,
    if others. Of `count` rows, `same` had their own target; `met` is the loss, or, where what a model answered is
    `judged`, the comparison. `within`: they are lists of one sample, and `same` of `count` samples read keep their
    order. `columns`: they are columns of one table, which no model was given as they were. `neighbor`: a data set takes
    its targets `count` entries beside those of the samples."""

    samples: TableFact
    targets: TableFact
    moved_samples: TableFact | None
    moved_targets: TableFact | None
    count: int
    same: int
    met: Site | None = None
    within: bool = False
    judged: bool = False
    columns: bool = False
    neighbor: bool = False


@dataclass(frozen=True, slots=True)
class Retested:
    """Rows of `judged`, `rows` in all, were given to the model without gradients, at `where`, after it was trained on
    `trained`, which holds `shared` of them and others; `same` of them had been trained on by then. `copied` is where a
    table first held rows several times. `near` and `far`: none is equal to one that was trained on, but `same` are as
    near to one as `near`, and no nearer to the rest than `far`. `windows`: they are windows of one series, each between
    two that were trained on."""

    trained: TableFact
    judged: TableFact
    where: Site | None
    rows: int
    same: int
    shared: int
    copied: Site | None = None
    near: float = 0.0
    far: float = 0.0
    windows: bool = False


@dataclass(frozen=True, slots=True)
class Merged:
    """The numbers `alike` of `table` became one and the same `label` of the `left` labels that the loss at `where` was
    asked for, though the model has `classes` outputs; `made` is where a table of these labels was bound."""

    table: TableFact
    label: int
    alike: tuple[int, ...]
    left: int
    classes: int
    where: Site | None
    made: Site | None = None


@dataclass(frozen=True, slots=True)
class Crossed:
    """`held` binds in turn the rows that are held out and `used` those that are trained on; in the second turn `rows`
    are held out, `shared` of which were trained on in the first, and `model` went on with its weights."""

    held: Site
    used: Site
    model: int
    rows: int
    shared: int


@dataclass(frozen=True, slots=True)
class Scaled:
    """Every measurement of `table` was scaled with all of its rows: those that are judged `alone`, or those that are
    trained on and those that are judged. `apart` tells that which are which was known by then."""

    table: TableFact
    alone: bool
    apart: bool


@dataclass(frozen=True, slots=True)
class Unscaled:
    """A model learned from rows of `trained` and was given, at `where`, rows of `judged`: parts of one table, one of
    which was put on another scale; or a `word` is the first of `numbers` in one, and the second in the other."""

    trained: TableFact
    judged: TableFact
    where: Site | None
    word: str = ""
    numbers: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class OffScale:
    """What a model answered was compared, at `where`, with rows of `targets`; its answers are on the scale of
    `answers`, another one of the same measurement. `given` and `asked` are the averages of the two. Where the answers
    were scaled back, but not as `answers` came of `targets`, `right` is their average scaled back so."""

    answers: TableFact
    targets: TableFact
    where: Site | None
    given: float
    asked: float
    right: float | None = None


@dataclass(frozen=True, slots=True)
class OtherScale:
    """The argument `at` of a model (its uid) was at most `most` in amount where it learned, first at `learned`, and
    `mean` on average where it did not, at `asked`. With `moments`, the feature `at` of its first argument has these
    averages and deviations at the two places, one of which is standardized."""

    model: int
    at: int
    most: float
    mean: float
    learned: Site | None
    asked: Site | None
    moments: tuple[tuple[float, float], tuple[float, float]] | None = None


@dataclass(frozen=True, slots=True)
class Kin:
    """Two inputs of a model, by their uids, have the same label in each of `rows` rows (`alike`), or in none, as
    `table` says, which was bound at `site`."""

    inputs: tuple[int, int]
    alike: bool
    rows: int
    table: str
    site: Site


@dataclass(frozen=True, slots=True)
class LargeInput:
    """A model was given, at `site`, real numbers of which those of `column` (from 0, of the last axis) are `peak` on
    average and all others `rest`; `tables` are the places where the tables that hold them were bound. With the column
    -1 they are pictures of values up to `peak`, of which no two are nearer than `rest`."""

    site: Site
    column: int
    peak: float
    rest: float
    tables: tuple[Site, ...] = ()


@dataclass(frozen=True, slots=True)
class OneScale:
    """The table `name`, bound at `site`, was scaled by one mean and one deviation for all of its `count` columns; then
    the column `narrow` (from 0) deviates by `least` and `wide` by `most`."""

    name: str
    site: Site
    count: int
    narrow: int
    least: float
    wide: int
    most: float


@dataclass(frozen=True, slots=True)
class NotFinite:
    """The result of the call `event`, or what it passes back, holds `count` numbers of `size` that are not finite,
    `value` (`nan`, `inf`, `-inf`). What it was given is: `kind` tells what it could not use (`zero`, `negative`,
    `empty`, `few` numbers, `blocked` rows, `ignored` targets, `plain` where nothing tells), and `name` the operand; or
    these are `data`, or were `given` to the call from outside. Without a kind it hands on what it got."""

    event: int
    value: str
    kind: str = ""
    name: str = ""
    count: int = 0
    size: int = 0


@dataclass(frozen=True, slots=True)
class Stored:
    """At the last of `stack` an entry was put into a container: the `kind` of it (`array`, `tensor`, `list`) that lies
    at `way` is memory which an earlier entry holds too and which was changed in place between the two, `count`
    contents in all; `holder` is the class and the attribute of the object that keeps that memory, if one does. Of the
    kind `twice` each of `count` entries holds one memory in two places."""

    stack: tuple[Site, ...]
    kind: str
    way: tuple[int | str, ...]
    holder: tuple[str, str]
    count: int


@dataclass(frozen=True, slots=True)
class Blended:
    """At `site` the operator `op` made of a map of few whole numbers (`values`) one of which a `share` lies between
    them; at `cast` whole numbers were made of it again, of this `shape`, some of which are `new`."""

    site: Site
    cast: Site
    op: str
    values: tuple[int, ...]
    new: tuple[int, ...]
    share: float
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LostWrite:
    """What the expression at `site` makes, of a `kind` (`tensor`, `array`, `list`, `DataFrame` …), was changed each of
    `count` times, and is held by nobody."""

    site: Site
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class Reseeded:
    """A generator is given one seed, `value`, whenever a sample is read: all samples get the same `noise`, or come in
    the same one of a few forms (`form`)."""

    site: Site
    value: int
    kind: str


@dataclass(frozen=True, slots=True)
class Turned:
    """Reading a sample of the data set `owner` mirrors its part `part` at random, and leaves `beside` as it is: a `map`
    of the same extent, or a `place` in the picture; or it turns both `otherwise`, or mirrors the places in `beside`
    too, but does not exchange their `sides`. In a `batch` the rows of the table `owner` and those of `other` are turned
    in different ways. Of `beside` pictures that are given to a model, `part` are `shown` the other way round than their
    maps, or in a `grid` of `other` by `other` cells whose rows and columns are exchanged."""

    kind: str
    owner: str
    site: Site
    part: int
    beside: int
    other: str = ""
