"""Knows the user's `nn.Module`s: where each was made, which are being called, and the batches that the outermost ones
were given."""

from __future__ import annotations

import contextlib
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from dataclasses import field
from types import FrameType
from typing import Any

import torch
from torch import nn
from torch.nn.parameter import is_lazy

from ...dataclass import dataclass
from ...trace import ModuleFact
from .facts import PLAIN, fact, plainly
from .ledger import mark
from .mixtures import mixed
from .modes import stochastic
from .nested import tensors
from .notes import Note
from .passing import Passing
from .readable import readable
from .recorder import OFTEN, Recorder
from .scaled import pixel_step

CAPTURES, CALLS = 4, 8
PICTURED, PICTURES = 3, 20_000_000  # calls at one line, and the most numbers, of which the scale is asked
MARKED = 1_000_000  # the most numbers of a tensor whose values are told from others
LARGE = 1_000_000  # parameters of a model that is not one of a script's small helpers
MISSPELT = frozenset(
    {
        "require_grad",
        "require_grads",
        "requires_grads",
        "required_grad",
        "requires_gradient",
        "requires_gradients",
        "require_gradient",
    }
)


@dataclass
class Capture:
    """One call of an outermost module: its inputs (detached), its output and where it was made. For the probes."""

    args: tuple
    kwargs: dict
    output: Any
    training: bool
    grad: bool
    step: int
    stack: tuple
    told: int
    """Which of the module's landmarks tells of this call."""

    @property
    def learns(self) -> bool:
        """Whether it was made in training mode with gradients."""
        return self.training and self.grad


@dataclass
class Known:
    """What is remembered of one module."""

    uid: int
    module: weakref.ref
    stack: tuple
    path: str = ""
    captures: list[Capture] = field(default_factory=list)
    built: bool = False  # its constructor was seen, so it is no copy and no unpickled module
    born: int = 0  # count of events before it
    outermost: bool = False  # it was called by the user, not by a module
    kept: nn.Module | None = None  # a captured module lives until the probes have asked
    calls: list[tuple[int, int, Any]] = field(default_factory=list)  # see `ModuleFact.calls`
    told: int = 0  # count of its landmarks

    def keeps(self, learns: bool) -> bool:
        """Whether one more call is captured: the first few, and of those that learn at least one, however often the
        model was judged before."""
        return len(self.captures) < CAPTURES or (learns and not any(one.learns for one in self.captures))


