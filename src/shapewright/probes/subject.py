"""The captured models that probes are asked about, and which axis of their inputs is the batch.

It does not guess: where the axis is uncertain, `batching` gives `None` and the probe is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from .. import ops
from ..dataclass import dataclass
from ..trace import Answer, ProbeFact, TensorFact
from .parts import leaves, rebuilt, taken

if TYPE_CHECKING:
    from ..run.process.child import Run

MODELS = 6
FEW = 7
FURTHEST = 2000  # events back from a loss
MADE = frozenset({"feature", "vocabulary", "channel"})  # axes that a layer made: no batch, whatever their size


@dataclass(frozen=True)
class Batching:
    """`size` samples lie along `axes[path]` of the inputs; `certain` where a DataLoader or a draw of the script made
    them."""

    size: int
    axes: dict[tuple, int]
    certain: bool
    named: frozenset[tuple] = frozenset()
    """The inputs whose axis was seen to be drawn as a batch; the others have it by their size."""

    def cut(self, inputs: tuple[tuple, dict], index: list[int]) -> tuple[tuple, dict]:
        """The inputs with the samples `index` only."""
        chosen = torch.tensor(index)
        return rebuilt(inputs, lambda path, leaf: taken(leaf, self.axes[path], chosen) if path in self.axes else leaf)


@dataclass
class Subject:
    """One outermost module, one of its calls, and the facts that the run noted of that call."""

    run: Run
    known: Any
    module: nn.Module
    capture: Any
    told: dict[str, Any]
    others: tuple[Any, ...] = ()
    sized: tuple[tuple[nn.Parameter, int], ...] = ()
    """Parameters that count the samples of a batch along an axis."""
    before: int = -1
    after: int = -1
    """Counts of events at the end of the call before this one and of this one."""
    ignoring: bool = False
    """Whether the answers were seen not to depend on the samples."""

    @property
    def uid(self) -> int:
        return self.known.uid

    @property
    def size(self) -> int:
        """Count of parameters."""
        return sum(p.numel() for p in nn.Module.parameters(self.module))

    @property
    def inputs(self) -> tuple[tuple, dict]:
        return self.capture.args, self.capture.kwargs

    @property
    def name(self) -> str:
        """The model's class, as a diagnosis calls it."""
        return type(self.module).__name__

    def says(self, holds: bool, data: Any, stack: tuple = (), event: int = -1) -> ProbeFact[Answer]:
        """An answer about this model, at the end of a stack of code positions."""
        sites = self.run.sources.sites(stack)
        return ProbeFact(data.QUESTION, holds, data, self.uid, sites[-1] if sites else None, sites, event)

    def losses(self) -> Iterator[Any]:
        """The losses that were computed from this very call: one iteration may see other batches too (accumulation, two
        branches, validation)."""
        made = {fact.uid for _, fact in _facts(self.told.get("result")) if fact.uid}
        for asked in self.run.losses.asked:
            within = asked.inside and self.before < asked.event <= self.after  # a criterion is a module as well
            if asked.iteration == self.capture.step and (within or self.descends(asked.event, made)):
                yield asked

    def descends(self, event: int, made: set[int], *through: str) -> bool:
        """Whether an operand of an event goes back to a tensor of `made`; by operators of some groups alone, where any
        are named."""

        def follow(entry: tuple) -> list[TensorFact]:
            return handed(entry) if not through or ops.is_a(entry[0], *through) else []

        passed = behind(self.run.recorder.raw, event, follow, FURTHEST)
        return any(fact.uid in made for entry in passed for fact in follow(entry))

    def facts(self) -> dict[tuple, TensorFact]:
        """What the run noted of every tensor among the inputs, by path."""
        return {(0, *path): value for path, value in _facts(self.told.get("args"))} | {
            (1, *path): value for path, value in _facts(self.told.get("kwargs"))
        }

    def batching(self) -> Batching | None:
        """Where the batch lies: by the DataLoader or the padding that made it, else by the first axis that input and
        output share."""
        inputs = {path: leaf for path, leaf in leaves(self.inputs)}
        facts, drawn = self.facts(), self.run.recorder.drawn.uids
        named = [
            (path, axis, a.size)
            for path, f in facts.items()
            for axis, a in enumerate(f.axes)
            if counted(a, drawn) and path in inputs and a.size > 1
        ]
        if named:
            size = named[0][2]
            axes = {path: axis for path, axis, n in named if n == size}
            return Batching(size, axes | likewise(inputs, axes, size), True, frozenset(axes))
        if any(
            a.role == "batch" and a.size == 1 and a.origin is not None and a.origin.kind == "loader"
            for path, f in facts.items()
            if path in inputs
            for a in f.axes
        ):
            return None  # a loader makes batches of one: the other axes count something else, whatever their size
        padded = [
            (path, axis, a.size)
            for path, f in facts.items()
            for axis, a in enumerate(f.axes)
            if a.origin is not None
            and a.origin.note == "pad_sequence"
            and a.role != "time"
            and path in inputs
            and a.size > 1
        ]
        if padded and len({n for *_, n in padded}) == 1:
            axes = {path: axis for path, axis, _ in padded}
            return Batching(padded[0][2], axes | likewise(inputs, axes, padded[0][2]), True)
        outputs = [leaf for _, leaf in leaves(self.capture.output) if isinstance(leaf, torch.Tensor) and leaf.dim() > 0]
        first = next(
            ((path, leaf) for path, leaf in inputs.items() if isinstance(leaf, torch.Tensor) and leaf.dim() > 0), None
        )
        if first is None:
            return None
        path, tensor = first
        known = facts[path].axes if path in facts else ()
        made = {
            axis
            for axis, told in enumerate(known)
            if told.role in MADE or (told.origin is not None and told.origin.kind == "constructor")
        }
        varied = self._varied(path, tensor)
        sizes = [
            axis
            for axis, n in enumerate(tensor.shape[:2])
            if n in self.run.loading.sizes and n > 1 and axis not in made and axis in (varied or (axis,))
        ]
        if len(sizes) == 1:
            axis, size = sizes[0], tensor.shape[sizes[0]]
            return Batching(size, {path: axis} | likewise(inputs, {path: axis}, size), True)
        size = tensor.shape[0]
        merged = size * tensor.shape[1] if tensor.dim() > 1 and not tensor.is_floating_point() else size
        if size < 2 or not any(leaf.shape[0] in (size, merged) for leaf in outputs):
            return None
        return Batching(size, {path: 0} | likewise(inputs, {path: 0}, size), False)

    def _varied(self, path: tuple, tensor: torch.Tensor) -> set[int]:
        """The axes of an input whose size changes from call to call: a batch may be smaller at the end."""
        given = [dict(leaves((capture.args, capture.kwargs))).get(path) for capture, _ in self.others]
        shapes = [one.shape for one in given if isinstance(one, torch.Tensor) and one.dim() == tensor.dim()]
        return {axis for axis, n in enumerate(tensor.shape) if any(shape[axis] != n for shape in shapes)}


