"""Looks for the numbers in a script that make its batches, sequences and pictures large, by changing one at a time and
asking what the model is given then. Runs in the asking process: no torch here."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator

from ...trace import Assumption, LoopFact, Outcome, StepFact, TensorFact, Trace
from ...trace.event import tensors
from ..ending.uncut import FAILED
from ..process.request import RunRequest, Size, Small
from ..sandbox.ending import Ended
from ..script.smaller import numbers

FIRST = "first-call"
SAMPLES, STEPS, PIXELS = 4, 16, 64
FEWEST, ROWS = 512, 4096  # that are enough of data which the script makes itself
SLOW, SHORT = 12.0, 1.0  # seconds of processor time that a loop takes, and may take
TRIALS = 10
ENOUGH = 4  # times that smaller batches have to fit into what could be done
LINES = 4


def first_look(request: RunRequest, run_once: Callable[[RunRequest], Trace]) -> Trace:
    """What a model is given at first, told by shapes alone."""
    return run_once(_looking(request, ()))


def made_small(
    request: RunRequest, run_once: Callable[[RunRequest], Trace], look: Trace, outgrown: Trace
) -> tuple[Trace | None, bool]:
    """The trace of a small live run of a script that outgrew the live engine, `None` where it cannot be made small; and
    whether a small run took too long, so that a larger one will."""
    # what was too much is not what a model is given at first
    light = has_trained(outgrown) or look.outcome.state == "complete"
    inner = _inner(outgrown) if light else ()
    found = inner or _sizes(request, run_once, look)
    for sizes in (found, _everywhere(found, look)):
        torn = False
        for blocks in (True, False) if sizes else ():
            small = dataclasses.replace(request, small=_smaller(request, sizes, blocks), measured=False)
            trace = run_once(small)
            failed = trace.failure is not None and not (inner or _of_fewer(trace))
            if torn := failed and _torn(trace, sizes):
                break
            if failed and not _fails_alike(small, run_once, trace):
                return None, False
            if trace.engine == "live" and (trace.outcome.state == "complete" or failed):
                return _told(trace, small), False
            if trace.outcome.fields.get("why") == "seconds" or trace.outcome.reason.startswith("timeout"):
                return None, True
        if not torn:
            break
    return None, False


def _fails_alike(small: RunRequest, run_once: Callable[[RunRequest], Trace], failed: Trace) -> bool:
    """Whether a run of other small sizes fails with the same numbers: what depends on the small sizes may fit those of
    the script."""
    assert small.small is not None
    others = tuple(dataclasses.replace(size, new=min(size.old, size.new * 3 // 2)) for size in small.small.sizes)
    again = run_once(dataclasses.replace(small, small=dataclasses.replace(small.small, sizes=others)))
    return again.outcome == failed.outcome


def of_fewer_samples(
    request: RunRequest, run_once: Callable[[RunRequest], Trace], outgrown: Trace
) -> tuple[RunRequest, Trace]:
    """What is to be run of a script that outgrew the live engine, with smaller batches of its loaders, and how that run
    ended; the same `request` and trace where they are no help. Sizes that the script counts itself are not changed, so
    that a run which fails tells something only where one of another share fails alike."""
    shares = _shares(outgrown) if has_called(outgrown) else []
    if not shares or ENOUGH * float(outgrown.outcome.fields.get("times", 0)) > shares[0]:
        return request, outgrown
    fewer, other = (
        dataclasses.replace(request, small=dataclasses.replace(_smaller(request, (), False), share=share))
        for share in (shares[0], shares[-1])
    )
    trace = run_once(fewer)
    if trace.outcome.state != "stopped" and trace.outcome.reason not in FAILED:
        useful = trace.outcome.state == "complete" or has_called(trace)
        return (fewer, trace) if useful else (request, outgrown)
    again = run_once(other) if other != fewer else None
    if again is not None and again.engine == "live" and again.outcome.state == "complete":
        return other, again
    trained, alike = has_trained(trace), again is not None and again.outcome == trace.outcome
    if alike and (trained or trace.outcome.state == "stopped"):
        return fewer, trace
    if trained:
        return fewer, _up_to(trace, max((*outgrown.data.batch_sizes, *outgrown.data.places)), shares[0])
    return request, outgrown


def _up_to(trace: Trace, size: int, share: int) -> Trace:
    """What a run of smaller batches tells of a script before it fails where they may be what it fails of."""
    site = trace.outcome.site
    told = {"old": str(size), "new": str(size // share), "line": str(site.line) if site is not None else "?"}
    return dataclasses.replace(trace, outcome=Outcome("incomplete", "few-samples", told, site), failure=None)


def _shares(trace: Trace) -> list[int]:
    """By how much all batches that loaders gave, or of which the script drew the places, can be divided and still have
    a few samples each, most first."""
    sizes = [size for size in (*trace.data.batch_sizes, *trace.data.places) if size >= 2 * SAMPLES]
    return [n for n in range(min(sizes, default=0) // SAMPLES, 1, -1) if math.gcd(*sizes) % n == 0]


def at_once(request: RunRequest, run_once: Callable[[RunRequest], Trace], outgrown: Trace) -> tuple[Trace | None, bool]:
    """As `made_small`, from what models were given in the run that outgrew the live engine: no look at shapes is
    needed where no layer has the numbers that size it, or one line tells them and the layers stay as they are. A run
    that fails tells nothing then."""
    of_layers = _of_layers(outgrown)
    large = {old: new for step in _calls(outgrown) for _, old, new in _large(_given_to(step))}
    lines = {old: _lines(outgrown, old) for old in large}
    sizes = tuple(
        Size(line, old, new)
        for old, new in large.items()
        for line in lines[old]
        if old not in of_layers or len(lines[old]) == 1
    )
    doubtful = not of_layers.isdisjoint(size.old for size in sizes)
    for blocks in (True, False) if sizes else ():
        small = dataclasses.replace(request, small=_smaller(request, sizes, blocks), measured=False)
        trace = run_once(small)
        if trace.engine == "live" and trace.outcome.state == "complete":
            same = not doubtful or _of_layers(trace) <= of_layers | {size.new for size in sizes}
            return (_told(trace, small) if same else None), False
        if trace.outcome.fields.get("why") == "seconds" or trace.outcome.reason.startswith("timeout"):
            return None, True
    return None, False


def _told(trace: Trace, small: RunRequest) -> Trace:
    """The trace of a small run, which tells what was made small for it."""
    pairs = dict.fromkeys((str(size.old), str(size.new)) for size in small.small.sizes) if small.small else {}
    told = [Assumption("made-small", {"old": old, "new": new}) for old, new in pairs]
    data = dataclasses.replace(trace.data, small=small.small)
    return dataclasses.replace(trace, assumptions=(*told, *trace.assumptions), data=data)


def _everywhere(sizes: tuple[Size, ...], look: Trace) -> tuple[Size, ...]:
    """The same smaller numbers in every line that has the larger ones."""
    pairs = dict.fromkeys((size.old, size.new) for size in sizes)
    return tuple(Size(line, old, new) for old, new in pairs for line in _lines(look, old))


def _lines(trace: Trace, value: int) -> list[str]:
    """The lines of a script's files, and of the texts that it executes, that hold a number."""
    return [line for text in (*trace.sources.values(), *trace.data.executed) for line in numbers(text, value)]


