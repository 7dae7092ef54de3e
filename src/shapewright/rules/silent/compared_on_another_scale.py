"""Predictions are compared with targets that are on a different scale from those the model learned.

## What it finds
A metric that compares predictions as the model gives them with the targets before they were scaled (standardized,
divided by a constant, a logarithm), although it was trained on the scaled ones; or predictions that were scaled back
with the scaled targets. Both are recognized by their values.

## Why it hurts
The error measures the distance between two scales: it hardly falls however well the model predicts, and a model that is
chosen by it is chosen by chance.

## Example
    scaled = (y - y.mean()) / y.std()
    ...                                      # trained on scaled
    error = (model(x) - y).abs().mean()

## Instead
    error = (model(x) * y.std() + y.mean() - y).abs().mean()

## Fix safety
Nothing is reported where the model was trained on both scales, or where it scales its own output back.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import place
from ...trace import Trace
from ..facts import Facts

code = "SW276"
slug = "compared-on-another-scale"
order = 60


def check(trace: Trace) -> Iterator[Facts]:
    """The first such comparison."""
    found = trace.data.off_scale
    if found is not None and found.where is not None:
        yield Facts(
            found.where,
            fields={
                "targets": found.targets.name,
                "answers": found.answers.name,
                "first": found.answers.site.line,
                "second": found.targets.site.line,
                "given": f"{found.given:.4g}",
                "asked": f"{found.asked:.4g}",
            },
            origins=place(trace, found.answers.site) + place(trace, found.targets.site),
            severity="warning",  # nothing trains on it
        )


MESSAGES = {
    "en": {
        "message": "predictions on the scale of {answers} are compared with {targets}, which has a different scale",
        "why": (
            "{answers} (line {first}) and {targets} (line {second}) hold the same targets on two scales; here the "
            "mean of the predictions is {given} and the mean of the targets {asked}, so the difference says little "
            "about the error"
        ),
    },
    "es": {
        "message": "se comparan predicciones en la escala de {answers} con {targets}, que tiene otra escala",
        "why": (
            "{answers} (línea {first}) y {targets} (línea {second}) son los mismos objetivos en dos escalas; aquí "
            "la media de las predicciones es {given} y la de los objetivos {asked}, así que la diferencia dice poco "
            "del error"
        ),
    },
    "ja": {
        "message": "{answers} のスケールの予測を、別のスケールの {targets} と比べています",
        "why": (
            "{answers} ({first} 行目) と {targets} ({second} 行目) は同じターゲットを 2 つのスケールで表したものです。"
            "ここでの平均は予測が {given}、ターゲットが {asked} で、差は誤差をほとんど表しません"
        ),
    },
}
