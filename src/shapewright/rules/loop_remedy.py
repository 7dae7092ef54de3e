"""The kinds of edit of a training loop that rules name: lines that it lacks, modes, what is made in the wrong round.
Plain frozen data."""

from __future__ import annotations

from ..dataclass import dataclass
from ..trace import Site
from .remedy import Remedy


@dataclass(frozen=True)
class KeepIterator(Remedy):
    """The iterator at `made` over `data` is made anew in every pass of the loop at `loop`: once is enough."""

    made: Site
    data: str
    loop: Site


@dataclass(frozen=True)
class InsertCall(Remedy):
    """A call that a training step lacks: `zero_grad` or `step`; `name` is the optimizer where the rule knows it."""

    method: str
    name: str = ""


@dataclass(frozen=True)
class MoveIntoLoop(Remedy):
    """The lines of a step go into the loop at `line`."""

    line: int


@dataclass(frozen=True)
class SwitchMode(Remedy):
    """The model's mode where it runs: training or evaluation; `switch` is the call that chose the wrong one."""

    training: bool
    switch: Site | None = None


@dataclass(frozen=True)
class RestartEachRound(Remedy):
    """These lines go to the head of the loop whose body begins at `first`."""

    first: int
    lines: tuple[int, ...]


@dataclass(frozen=True)
class HandOver(Remedy):
    """Parameters of `modules` that no optimizer has; `optimizer` is where it was made before they were unfrozen;
    `instead` tells that the finding's optimizer was given what another one, or itself, has already."""

    modules: tuple[int, ...] = ()
    optimizer: Site | None = None
    instead: bool = False


@dataclass(frozen=True)
class RenameKeys(Remedy):
    """A state whose names begin with `prefix`, or lack `added`."""

    prefix: str = ""
    added: str = ""


@dataclass(frozen=True)
class UseOther(Remedy):
    """The name `name` is read where another one of the same function belongs: one of `others`, where the rule knows
    them, or a sum of two; `guessed` tells that it need not be what they hold, `site` the expression that alone is
    meant."""

    name: str
    others: tuple[str, ...] = ()
    guessed: bool = False
    site: Site | None = None


@dataclass(frozen=True)
class HandOn(Remedy):
    """What a call in a loop ends with is what the next round's call begins with."""


@dataclass(frozen=True)
class AsNumber(Remedy):
    """A tensor with its graph is kept where its number is enough."""


@dataclass(frozen=True)
class Enclose(Remedy):
    """The finding's statement goes below `header`, in which `{torch.distributed}` is what the script calls that
    module."""

    header: str


@dataclass(frozen=True)
class MakeOnce(Remedy):
    """A layer that is made in every call of a model is made with the model."""


@dataclass(frozen=True)
class CallOwner(Remedy):
    """What is called is a part of a wrapper, and the wrapper is to be called."""


@dataclass(frozen=True)
class ReadSibling(Remedy):
    """A name is read twice where one of the two belongs that were bound together; `sites` are the places of the
    second reading, the nearest first. `sure` tells that only one of the two can be meant, `drawn` that two draws
    are where one was made."""

    sites: tuple[Site, ...] = ()
    sure: bool = False
    drawn: bool = False


@dataclass(frozen=True)
class PrepareAsThere(Remedy):
    """What argument `at` of the finding's call, or of the one at `onto`, is given is to be prepared as the call at
    `there` prepares its own."""

    there: Site | None = None
    at: int = 0
    onto: Site | None = None


@dataclass(frozen=True)
class DoLikewise(Remedy):
    """The number that the event `done` scales one side by is to scale what the event `onto` is given, too; `sure`
    tells that the script itself counts on both."""

    done: int
    onto: int
    sure: bool = False


@dataclass(frozen=True)
class ShiftPacked(Remedy):
    """Indices that are packed sample by sample at one of the `sites` are to be shifted by the rows before it."""

    sites: tuple[Site, ...] = ()


@dataclass(frozen=True)
class StoreStep(Remedy):
    """What the finding's line stores of a step of an environment is to be stored after every step taken at `step`; the
    observation that it holds ahead of the step, where there is none."""

    step: Site | None = None


@dataclass(frozen=True)
class AdvanceState(Remedy):
    """The observation that the step at `step` gives is what the line at `asked` is to read in the next round."""

    step: Site
    asked: Site


@dataclass(frozen=True)
class PickHardest(Remedy):
    """What the finding's call picks of a table is to be the other extreme, the smallest where `least`, and the places
    that were filled at `filled` so that they are not picked are to hold the other infinity."""

    filled: Site
    least: bool


@dataclass(frozen=True)
class SwapSteps(Remedy):
    """Of two statements of the function at the finding's line, of which the second works on what the first binds, the
    second is to be done first."""