def _torn(trace: Trace, sizes: tuple[Size, ...]) -> bool:
    """Whether the call that failed was given both the smaller and the larger size: not every line that tells it holds
    the smaller one."""
    event = trace.failure.event if trace.failure is not None else None
    given = (
        {n for fact in tensors((event.args, event.kwargs)) for n in fact.shape or ()} if event is not None else set()
    )
    return any({size.old, size.new} <= given for size in sizes)


def shortened(request: RunRequest, run_once: Callable[[RunRequest], Trace], trace: Trace) -> tuple[RunRequest, Trace]:
    """What is to be run of a script that took its time to make data, with smaller numbers in place of the one that the
    loop counts to, or with fewer rows of made-up data sets, and how that run ended; the same `request` and `trace`
    where nothing of the kind is known."""
    sizes = _counts(trace)
    small = Small(sizes, False, 0 if sizes else _rows(trace))
    if not sizes and not small.rows:
        return request, trace
    given, request = request, dataclasses.replace(request, small=small)
    short = run_once(request)
    if short.outcome.state == "stopped" or _of_a_value(short):  # a mistake of the script is the same with other numbers
        others = tuple(dataclasses.replace(size, new=_other(size.new)) for size in sizes)
        again = run_once(dataclasses.replace(request, small=Small(others, False, _other(small.rows))))
        if again.outcome != short.outcome:
            return given, trace
    elif short.outcome.reason in FAILED:  # what is counted elsewhere may no longer agree
        return given, trace
    told = [Assumption("made-short", {"old": str(size.old), "new": str(size.new)}) for size in sizes[:1]]
    data = dataclasses.replace(short.data, small=request.small)
    return request, dataclasses.replace(short, assumptions=(*told, *short.assumptions), data=data)


