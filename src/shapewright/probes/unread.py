"""Do the flags that a model or a function of the user's is given have a say in what it gives back?

The captured call is played again with other zeros and ones (all turned, all zeros, all ones), or with other lengths. A
call that answers the same to the last bit each time, and otherwise when another input changes, does not read them.
"""

from __future__ import annotations

import contextlib
import dis
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any

import torch

from ..run.record.functions import Called, copied, flags, numbers_in, tensor_of, truths
from ..run.record.stepping import stepped
from ..trace import Answer, ProbeFact, Unasked, UnreadFlags
from . import absent, episodes
from .padded import padding
from .parts import leaves, rebuilt
from .replay import play, settled
from .subject import Subject

if TYPE_CHECKING:
    from ..run.process.child import Run

QUESTION = "unread-flags"
ORDER = 22


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """Marks of padding (a mask, lengths) among the inputs of a model that reads padding all the same."""
    batching = subject.batching()
    told = padding(subject, batching) if batching is not None and batching.size >= 2 else None
    if told is None or told.how not in ("lengths", "mask"):
        yield ProbeFact(QUESTION, None, Unasked("no padding is marked"), subject.uid)
        return
    marks = [(path, leaf) for path, leaf in leaves(subject.inputs) if _marks(leaf, told.lengths, told.longest)]
    whole = play(subject, subject.inputs).outputs
    for path, leaf in marks:
        if all(_same(whole, _played(subject, path, other)) for other in _others(leaf, told.longest)):
            data = UnreadFlags("lengths" if _counts(leaf) else "mask", str(path[-1]), subject.name, model=True)
            yield subject.says(False, data, subject.capture.stack)
            return
    yield subject.says(True, UnreadFlags("mask", "", subject.name, model=True))


def _marks(leaf: Any, lengths: tuple[int, ...], longest: int) -> bool:
    numbers = tensor_of(leaf)
    if numbers is None or numbers.dim() not in (1, 2) or len(numbers) != len(lengths):
        return False
    if _counts(leaf):
        return numbers.tolist() == list(lengths)
    return numbers.shape == (len(lengths), longest) and flags(numbers) is not None


def _counts(leaf: Any) -> bool:
    numbers = tensor_of(leaf)
    return numbers is not None and numbers.dim() == 1


def _others(leaf: Any, longest: int) -> Iterator[Any]:
    """Other marks of the same kind."""
    numbers = tensor_of(leaf)
    assert numbers is not None
    ones = torch.ones_like(numbers)
    choices = (
        [ones, ones * longest] if _counts(leaf) else [ones, ~numbers if numbers.dtype == torch.bool else 1 - numbers]
    )
    for choice in choices:
        yield choice if isinstance(leaf, torch.Tensor) else type(leaf)(choice.tolist())


def _played(subject: Subject, path: tuple, other: Any) -> dict[tuple, torch.Tensor] | None:
    try:
        return play(subject, rebuilt(subject.inputs, lambda at, leaf: other if at == path else leaf)).outputs
    except (RuntimeError, ValueError, IndexError, TypeError):  # other marks are refused: they are read
        return None


def _same(whole: dict[tuple, torch.Tensor], other: dict[tuple, torch.Tensor] | None) -> bool:
    return other is not None and all(path in other and torch.equal(leaf, other[path]) for path, leaf in whole.items())


# functions
# ---------------------------------------------------------------------------------------------------------------------
def ask_functions(run: Run) -> Iterator[ProbeFact[Answer]]:
    """One answer for each kept call of a function that was given flags."""
    asked: set[tuple] = set()
    for call in run.functions.calls:
        with contextlib.suppress(
            Exception
        ):  # what a user's function raises when played again is no fault of the script
            yield from _asked(run, call, asked)


