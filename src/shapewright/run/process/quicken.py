"""Spares a run work that changes nothing in it.

`quicken`: the import of `torch._dynamo` (a second or more), which torch makes when the first optimizer is built or
steps, and torchvision when it is imported. Nothing is compiled in a run, so small modules answer in its place; the
first use of anything else in them imports the real one. `plain_checks`: the import of sympy (half a second), which
torch makes to look at a condition that is plainly true or false, as of every padding mask, and to compare the sizes of
gradients that are given. `fuse_adam`: Adam's dozen passes over a large model, which torch makes in one where it is
asked to (`fused=True`); the numbers agree to rounding.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
from types import ModuleType
from typing import Any

import torch

NAME = "torch._dynamo"
UTILS = f"{NAME}.utils"
LARGE = 1_000_000  # parameters from which on Adam is fused


class _Quick(ModuleType):
    """Answers `graph_break`, `disable` and whether a device can compile; steps aside for the real modules at anything
    else."""

    def graph_break(self, *args: object, **kwargs: object) -> None:
        """Nothing is compiled, so there is no graph to break."""

    def disable(self, fn=None, recursive: bool = True, **kwargs: object):
        """Nothing is compiled, so there is nothing to disable."""
        return fn if fn is not None else (lambda function: function)

    def is_compile_supported(self, device_type: str) -> bool:
        """Nothing is compiled."""
        return False

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and (name != "__path__" or self.__name__ == UTILS):  # a package has one
            raise AttributeError(name)
        if isinstance(sys.modules.get(NAME), _Quick):
            for place in (NAME, UTILS):
                sys.modules.pop(place, None)
            torch.__dict__.pop("_dynamo", None)
            importlib.import_module(NAME)
        return getattr(importlib.import_module(self.__name__), name)


def quicken() -> None:
    """Put the small modules in place, unless the real one is loaded."""
    if NAME not in sys.modules:
        for name, file in ((NAME, "__init__.py"), (UTILS, "utils.py")):
            module = _Quick(name)
            module.__file__ = os.path.join(os.path.dirname(torch.__file__), "_dynamo", file)
            module.__package__ = NAME
            sys.modules[name] = module
        torch.__dict__["_dynamo"] = sys.modules[NAME]


def fuse_adam() -> None:
    """Let Adam and AdamW step large models by one fused kernel where the script leaves the choice to torch."""
    from torch.optim import adam

    plain = adam._single_tensor_adam
    if getattr(plain, "fuses", False):
        return

    @functools.wraps(plain)
    def single(params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, **options):
        kinds = {(p.dtype, g.dtype, p.device.type, p.layout, g.layout, type(g)) for p, g in zip(params, grads)}
        alike = kinds == {(torch.float32, torch.float32, "cpu", torch.strided, torch.strided, torch.Tensor)}
        if (
            alike
            and not options["differentiable"]
            and not options["capturable"]
            and sum(p.numel() for p in params) >= LARGE
        ):
            return adam._fused_adam(params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, **options)
        return plain(params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, **options)

    single.fuses = True
    adam._single_tensor_adam = single


def plain_checks() -> None:
    """Let torch's own checks of conditions that are plainly true or false be settled without loading symbolic
    shapes."""
    check = torch._check_with
    if getattr(check, "plain", False):
        return

    @functools.wraps(check)
    def check_with(error_type, cond, message):
        if cond is True:
            return None
        if cond is False and callable(message):
            raise error_type(str(message()))
        return check(error_type, cond, message)

    check_with.plain = True
    torch._check_with = check_with
    _plain_gradients()
    _plain_traces()


def _plain_traces() -> None:
    """Let a graph that was traced be taken as it is: torch calls the model twice more to compare, which is no
    evaluation of the script's."""
    from torch.jit import _trace

    _trace._check_trace = lambda *args, **kwargs: None


def _plain_gradients() -> None:
    """Let gradients that a script gives be taken without loading symbolic shapes where their sizes are plainly so."""
    from torch import autograd

    make = autograd._make_grads

    @functools.wraps(make)
    def make_grads(outputs, grads, is_grads_batched):
        pairs = list(zip(outputs, grads))
        if not is_grads_batched and all(_strided(a) and _strided(b) and a.shape == b.shape for a, b in pairs):
            return tuple(grad for _, grad in pairs)
        return make(outputs, grads, is_grads_batched=is_grads_batched)

    autograd._make_grads = make_grads


def _strided(value: object) -> bool:
    """Whether a value is a tensor of real numbers that has nothing special about it."""
    plain = type(value) in (torch.Tensor, torch.nn.Parameter) and value.layout is torch.strided
    return plain and value.is_floating_point() and not value.is_nested