def _of_a_value(trace: Trace) -> bool:
    """Whether a run ended with what a value or its type is wrong for, not with how many there are."""
    kind, message = trace.outcome.fields.get("type"), trace.outcome.fields.get("message", "")
    return kind in ("TypeError", "AttributeError", "NameError") or (kind == "ValueError" and "'" in message)


def too_late(trace: Trace, seconds: float) -> bool:
    """Whether a loop that makes data takes more than so long, whichever engine computes what little it computes."""
    return trace.computed < 1 and any(loop.pace * loop.length > seconds for loop in _making(trace))


def _making(trace: Trace) -> list[LoopFact]:
    """The loops that made data for long."""
    return [loop for loop in trace.loops if loop.pace and not loop.cut and not loop.trained]


def _counts(trace: Trace) -> tuple[Size, ...]:
    """A smaller number for what the slowest loop that makes data counts to, in every line that has it."""
    slow = max(_making(trace), key=lambda loop: loop.pace * loop.length, default=None)
    if slow is None or slow.pace * slow.length < SLOW:
        return ()
    new = min(ROWS, max(FEWEST, 1 << int(math.log2(max(SHORT / slow.pace, 1)))))  # the same at another pace
    lines = _lines(trace, slow.length)
    return tuple(Size(line, slow.length, new) for line in lines) if 4 * new < slow.length else ()


def _rows(trace: Trace) -> int:
    """How many rows of a made-up data set are enough where a script went through all of them before it trained; 0 where
    it did not."""
    made = any(item.kind == "stand-in-dataset" for item in trace.assumptions)
    return ROWS if made and not has_trained(trace) else 0


def _other(count: int) -> int:
    """A number that is not far from another one; 0 stays."""
    return count and count + count // 2 + 1


def _of_fewer(trace: Trace) -> bool:
    """Whether outputs of what was built with fewer layers may have been joined: sizes depend on their count then."""
    fewer = any(item.kind == "fewer-layers" for item in trace.assumptions)
    return fewer and any(
        event.op in ("cat", "concat", "stack")
        and event.args
        and isinstance(event.args[0], tuple)
        and len(event.args[0]) == 2
        for event in trace.events
    )


def is_heavy(look: Trace) -> bool:
    """Whether the first call of the model said that a few of them are too much work."""
    return "heavy" in look.outcome.fields


def _looking(request: RunRequest, sizes: tuple[Size, ...]) -> RunRequest:
    """A dry run that ends with the first call of a model."""
    return dataclasses.replace(request, engine="dry", first=True, probe=False, small=_smaller(request, sizes, False))


def _smaller(request: RunRequest, sizes: tuple[Size, ...], blocks: bool) -> Small:
    """A run made small by some numbers beside what it is made small by already."""
    before = request.small or Small()
    return dataclasses.replace(before, sizes=before.sizes + sizes, blocks=blocks)


