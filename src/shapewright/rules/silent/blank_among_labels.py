"""The labels of a CTC loss contain the index of the blank.

## What it finds
`ctc_loss` whose targets, within their lengths, contain `blank`: characters are numbered from 0 while the blank is 0.

## Why it hurts
The blank means "nothing". A label with its number can never be decoded, and the alignments that the loss sums over are
wrong.

## Example
    char2id = {c: i for i, c in enumerate(alphabet)}
    loss = nn.CTCLoss(blank=0)(log_probs, targets, input_lengths, target_lengths)

## Instead
    char2id = {c: i + 1 for i, c in enumerate(alphabet)}      # 0 is the blank, one more output

## Fix safety
The output layer needs one more class than there are characters.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.calls import every
from ...graph.flow import argument, one_per_place
from ...graph.source import Source
from ...graph.training import ancestors, handed_on, place
from ...trace import Event, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW236"


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every CTC loss with blanks among its labels."""
    for index, op, values in trace.data.codes:
        event = trace.events[index] if index < len(trace.events) else None
        if op != "ctc_loss" or event is None or event.op != op or event.site is None or not values[1]:
            continue
        blank, count, of = values
        scores = argument(event, 0, "log_probs")
        classes = scores.shape[-1] if isinstance(scores, TensorFact) and scores.shape else 0
        built, numbers = _built(trace, event), list(_numbering(trace))
        lines = [*handed_on(trace, argument(event, 1, "targets")), built]
        origins = tuple(o for made in lines for o in place(trace, made))
        origins += tuple(o for whole, _ in numbers[:2] for o in place(trace, whole, "definition"))
        call = Source(trace).call_at(built or event.site)
        said = call is not None and any(given.arg == "blank" for given in call.keywords)
        yield Facts(
            event.site,
            fields={"blank": blank, "count": count, "of": of, "classes": classes},
            origins=origins,
            event=event.index,
            remedy=_raised(trace, event, [where for _, where in numbers], said) if blank == 0 else None,
        )


def _raised(trace: Trace, event: Event, numbers: list[Site], said: bool) -> Rewrite | None:
    """One more, where the characters are numbered; else where their numbers become a tensor."""
    if len(numbers) == 1:
        return Rewrite("{} + 1", numbers[0], guessed=not said)
    targets = argument(event, 1, "targets")
    behind = ancestors(trace, targets, 60).values() if isinstance(targets, TensorFact) and not numbers else ()
    made = {one.site for one in behind if ops.is_a(one.op, "takes_data") and one.site is not None}
    return Rewrite("{} + 1", made.pop(), guessed=True) if len(made) == 1 else None


def _built(trace: Trace, event: Event) -> Site | None:
    """Where the module that computes a loss was made: it was given the index of the blank."""
    return trace.modules[event.modules[-1]].site if event.modules else None


def _numbering(trace: Trace) -> Iterator[tuple[Site, Site]]:
    """Expressions that number the characters from 0, each with the place of the number."""
    for node, site in every(trace, ast.DictComp):
        over = node.generators[0].iter
        if (
            len(node.generators) == 1
            and isinstance(over, ast.Call)
            and getattr(over.func, "id", "") == "enumerate"
            and len(over.args) == 1
            and not over.keywords
            and isinstance(node.value, ast.Name)
        ):
            yield site, Source(trace).site(node.value, site.file)


MESSAGES = {
    "en": {
        "message": "the labels of ctc_loss contain its blank index {blank} ({count} of {of} labels)",
        "why": 'the blank means "no output here", so a label with that index can never be decoded',
    },
    "es": {
        "message": "las etiquetas de ctc_loss contienen el índice del blank, {blank} ({count} de {of} etiquetas)",
        "why": (
            "el blank representa la ausencia de salida, así que una etiqueta con ese índice nunca puede decodificarse"
        ),
    },
    "ja": {
        "message": "ctc_loss のラベルに、ブランクの番号 {blank} が含まれています (ラベル {of} 個中 {count} 個)",
        "why": "ブランクは「何も出力しない」を表すので、その番号のラベルは復号できません",
    },
}