def counted(axis: Any, drawn: Container[int]) -> bool:
    """Whether an axis is a batch that a DataLoader or the script itself drew."""
    return (axis.role == "batch" and axis.origin is not None and axis.origin.kind == "loader") or (
        len(axis.uids) == 1 and axis.uids[0][0] in drawn
    )


def subjects(run: Run) -> Iterator[Subject]:
    """Each outermost module that was called and has parameters, by its call with the largest batch."""
    told: dict[int, list[dict]] = {}
    ends: dict[int, list[int]] = {}
    for kind, _, _, _, data, at in run.landmarks.raw:
        if kind == "forward":
            told.setdefault(data["module"], []).append(data)
            ends.setdefault(data["module"], [-1]).append(at)
    count = 0
    for known in list(run.modules.known.values()):
        module = known.module()
        if module is None or not known.captures or next(nn.Module.parameters(module), None) is None or count >= MODELS:
            continue
        facts = told.get(known.uid, [])
        pairs = [(one, facts[one.told] if one.told < len(facts) else {}) for one in known.captures]
        drawn = run.recorder.drawn.uids
        chosen = max(pairs, key=lambda pair: (pair[0].training, _width(pair[0]), _known(pair[1], drawn)))
        at = chosen[0].told
        before, after = ends[known.uid][at : at + 2] if at < len(facts) else (-1, -1)
        count += 1
        yield Subject(run, known, module, *chosen, tuple(pairs), before=before, after=after)


def _known(told: dict[str, Any], drawn: Container[int]) -> bool:
    """Whether an input was seen to be drawn as a batch: of like calls the later ones, where the script draws batches by
    hand."""
    return any(counted(axis, drawn) for _, fact in _facts(told.get("args")) for axis in fact.axes)


def _width(capture: Any) -> int:
    return max(
        (
            leaf.shape[0]
            for _, leaf in leaves((capture.args, capture.kwargs))
            if isinstance(leaf, torch.Tensor) and leaf.dim()
        ),
        default=0,
    )


def likewise(inputs: dict, axes: dict, size: int) -> dict:
    """The same axis of the other inputs, where it has the same size; lists of as many numbers count by their
    entries."""
    usual = next(iter(axes.values()))
    found = {}
    for path, leaf in inputs.items():
        if path in axes:
            continue
        if not isinstance(leaf, torch.Tensor):
            if len(leaf) == size:
                found[path] = 0
        elif leaf.dim() and leaf.shape[0] == size and (usual == 0 or leaf.dim() <= usual or leaf.shape[usual] != size):
            found[path] = 0
        elif leaf.dim() > usual and leaf.shape[usual] == size:
            found[path] = usual
        elif leaf.dim() == 3 and leaf.shape[1] == size:  # a recurrent net's state, (layers, batch, hidden)
            found[path] = 1
    return found


def behind(raw: list[tuple], event: int, follow: Callable[[tuple], Iterable[TensorFact]], most: int) -> Iterator[tuple]:
    """The raw events that one came from, itself first and each once: behind it go the operands that `follow` names."""
    queue, seen = [event], set[int]()
    while queue and len(seen) < most:
        at = queue.pop(0)
        if 0 <= at < len(raw) and at not in seen:
            seen.add(at)
            yield raw[at]
            queue += [fact.producer for fact in follow(raw[at])]


def handed(entry: tuple) -> list[TensorFact]:
    """The tensors that a raw event was given."""
    return [fact for _, fact in _facts(entry[2:4])]


def _facts(value: Any, path: tuple = ()) -> Iterator[tuple[tuple, TensorFact]]:
    if isinstance(value, TensorFact):
        if value.shape is not None:
            yield path, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _facts(part, (*path, key))
    elif isinstance(value, (tuple, list)):
        for index, part in enumerate(value):
            yield from _facts(part, (*path, index))