def _asked(run: Run, call: Called, asked: set[tuple]) -> Iterator[ProbeFact[Answer]]:
    marked = {name: flags(call.given[name]) for name in call.names if flags(call.given[name]) is not None}
    whole = _outputs(run, call, call.given)
    if not whole or not _alike(whole, _outputs(run, call, call.given)):
        return
    again = (call.code.co_filename, call.code.co_name) in asked
    beyond = list(absent.ask(run, call, marked)) if not again else []
    yield from beyond
    counted = list(episodes.ask(run, call, marked, lambda given: _outputs(run, call, given), _like, asked))
    yield from counted
    if again or beyond or counted or _overrides(call):
        return  # told, or its parameters are those of the class that calls it
    sites = run.sources.sites((*call.stack, (call.code, -1)))
    for name, place in [(key, place) for key in call.names for place in truths(call.given[key])]:
        rows = call.given[name]
        if any(made.shape[:1] == (len(rows),) and made.is_floating_point() for made in whole) and all(
            _alike(whole, _outputs(run, call, call.given | {name: [_with(row, place, flag) for row in rows]}))
            for flag in (True, False)
        ):
            share = sum(bool(row[place]) for row in rows) / len(rows)
            named = f"{name}[…][{place}]"
            data = UnreadFlags("column", named, call.code.co_name, line=call.code.co_firstlineno, set=share)
            yield ProbeFact(QUESTION, False, data, -1, sites[-1], sites)
    for name, numbers in marked.items():
        first = numbers.flatten().index_fill(0, torch.tensor([0]), 1 - int(numbers.flatten()[0])).view_as(numbers)
        turned = [1 - numbers, torch.ones_like(numbers), torch.zeros_like(numbers), first]  # a count may stay the same
        others = [{name: _like(call.given[name], other)} for other in turned]
        if not all(_alike(whole, _outputs(run, call, call.given | other)) for other in others):
            continue
        moved = [beside for key in call.names if key != name and (beside := _moves(run, call, key, whole))]
        if not moved or _in_a_branch(run, call, name):
            continue
        given = call.given | moved[0]  # where all that a mask selects from is 0, it has a say beside other numbers
        moved_whole = _outputs(run, call, given)
        if moved_whole and not all(_alike(moved_whole, _outputs(run, call, given | other)) for other in others):
            continue
        shaped = any(
            made.is_floating_point() and numbers.shape in (made.shape[: numbers.dim()], made.shape[-numbers.dim() :])
            for made in whole
        )
        share, kind = float(numbers.double().mean()), "steps" if shaped else "function"
        data = UnreadFlags(kind, name, call.code.co_name, line=call.code.co_firstlineno, set=share)
        yield ProbeFact(QUESTION, False, data, -1, sites[-1], sites)


def _in_a_branch(run: Run, call: Called, name: str) -> bool:
    """Whether a line that reads a parameter is not reached with what the call was given: then it may have a say."""
    reading = {
        one.positions.lineno
        for one in dis.get_instructions(call.code)
        if one.opname.startswith("LOAD") and one.argval == name and one.positions
    }
    reached: set[int] = set()

    def look(frame: FrameType, event: str) -> None:
        reached.update({frame.f_lineno} if frame.f_code is call.code else ())

    with stepped(call.code, look):
        _outputs(run, call, call.given)
    return bool(reading - reached)


def _with(row: tuple, place: int, flag: bool) -> tuple:
    """A step with another truth value."""
    parts = [*row[:place], flag, *row[place + 1 :]]
    return type(row)(*parts) if hasattr(row, "_fields") else tuple(parts)


def _overrides(call: Called) -> bool:
    holder = call.given.get(call.names[0]) if call.names else None
    bases = type(holder).__mro__[1:] if holder is not None else ()
    return any(call.code.co_name in vars(base) for base in bases)


def _moves(run: Run, call: Called, name: str, whole: list[torch.Tensor]) -> dict[str, Any]:
    """Other numbers under that name that give something else; empty where there are none."""
    numbers = tensor_of(call.given[name])
    if numbers is None or not numbers.is_floating_point():
        return {}
    moved = numbers + torch.linspace(0.5, 1.5, numbers.numel()).reshape(numbers.shape).to(numbers.dtype)
    other = {name: _like(call.given[name], moved)}
    return {} if _alike(whole, _outputs(run, call, call.given | other)) else other


def _outputs(run: Run, call: Called, given: dict[str, Any]) -> list[torch.Tensor] | None:
    """What a play gives back; `None` where it fails. Loops run whole, nothing is noted, and nothing trains."""
    try:
        with run.functions.replaying(run.loops), settled():
            return list(numbers_in(call.play({name: copied(value) for name, value in given.items()})))
    except (
        RuntimeError,
        ValueError,
        IndexError,
        TypeError,
        AttributeError,
        KeyError,
        ZeroDivisionError,
        AssertionError,
    ):
        return None


def _alike(one: list[torch.Tensor], other: list[torch.Tensor] | None) -> bool:
    return (
        other is not None
        and len(one) == len(other)
        and all(
            a.shape == b.shape and torch.allclose(a.double(), b.double(), equal_nan=True) for a, b in zip(one, other)
        )
    )


def _like(value: Any, numbers: torch.Tensor) -> Any:
    """`numbers` as what `value` is: a tensor, an array, a list."""
    if isinstance(value, torch.Tensor):
        return numbers.to(value.dtype)
    if hasattr(value, "dtype"):
        return numbers.numpy().astype(value.dtype)
    if value and isinstance(value[0], (bool, int, float)):
        kind = next(one for one in (bool, int, float) if isinstance(value[0], one))  # a followed number is plain here
        return type(value)(kind(number) for number in numbers.tolist())
    return type(value)(_like(part, row) for part, row in zip(value, numbers))