class Modules:
    """Patches `nn.Module` for the duration of a run."""

    def __init__(self, recorder: Recorder, landmark) -> None:
        self.recorder, self.landmark = recorder, landmark
        self.passing = Passing(landmark)
        self.given: Callable[[int, nn.Module, tuple[Any, ...], bool], None] = lambda uid, module, args, learns: None
        self.answered: Callable[[tuple[Any, ...], Any], None] = lambda args, output: None  # and answer in evaluation
        self._outermost_calls = 0
        self._calls: dict[tuple, int] = {}  # of outermost modules, by place
        self._pictured: dict[tuple, int] = {}  # the same
        self._seeded = 0
        # what ends the run after the first call of a model, given whether that is large, and the work of the call
        self.first: Callable[[bool, float], BaseException | None] | None = None
        self._thread = threading.get_ident()
        self.known: dict[int, Known] = {}
        self.failing: tuple[BaseException, int, Any, Any] | None = None
        self.copied: list[weakref.ref] = []  # what `copy.deepcopy` made, called or not
        self._uid = 0

    def of(self, module: nn.Module) -> Known:
        """What is known of `module`; the first question notes the user's place."""
        known = self.known.get(id(module))
        if known is None or known.module() is not module:
            self._uid += 1
            known = self.known[id(module)] = Known(
                self._uid, weakref.ref(module), self.recorder.sources.stack(sys._getframe(1))
            )
        return known

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Record modules while the body runs."""
        make, call = nn.Module.__init__, nn.Module.__call__
        parameter, buffer = nn.Module.register_parameter, nn.Module.register_buffer
        restore, modules = nn.Module.__setstate__, self

        def __init__(self, *args, **kwargs):
            make(self, *args, **kwargs)
            known = modules.of(self)
            known.built, known.born = True, len(modules.recorder.raw)
            if modules.recorder.modules:
                modules.passing.note_made(known.uid, known.stack, modules.recorder.modules, modules._outermost_calls)

        def __call__(self, *args, **kwargs):
            return modules.call(call, self, args, kwargs)

        def __setstate__(self, state):
            restore(self, state)
            modules.copied.append(weakref.ref(self))

        def register_parameter(self, name, param):
            parameter(self, name, param)
            modules.held(self, name, param)

        def register_buffer(self, name, tensor, *args, **kwargs):
            buffer(self, name, tensor, *args, **kwargs)
            modules.held(self, name, tensor)

        nn.Module.__init__, nn.Module.__call__, nn.Module.__setstate__ = __init__, __call__, __setstate__
        nn.Module.register_parameter, nn.Module.register_buffer = register_parameter, register_buffer
        try:
            yield
        finally:
            nn.Module.__init__, nn.Module.__call__, nn.Module.__setstate__ = make, call, restore
            nn.Module.register_parameter, nn.Module.register_buffer = parameter, buffer

    def held(self, module: nn.Module, name: str, tensor: object) -> None:
        """A module of the user's own took a parameter or a buffer: note its name and, where nothing made it on record,
        its place."""
        if not isinstance(tensor, torch.Tensor) or type(module).__module__.startswith("torch."):
            return
        recorder = self.recorder
        with torch._C.DisableTorchFunction():
            note = recorder.notes.get(tensor)
            if note is None:
                kind = "parameter" if isinstance(tensor, nn.Parameter) else "buffer"
                note = recorder.notes.put(tensor, Note(kind=kind))
            note.name = note.name or name
            if note.producer < 0:
                note.producer = recorder.made("parameter", recorder.sources.stack(sys._getframe(2)), tensor)

    def call(self, call, module: nn.Module, args: tuple, kwargs: dict) -> Any:
        recorder = self.recorder
        # what threads do is not recorded, and stacks of two threads must not mix; a frozen script has no mode
        traced = torch._C._get_tracing_state() is not None  # what is asked of a tensor then would be part of the graph
        if recorder.paused or traced or threading.get_ident() != self._thread or not hasattr(module, "training"):
            return call(module, *args, **kwargs)
        if recorder.standing is not None:
            args, kwargs, _ = recorder.standing(module, args, kwargs)
        known = self.of(module)
        outermost, learns = not recorder.modules, module.training and torch.is_grad_enabled()
        if outermost:
            recorder.caller = recorder.sources.innermost(sys._getframe(2))
            recorder.endings.acted.called(known.uid, args, learns, recorder.caller)
        if outermost and not torch.is_grad_enabled() and self._often(known, module):
            return recorder.unseen(known.uid, call, module, args, kwargs)
        if len(known.calls) < CALLS and torch.is_grad_enabled():
            known.calls.append(
                (recorder.iteration, self._outermost_calls, recorder.sources.innermost(sys._getframe(2)))
            )
        if outermost and _has_parameters(module):
            with torch._C.DisableTorchFunction():
                self.given(known.uid, module, (*args, *kwargs.values()), learns)
        recorder.modules.append(known.uid)
        recorder.training.append(module.training)
        if not torch.is_grad_enabled():
            recorder.activity.called(known.uid, module.training)
        recorder.activity.depth += 1
        meter, looping = recorder.work, recorder.loops is not None and recorder.loops.training()
        spent, asks = meter.used, not torch.is_grad_enabled()
        measured = outermost and (not asks or (looping and not recorder.activity.trained))
        again = outermost and not asks and module.training and looping
        if outermost:
            self._outermost_calls += 1
            kept = _detached((args, kwargs)) if known.keeps(learns) else None
        tapes = [tape for tape in recorder.tapes if tape.active]
        if tapes and not _has_parameters(module):
            tapes = []
        for tape in tapes:
            tape.inside += 1
        try:
            if measured:
                meter.foresee(module, (args, kwargs), asks)
            with meter.once() if again else contextlib.nullcontext():
                output = call(module, *args, **kwargs)
        except Exception as error:
            if self.failing is None or self.failing[0] is not error:
                with torch._C.DisableTorchFunction():
                    self.failing = (error, known.uid, fact(args, recorder.notes), fact(kwargs, recorder.notes))
            raise
        except BaseException:
            if outermost:  # what was too much for it
                given = {"args": fact(args, recorder.notes), "kwargs": fact(kwargs, recorder.notes)}
                given |= {"module": known.uid, "learns": _has_parameters(module)}
                self.landmark("given", recorder.sources.stack(sys._getframe(1)), given)
            raise
        finally:
            recorder.modules.pop()
            recorder.training.pop()
            recorder.activity.depth -= 1
            for tape in tapes:
                tape.inside -= 1
        for tape in tapes:
            with torch._C.DisableTorchFunction():
                tape.note(module, "module", args, kwargs, output, recorder.sources.stack(sys._getframe(1)), -1)
        if known.uid in self.passing.made:
            with torch._C.DisableTorchFunction():
                self.passing.note_called(known.uid, module, recorder.modules, output)
        if not outermost:
            recorder.walks.part(self.landmark, known.uid, module, (*args, *kwargs.values()), output)
        else:
            with torch._C.DisableTorchFunction():
                if not learns:
                    self.answered((*args, *kwargs.values()), output)
                self._outermost(known, module, args, kwargs, output, kept)
            if self.first is not None:
                large = sum(p.numel() for p in nn.Module.parameters(module)) > LARGE
                if (end := self.first(large, 0.0 if asks else meter.used - spent)) is not None:
                    raise end
        return output

    def _often(self, known: Known, module: nn.Module) -> bool:
        """Whether a model was asked so often at the user's line, in its mode, that another answer tells nothing new: a
        player's moves. The landmarks of the training that follows need the room."""
        place = (known.uid, self.recorder.caller, module.training)
        self._calls[place] = count = self._calls.get(place, 0) + 1
        return count > OFTEN and _has_parameters(module)

    def _outermost(self, known: Known, module: nn.Module, args: tuple, kwargs: dict, output: Any, kept: Any) -> None:
        recorder = self.recorder
        known.outermost = True
        learns = _has_parameters(module)
        recorder.activity.forwards += learns
        stack = recorder.sources.stack(sys._getframe(2))
        place = (known.uid, stack[-1:], torch.is_grad_enabled(), module.training)  # what only plays uses nothing up
        self._pictured[place] = self._pictured.get(place, 0) + 1
        if learns and not torch.is_grad_enabled():
            recorder.walks.met(known.uid, (*args, *kwargs.values()), output)
        idle = not learns and not any(one.requires_grad for _, one in tensors(output))
        if self._pictured[place] > OFTEN and (idle or not recorder.activity.trained):
            return  # a transform of each sample, a player before it learns: the landmarks of training need the room
        first = next((value for value in (*args, *kwargs.values()) if isinstance(value, torch.Tensor)), None)
        known_step = first is not None and self._pictured[place] <= PICTURED and readable(first, PICTURES)
        mixing = known_step and torch.is_grad_enabled()
        modes = {name: part.training for name, part in module.named_modules() if stochastic(part)}
        self.landmark(
            "forward",
            stack,
            {
                "module": known.uid,
                "learns": learns,
                "training": module.training,
                "grad": torch.is_grad_enabled(),
                "stochastic": modes,
                "args": fact(args, recorder.notes),
                "kwargs": fact(kwargs, recorder.notes),
                "result": fact(output, recorder.notes),
                "pixel": pixel_step(first) if known_step else None,
                "marks": self._marks(place, module, (args, kwargs)),
                "mixed": mixed((*args, *kwargs.values()), sys._getframe(2), recorder) if mixing else None,
            },
        )
        known.told += 1
        if kept is not None:
            known.kept, state = module, (module.training, torch.is_grad_enabled(), recorder.iteration)
            del known.captures[CAPTURES - 1 :]
            known.captures.append(Capture(*kept, _detached(output), *state, stack, known.told - 1))

    def seeded(self) -> None:
        """A global generator was seeded: what models are given after it is looked at again."""
        self._seeded += 1
        if self._seeded <= CALLS:
            self._pictured.clear()

    def _marks(self, place: tuple, module: nn.Module, given: tuple) -> tuple[int, ...]:
        """A number for each tensor that a model was given in its first calls at a line, equal for equal values."""
        if self._pictured[place] > CALLS or not _has_parameters(module):
            return ()
        return tuple(mark(value, MARKED) for _, value in tensors(given))

    def facts(self) -> dict[int, ModuleFact]:
        """Facts of every module that still exists, with the paths by which outermost modules hold them."""
        for known in list(self.known.values()):
            module = known.module()
            if module is not None:
                for path, part in module.named_modules():
                    inner = self.known.get(id(part))
                    if inner is not None and len(path) > len(inner.path):
                        inner.path = path
        alive = [known for known in self.known.values() if known.module() is not None]
        made: dict[tuple, list[Known]] = {}
        for known in alive:
            if known.built:
                made.setdefault(_likeness(known), []).append(known)
        for known in alive:
            alike = made.get(_likeness(known), ()) if known.path and not known.built else ()
            originals = {other.stack for other in alike if f".{other.path}".endswith(f".{known.path}")}
            if len(originals) == 1:  # a part of a copy was made where the original's was
                (known.stack,) = originals
        return {known.uid: self._fact(known) for known in alive}

    def _fact(self, known: Known) -> ModuleFact:
        module = known.module()
        config = {
            key: value
            for key, value in plainly(vars(module)).items()
            if not key.startswith("_")
            and (isinstance(value, PLAIN) or (isinstance(value, tuple) and all(isinstance(v, PLAIN) for v in value)))
        }
        sites = self.recorder.sources.sites(known.stack)
        own = nn.Module.named_parameters(module, recurse=False)
        parameters = tuple((name, tuple(p.shape)) for name, p in own if not is_lazy(p))
        kind = type(module).__name__
        config["hooks"] = len(module._forward_hooks) + len(module._forward_pre_hooks)
        if isinstance(vars(module).get("requires_grad"), bool):  # a plain attribute: it freezes nothing
            config["learns"] = any(p.requires_grad for p in nn.Module.parameters(module))
        buffers = dict(nn.Module.named_buffers(module, recurse=False))
        if (tracked := buffers.get("num_batches_tracked")) is not None and not tracked.is_meta:
            with torch._C.DisableTorchFunction():  # batches that its running statistics come from, or were written of
                config["tracked"] = int(tracked) or int(buffers["running_mean"].count_nonzero() > 0)
        misspelt = [key for p in module._parameters.values() if p is not None for key in vars(p) if key in MISSPELT]
        config |= {"misspelt": misspelt[0]} if misspelt else {}
        config["born"] = known.born if known.built else -1
        config["library"] = type(module).__module__.split(".")[0]
        config["bases"] = tuple(base.__name__ for base in type(module).__mro__[1:-2])
        calls = tuple(
            (iteration, passed, self.recorder.sources.sites((position,))[-1])
            for iteration, passed, position in known.calls
            if position is not None
        )
        return ModuleFact(known.uid, kind, config, known.path, sites[-1] if sites else None, sites, parameters, calls)


