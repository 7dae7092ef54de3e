"""Random damages of sound scripts: a size of a layer, an axis, a call left out, two arguments exchanged. Seeded."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator

from .planted import PLANTED, Planted

SHAPED = (
    "squeeze",
    "unsqueeze",
    "flatten",
    "transpose",
    "permute",
    "reshape",
    "detach",
    "mean",
    "softmax",
    "log_softmax",
)
LAYERS = ("Linear", "Conv1d", "Conv2d", "BatchNorm2d", "LSTM", "GRU", "GRUCell", "Embedding", "Block")


def damages(text: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Every damage of one script as `(what, text)`, in a random order."""
    found: list[tuple[str, ast.AST, str]] = []
    for call in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        for value in [*call.args, *(keyword.value for keyword in call.keywords)]:
            if (
                name in LAYERS
                and isinstance(value, (ast.Constant, ast.Name))
                and not isinstance(getattr(value, "value", 0), bool)
            ):
                size = value.value if isinstance(value, ast.Constant) else 0
                found.append(("size", value, str(size + rng.choice((1, 2, 3)) if size else rng.choice((3, 7, 10)))))
            if name in SHAPED and isinstance(value, ast.Constant) and isinstance(value.value, int):
                found.append(("axis", value, str(rng.choice([n for n in (0, 1, 2, -1) if n != value.value]))))
        if (
            name in SHAPED
            and isinstance(call.func, ast.Attribute)
            and ast.unparse(call.func.value) not in ("F", "torch")
        ):
            found.append(("call left out", call, ast.get_source_segment(text, call.func.value)))
        if len(call.args) == 2 and name.endswith(("loss", "entropy", "criterion", "bce")):
            one, other = (ast.get_source_segment(text, part) for part in call.args)
            found.append(("arguments exchanged", call, f"{ast.get_source_segment(text, call.func)}({other}, {one})"))
    rng.shuffle(found)
    for what, node, code in found:
        made = replaced(text, node, code)
        if made != text:
            yield f"{what}, line {node.lineno}: {code}", made


def replaced(text: str, node: ast.AST, code: str) -> str:
    """The text with the span of one node written otherwise."""
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    return text[:start] + code + text[end:]


def sample(count: int, seed: int = 0) -> list[Planted]:
    """So many damages, from all scripts in turn."""
    rng = random.Random(seed)
    scripts = list(dict.fromkeys(case.sound for case in PLANTED))
    names = {case.sound: case.name.partition(":")[0] for case in PLANTED}
    streams = [(text, damages(text, rng)) for text in scripts]
    made: list[Planted] = []
    while streams and len(made) < count:
        for stream in list(streams):
            text, rest = stream
            damage = next(rest, None)
            if damage is None:
                streams.remove(stream)
            elif len(made) < count:
                made.append(Planted(f"{names[text]}: {damage[0]}", text, damage[1]))
    return made
