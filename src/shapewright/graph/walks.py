"""Where sampling leads that goes step by step from noise to data: what a step makes of the mixture of data and noise
that the model was trained on at its time, if the model answered its target exactly, and which mixture it was trained on
at the time that it is given next. Pure: it reads a `Trace` and judges nothing.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterator

from .. import ops
from ..dataclass import dataclass
from ..trace import Mixture, StepFact, TensorFact, Trace, Walk
from ..trace.mixture import Shares
from .flow import REGRESSION_LOSSES, SAME_VALUES, operands, produced, root, tensors
from .training import of_kind

DISTINCT = 4
UNITS = 4.0  # how many times as large a time is, at least, that is counted in another unit
SAME, GAP = (
    1e-4,
    0.03,
)  # of the range of times: how near two are one, and how far apart those lie that a third lies between

Level = tuple[float, float, float, float]  # data and noise of what is given, data and noise of the target


@dataclass(frozen=True)
class Stride:
    """One step of sampling: the mixtures that the model knows before and after it, and how it was asked for."""

    walk: Walk
    before: Level
    after: Level
    time: float
    later: float
    trained: StepFact
    """A call in training."""
    asked: TensorFact
    """The target there."""

    @property
    def data(self) -> float:
        """How much of the data there is after the step."""
        return self.walk.kept * self.before[0] + self.walk.answered * self.before[2]

    @property
    def noise(self) -> float:
        """How much there is of the noise that was there before."""
        return self.walk.kept * self.before[1] + self.walk.answered * self.before[3]


@dataclass(frozen=True)
class Course:
    """The steps of sampling of one model, and the times at which it was trained and is asked."""

    steps: list[Stride]
    """Those of which both mixtures are known."""
    rescaled: dict[float, list[Stride]]
    """The same where the times of sampling are multiplied, by what."""
    taught: tuple[float, float]
    asked: tuple[float, float]
    walks: int


def courses(trace: Trace) -> Iterator[Course]:
    """How each model that was trained on mixtures is asked in sampling, step by step."""
    for model in dict.fromkeys(walk.module for walk in trace.data.walks):
        kind = trace.modules[model].kind if model in trace.modules else ""
        found = []
        for place, trained, asked, levels in _levels(trace, kind):
            times = sorted(levels)
            met = []
            for walk in trace.data.walks:
                now, then = dict(walk.times).get(place), dict(walk.later).get(place)
                if walk.module == model and now is not None and then is not None:
                    met.append((walk, now, then))
            if not met:
                continue
            given = sorted({time for _, *both in met for time in both})
            scaled = {scale: _steps(met, levels, trained, asked, scale) for scale in (1.0, *_scales(times, given))}
            if any(scaled.values()):
                ends = (times[0], times[-1]), (given[0], given[-1])
                found.append(Course(scaled.pop(1.0), scaled, *ends, len(met)))
        yield from [course for course in found if course.steps][:1] or found[:1]


def _steps(
    met: list[tuple[Walk, float, float]], levels: dict[float, Level], trained: StepFact, asked: TensorFact, scale: float
) -> list[Stride]:
    times, made = sorted(levels), []
    for walk, now, then in met:
        before, after = _level(levels, times, scale * now), _level(levels, times, scale * then)
        if before is not None and after is not None:
            made.append(Stride(walk, before, after, now, then, trained, asked))
    return made


def _scales(times: list[float], given: list[float]) -> tuple[float, ...]:
    """Factors that take the times of a sampler to those of training, where both are counted in other units: the ends of
    both ranges are one, or the least step is."""
    gaps = [b - a for a, b in itertools.pairwise(given)]
    if times[-1] <= 0 or given[-1] <= 0 or not gaps:
        return ()
    tops = {times[-1], math.ceil(times[-1])}
    found = {top / end for top in tops for end in (given[-1], given[-1] + min(gaps))}
    whole = all(time == round(time) for time in times)
    found |= {1 / min(gaps)} if whole else set()
    return tuple(sorted(scale for scale in found if not 1 / UNITS < scale < UNITS))


def _levels(trace: Trace, kind: str) -> Iterator[tuple[int, StepFact, TensorFact, dict[float, Level]]]:
    """By the place at which models of a class are given a time: the mixtures that they were trained on at each."""
    found: dict[int, tuple[StepFact, TensorFact, dict[float, Level]]] = {}
    spoilt: set[int] = set()
    for step in of_kind(trace, "forward", "part"):
        told: Mixture | None = step.data.get("mixed")
        model = trace.modules.get(step.data["module"])
        if told is None or model is None or model.kind != kind or not step.data["learns"]:
            continue
        target = _target(trace, step, told)
        if target is None:
            continue
        asked, shares = target
        for place, times in told.times:
            levels = found.setdefault(place, (step, asked, {}))[2]
            for time, given, wanted in zip(times, told.shares, shares):
                level = (*given, *wanted)
                known = levels.setdefault(time, level)
                if any(abs(a - b) > 1e-3 * (1 + abs(a)) for a, b in zip(known, level)):
                    spoilt.add(place)
    for place, (step, asked, levels) in found.items():
        if place not in spoilt and len({round(noise, 2) for _, noise, *_ in levels.values()}) >= DISTINCT:
            yield place, step, asked, levels


def _target(trace: Trace, step: StepFact, told: Mixture) -> tuple[TensorFact, Shares] | None:
    """What the model's answer is compared with, and what that is made of."""
    answers = {fact.uid for fact in tensors(step.data["result"])}
    for event in trace.events:
        if not (event.op in REGRESSION_LOSSES or ops.is_a(event.op, "subtracts")) or len(operands(event)) != 2:
            continue
        for answer, target in (operands(event), operands(event)[::-1]):
            if _same(trace, answer).uid in answers:
                shares = _made_of(trace, target, dict(told.made))
                if shares is not None:
                    return target, shares
    return None


def _made_of(trace: Trace, fact: TensorFact, made: dict[int, Shares]) -> Shares | None:
    fact = _same(trace, fact)
    if fact.uid in made:
        return made[fact.uid]
    event = produced(trace, fact)
    parts = [made.get(_same(trace, part).uid) for part in operands(event)] if event is not None else []
    if event is None or not parts or any(part is None for part in parts):
        return None
    if ops.is_a(event.op, "negates") and parts[0]:
        return tuple((-data, -noise) for data, noise in parts[0])
    if ops.is_a(event.op, "subtracts") and len(parts) == 2 and parts[0] and parts[1]:
        return tuple((a - c, b - d) for (a, b), (c, d) in zip(parts[0], parts[1]))
    return None


def _same(trace: Trace, fact: TensorFact) -> TensorFact:
    return root(trace, fact, lambda event: event.op.rstrip("_") in SAME_VALUES)


def _level(levels: dict[float, Level], times: list[float], time: float) -> Level | None:
    """The mixture at a time: the one that was seen, or what lies between two near ones."""
    width = times[-1] - times[0]
    at = bisect.bisect_left(times, time)
    near = [one for one in times[max(0, at - 1) : at + 1] if abs(one - time) <= SAME * width]
    if near:
        return levels[min(near, key=lambda one: abs(one - time))]
    if not 0 < at < len(times) or times[at] - times[at - 1] > GAP * width:
        return None
    share = (time - times[at - 1]) / (times[at] - times[at - 1])
    one, other = levels[times[at - 1]], levels[times[at]]
    a, b, c, d = (x + share * (y - x) for x, y in zip(one, other))
    return a, b, c, d
