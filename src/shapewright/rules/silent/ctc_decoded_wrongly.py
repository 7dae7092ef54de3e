"""Labels are decoded from the outputs of a CTC loss in the wrong order, or repeated labels are not merged.

## What it finds
A function that is given the outputs of a network trained with `ctc_loss`, or the best label of each step, and returns
the labels that it reads from them. It is run again with paths that tell: where a label, a blank and the same label give
one label, blanks were removed before repeats were merged; where one label over two steps gives two, repeats are not
merged at all.

## Why it hurts
The blank is what separates two equal labels. Without it, "hello" is decoded as "helo", and the error rate counts
mistakes that the network did not make.

## Example
    labels = [k for k in path if k != blank]
    labels = [k for i, k in enumerate(labels) if i == 0 or k != labels[i - 1]]

## Instead
    merged = [k for i, k in enumerate(path) if i == 0 or k != path[i - 1]]
    labels = [k for k in merged if k != blank]

## Fix safety
Of two statements in the wrong order, the second one is done first. Only the decoding changes, not the training. A
function that is given labels and merges nothing is not reported: it may be given targets.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import place
from ...trace import Decoded, Trace
from ..facts import Facts
from ..loop_remedy import SwapSteps

code = "SW371"


def check(trace: Trace) -> Iterator[Facts]:
    """Every such function."""
    for answer in trace.answers(Decoded, False):
        if answer.site is not None:
            kind = "order" if answer.data.merged else "message"
            yield Facts(
                answer.site,
                message=kind,
                why="why_order" if answer.data.merged else "why",
                fields={"function": answer.data.function, "blank": answer.data.blank},
                origins=tuple(origin for site in answer.stack[:-3:-1] for origin in place(trace, site)),
                severity="warning",  # nothing trains on it
                remedy=SwapSteps() if answer.data.merged else None,
            )


MESSAGES = {
    "en": {
        "order": "{function} removes the blanks before it merges repeated labels",
        "why_order": (
            "run with a path of a label, the blank ({blank}) and the same label, {function} returns the label once, as "
            "for a label that lasts two steps. With CTC, a blank separates two equal labels, so repeats must be merged "
            "first and blanks removed afterwards"
        ),
        "message": "{function} does not merge repeated labels",
        "why": (
            "run with a path where one label lasts two steps, {function} returns the label twice, as for two labels "
            "that a blank ({blank}) separates. With CTC, a label that lasts several steps is one label"
        ),
    },
    "es": {
        "order": "{function} elimina los blanks antes de unir las etiquetas repetidas",
        "why_order": (
            "ejecutada con un camino de una etiqueta, el blank ({blank}) y la misma etiqueta, {function} devuelve la "
            "etiqueta una sola vez, igual que para una etiqueta que dura dos pasos. En CTC, el blank separa dos "
            "etiquetas iguales, así que primero hay que unir las repetidas y después eliminar los blanks"
        ),
        "message": "{function} no une las etiquetas repetidas",
        "why": (
            "ejecutada con un camino en el que una etiqueta dura dos pasos, {function} devuelve la etiqueta dos veces, "
            "igual que para dos etiquetas separadas por un blank ({blank}). En CTC, una etiqueta que dura varios pasos "
            "es una sola"
        ),
    },
    "ja": {
        "order": "{function} は、連続する同じラベルをまとめる前にブランクを取り除いています",
        "why_order": (
            "ラベル、ブランク ({blank})、同じラベルと続く経路で {function} を実行すると、2 ステップ続く 1 つのラベルと"
            "同じく、ラベルが 1 つだけ返されました。CTC ではブランクが同じラベルどうしを区切るので、先に連続するラベル"
            "をまとめ、その後でブランクを取り除く必要があります"
        ),
        "message": "{function} は、連続する同じラベルをまとめていません",
        "why": (
            "1 つのラベルが 2 ステップ続く経路で {function} を実行すると、ブランク ({blank}) で区切られた 2 つのラベル"
            "と同じく、ラベルが 2 つ返されました。CTC では、数ステップ続く同じラベルは 1 つのラベルです"
        ),
    },
}
