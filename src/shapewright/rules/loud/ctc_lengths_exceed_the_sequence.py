"""CTC is given lengths that exceed its sequences.

## What it finds
`ctc_loss` with an input length beyond the time axis of the log-probabilities, or a target length beyond the last axis
of padded targets.

## Why it hurts
The script stops. Often the network shortens time (a stride, a pooling), and the lengths are still those of the
audio or the image.

## Example
    log_probs = model(x).transpose(0, 1)              # the model halves time
    ctc(log_probs, y, lengths, y_lengths)             # lengths of x

## Instead
    ctc(log_probs, y, (lengths + 1) // 2, y_lengths)

## Fix safety
The proposed factor rounds the lengths down; the formula of a convolution may give one step more.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.origins import Origins, blend
from ...trace.said import LengthBeyond
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW138"


@refused("ctc_loss", event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The lengths, and what shortened the axis that they speak of."""
    if call.tensor("log_probs") is None:
        return
    found = call.failure.told(LengthBeyond)
    if found is None:
        return
    which, most, got = found.which, found.most, found.got
    scores, lengths = call.tensor("log_probs"), call.tensor(which)
    axis = 0 if which == "input_lengths" else -1
    held = scores if which == "input_lengths" else call.tensor("targets")
    yield Facts(
        call.site,
        which,
        "why_" + which,
        {
            "got": got,
            "most": most,
            "scores": shape_text(scores.shape),
            "targets": shape_text(call.tensor("targets").shape) if call.tensor("targets") else "",
        },
        blend(
            origins.of_axis(lengths, 0) if lengths is not None else [],
            origins.of_axis(held, axis) if held is not None else [],
        ),
        spans=spans(call, "log_probs", which),
        remedy=misfit(call, which, 0, got, most, problem="lengths"),
    )


MESSAGES = {
    "en": {
        "input_lengths": "ctc_loss was given an input length of {got}, but the time axis of log_probs has size {most}",
        "target_lengths": "ctc_loss was given a target length of {got}, but the last axis of targets has size {most}",
        "why_input_lengths": (
            "log_probs has shape {scores}, with time first; an input length is a number of time steps of log_probs, "
            "not of the network's input"
        ),
        "why_target_lengths": "targets has shape {targets}",
    },
    "es": {
        "input_lengths": (
            "ctc_loss recibe una longitud de entrada de {got}, pero el eje de tiempo de log_probs tiene tamaño {most}"
        ),
        "target_lengths": (
            "ctc_loss recibe una longitud de objetivo de {got}, pero el último eje de targets tiene tamaño {most}"
        ),
        "why_input_lengths": (
            "log_probs tiene forma {scores}, con el tiempo primero; una longitud de entrada es un número de pasos de "
            "log_probs, no de la entrada de la red"
        ),
        "why_target_lengths": "targets tiene forma {targets}",
    },
    "ja": {
        "input_lengths": "ctc_loss に渡された入力長は {got} ですが、log_probs の時間軸のサイズは {most} です",
        "target_lengths": "ctc_loss に渡されたターゲット長は {got} ですが、targets の最後の軸のサイズは {most} です",
        "why_input_lengths": (
            "log_probs の形状は {scores} で、先頭の軸が時間です。入力長とは、ネットワークの入力ではなく log_probs "
            "のステップ数です"
        ),
        "why_target_lengths": "targets の形状は {targets} です",
    },
}
