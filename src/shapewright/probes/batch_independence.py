"""Does a sample get the same answer whatever stands beside it?

The call is played with all samples and again without the first and the last one. Where an output of the others differs,
the walk back names the operator that mixed them, and a third play, with sample 0 put in another's place, counts who
changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from ..trace import Answer, BatchIndependence, ProbeFact, Unasked
from .align import Change, tolerance
from .blame import counterparts, culprit, inner_culprit, operands
from .parts import leaves
from .replay import Play, apart, play
from .subject import FEW, Batching, Subject, likewise

QUESTION = "batch-independence"
ORDER = 10
ALONG = frozenset(
    {"multi_head_attention_forward", "transformer_encoder_layer_fwd"}
)  # layers that take time first: of a drawn batch they make it time
SPREADS = frozenset({"var", "std", "var_mean", "std_mean", "batch_norm"})
REDUCING = SPREADS | {"mean", "sum", "max", "min", "amax", "amin", "norm", "logsumexp", "median"}


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """One answer about the whole model."""
    batching = subject.batching()
    if batching is None or batching.size < 4:
        yield ProbeFact(QUESTION, None, Unasked("no batch axis is certain"), subject.uid)
        return
    inputs, size, whole = _smaller(subject, batching)
    change = Change(size, tuple(range(1, size - 1)))
    cut = play(subject, batching.cut(inputs, list(change.kept)))
    kept = [
        path for path in whole.outputs if path in cut.outputs and change.axes(whole.outputs[path], cut.outputs[path])
    ]
    if not kept:
        yield ProbeFact(QUESTION, None, Unasked("no output keeps the batch axis"), subject.uid)
        return
    path = next((path for path in kept if apart(whole, cut, path, change)), None)
    if path is None and not subject.ignoring:
        yield subject.says(True, BatchIndependence(batching.size, batching.certain))
        return
    if any(
        _unequal(whole.outputs[p], other)
        for p, other in play(subject, inputs, seed=1).outputs.items()
        if p in whole.outputs
    ):
        yield ProbeFact(QUESTION, None, Unasked("the model is random"), subject.uid)
        return
    context = _context(subject, batching, inputs, change) if len(batching.axes) > 1 else None
    if context is not None and context not in batching.named:
        yield ProbeFact(QUESTION, None, Unasked("an input of the same size is no batch"), subject.uid)
        return
    whole, cut = play(subject, inputs, record=True), play(subject, batching.cut(inputs, list(change.kept)), record=True)
    found = culprit(whole, cut, change, path) if path is not None else inner_culprit(whole, cut, change)
    if context is not None and (found is None or found[0].op not in ALONG):
        yield ProbeFact(QUESTION, None, Unasked("an input of the same size is no batch"), subject.uid)
        return
    if path is None and found is None:
        yield subject.says(True, BatchIndependence(batching.size, batching.certain))
        return
    data: dict[str, Any] = {
        "batch": batching.size,
        "certain": batching.certain,
        **_poisoned(subject, batching, inputs, size, whole, path or kept[0]),
        "other_axis": "" if batching.certain else _other_axis(subject, batching, inputs),
        "model": subject.name,
    }
    if found is None:
        yield subject.says(False, BatchIndependence(**data))
        return
    full, short = found
    data |= {
        "op": full.op,
        "args": full.args,
        "modules": full.modules,
        "axes": tuple(change.axes(a, b) for a, b in zip(full.results, short.results)),
        "shape": tuple(tuple(r.shape) for r in full.results),
        "before": tuple((tuple(a.shape), change.axes(a, b)) for a, b in operands(whole, full, cut, short)),
        "tested": size,
        "statistics": _statistics(whole, cut, change),
        "every": path is not None and all(apart(whole, cut, other, change) for other in kept),
    }
    yield subject.says(False, BatchIndependence(**data), subject.capture.stack + full.stack)


def _statistics(whole: Play, cut: Play, change: Change) -> int:
    """How many operators reduce the batch away: one mean is an average over samples, a mean and a spread are a
    normalization."""
    pairs = counterparts(whole, cut)
    count = 0
    for i, j in pairs.items():
        left, right = whole.played[i], cut.played[j]
        read = any(change.axes(a, b) for a, b in operands(whole, left, cut, right))
        if left.op in REDUCING and read and not any(change.axes(a, b) for a, b in zip(left.results, right.results)):
            count += 1 + (left.op in SPREADS)
    return count


def _smaller(subject: Subject, batching: Batching) -> tuple[tuple, int, Play]:
    """A few samples do; a model that takes only its own batch size gets all."""
    if batching.size > FEW:
        few = batching.cut(subject.inputs, list(range(FEW)))
        try:
            return few, FEW, play(subject, few)
        except Exception:  # a hard-coded batch size: asked with the batch as it is
            pass
    return subject.inputs, batching.size, play(subject, subject.inputs)


def _unequal(left: torch.Tensor, right: torch.Tensor) -> bool:
    return left.shape != right.shape or not torch.allclose(
        left.float().nan_to_num(), right.float().nan_to_num(), rtol=1e-4, atol=1e-6
    )


def _context(subject: Subject, batching: Batching, inputs: tuple, change: Change) -> tuple | None:
    """The input, of several, that can be cut alone without the output becoming shorter: its axis is not the batch. One
    that was not seen to be drawn as a batch comes first."""
    for path, axis in sorted(batching.axes.items(), key=lambda entry: entry[0] in batching.named):
        alone = Batching(batching.size, {path: axis}, batching.certain)
        try:
            cut = play(subject, alone.cut(inputs, list(change.kept)))
        except Exception:  # cut alone it does not fit the others: they belong together
            continue
        if not any(
            (leaf.dim() and leaf.shape[0] == change.after) or change.after in leaf.shape[:2]
            for leaf in cut.outputs.values()
        ):
            return path
    return None


def _poisoned(
    subject: Subject, batching: Batching, inputs: tuple, size: int, whole: Play, path: tuple
) -> dict[str, Any]:
    """Who changes when another sample stands in the place of sample 0."""
    index = [size - 1, *range(1, size)]
    output = whole.outputs[path]
    try:
        other = play(subject, batching.cut(inputs, index)).outputs[path]
    except Exception:  # the walk back has the evidence already
        return {"changed": (), "of": size - 1, "largest": 0.0, "scale": 0.0}
    axis = next((i for i, n in enumerate(output.shape) if n == size), None)
    if axis is None or output.shape != other.shape:
        return {"changed": (), "of": size - 1, "largest": 0.0, "scale": 0.0}
    gap = (output.float() - other.float()).abs().movedim(axis, 0).reshape(size, -1).amax(dim=1)
    scale = float(output.float().abs().max())
    changed = tuple(i for i in range(1, size) if float(gap[i]) > tolerance(output.dtype, scale))
    return {"changed": changed, "of": size - 1, "largest": float(gap[1:].max()), "scale": scale}


def _other_axis(subject: Subject, batching: Batching, inputs: tuple) -> str:
    """Whether the second axis of the first input could be the batch instead: cut there, do the others stay as they
    are?"""
    path, axis = next(iter(batching.axes.items()))
    value = inputs
    for key in path:
        value = value[key]
    if not isinstance(value, torch.Tensor) or value.dim() < 2 or value.shape[1 - axis] < 2:
        return "absent"
    size = value.shape[1 - axis]
    axes = likewise(dict(leaves(inputs)), {path: 1 - axis}, size) | {path: 1 - axis}
    change = Change(size, tuple(range(1, size - 1)) if size > 3 else tuple(range(1, size)))
    try:
        whole, cut = play(subject, inputs), play(subject, Batching(size, axes, False).cut(inputs, list(change.kept)))
    except Exception:  # the axis cannot be cut, so it is no batch
        return "absent"
    kept = [p for p in whole.outputs if p in cut.outputs and change.axes(whole.outputs[p], cut.outputs[p])]
    if not kept:
        return "reduced"
    return "mixed" if any(apart(whole, cut, p, change) for p in kept) else "independent"
