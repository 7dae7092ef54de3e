"""Notes the landmarks of training loops: optimizers, schedulers, `zero_grad`, `backward`, `step`, `train()`/`eval()`,
loaded weights."""

from __future__ import annotations

import contextlib
import functools
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from ...trace import StepFact
from ..process.quicken import LARGE
from .averages import Averages
from .by_hand import ByHand
from .clips import clipping
from .facts import fact
from .gradient_shares import Shares
from .handed import lowers
from .host import FOLLOWED
from .identity import Identities
from .kept_states import KeptStates
from .ledger import Ledger
from .recorder import Recorder
from .schedules import ended, highest, lowest, rate
from .seedings import Seedings

LANDMARKS = 4000
PASSES = 4
PLANS = ("T_max", "total_steps", "step_size", "gamma")


class Landmarks:
    """Patches optimizers, `backward` and `Module.train` for the duration of a run.

    Args:
        recorder: whose call stack and counters the landmarks share.
        still: an optimizer's step is noted and a large model's weights stay as they are.
    """

    def __init__(self, recorder: Recorder, still: bool = False) -> None:
        self.recorder, self.still = recorder, still
        self.withheld: list[tuple[nn.Parameter, torch.Tensor]] = []
        self.raw: list[tuple] = []
        self.optimizers: dict[int, torch.optim.Optimizer] = {}
        self.modules = None
        self.touched = Identities()
        self.spent: dict[int, tuple[weakref.ref, int]] = {}  # by parameter that a step used: the gradient, its version
        self.passes = 0
        self.ended: dict[int, tuple[int, float]] = {}  # by schedule: when it comes down to zero, and the rate it is of
        self.frozen: set[int] = set()  # parameters that were frozen when an optimizer was made
        self.shares = Shares()
        self.states = KeptStates(self)
        self.seedings = Seedings(self)
        self.by_hand = ByHand()
        self.ledger = Ledger(recorder.notes)
        recorder.averages = Averages(recorder, self.trained)

    def note(self, kind: str, stack: tuple, data: dict[str, object]) -> None:
        """Keep one landmark."""
        if len(self.raw) < LANDMARKS:
            loop = self.recorder.loops.current() if self.recorder.loops else -1
            self.raw.append((kind, stack, self.recorder.iteration, loop, data, len(self.recorder.raw)))

    def steps(self) -> tuple[StepFact, ...]:
        """All landmarks, resolved; `data['at']` is the count of events before it."""
        made = []
        for index, (kind, stack, iteration, loop, data, at) in enumerate(self.raw):
            sites = self.recorder.sources.sites(stack)
            told = {**data, "at": at}
            if "kept" in data:
                told["kept"] = self.recorder.sources.sites(data["kept"])
            made.append(StepFact(index, kind, sites[-1] if sites else None, sites, iteration, loop, told))
        return tuple(made)

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Record landmarks while the body runs."""
        optimizer = torch.optim.Optimizer
        scheduler = torch.optim.lr_scheduler.LRScheduler
        plateau = torch.optim.lr_scheduler.ReduceLROnPlateau
        saved = (
            optimizer.__init__,
            optimizer.zero_grad,
            nn.Module.train,
            torch.autograd.backward,
            nn.Module.zero_grad,
            nn.Module.load_state_dict,
            scheduler.step,
            plateau.step,
        )
        made, cleared, train, backward, module_cleared, load, schedule, wait = saved
        marks, recorder = self, self.recorder

        def stack():
            return recorder.sources.stack(sys._getframe(2))

        @functools.wraps(made)
        def init(self, *args, **kwargs):
            made(self, *args, **kwargs)
            with torch._C.DisableTorchFunction():
                marks.optimizers[id(self)] = self
                marks.passes = 0  # what this one is made for may be another model
                parameters = [id(p) for group in self.param_groups for p in group["params"]]
                marks.frozen |= marks.resting()
                marks.note(
                    "optimizer",
                    stack(),
                    {
                        "optimizer": id(self),
                        "class": type(self).__name__,
                        "parameters": parameters,
                        "held": tuple(marks.ledger.uid(p) for group in self.param_groups for p in group["params"]),
                        "raises": any(group.get("maximize") for group in self.param_groups),
                    },
                )

        @functools.wraps(cleared)  # Accelerate reads the signature.
        def zero_grad(self, *args, **kwargs):
            marks.note("zero_grad", stack(), {"optimizer": marks.key(self)})
            return cleared(self, *args, **kwargs)

        @functools.wraps(module_cleared)
        def module_zero_grad(self, *args, **kwargs):
            marks.note("zero_grad", stack(), {"module": marks.uid(self)})
            return module_cleared(self, *args, **kwargs)

        @functools.wraps(train)
        def set_training(self, mode: bool = True):
            if not marks.nested:
                marks.nested = True
                try:
                    before = self.training
                    result = train(self, mode)
                    marks.note("train" if mode else "eval", stack(), {"module": marks.uid(self), "before": before})
                    return result
                finally:
                    marks.nested = False
            return train(self, mode)

        @functools.wraps(backward)
        def run_backward(tensors, *args, **kwargs):
            with torch._C.DisableTorchFunction():
                loss = fact(tensors, recorder.notes)
                before = marks.stale()
                if recorder.tape is not None:
                    recorder.tape.close(tensors, stack(), recorder.iteration)
            recorder.learns()
            recorder.activity.trained += 1
            shares = marks.shares.before(marks.optimizers)
            entries = marks.ledger.before(marks.optimizers)
            with torch._C.DisableTorchFunction():
                ended = recorder.finite.before(tensors)
                turn = lowers(args[0] if args else kwargs.get("grad_tensors"))
            result = backward(tensors, *args, **kwargs)
            with torch._C.DisableTorchFunction():
                marks.touch()
                reached = marks.shares.after(marks.optimizers, shares, len(marks.raw))
                marks.note(
                    "backward",
                    stack(),
                    {
                        "loss": loss,
                        "turn": turn,
                        "stale_of": marks.added_to(before),
                        "reached": reached,
                        "grads": marks.ledger.after(entries),
                        "onto": marks.ledger.held(entries),
                        **ended(),
                    },
                )
            return result

        def load_state_dict(self, *args, **kwargs):
            given = args[0] if args else kwargs.get("state_dict")
            own = {name: marks.ledger.uid(p) for name, p in self.named_parameters()}
            named = tuple(uid for name, uid in own.items() if isinstance(given, dict) and name in given)
            told = {"module": marks.uid(self), "filled": named or tuple(own.values())}
            told.update(marks.states.given(self, given))
            marks.note("load", stack(), told)
            marks.ledger.loaded(self)
            if marks.modules is not None:
                marks.modules.passing.forget(marks.modules.of(self).uid)
            result = load(self, *args, **kwargs)
            told.update(marks.states.loaded(self, result))
            return result

        def schedule_step(self, *args, **kwargs):
            kind = "scheduler" if getattr(self, "_is_initial", False) else "schedule"
            told = {name: value for name in PLANS if isinstance(value := getattr(self, name, None), (int, float))}
            if isinstance(getattr(self, "milestones", None), dict):
                told["milestone"] = max(self.milestones, default=0)
            if kind == "schedule" and id(self) not in marks.ended:
                recorder.paused = True
                marks.ended[id(self)] = ended(self), rate(self), highest(self), lowest(self)
                recorder.paused = False
            asked = marks.ended.get(id(self), (-1, 0.0, -1, -1))
            told["ended"], told["rate"], told["highest"], told["lowest"] = asked
            told["placed"] = any(value is not None for value in (*args, *kwargs.values()))  # `step(epoch)`
            marks.note(
                kind,
                stack(),
                {"optimizer": marks.key(self.optimizer), "class": type(self).__name__, "scheduler": id(self), **told},
            )
            return schedule(self, *args, **kwargs)

        def plateau_step(self, metrics, *args, **kwargs):
            if isinstance(metrics, FOLLOWED):
                metrics.log.compare((metrics, float(self.best)), False, stack(), "plateau")
            return wait(self, metrics, *args, **kwargs)

        def before_step(optimizer, args, kwargs):
            closure = args[1] if len(args) > 1 else kwargs.get("closure")
            with torch._C.DisableTorchFunction():
                told = marks.stepped(optimizer, closure is not None)
            # what the optimizer computes is not the user's; a closure is
            recorder.paused = closure is None
            if marks.still and recorder.paused:
                marks.withhold(optimizer)
            if callable(closure):
                closure = marks.spending(optimizer, closure, told)
                return (
                    ((args[0], closure, *args[2:]), kwargs) if len(args) > 1 else (args, {**kwargs, "closure": closure})
                )
            return None

        def after_step(optimizer, args, kwargs):
            recorder.paused = False
            marks.give_back()

        self.nested = False
        optimizer.__init__, optimizer.zero_grad, nn.Module.train = init, zero_grad, set_training
        nn.Module.zero_grad = module_zero_grad
        nn.Module.load_state_dict, scheduler.step, plateau.step = load_state_dict, schedule_step, plateau_step
        torch.autograd.backward = run_backward
        handles = (register_optimizer_step_pre_hook(before_step), register_optimizer_step_post_hook(after_step))
        try:
            with self.states.active(), clipping(self), self.seedings.active(), self.by_hand.active():
                yield
        finally:
            for handle in handles:
                handle.remove()
            (
                optimizer.__init__,
                optimizer.zero_grad,
                nn.Module.train,
                torch.autograd.backward,
                nn.Module.zero_grad,
                nn.Module.load_state_dict,
                scheduler.step,
                plateau.step,
            ) = saved

    def uid(self, module: nn.Module) -> int:
        """The uid that the trace uses for a module."""
        return self.modules.of(module).uid if self.modules is not None else -1

    def trained(self) -> Iterator[torch.Tensor]:
        """The parameters that optimizers hold."""
        for optimizer in list(self.optimizers.values()):
            for group in optimizer.param_groups:
                yield from group["params"]

    def stepped(self, optimizer: torch.optim.Optimizer, closure: bool = False) -> dict[str, Any]:
        """An optimizer is about to step: which of its parameters have a gradient. Returns what was noted."""
        self.seedings.stepped()
        recorder = self.recorder
        key = self.key(optimizer)
        self.optimizers.setdefault(key, optimizer)
        if not closure:
            self.spend(optimizer)
        told = {"optimizer": key, "closure": closure, **self._graded(optimizer)}
        self.note("step", recorder.sources.stack(sys._getframe(3)), told)
        recorder.activity.trained += 1
        recorder.activity.steps += 1
        recorder.iteration += 1
        return told

    def _graded(self, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
        """Which of an optimizer's parameters have a gradient now."""
        parameters = [p for group in optimizer.param_groups for p in group["params"]]
        for p in parameters:
            if p.grad is not None:
                self.ledger.stepping(p)
                if self.recorder.averages is not None:
                    self.recorder.averages.stepping(p, self.ledger.uid(p))
        used = tuple(self.ledger.uid(p) for p in parameters if p.grad is not None)
        without = [id(p) for p in parameters if p.grad is None and p.requires_grad]
        told = {"parameters": len(parameters), "gradients": len(used), "used": used, "without": without}
        return {**told, "broken": self.recorder.finite.stepping(parameters)}

    def spend(self, optimizer: torch.optim.Optimizer) -> None:
        """The gradients that an optimizer's parameters have now are what its step uses."""
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self.spent[id(p)] = (weakref.ref(p.grad), p.grad._version)

    def spending(
        self, optimizer: torch.optim.Optimizer, closure: Callable[..., Any], told: dict[str, object]
    ) -> Callable[..., Any]:
        """A step's closure, which clears and makes the gradients itself: they are used when it returns, not when the
        step begins, and noted in `told` then."""

        @functools.wraps(closure, updated=())
        def call(*args: object, **kwargs: object) -> Any:
            result = closure(*args, **kwargs)
            with torch._C.DisableTorchFunction():
                self.spend(optimizer)
                told.update(self._graded(optimizer))
            return result

        return call

    def withhold(self, optimizer: torch.optim.Optimizer) -> None:
        """Take a large model's gradients away for the time of a step, which then has nothing to do."""
        parameters = [p for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        if sum(p.numel() for p in parameters) >= LARGE:
            with torch._C.DisableTorchFunction():
                self.withheld = [(p, p.grad) for p in parameters]
                for p in parameters:
                    p.grad = None

    def give_back(self) -> None:
        """Put withheld gradients back."""
        with torch._C.DisableTorchFunction():
            for p, gradient in self.withheld:
                p.grad = gradient
        self.withheld = []

    def resting(self) -> set[int]:
        """The parameters, among those of the modules seen so far, that ask for no gradient now."""
        modules = [known.module() for known in self.modules.known.values()] if self.modules is not None else []
        return {
            id(p)
            for module in modules
            if module is not None
            for p in module._parameters.values()
            if p is not None and not p.requires_grad
        }

    def touch(self) -> None:
        """Remember which parameters of the modules seen so far have received a gradient; the first backward passes
        tell."""
        if self.passes < PASSES and self.modules is not None:
            self.passes += 1
            for known in list(self.modules.known.values()):
                module = known.module()
                if module is not None:
                    self.touched.update(p for p in module._parameters.values() if p is not None and p.grad is not None)

    def key(self, optimizer: torch.optim.Optimizer) -> int:
        """The identity of an optimizer; one that wraps another and shares its groups of parameters (Lightning's, SAM)
        is that other one."""
        for key, known in self.optimizers.items():
            if known is optimizer or getattr(optimizer, "param_groups", None) is known.param_groups:
                return key
        return id(optimizer)

    def stale(self) -> list[tuple[int, nn.Parameter]]:
        """Each optimizer and parameter whose gradient a step used already and nothing has cleared since."""
        found = []
        for key, optimizer in self.optimizers.items():
            for group in optimizer.param_groups:
                found += [(key, p) for p in group["params"] if self.used(p)]
        return found

    def added_to(self, stale: list[tuple[int, nn.Parameter]]) -> tuple[int, ...]:
        """The optimizers to whose used gradients a `backward` has added."""
        return tuple(dict.fromkeys(key for key, p in stale if not self.used(p)))

    def used(self, p: nn.Parameter) -> bool:
        """Whether the gradient that a parameter has now is one that a step has used."""
        gradient, version = self.spent.get(id(p), (None, -1))
        return gradient is not None and p.grad is not None and gradient() is p.grad and p.grad._version == version