def _likeness(known: Known) -> tuple:
    """What a module has in common with its copies."""
    return type(module := known.module()), tuple(
        tuple(p.shape) for p in nn.Module.parameters(module, recurse=False) if not is_lazy(p)
    )


def _has_parameters(module: nn.Module) -> bool:
    return next(nn.Module.parameters(module), None) is not None


def _detached(value: Any, depth: int = 0) -> Any:
    """A copy that keeps no graph; the data of tensors is copied since scripts write in place."""
    if isinstance(value, torch.Tensor):
        with torch._C.DisableTorchFunction():
            return value.detach().clone() if value.numel() < 20_000_000 else value.detach()
    if isinstance(value, (list, tuple)) and depth < 4 and type(value) in (list, tuple):
        return type(value)(_detached(part, depth + 1) for part in value)
    if isinstance(value, dict) and depth < 4:
        return {key: _detached(part, depth + 1) for key, part in value.items()} if type(value) is dict else value
    return value


def of_learner(frame: FrameType | None) -> bool:
    """Whether a method of a model that learns is running, also one that the script calls directly: what it leaves in
    the model is read by the loss, and has to be of one step."""
    names = frame.f_code.co_varnames[:1] if frame is not None and frame.f_code.co_argcount else ()
    owner = frame.f_locals.get(names[0]) if frame is not None and names else None
    return isinstance(owner, nn.Module) and owner.training and torch.is_grad_enabled()
