"""Is the number that a layer gives beside its result the logarithm of its Jacobian's determinant?

Layers of normalizing flows give both. The captured call is played again; every layer in it that gives a tensor of as
many numbers as it was given, and one number a sample beside it, is asked alone: for one sample, small pictures of it,
and several settings of its parameters, the determinant is worked out from its gradients, and only how both change is
compared, so that constants count for nothing. What draws at random is not asked.
"""

from __future__ import annotations

import contextlib
import copy
import sys
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from ..dataclass import dataclass
from ..run.record.names import SILENT, canonical
from ..run.record.seeds import seed_all
from ..run.record.work import work
from ..trace import Answer, ProbeFact, Unasked, Volume
from .parts import rebuilt
from .state import evaluating
from .subject import Subject

QUESTION = "volume"
ORDER = 45
LAYERS, ALIKE, TURNS = 12, 2, 4
LARGEST, SIDE = 256, 2  # numbers of one sample; of a picture
MOVED, NEAR = 0.02, 5e-3  # the least change of a logarithm that tells anything, and what arithmetic explains


@dataclass
class Layer:
    """One layer's call, at which places of what it gave the result and the numbers beside it are, and where the code
    made each of these."""

    module: nn.Module
    forward: Any
    args: tuple
    kwargs: dict
    result: int
    beside: tuple[int, ...]
    stacks: dict[int, tuple]
    changes: tuple[list[float], dict[int, list[float]], tuple[int, ...]] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.args[0].shape)

    def sign(self, place: int) -> int:
        """1 where the number at a place changes as the logarithm does, -1 where as its negative, else 0."""
        right, given, _ = self.changes or ([], {}, ())
        pairs = list(zip(given.get(place, ()), right))
        follows = (sign for sign in (1, -1) if pairs and all(abs(g - sign * r) < NEAR * (1 + abs(r)) for g, r in pairs))
        return next(follows, 0)

    def factor(self, place: int) -> float | None:
        """The one whole number by which it is always too small, or one by it where it is too large."""
        right, given, _ = self.changes or ([], {}, ())
        told = given.get(place, [])
        if len(told) < TURNS - 1 or any(abs(g) < MOVED / LARGEST or abs(r) < MOVED for g, r in zip(told, right)):
            return None
        shares = [r / g for g, r in zip(told, right)]
        whole = shares[0] if shares[0] >= 1 else 1 / shares[0] if shares[0] > 0 else 0.0
        same = all(abs(share / shares[0] - 1) < NEAR for share in shares)
        if not same or round(whole) < 2 or abs(whole / round(whole) - 1) > NEAR:
            return None
        left_out = len(self.shape) == 4 and round(shares[0]) == SIDE * SIDE  # the places of a picture, here a small one
        return float(self.shape[2] * self.shape[3]) if left_out else shares[0]


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """`holds`: every number that was asked of is the logarithm."""
    output = subject.capture.output
    if not isinstance(output, (tuple, list)) or not any(_beside(part, None) for part in output):
        yield ProbeFact(QUESTION, None, Unasked("no number beside a result"), subject.uid)
        return
    layers = _layers(subject)
    for layer in layers:
        with contextlib.suppress(RuntimeError, TypeError, ValueError, IndexError, AssertionError, AttributeError):
            layer.changes = _changes(layer)
    faulty: list[nn.Module] = []
    for layer in sorted(layers, key=lambda one: sum(1 for _ in one.module.modules())):
        told = _told(layer, layers)
        if told is not None and not any(part in faulty for part in layer.module.modules()):
            faulty.append(layer.module)
            place, data = told
            yield subject.says(False, data, layer.stacks.get(place, ()))
    right = [(layer, place, sign) for layer in layers for place in layer.beside if (sign := layer.sign(place))]
    right = [one for one in right if one[0].module is subject.module] or right
    for layer, place, sign in right if not faulty else ():
        known = subject.run.modules.known.get(id(layer.module))
        sites = subject.run.sources.sites(layer.stacks.get(place, ()))
        if known is not None and sites:
            data = Volume("added", type(layer.module).__name__, shape=layer.shape, sign=sign)
            yield ProbeFact(QUESTION, False, data, known.uid, sites[-1], sites)
    if not right and not faulty:
        yield subject.says(True, Volume())


def _told(layer: Layer, layers: list[Layer]) -> tuple[int, Volume] | None:
    """What is wrong with one of the numbers that a layer gives."""
    if layer.changes is None or any(layer.sign(place) for place in layer.beside):
        return None
    right, given, shape = layer.changes
    most = max(range(len(right)), key=lambda at: abs(right[at]))
    for place in layer.beside:
        peers = [one for one in layers if one.sign(place) and one.result == layer.result]
        factor = layer.factor(place)
        if factor is not None or peers:
            like = type(peers[0].module).__name__ if peers else ""
            changes = given[place][most], right[most]
            kind = "scaled" if factor is not None else "other"
            return place, Volume(kind, type(layer.module).__name__, *changes, shape, like, factor or 0.0)
    return None


