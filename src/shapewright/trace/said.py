"""What the message of an exception says, as data: the one form in which torch's English leaves `run`.

A sentence with names, numbers or shapes in it is a dataclass; one that only says why is a `Refusal`.
"""

from __future__ import annotations

import enum

from ..dataclass import dataclass

Shape = tuple[int, ...]


class Refusal(enum.Enum):
    """Why a call was refused."""

    ARRAYS = "arrays of these shapes or lengths do not go together"
    CHANGED_IN_PLACE = "what the gradient needs was changed in place"
    COUNT = "the numbers do not fill the shape asked for"
    FRACTION = "a float stands where an integer was to be"
    GRAPH_FREED = "a graph was walked back a second time"
    LEAF = "a parameter was changed in place"
    NO_ACCELERATOR = "the machine has no such accelerator, or torch was built without it"
    NO_AXIS = "what has no axis cannot be joined"
    NOT_A_TENSOR = "a tuple or a list stands where a tensor was to be"
    NO_PARAMETERS = "an optimizer was given nothing to train"
    NOTHING = "None stands where a tensor was to be"
    NUMPY_OF_GRAPH = "a tensor with a gradient cannot become an array"
    ONE_VALUE = "a channel has one value, of which no variance can be had"
    SCALAR = "a gradient starts at one number"
    SCATTERED = "a view needs the axes as they lie in memory"
    SHAPES_ONLY = "a tensor without numbers met one with numbers"
    TYPES = "the types of the operands differ"
    UNEQUAL = "samples have different sizes"
    UNPACKED = "the number of names is not the number of values"
    UNSORTED = "lengths are not sorted"
    WEIGHT = "the weights of the classes are refused"


@dataclass(frozen=True, slots=True)
class GradientShape:
    """A function of the user's returned a gradient of another shape for its input `index`."""

    function: str
    index: int
    got: Shape
    due: Shape


@dataclass(frozen=True, slots=True)
class GradientCount:
    """A function of the user's returned another number of gradients than it has inputs."""

    function: str
    due: int
    got: int


@dataclass(frozen=True, slots=True)
class CheckpointSize:
    """A saved parameter has another shape than the model's."""

    name: str
    saved: Shape
    own: Shape


@dataclass(frozen=True, slots=True)
class CheckpointNames:
    """Names that the model has and the saved state lacks, and the other way round."""

    missing: tuple[str, ...]
    unexpected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LengthBeyond:
    """A length of the CTC loss is more than there is."""

    which: str
    most: int
    got: int


@dataclass(frozen=True, slots=True)
class PairGiven:
    """The pair that a reduction along an axis returns was given where a tensor was to be."""

    op: str


@dataclass(frozen=True, slots=True)
class ClassBeyond:
    """A target names a class that has no score."""

    target: int


@dataclass(frozen=True, slots=True)
class NoProbabilities:
    """A distribution got probabilities that are none; what is no number is told otherwise."""

    distribution: str


@dataclass(frozen=True, slots=True)
class NotDivisible:
    """One size does not divide another: heads or groups."""

    of: str
    whole: int | None
    part: int | None


Said = (
    GradientShape
    | GradientCount
    | CheckpointSize
    | CheckpointNames
    | LengthBeyond
    | PairGiven
    | ClassBeyond
    | NoProbabilities
    | NotDivisible
    | Refusal
)
