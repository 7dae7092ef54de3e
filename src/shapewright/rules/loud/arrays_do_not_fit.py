"""NumPy arrays whose shapes do not fit are combined.

## What it finds
A failing NumPy operation (product, sum, `concatenate`, `stack`, `reshape`, assignment, rows of different length) or a
scikit-learn call, with the arrays that the line reads.

## Why it hurts
The script stops, often while data are prepared or metrics are computed.

## Example
    np.concatenate([features, labels], axis=1)         # (100, 8) and (100,)

## Instead
    np.concatenate([features, labels[:, None]], axis=1)

## Fix safety
Adding an axis of size 1 before arrays are joined changes no value; in sums and products that axis broadcasts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.origins import Origins, blend
from ...graph.source import walk
from ...trace import Origin, TensorFact, Trace
from ...trace.said import NoProbabilities, Refusal
from ..facts import Facts, Span
from ..failing import shape_text
from ..remedy import Misfit

code = "SW141"


def check(trace: Trace) -> Iterator[Facts]:
    """A failing statement without a torch call whose names hold arrays."""
    failure = trace.failure
    if (
        failure is None
        or failure.site is None
        or failure.event is not None
        or trace.outcome.state != "stopped"
        or failure.kind not in ("ValueError", "IndexError", "TypeError")
    ):
        return
    if failure.module >= 0 or Refusal.UNPACKED in failure.said or failure.told(NoProbabilities) is not None:
        return
    arrays = {
        name: value
        for name, value in failure.values.items()
        if isinstance(value, TensorFact) and value.shape is not None and "." not in name
    }
    for name, value in failure.values.items():
        if isinstance(value, tuple) and "." not in name:
            arrays.update(
                {
                    f"{name}[{i}]": part
                    for i, part in enumerate(value[:4])
                    if isinstance(part, TensorFact) and part.shape is not None
                }
            )
    kinds = {value.kind for value in arrays.values()}
    origins = Origins(trace)
    statement = origins.source.statement_at(failure.site)
    if isinstance(statement, (ast.Assert, ast.Raise)) or not (
        "array" in kinds or arrays or Refusal.ARRAYS in failure.said
    ):
        return
    node = origins.source.node_at(failure.site)
    made: list[list[Origin]] = []
    for part in walk(node) if node is not None else ():
        if isinstance(part, ast.Name) and (
            part.id in arrays or (part.id in failure.values and isinstance(failure.values[part.id], tuple))
        ):
            made.append(
                [
                    origins.of_definition(d, shape_text(arrays[part.id].shape) if part.id in arrays else "")
                    for d in origins.source.definitions(part, failure.stack)
                ]
            )
    yield Facts(
        failure.site,
        "message" if arrays else "plain",
        "why",
        {
            "shapes": " · ".join(f"{name} {shape_text(value.shape)}" for name, value in list(arrays.items())[:4]),
            "said": failure.message.strip().split("\n")[0][:160],
            "text": origins.source.site_text(failure.site),
        },
        blend(*made),
        spans=tuple(
            Span(failure.site, f"{name} {shape_text(value.shape)}") for name, value in list(arrays.items())[:4]
        ),
        remedy=Misfit("numpy"),
    )


MESSAGES = {
    "en": {
        "message": "{text} fails; the shapes are {shapes}",
        "plain": "{text} fails",
        "why": "the error says: {said}",
    },
    "es": {
        "message": "{text} falla; las formas son {shapes}",
        "plain": "{text} falla",
        "why": "el error dice: {said}",
    },
    "ja": {
        "message": "{text} が失敗しました。形状は {shapes} です",
        "plain": "{text} が失敗しました",
        "why": "エラーの内容: {said}",
    },
}