def _layers(subject: Subject) -> list[Layer]:
    """The layers of one play of the model, a few of each class, itself among them."""
    found: list[Layer] = []
    args, kwargs = rebuilt(subject.inputs, lambda path, leaf: leaf.clone() if torch.is_tensor(leaf) else leaf)
    seed_all(0)
    with evaluating(subject.module), torch.no_grad(), _Lines(subject.run.sources) as lines:
        for module in subject.module.modules():
            with contextlib.suppress(AttributeError, RuntimeError):  # a compiled layer keeps its own
                module.__dict__["forward"] = _watched(module, module.forward, found, lines)
        subject.module(*args, **kwargs)
    return found


def _watched(module: nn.Module, forward: Any, found: list[Layer], lines: _Lines) -> Any:
    def watching(*args: Any, **kwargs: Any) -> Any:
        output = forward(*args, **kwargs)
        given = args[0] if args else None
        alike = sum(type(one.module) is type(module) for one in found)
        if isinstance(output, (tuple, list)) and torch.is_tensor(given) and given.is_floating_point():
            fits = [at for at, part in enumerate(output) if torch.is_tensor(part) and _same(part, given)]
            beside = tuple(at for at, part in enumerate(output) if at not in fits[:1] and _beside(part, given))
            if fits and beside and given.dim() > 1 and alike < ALIKE and len(found) < LAYERS:
                stacks = {at: lines.made.get(id(output[at]), (None, ()))[1] for at in beside}
                found.append(Layer(module, forward, _kept(args), _kept(kwargs), fits[0], beside, stacks))
        return output

    return watching


def _kept(value: Any) -> Any:
    kept, _ = rebuilt((value, {}), lambda path, leaf: leaf.detach().clone() if torch.is_tensor(leaf) else leaf)
    return kept


def _same(part: torch.Tensor, given: torch.Tensor) -> bool:
    """Whether a result has as many numbers a sample as what was given."""
    return part.is_floating_point() and part.numel() == given.numel() and part.shape[:1] == given.shape[:1]


def _beside(part: Any, given: torch.Tensor | None) -> bool:
    """Whether a part is one number, or one a sample."""
    if not torch.is_tensor(part) or not part.is_floating_point() or part.dim() > 2:
        return False
    return part.numel() == 1 or (part.dim() in (1, 2) and part.numel() == len(given if given is not None else part))


def _changes(layer: Layer) -> tuple[list[float], dict[int, list[float]], tuple[int, ...]] | None:
    """By how much the logarithm changes from setting to setting, by how much each number beside it, and the shape of
    the sample; `None` where it does not, or where the layer draws at random."""
    generator = torch.Generator().manual_seed(3)
    whole = layer.args[0]
    small = whole[:1, ..., :SIDE, :SIDE] if whole.dim() == 4 else whole[:1]
    if small.numel() > LARGEST:
        return None

    def fitted(path: tuple, leaf: Any) -> Any:
        if not torch.is_tensor(leaf) or not leaf.dim() or len(leaf) != len(whole):
            return leaf
        alike = leaf.dim() == 4 and whole.dim() == 4 and leaf.shape[2:] == whole.shape[2:]
        return leaf[:1, ..., :SIDE, :SIDE] if alike else leaf[:1]

    args, kwargs = rebuilt((layer.args, layer.kwargs), fitted)
    logs: list[float] = []
    told: dict[int, list[float]] = {place: [] for place in layer.beside}
    for turn in range(TURNS):
        module = copy.deepcopy(layer.module)
        with torch.no_grad():
            for parameter in module.parameters() if turn else ():
                spread = 0.1 * (parameter.abs().mean() + 0.5)
                parameter.add_(spread * torch.randn(parameter.shape, generator=generator).to(parameter))
        x = args[0].detach() + 0.1 * bool(turn) * torch.randn(args[0].shape, generator=generator).to(args[0])
        log, beside = _log(module, x, args[1:], kwargs, layer)
        if not turn and abs(log - _log(module, x, args[1:], kwargs, layer, seed=1)[0]) > 1e-9:
            return None
        logs.append(log)
        for place, number in beside.items():
            told[place].append(number)
    right = [log - logs[0] for log in logs[1:]]
    if not all(abs(log) < 1e4 for log in logs) or max(map(abs, right)) < MOVED:
        return None
    given = {place: [number - numbers[0] for number in numbers[1:]] for place, numbers in told.items()}
    return right, given, tuple(x.shape)


def _log(
    module: nn.Module, x: torch.Tensor, args: tuple, kwargs: dict, layer: Layer, seed: int = 0
) -> tuple[float, dict[int, float]]:
    """The logarithm of the determinant for one sample, and the numbers beside the result."""
    seed_all(seed)
    x = x.clone().requires_grad_()
    with torch.enable_grad():
        output = type(module).forward(module, x, *args, **kwargs)
        result = output[layer.result].reshape(-1)
        rows = [torch.autograd.grad(part, x, retain_graph=True)[0].reshape(-1) for part in result]
    work.call("jacobian", (x,), {}, torch.stack(rows))
    log = float(torch.linalg.slogdet(torch.stack(rows).double())[1])
    return log, {place: float(output[place].detach().sum()) for place in layer.beside}


class _Lines(TorchFunctionMode):
    """Where each tensor was made."""

    def __init__(self, sources: Any) -> None:
        super().__init__()
        self.sources = sources
        self.made: dict[int, tuple[torch.Tensor, tuple]] = {}

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if canonical(func) not in SILENT and torch.is_tensor(result):
            self.made[id(result)] = result, self.sources.stack(sys._getframe(1))
        return result
