"""The transform of one split is set on the data set that all splits share.

## What it finds
`val_set.dataset.transform = ...` after `random_split` or `Subset`: both parts refer to one data set, so the training
part gets it too.

## Why it hurts
Training loses its augmentation, or validation is augmented: what was set last holds for both.

## Example
    train_set, val_set = random_split(full, [800, 200])
    val_set.dataset.transform = plain

## Instead
    val_set.dataset = copy.copy(full)
    val_set.dataset.transform = plain

## Fix safety
Safe: a shallow copy shares the data and keeps its own transform.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.source import Source
from ...graph.training import place
from ...lexicon import says
from ...trace import Trace
from ..facts import Facts
from ..remedy import InsertLine

code = "SW243"


def check(trace: Trace) -> Iterator[Facts]:
    """Every such assignment whose part shares its data set with another one."""
    source = Source(trace)
    for file in trace.sources:
        parts = _parts(source, file)
        for node in source.nodes(file):
            if (
                not isinstance(node, ast.Assign)
                or len(node.targets) != 1
                or not isinstance(node.targets[0], ast.Attribute)
            ):
                continue
            target = node.targets[0]
            if (
                not says(target.attr, "switch")
                or not isinstance(target.value, ast.Attribute)
                or target.value.attr != "dataset"
            ):
                continue
            name = ast.unparse(target.value.value)
            others, line = parts.get(name, ((), 0))
            if not others or _own(source, file, {name, *others}, (line, node.lineno)):
                continue
            site = source.site(node, file)
            yield Facts(
                site,
                fields={
                    "text": ast.unparse(target),
                    "name": name,
                    "other": others[0],
                    "line": line,
                    "attribute": target.attr,
                },
                origins=place(trace, source.site(source.statement_on(file, line), file)),
                cause=(code, file, line),
                remedy=InsertLine(f"{name}.dataset = copy.copy({name}.dataset)", "copy"),
            )


def _parts(source: Source, file: str) -> dict[str, tuple[tuple[str, ...], int]]:
    """For every part of a split: the other parts of the same data set, and the line of the split."""
    found: dict[str, tuple[tuple[str, ...], int]] = {}
    subsets: dict[str, list[tuple[str, int]]] = {}
    for node in source.nodes(file):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        made = ast.unparse(node.value.func).split(".")[-1]
        if made == "random_split" and isinstance(node.targets[0], (ast.Tuple, ast.List)):
            names = [ast.unparse(part) for part in node.targets[0].elts]
            for name in names:
                found[name] = (tuple(other for other in names if other != name and other != "_"), node.lineno)
        elif made == "Subset" and node.value.args and isinstance(node.value.args[0], (ast.Name, ast.Attribute)):
            subsets.setdefault(ast.unparse(node.value.args[0]), []).append((ast.unparse(node.targets[0]), node.lineno))
    for group in subsets.values():
        for name, line in group:
            found[name] = (tuple(other for other, _ in group if other != name), line)
    return found


def _own(source: Source, file: str, names: set[str], between: tuple[int, int]) -> bool:
    """Whether a part was given a data set of its own, or was itself made anew (`val_set = copy.deepcopy(val_set)`),
    after the split."""
    return any(
        isinstance(node, ast.Assign)
        and node.lineno < between[1]
        and any(
            (isinstance(target, ast.Attribute) and target.attr == "dataset")
            or (node.lineno > between[0] and ast.unparse(target) in names)
            for target in node.targets
        )
        for node in source.nodes(file)
    )


MESSAGES = {
    "en": {
        "message": "setting {text} also changes {other}, because both are parts of the same data set",
        "why": (
            "the split on line {line} returns views of one data set, which has only one {attribute}: the value that is "
            "set last applies to all parts"
        ),
    },
    "es": {
        "message": "asignar {text} cambia también {other}, porque los dos son partes del mismo conjunto de datos",
        "why": (
            "la división de la línea {line} devuelve partes de un mismo conjunto de datos, que tiene un único "
            "{attribute}: el último valor que se asigna vale para todas las partes"
        ),
    },
    "ja": {
        "message": "{text} の設定は {other} にも効きます。どちらも同じデータセットの一部だからです",
        "why": (
            "{line} 行目の分割は同じデータセットへのビューを返します。{attribute} はデータセットに 1 つしかなく、最後に"
            "設定した値がすべてに適用されます"
        ),
    },
}
