"""Events of a run: calls of operators and modules, the failing call, training steps, loops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any, NamedTuple, TypeVar

from ..dataclass import dataclass
from .axis import Axis
from .said import Said
from .site import Site

Kind = TypeVar("Kind")
READY_MADE = frozenset({"torch", "torchvision", "transformers", "peft", "timm"})  # packages that bring modules


@dataclass(frozen=True, slots=True)
class TensorFact:
    """A tensor as it was at one call. `shape` is `None` for what is no tensor (then `value` holds a short plain value).

    `producer` is the index of the `Event` that made it, or -1; `name` is the variable or parameter name where known;
    `kind` is `tensor`, `parameter`, `buffer`, `value` or `module`."""

    shape: tuple[int, ...] | None = None
    dtype: str = ""
    device: str = ""
    requires_grad: bool = False
    axes: tuple[Axis, ...] = ()
    producer: int = -1
    name: str = ""
    kind: str = "tensor"
    value: Any = None
    uid: int = 0

    @property
    def rank(self) -> int:
        return -1 if self.shape is None else len(self.shape)

    @property
    def is_whole(self) -> bool:
        """Whether it holds whole numbers."""
        return self.dtype.startswith(("int", "uint"))

    @property
    def is_held(self) -> bool:
        """Whether a module holds it, as a parameter or a buffer."""
        return self.kind in ("parameter", "buffer")

    @property
    def sizes(self) -> tuple[int, ...]:
        """The shape, `()` of what is no tensor."""
        return self.shape or ()


def tensors(value: object) -> Iterator[TensorFact]:
    """Every tensor in an event's arguments, in order."""
    if isinstance(value, TensorFact):
        if value.shape is not None:
            yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from tensors(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from tensors(part)


class Window(NamedTuple):
    """The arguments of a sliding layer, each with one size an axis."""

    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ModuleFact:
    """An `nn.Module`: its class, the plain values among its attributes (`in_features`, `batch_first` ...), the stack of
    user lines (outermost first) that constructed it, and its path in the outermost module seen to contain it; `calls`
    the first few with gradients, each with the training iteration, the count of outermost calls before, and the place.
    """

    uid: int
    kind: str
    config: dict[str, Any] = field(default_factory=dict)
    path: str = ""
    site: Site | None = None
    stack: tuple[Site, ...] = ()
    parameters: tuple[tuple[str, tuple[int, ...]], ...] = ()
    calls: tuple[tuple[int, int, Site], ...] = ()

    @property
    def is_ready_made(self) -> bool:
        """Whether its class is a library's and not the user's."""
        return self.config.get("library") in READY_MADE

    @property
    def is_torch(self) -> bool:
        """Whether its class is one of torch's own."""
        return self.config.get("library") == "torch"

    @property
    def window(self) -> Window | None:
        """How a convolution slides; nothing for other layers and for padding that is given by a word."""
        sizes = [size for name in Window._fields if isinstance(size := self.config.get(name), tuple)]
        return Window(*sizes) if len(sizes) == len(Window._fields) else None


@dataclass(frozen=True, slots=True)
class Event:
    """One call seen at the boundary of the user's code.

    `op` is the canonical short name (`linear`, `view`, `add`, `cross_entropy`, `lstm`); `args`/`kwargs` hold
    `TensorFact`s (nested tuples for sequences) and plain values; `stack` holds the user's sites, outermost first,
    ending in `site`; `modules` the uids of the modules being called, outermost first; `flags` such as `training`,
    `grad`; `iteration` numbers the training iteration; `bound` the variable names the user's statement binds."""

    index: int
    op: str
    site: Site | None
    stack: tuple[Site, ...] = ()
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    result: Any = None
    modules: tuple[int, ...] = ()
    flags: frozenset[str] = frozenset()
    iteration: int = 0
    loop: int = -1
    _given: tuple[TensorFact, ...] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def given(self) -> tuple[TensorFact, ...]:
        """The tensors among the arguments, in order; looked for once, since nearly every rule asks."""
        if self._given is None:
            object.__setattr__(self, "_given", (*tensors(self.args), *tensors(self.kwargs)))
        return self._given or ()


@dataclass(frozen=True, slots=True)
class Failure:
    """What ended the script: the exception, the innermost failing torch call and the user's frames, outermost first.

    `event` is the failing operator call where one was recorded (its `result` is `None`); `module` the innermost module
    being called, with `module_args` its inputs; `read` is the tensor whose shape was read last; `ours` tells that the
    failure was caused by a stand-in, a cut or the sandbox; `values` are facts of the names and attributes that the
    failing statement reads, by their source text; `said` is what the message says."""

    kind: str
    message: str
    site: Site | None
    stack: tuple[Site, ...] = ()
    event: Event | None = None
    module: int = -1
    module_args: tuple[Any, ...] = ()
    module_kwargs: dict[str, Any] = field(default_factory=dict)
    ours: str = ""
    library: tuple[str, ...] = ()
    read: TensorFact | None = None
    values: dict[str, Any] = field(default_factory=dict)
    said: tuple[Said, ...] = ()

    @property
    def modules(self) -> tuple[int, ...]:
        """The uids of the modules that were being called, innermost first."""
        return tuple(dict.fromkeys((self.module, *reversed(self.event.modules if self.event is not None else ()))))

    def told(self, kind: type[Kind]) -> Kind | None:
        """What the message says of this kind, `None` where it does not."""
        return next((part for part in self.said if isinstance(part, kind)), None)


@dataclass(frozen=True, slots=True)
class StepFact:
    """A landmark of a training loop, in order: `kind` is `backward`, `step`, `zero_grad`, `train`, `eval`, `optimizer`,
    `forward`, `given` (the call of a model that ended the run).

    `data` holds plain facts of that landmark (parameter uids, counts, names)."""

    index: int
    kind: str
    site: Site | None
    stack: tuple[Site, ...] = ()
    iteration: int = 0
    loop: int = -1
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def is_pass(self) -> bool:
        """Whether a model is run, either way."""
        return self.kind in ("forward", "backward")

    @property
    def is_switch(self) -> bool:
        """Whether a model is put in training or evaluation mode."""
        return self.kind in ("train", "eval")

    @property
    def is_update(self) -> bool:
        """Whether an optimizer changes or clears something."""
        return self.kind in ("step", "zero_grad")


@dataclass(frozen=True, slots=True)
class LoopFact:
    """A loop of the user's: how many iterations ran, whether it trained, and whether it was cut short by us; `length`
    is how many it was to run, -1 where nothing tells, `pace` how long one took before the cut, or of a loop that made
    data for seconds (s); `spent` tells that its iterator had been used up by an earlier run of a loop."""

    uid: int
    site: Site
    iterations: int
    trained: bool
    cut: bool
    parent: int = -1
    length: int = -1
    pace: float = 0.0
    spent: bool = False