def _inner(trace: Trace) -> tuple[Size, ...]:
    """A smaller number, in every line that has it, for the one that most of what a script computed is counted by and no
    layer has: the draws of an evaluation, the points of a cloud."""
    of_layers = _of_layers(trace)
    made: dict[int, int] = {}
    for event in trace.events:
        shape = getattr(event.result, "shape", None) or ()
        for size in {*shape} - of_layers:
            made[size] = made.get(size, 0) + math.prod(shape)
    for size in sorted((size for size in made if size > PIXELS), key=lambda one: -made[one])[:LINES]:
        if lines := _lines(trace, size):
            return tuple(Size(line, size, STEPS) for line in lines)
    return ()


def _of_layers(trace: Trace) -> set[int]:
    """The sizes of the parameters of all layers."""
    return {size for module in trace.modules.values() for _, shape in module.parameters for size in shape}


def _sizes(request: RunRequest, run_once: Callable[[RunRequest], Trace], trace: Trace) -> tuple[Size, ...]:
    """The smaller numbers with which a model is given less than `trace` tells, and still takes it."""
    trials, before = 0, _given(trace, trace)
    found: tuple[Size, ...] = ()
    for place, old, new in sorted(_large(_inputs(trace, trace)), key=lambda entry: -entry[1]):
        lines = _lines(trace, old)
        alone = [(Size(line, old, new),) for line in lines[:LINES]]
        together = [tuple(Size(line, old, new) for line in lines)] if len(lines) > 1 else []
        for tried in (*alone, *together):
            if trials >= TRIALS or any(size in found for size in tried):
                break
            trials += 1
            look = run_once(_looking(request, found + tried))
            done = look.outcome.reason == FIRST or look.outcome.state == "complete"
            given = _given(look, trace) if done else {}
            if given.keys() == before.keys() and given.get(place) == new:
                found += tried
                break
    return found


def _given(trace: Trace, look: Trace) -> dict[tuple[int, int], int]:
    """The size of every axis of what the model was given, by input and axis, at the place where it was looked at."""
    inputs = _inputs(trace, look)
    return {(index, axis): n for index, fact in enumerate(inputs) for axis, n in enumerate(fact.shape or ())}


def _large(inputs: list[TensorFact]) -> Iterator[tuple[tuple[int, int], int, int]]:
    """The axes of what a model is given that may be shorter, with their new sizes: samples, the steps of sequences, the
    sides of pictures."""
    seen = set()
    for index, fact in enumerate(inputs):
        whole = not fact.dtype.startswith(("float", "bfloat", "half", "double"))
        for axis, n in enumerate(fact.shape or ()):
            if axis == 0:
                new = SAMPLES
            elif fact.rank == 4 and axis >= 2:
                new = PIXELS
            elif axis == 1 and (whole or fact.rank == 3):
                new = STEPS
            else:
                continue
            if n > new and math.prod(fact.shape or ()) > 1 and n not in seen:
                seen.add(n)
                yield (index, axis), n, new


def _inputs(trace: Trace, look: Trace) -> list[TensorFact]:
    """What the model was given that a look ended with: at its first call in another run."""
    place = next((step.site for step in reversed(_calls(look))), None)
    return next((_given_to(step) for step in _calls(trace) if step.site == place), [])


def _calls(trace: Trace) -> list[StepFact]:
    """The calls of what learns, also the one that the run ended in."""
    calls = (step for step in trace.steps if step.kind in ("forward", "given"))
    return [step for step in calls if step.data.get("learns", True)]


def _given_to(call: StepFact) -> list[TensorFact]:
    return list(tensors((call.data["args"], call.data["kwargs"])))


def has_trained(trace: Trace) -> bool:
    """Whether a run came to a loop that trains."""
    return any(loop.trained for loop in trace.loops)


def has_called(trace: Trace) -> bool:
    """Whether a run came to the call of a model."""
    return bool(_calls(trace))


def first_call(large: bool, heavy: bool) -> Ended | None:
    """What ends a run that was asked for the first call of a model alone: one of a model that is large, or `heavy`: so
    much work that a few of them are too much."""
    return Ended(Outcome("incomplete", FIRST, {"heavy": "yes"} if heavy else {})) if large or heavy else None
