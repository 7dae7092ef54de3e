"""Which steps of its sequences does a model read?

The captured call is played with other tokens at every step but the first, and where padding tells how long each
sequence is, with another token at the last real step of each alone. Where no answer moves, nobody reads these steps;
the last real step is told of only where the one before it moves the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch

from ..trace import Answer, ProbeFact, StepsRead, Unasked
from .padded import padding
from .parts import leaves, rebuilt
from .replay import Play, play
from .sample_reach import last_seen
from .subject import Batching, Subject

QUESTION = "steps-read"
ORDER = 21
SHORTEST, FEWEST = 3, 4  # steps of a sequence, samples of a batch
LARGEST = 20_000_000  # pairs of steps that are compared


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """The site is the operator after which the exchanged steps no longer show."""
    batching = subject.batching()
    told = _texts(subject, batching) if batching is not None and batching.size >= FEWEST else None
    if batching is None or told is None or subject.ignoring:
        yield ProbeFact(QUESTION, None, Unasked("no tokens along steps are certain"), subject.uid)
        return
    path, text = told
    size, longest = text.shape
    whole = play(subject, subject.inputs)
    if not all(size in value.shape[:1] and longest not in value.shape[1:] for value in whole.outputs.values()):
        yield ProbeFact(QUESTION, None, Unasked("the answers have steps too"), subject.uid)
        return
    marked = padding(subject, batching)
    lengths = torch.tensor(marked.lengths if marked is not None else [longest] * size)
    if not whole.outputs or len(lengths) != size:
        yield ProbeFact(QUESTION, None, Unasked("no answer is told for each sample"), subject.uid)
        return

    def same(changed: torch.Tensor, record: bool = False) -> tuple[bool, Play]:
        other = play(subject, rebuilt(subject.inputs, lambda at, leaf: changed if at == path else leaf), record)
        return _alike(whole, other), other

    kind, changed = _unread(text, lengths, marked is not None, lambda one: same(one)[0])
    if not kind:
        yield subject.says(True, StepsRead(longest))
        return
    last = last_seen(play(subject, subject.inputs, record=True), same(changed, record=True)[1])
    data = StepsRead(longest, subject.name, kind, last.op if last is not None else "")
    yield subject.says(False, data, subject.capture.stack + (last.stack if last is not None else ()))


def _texts(subject: Subject, batching: Batching) -> tuple[tuple, torch.Tensor] | None:
    """The only input of tokens, `(samples, steps)`, and its path."""
    found = [
        (path, leaf)
        for path, leaf in leaves(subject.inputs)
        if batching.axes.get(path) == 0
        and isinstance(leaf, torch.Tensor)
        and leaf.dim() == 2
        and not leaf.is_floating_point()
        and leaf.dtype != torch.bool
        and len(leaf.unique()) > 2  # a mask is none
    ]
    if len(found) != 1 or found[0][1].shape[1] < SHORTEST:
        return None
    return found[0] if found[0][1].numel() * found[0][1].shape[1] <= LARGEST else None


def _unread(
    text: torch.Tensor, lengths: torch.Tensor, padded: bool, same: Callable[[torch.Tensor], bool]
) -> tuple[str, torch.Tensor]:
    """`first` where no step but the first is read, `before` where the last real one is not; with the tokens that
    changed nothing."""
    steps = torch.arange(text.shape[1])
    real = steps < lengths[:, None]
    other = _exchanged(text, real & (steps > 0))
    if not torch.equal(other, text) and same(other):
        return "first", other
    if not padded or len(lengths.unique()) < 2 or int(lengths.min()) < SHORTEST:
        return "", text
    last, before = (_exchanged(text, steps == lengths[:, None] - back) for back in (1, 2))
    moved = all(bool((one != text).any(1).all()) for one in (last, before))
    return ("before", last) if moved and same(last) and not same(before) else ("", text)


def _exchanged(text: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """Each of these places with a token of the same row that is another one: the first such from the front."""
    differs = text[:, None, :] != text[:, :, None]  # (samples, place, candidate)
    at = differs.to(torch.uint8).argmax(2)
    found = text.gather(1, at)
    return torch.where(places & differs.any(2), found, text)


def _alike(whole: Play, other: Play) -> bool:
    return all(
        path in other.outputs and torch.equal(value, other.outputs[path]) for path, value in whole.outputs.items()
    )
