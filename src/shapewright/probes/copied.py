"""Does a loss ask for what the model is shown, and leave out what is hidden from it?

A recorded loss is computed again from its tape: where its gradient is zero no answer counts. Where all answers that
count are asked for the very input of their place, and the inputs of the other places are not what was there, the loss
teaches to copy. Hidden tokens are told by one number that stands at them alone, scattered among the others; hidden real
numbers by a draw of the training step itself, since numbers that are missing for good cannot be asked for. It judges
nothing beyond that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch
from torch import nn

from .. import ops
from ..run.record.tape import Closed, Leaf
from ..trace import Answer, ProbeFact, ShownTargets, TensorFact
from .pairing import gradients_of
from .subject import behind, handed

if TYPE_CHECKING:
    from ..run.process.child import Run

FEWEST, KINDS = 16, 4
LEAST, MOSTLY = 0.02, 0.5
BEHIND = 12


def ask_copied(run: Run) -> Iterator[ProbeFact[Answer]]:
    """At most one answer for each recorded loss."""
    for closed in run.tape.closed if run.tape is not None else ():
        models = [entry for entry in closed.entries if isinstance(entry.call, nn.Module)]
        read = {slot for entry in models for slot in entry.reads}
        own = next((entry for entry in models if not read & set(entry.results.values())), None)
        if own is None:
            continue
        made = list(own.results.values())
        shown = [leaf for slot in own.reads if (leaf := closed.leaves.get(slot)) is not None]
        asked = [leaf for slot, leaf in closed.leaves.items() if slot not in read]
        for gradient in gradients_of(closed, made):
            told = _copied(run, closed, gradient, shown, asked) if gradient is not None else None
            if told is not None:
                last = next((one for one in reversed(closed.entries) if len(one.reads) > 1), closed.entries[-1])
                sites = run.sources.sites(last.stack)
                marks = [
                    made[-1]
                    for leaf in asked
                    if leaf.fact is not told[2] and 0 <= leaf.fact.producer < len(run.recorder.raw)
                    if (made := run.sources.sites(run.recorder.raw[leaf.fact.producer][1]))
                ]
                data = ShownTargets(type(own.call).__name__, *told, tuple(dict.fromkeys(marks)))
                yield ProbeFact(ShownTargets.QUESTION, False, data, -1, sites[-1] if sites else None, sites, last.event)
                break


def _copied(
    run: Run, closed: Closed, gradient: torch.Tensor, shown: list[Leaf], asked: list[Leaf]
) -> tuple[int, int, TensorFact] | None:
    """How many places count, how many are hidden, and the target."""
    for given in shown:
        for target in asked:
            one, two = given.value, target.value
            real = one.is_floating_point()
            if isinstance(one, nn.Parameter) or isinstance(two, nn.Parameter) or one.dim() < 2:
                continue
            if two.is_floating_point() != real or two.numel() != one.numel() or one.dtype == torch.bool:
                continue
            counts = _counted(gradient, one)
            if counts is None:
                continue
            counted, two = counts, two.reshape(one.shape)
            few = LEAST * counted.numel()
            if not few <= int(counted.sum()) <= counted.numel() - few or int(counted.sum()) < FEWEST:
                continue
            apart = (one != two)[~counted].double().mean()
            if bool((one != two)[counted].any()) or float(apart) <= MOSTLY:
                continue
            if len(one[counted].unique()) < KINDS or not (
                _drawn(run, given.fact, closed.iteration) if real else _scattered(one, counted)
            ):
                continue
            return int(counted.sum()), int((~counted).sum()), target.fact
    return None


def _counted(gradient: torch.Tensor, given: torch.Tensor) -> torch.Tensor | None:
    """The places of an input whose answers move the loss."""
    moves = gradient != 0
    if given.is_floating_point():
        return moves.reshape(given.shape) if moves.numel() == given.numel() else None
    places = given.numel()
    if moves.dim() < 2 or moves.numel() % places or moves.numel() == places:
        return None
    if moves.shape[:2] == given.shape[:2] or len(moves) == places:
        return moves.reshape(*given.shape, -1).any(-1)
    classes_first = moves.dim() == 3 and (moves.shape[0], moves.shape[2]) == given.shape
    return moves.any(1) if classes_first else None


def _scattered(given: torch.Tensor, counted: torch.Tensor) -> bool:
    """Whether most places that do not count hold one number that stands nowhere else, with places that count on both
    sides of them."""
    hidden = given[~counted]
    value = hidden.mode().values
    if float((hidden == value).double().mean()) <= MOSTLY or bool((given[counted] == value).any()):
        return False
    rows, places = counted.reshape(-1, counted.shape[-1]), ~counted.reshape(-1, counted.shape[-1])
    between = places & (rows.cumsum(1) > 0) & (rows.flip(1).cumsum(1).flip(1) > 0)
    return int(between.sum()) * 2 > int(places.sum())


def _drawn(run: Run, fact: TensorFact, iteration: int) -> bool:
    """Whether what a tensor was made of was drawn in this very training step, the places that it was picked from
    aside."""

    def follow(entry: tuple) -> list[TensorFact]:
        return handed(entry)[:1] if entry[0] == "getitem" else handed(entry)

    passed = behind(run.recorder.raw, fact.producer, follow, BEHIND)
    return any(turn == iteration and loop >= 0 and ops.is_a(op, "draws") for op, *_, turn, loop in passed)
