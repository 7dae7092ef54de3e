"""What a run saw besides calls, steps and loops."""

from __future__ import annotations

from typing import Any

from ..dataclass import dataclass
from .bound import (
    Blended,
    ClassWeights,
    Crossed,
    Kin,
    LargeInput,
    LostWrite,
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
    Turned,
    Unscaled,
)
from .ledger import Averaged
from .mixture import Walk
from .picked import Excluded, Lists, LowestFirst, Picked, Summed, Withheld
from .ranks import Ranks
from .returns import Outgrown, PassedEnd, RunningSum, Unadvanced, Unended
from .site import Site

Shape = tuple[int, ...]
MASKING = frozenset({"bitwise_and", "logical_and", "and", "mul"})  # what leaves places of a comparison out: `counted`
PICKING = frozenset({"getitem", "masked_select"})  # what picks those that a mask lets through


@dataclass(frozen=True, slots=True)
class Seen:
    """`batch_sizes` are those that loaders gave out, `unfollowed` the events of which something that can learn went
    into a call that was not kept, as one of very many, `places` how many places the
    script drew at once, `drawn` and `unordered` the identities of axes that count
    samples drawn by the script, and in no order of time; `arrays` are meetings of arrays and `folded` their views,
    each with `(site, shape, shape)`; `grown` the bindings that kept a graph; `codes` the few values of targets
    `(event, op, values)`, `targets` those of losses `(event, count, the value of all or None)`, `weighted` the
    losses that weigh classes; `loaders` and `changing` how data sets are drawn from and change when read; `mispaired`
    tables whose rows met in another order;
    `retested` a table that was judged after its rows were trained on, `crossed` folds that one model learned,
    `scaled` a table that was scaled with judged rows,
    `unscaled` two of which only one was, `off_scale` answers compared on another scale, `other_scale` inputs of another
    scale than those learned from, `large` inputs of a large scale, `kin` those of one step
    with the same labels, `turned` data sets that mirror one part of a sample
    alone,
    `reseeded` those that seed alike for each; `sums` run over the steps of an episode, `passed`
    ends, `unended` what the steps that end episodes never reach, `unadvanced` observations of the
    wrong step, `outgrown` lists that keep what others of them no
    longer do, `masked` the products with zeros and ones `(event, ones, all, factor)`, `wiped` where sums became zero
    `(event, sum)`, `counted` how many places masks and ignored targets leave to a comparison `(event, operand,
    places, all)`; `met` the followed numbers that operators were given `(event, host)`, `picked` and `summed` what
    whole numbers pick, `tallied` how often each of them does `(event, the same number for the same counts)`, `lists`
    those that pick from one table, `lowest` those that begin with what was left out, and
    `withheld` what was held out and trained on, `excluded` what is looked for but left out; `not_finite` the calls of
    the first steps whose results are not; `averaged` the running averages of parameters, `walks` the steps in which
    samples are drawn, `stored` what containers hold by reference and is changed, `lost` what is changed
    though nothing holds it, `blended` class indices that were averaged; `equal` the events that compared, or
    joined, equal values each time, `idle` those that divided by ones or subtracted zeros,
    `aliases` the modules bound to a second variable; `files` the user's
    files that ran, `executed` the texts that they executed. `library_cut`
    tells that a library's loop was cut, `fits` for how many epochs of how many steps it was called,
    `whole` that loops ran whole, `passing` the lines that were passed over where
    they failed, `accelerator` which one was simulated, `by_hand`
    that the script asked for derivatives without `backward`, `made`
    the first file whose data were made up and the line that read it, `invented` the first module that is not
    installed whose data were, `told_count` the first that would have told a number, and what
    stands for it, and whether their number of axes is not known (`loose`; `untold` the arrays of which
    others can be tried `(name without numbers, ((name, number of axes), ...))`), or there are `few` rows of what has
    more, `consulted` what of the guess they came of, `read` the last texts that were made up and
    where they were read, `sized` files of rows that were, the last first, `asked` what the script asks of texts
    that were made up (`(file, form)`), `settings` that some held settings, in how many
    folders pictures were (`pictured`),
    `steered` tells that such a module had the optimizer,
    `left_out` that an argument or a variable may be given that was not, `switch` the one that turns training on,
    `worded` that words were made up for arguments, `offered` what they were held against, the last check last,
    `untrained` the one that had a model which
    the script itself did not train, `unread` the data set whose samples a failing call was to read, `keys` of the
    table in which a failing line looked a word up, `gone` what it asked of an installed module that lacks it
    (`module:name`), `learnt` the
    shapes of parts of such samples, `cells` where a notebook's cells begin, `small` how the run was made small,
    `ranks` what it did as one of several processes."""

    batch_sizes: tuple[int, ...] = ()
    unfollowed: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    drawn: tuple[int, ...] = ()
    unordered: tuple[int, ...] = ()
    arrays: tuple[tuple[Site, Shape, Shape], ...] = ()
    folded: tuple[tuple[Site, Shape, Shape], ...] = ()
    grown: tuple[tuple[Any, ...], ...] = ()
    codes: tuple[tuple[int, str, tuple[Any, ...]], ...] = ()
    targets: tuple[tuple[int, int, float | None], ...] = ()
    weighted: tuple[ClassWeights, ...] = ()
    loaders: tuple[dict[str, Any], ...] = ()
    changing: tuple[dict[str, Any], ...] = ()
    files: tuple[str, ...] = ()
    executed: tuple[str, ...] = ()
    cells: tuple[tuple[int, int], ...] = ()
    mispaired: tuple[Mispaired, ...] = ()
    equal: tuple[int, ...] = ()
    idle: tuple[int, ...] = ()
    retested: Retested | None = None
    merged: Merged | None = None
    crossed: Crossed | None = None
    scaled: Scaled | None = None
    unscaled: Unscaled | None = None
    off_scale: OffScale | None = None
    other_scale: OtherScale | None = None
    large: tuple[LargeInput, ...] = ()
    one_scale: tuple[OneScale, ...] = ()
    kin: tuple[Kin, ...] = ()
    turned: tuple[Turned, ...] = ()
    reseeded: tuple[Reseeded, ...] = ()
    sums: tuple[RunningSum, ...] = ()
    passed: tuple[PassedEnd, ...] = ()
    unended: tuple[Unended, ...] = ()
    unadvanced: tuple[Unadvanced, ...] = ()
    outgrown: tuple[Outgrown, ...] = ()
    masked: tuple[tuple[int, int, int, int], ...] = ()
    wiped: tuple[tuple[int, int], ...] = ()
    counted: tuple[tuple[int, int, int, int], ...] = ()
    met: tuple[tuple[int, int], ...] = ()
    picked: tuple[Picked, ...] = ()
    lists: tuple[Lists, ...] = ()
    lowest: tuple[LowestFirst, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    not_finite: tuple[NotFinite, ...] = ()
    averaged: tuple[Averaged, ...] = ()
    walks: tuple[Walk, ...] = ()
    summed: tuple[Summed, ...] = ()
    tallied: tuple[tuple[int, int], ...] = ()
    stored: tuple[Stored, ...] = ()
    blended: tuple[Blended, ...] = ()
    lost: tuple[LostWrite, ...] = ()
    aliases: tuple[tuple[int, Site], ...] = ()
    library_cut: bool = False
    fits: tuple[int, int] = (0, 0)
    whole: bool = False
    passing: tuple[tuple[str, int], ...] = ()
    accelerator: str = ""
    by_hand: bool = False
    made: tuple[str, str] | None = None
    invented: tuple[str, str] | None = None
    told_count: tuple[str, str, int] | None = None
    loose: bool = False
    untold: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()
    few: bool = False
    consulted: tuple[str, ...] = ()
    read: tuple[tuple[str, str], ...] = ()
    sized: tuple[str, ...] = ()
    asked: tuple[tuple[str, str], ...] = ()
    settings: bool = False
    pictured: int = 0
    steered: bool = False
    left_out: bool = False
    switch: str = ""
    worded: bool = False
    offered: tuple[tuple[str, tuple[str, ...]], ...] = ()
    untrained: str = ""
    unread: str = ""
    keys: tuple[str, ...] = ()
    gone: str = ""
    learnt: tuple[tuple[str, tuple[tuple[int, ...], int]], ...] = ()
    ranks: Ranks | None = None
    small: Any = None
