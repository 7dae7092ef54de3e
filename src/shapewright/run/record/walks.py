"""How a model's answer takes what it was given to what it is given next, as where samples are drawn from noise step by
step: solved for from the numbers. It looks at no name and judges nothing.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from ...dataclass import dataclass
from ...trace import Walk
from .facts import fact
from .mixtures import mixed
from .nested import tensors
from .readable import readable

if TYPE_CHECKING:
    from .recorder import Recorder

LARGEST, NUMBERS, STEPS, DRAWS, ANSWERS = 1 << 20, 4096, 200, 3, 3
EARLIER, FIRST = 1, 4  # draws before an answer; calls of a part of a model
NEAR, PLAIN = 1e-4, 1e-6  # of the largest number; the least that a column holds beside the others


@dataclass
class _Stand:
    """What a model was given last, what it answered, the single numbers beside it, and the noise drawn since."""

    given: torch.Tensor
    answers: list[torch.Tensor]
    times: tuple[tuple[int, float], ...]
    drawn: list[torch.Tensor] = field(default_factory=list)


class Walks:
    """Told of each answer that learns nothing, and of all noise that is drawn outside of models."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.found: list[Walk] = []
        self._stands: dict[int, _Stand] = {}
        self._fresh: deque[torch.Tensor] = deque(maxlen=EARLIER)
        self._parts: dict[int, int] = {}
        self._kinds: set[type] = set()  # of the parts of models that are given data with noise

    def part(self, landmark: Callable, uid: int, module: nn.Module, given: tuple, output: Any) -> None:
        """A part of a model answered: it may be what tells noise from data, in a class that trains it and draws samples
        with it."""
        if not torch.is_grad_enabled():
            if type(module) in self._kinds:
                with torch._C.DisableTorchFunction():
                    self.met(uid, given, output)
            return
        x, self._parts[uid] = given[0] if given else None, self._parts.get(uid, 0) + 1
        if self._parts[uid] > FIRST or not isinstance(x, torch.Tensor) or x.dim() < 2:
            return
        with torch._C.DisableTorchFunction():
            alike = any(part.shape == x.shape for _, part in tensors(output))
            told = mixed(given, sys._getframe(2), self.recorder) if alike else None
            if told is not None:
                self._kinds.add(type(module))
                notes, stack = self.recorder.notes, self.recorder.sources.stack(sys._getframe(2))
                data = {"module": uid, "learns": True, "grad": True, "mixed": told}
                landmark("part", stack, data | {"args": fact(given, notes), "result": fact(output, notes)})

    def drew(self, result: Any) -> None:
        """Normal noise was drawn, for a step from the last answer or from the next one."""
        if isinstance(result, torch.Tensor):
            self._fresh.append(result)
        for stand in self._stands.values():
            if isinstance(result, torch.Tensor) and result.shape == stand.given.shape and len(stand.drawn) < DRAWS:
                stand.drawn.append(result)

    def met(self, uid: int, given: tuple, output: Any) -> None:
        """A model answered; `given` is all that it was given, in order."""
        x = given[0] if given else None
        if len(self.found) >= STEPS or not isinstance(x, torch.Tensor) or x.dim() < 2 or not x.is_floating_point():
            return
        answers = (part for _, part in tensors(output) if part.shape == x.shape and part.is_floating_point())
        answer = next(answers, None)
        if answer is None or not readable(x, LARGEST) or not readable(answer, LARGEST):
            return
        before, times = self._stands.get(uid), single(given)
        if before is not None and before.given.shape == x.shape:
            alike = tuple(one for one in before.times if one in times)  # asked again with another condition
            if torch.equal(before.given, x) and len(before.answers) < ANSWERS:
                before.answers.append(answer.detach().clone())
                before.times = alike
                return
            solved = _solved(before, x)
            note = self.recorder.notes.get(x)
            if solved is not None and note is not None and note.producer >= 0:
                self.found.append(Walk(uid, note.producer, *solved, before.times, times))
        drawn = [noise for noise in self._fresh if noise.shape == x.shape and noise is not x]
        self._stands[uid] = _Stand(x.detach().clone(), [answer.detach().clone()], times, drawn)


def single(given: tuple) -> tuple[tuple[int, float], ...]:
    """The numbers that are the same for each sample, by place."""
    found = []
    for place, value in enumerate(given[1:], 1):
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            found.append((place, float(value)))
        elif isinstance(value, torch.Tensor) and not value.is_complex() and readable(value, LARGEST):
            first = value.detach().reshape(-1)[0]
            if bool((value == first).all()):
                found.append((place, float(first)))
    return tuple(found)


def _solved(stand: _Stand, x: torch.Tensor) -> tuple[float, float, float] | None:
    """How much of what was given, of the answers and of the noise there is in `x`; `None` of what is no such sum."""
    columns = [_some(part) for part in (stand.given, *stand.answers, *stand.drawn)]
    table, rest = torch.stack(columns, 1), _some(x)
    if not bool(table.isfinite().all()) or not bool(rest.isfinite().all()):
        return None
    if len(rest) < 4 * table.shape[1] or float(torch.linalg.svdvals(table)[-1]) < PLAIN * float(table.norm()):
        return None
    solution = torch.linalg.lstsq(table, rest[:, None]).solution.squeeze(1)
    if float((table @ solution - rest).abs().max()) > NEAR * float(rest.abs().max()):
        return None
    answered = float(solution[1 : 1 + len(stand.answers)].sum())
    if abs(answered) < PLAIN:
        return None
    return float(solution[0]), answered, float(solution[1 + len(stand.answers) :].norm())


def _some(tensor: torch.Tensor) -> torch.Tensor:
    flat = tensor.detach().reshape(-1)
    return flat[:: max(1, len(flat) // NUMBERS)][:NUMBERS].double()
