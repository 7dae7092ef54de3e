"""Follows running averages of trained parameters, by arithmetic alone: which share of the trained parameter each update
takes, and where the average begins again from the parameter itself.

Told of the results of operators outside of modules, or that learn nothing inside of them. An average is a result at one
place that lies, step after step, on the way from the last one to a parameter that an optimizer trains; in which
variable, dictionary or network the script keeps it does not matter. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from types import FrameType
from typing import TYPE_CHECKING, Any

import torch

from ...dataclass import dataclass
from ...trace import Averaged
from .readable import readable

if TYPE_CHECKING:
    from .recorder import Recorder

MIXING = frozenset({"add", "add_", "sub", "sub_", "lerp", "lerp_", "addcmul_", "foreach_add_", "foreach_lerp_"})
COPYING = frozenset({"clone", "copy_", "deepcopy", "foreach_copy_"})
LARGEST, SAMPLE, CHAINS, TRIES = 4_000_000, 32, 4, 3
CLOSE = 2e-3  # of the way to the parameter: how far off the line a result may lie


@dataclass
class _Chain:
    """One average: its last numbers and those of its parameter then, and the share taken at each update since."""

    iteration: int
    kept: torch.Tensor
    uid: int
    learned: torch.Tensor
    stack: tuple
    shares: list[float] = field(default_factory=list)
    again: list[tuple[int, tuple]] = field(default_factory=list)  # updates before it began anew, and where
    missed: int = 0
    resumed: list[tuple[int, int]] = field(default_factory=list)  # the count of events at a step, and of updates

    def stepping(self, numbers: torch.Tensor, at: int) -> None:
        """A step begins; `numbers` are those of the parameter."""
        if self.shares and torch.equal(numbers, self.kept):
            self.resumed.append((at, len(self.shares)))


class Averages:
    """Told by the recorder of what operators made, those aside that learn inside of modules.

    Args:
        recorder: whose steps and notes are asked.
        trained: gives the parameters that optimizers hold.
    """

    def __init__(self, recorder: Recorder, trained: Callable[[], Iterator[torch.Tensor]]) -> None:
        self.recorder, self.trained = recorder, trained
        self._chains: dict[tuple, _Chain | None] = {}
        self._turn: dict[tuple, int] = {}
        self._at = -1
        self._shapes: dict[tuple[int, ...], list[tuple[int, torch.Tensor]]] = {}
        self._memory: set[int] = set()
        self._copied: tuple[int, tuple] | None = None

    def stepping(self, p: torch.Tensor, uid: int) -> None:
        """An optimizer is about to change a parameter."""
        for chain in self._chains.values():
            if chain is not None and chain.uid == uid and readable(p, LARGEST):
                chain.stepping(_sample(p), len(self.recorder.raw))

    def note(self, op: str, result: Any, frame: FrameType, place: tuple) -> None:
        """An operator made `result`, or wrote it."""
        if not self.recorder.iteration or (torch.is_grad_enabled() and getattr(result, "requires_grad", False)):
            return
        for part in result if isinstance(result, (tuple, list)) else (result,):
            if isinstance(part, torch.Tensor) and part.is_floating_point() and readable(part, LARGEST):
                self._note(op, part, frame, place)

    def _note(self, op: str, result: torch.Tensor, frame: FrameType, place: tuple) -> None:
        if self.recorder.iteration != self._at:
            self._at, self._turn, self._shapes = self.recorder.iteration, {}, {}
            held = [p for p in self.trained() if p.is_floating_point() and readable(p, LARGEST)]
            self._memory = {p.data_ptr() for p in held}
            for p in held:
                note = self.recorder.notes.get(p)
                if note is not None and p.numel() > 1:
                    self._shapes.setdefault(tuple(p.shape), []).append((note.uid, _sample(p)))
        alike = self._shapes.get(tuple(result.shape))
        if not alike or result.data_ptr() in self._memory:
            return
        if op in COPYING:
            numbers = _sample(result)
            if any(torch.equal(numbers, learned) for _, learned in alike):
                self._copied = (self._at, self.recorder.sources.stack(frame))
            return
        count = self._turn[place] = self._turn.get(place, 0) + 1
        key = (place, count)
        if count > CHAINS or (key in self._chains and self._chains[key] is None):
            return
        numbers, chain = _sample(result), self._chains.get(key)
        if chain is not None and chain.iteration < self._at:
            self._go_on(key, chain, numbers, alike)
        elif chain is None:
            uid, learned = alike[min(count, len(alike)) - 1]
            self._chains[key] = _Chain(self._at, numbers, uid, learned, self.recorder.sources.stack(frame))

    def _go_on(self, key: tuple, chain: _Chain, numbers: torch.Tensor, alike: list) -> None:
        """The next numbers of an average: on the way from the last ones, or from its parameter's last ones."""
        known = any(uid == chain.uid for uid, _ in alike)
        for uid, learned in alike:
            if chain.shares and uid != chain.uid and known:
                continue
            share = _share(chain.kept, learned, numbers)
            anew = None
            if share is None and uid == chain.uid and len(chain.shares) > 1 and self._copied is not None:
                anew = _share(chain.learned, learned, numbers)
            if share is None and anew is None:
                continue
            if uid != chain.uid:
                chain.shares, chain.again = [], []
            if share is not None:
                chain.shares.append(share)
            elif self._copied is not None and self._copied[0] >= chain.iteration:
                chain.again.append((len(chain.shares), self._copied[1]))
            chain.uid, chain.learned, chain.missed = uid, learned, 0
            break
        else:
            chain.missed += 1
            chain.learned = next((learned for uid, learned in alike if uid == chain.uid), chain.learned)
            if chain.missed >= TRIES:
                self._chains[key] = None
                return
        chain.iteration, chain.kept = self._at, numbers

    def found(self) -> dict[str, tuple[Averaged, ...]]:
        """What it followed, by the name of `trace.Seen`: one a place."""
        told: dict[tuple, Averaged] = {}
        for (place, _), chain in self._chains.items():
            if chain is not None and len(chain.shares) > 1 and place not in told:
                sites = self.recorder.sources.sites
                again = tuple((count, sites(stack)) for count, stack in chain.again)
                gaps = zip(chain.resumed, (0, *(count for _, count in chain.resumed)))
                resumed = tuple((at, count - before) for (at, count), before in gaps)
                told[place] = Averaged(sites(chain.stack), tuple(chain.shares), again, resumed, chain.uid)
        return {"averaged": tuple(told.values())}


def _sample(tensor: torch.Tensor) -> torch.Tensor:
    """A few numbers of a tensor, always of the same places."""
    flat = tensor.detach().reshape(-1)
    return flat[:: max(1, len(flat) // SAMPLE)][:SAMPLE].double().cpu()


def _share(begin: torch.Tensor, end: torch.Tensor, numbers: torch.Tensor) -> float | None:
    """How far along the way from `begin` to `end` some numbers lie, as a share; `None` where they lie beside it, or are
    others than before, as those of a smaller last batch."""
    if not len(begin) == len(end) == len(numbers):
        return None
    way, gone = end - begin, numbers - begin
    length = float(way @ way)
    share = float(gone @ way) / length if length > 0 else 0.0
    if not 0 < share < 1 or float((gone - share * way).norm()) > CLOSE * length**0.5:
        return None
    return share
