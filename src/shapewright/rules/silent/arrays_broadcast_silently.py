"""Two NumPy arrays with one entry per sample broadcast against each other in a metric.

## What it finds
A difference or comparison between shapes such as `(64, 1)` and `(64,)`, whose result is averaged or summed to one
number: predictions taken out of a model as a column are combined with labels that are not.

## Why it hurts
Nothing raises: in the example, 4096 pairs are averaged instead of 64.

## Example
    preds = (model(x) > 0).numpy()             # (64, 1)
    accuracy = (preds == labels).mean()        # labels is (64,)

## Instead
    preds = (model(x) > 0).squeeze(-1).numpy()

## Fix safety
Tables of all pairs that are requested with None, newaxis or reshape are not reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.calls import dotted
from ...graph.flow import crossed, one_per_place, shown
from ...graph.imports import stands_for
from ...graph.scopes import around, parameters_of
from ...graph.source import Source, walk
from ...graph.training import place
from ...trace import Trace
from ..facts import Facts, Span
from ..remedy import TurnAxes

code = "SW223"
REDUCING = frozenset(
    {"mean", "sum", "average", "nanmean", "nansum", "median", "count_nonzero", "std", "var", "max", "min", "norm"}
)
SHAPED = frozenset({"newaxis", "expand_dims", "atleast_2d", "outer", "meshgrid", "ix_"})  # NumPy's words for an axis
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)
SOURCES = frozenset({"numpy", "predict", "predict_proba", "inverse_transform", "concatenate", "vstack", "stack"})


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every meeting of arrays that crosses the samples and ends in one number."""
    source = Source(trace)
    for where, left, right in trace.data.arrays:
        if len(left) == len(right) or not crossed(tuple(left), tuple(right)):
            continue
        node = source.spanned(where, ast.BinOp, ast.Compare, ast.Call)
        if node is None or not _reduced(node):
            continue
        sides = _sides(node)
        thin, other = sides if len(left) > len(right) else sides[::-1]
        if _asked(thin) or _roots(thin) & _roots(other):
            continue
        site = source.site(node, where.file)
        samples = max(left)
        made = _definition(thin)
        texts = [source.text(side, where.file, 40) for side in sides]
        yield Facts(
            site,
            fields={
                "a": shown(left),
                "b": shown(right),
                "left": texts[0],
                "right": texts[1],
                "samples": samples,
                "pairs": samples * samples,
            },
            origins=tuple(
                origin
                for node in (made, *_given_back(source, made, where.file))
                if node is not None and node.lineno != site.line
                for origin in place(trace, source.site(node, where.file))
            ),
            spans=(Span(site, f"{texts[0]} {shown(left)} · {texts[1]} {shown(right)}"),),
            remedy=TurnAxes("column"),
        )


def _sides(node: ast.AST) -> tuple[ast.expr, ast.expr]:
    if isinstance(node, ast.BinOp):
        return node.left, node.right
    return (node.left, node.comparators[0]) if isinstance(node, ast.Compare) else (node.args[0], node.args[1])


def _reduced(node: ast.AST) -> bool:
    """Whether the result becomes one number: in its own statement, or by the name that it is given."""
    inner = node
    while not isinstance(inner, ast.stmt):
        outer = inner.parent
        if isinstance(outer, ast.Call) and _reduces(outer) and inner is not outer.func:
            return True
        if (
            isinstance(outer, ast.Attribute)
            and isinstance(outer.parent, ast.Call)
            and outer.parent.func is outer
            and _reduces(outer.parent)
        ):
            return True
        if (
            isinstance(outer, (ast.Subscript, ast.Lambda))
            or (isinstance(outer, ast.Call) and _along(outer))
            or (
                isinstance(outer, ast.Call)
                and isinstance(outer.func, ast.Name)
                and not ops.is_a(outer.func.id, "magnitudes", "reads_value")
            )
        ):
            return False
        inner = outer
    if isinstance(inner, ast.Assign) and len(inner.targets) == 1 and isinstance(inner.targets[0], ast.Name):
        name = inner.targets[0].id
        later = [
            part
            for part in walk(_scope(inner))
            if isinstance(part, (ast.Call, ast.Subscript)) and part.lineno >= inner.lineno
        ]
        if any(
            (_along(part) if isinstance(part, ast.Call) else part.value is leaf)
            for part in later
            for leaf in walk(part)
            if isinstance(leaf, ast.Name) and leaf.id == name
        ):
            return False  # rows or columns of it are looked at: a table on purpose
        for part in later:
            if isinstance(part, ast.Call) and part.lineno >= inner.lineno and _reduces(part):
                read = (
                    [part.func.value]
                    if isinstance(part.func, ast.Attribute) and not _library(part.func.value)
                    else part.args[:1]
                )
                if any(isinstance(leaf, ast.Name) and leaf.id == name for value in read for leaf in walk(value)):
                    return True
    return False


def _reduces(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name not in REDUCING:
        return False
    if _along(call):
        return False
    return len(call.args) <= (1 if _library(call.func.value) else 0)


def _along(call: ast.Call) -> bool:
    """Whether a call works along one axis of what it is given."""
    return any(ops.names_axis(keyword.arg or "") or keyword.arg == "keepdims" for keyword in call.keywords)


def _library(node: ast.expr) -> bool:
    """Whether an expression is a library of the file's imports, or a part of one."""
    *_, root = around(node)
    return bool(stands_for(root, dotted(node)))


def _scope(node: ast.AST) -> ast.AST:
    return next(one for one in around(node) if isinstance(one, SCOPES))


def _asked(side: ast.expr) -> bool:
    """Whether the axis of size one was made by hand: in the expression, where its name was bound, or by whoever called
    the function."""
    if _by_hand(side):
        return True
    for name in _roots(side):
        scope = _scope(side)
        values = [
            part.value
            for part in walk(scope)
            if isinstance(part, ast.Assign)
            and any(isinstance(t, ast.Name) and t.id == name for target in part.targets for t in walk(target))
        ]
        for value in values:
            # what a library gives back has the shape that it chose, whatever it was given
            made = value.func.attr if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else ""
            if made not in SOURCES and _by_hand(value):
                return True
        if not values and isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) and name in parameters_of(scope):
            *_, root = around(scope)
            calls = [
                part
                for part in walk(root)
                if isinstance(part, ast.Call) and getattr(part.func, "id", getattr(part.func, "attr", "")) == scope.name
            ]
            if any(_by_hand(argument) for call in calls for argument in (*call.args, *call.keywords)):
                return True
    return False


def _by_hand(side: ast.AST) -> bool:
    """Whether an expression says an axis: by `None` in an index, or by a function that shapes."""
    return any(
        (isinstance(part, ast.Constant) and part.value is None)
        or (isinstance(part, ast.Attribute) and (part.attr in SHAPED or ops.is_a(part.attr, "folds", "turns")))
        for part in walk(side)
    )


def _roots(side: ast.expr) -> set[str]:
    """The names that an operand reads, but for libraries and called functions."""
    called = {part.func for part in walk(side) if isinstance(part, ast.Call)}
    return {part.id for part in walk(side) if isinstance(part, ast.Name) and part not in called and not _library(part)}


def _definition(side: ast.expr) -> ast.stmt | None:
    """The last statement before it, in its scope, that binds the operand's name."""
    names = _roots(side)
    found = [
        part
        for part in walk(_scope(side))
        if isinstance(part, ast.Assign)
        and part.lineno < side.lineno
        and any(isinstance(leaf, ast.Name) and leaf.id in names for target in part.targets for leaf in walk(target))
    ]
    return max(found, key=lambda part: part.lineno, default=None)


def _given_back(source: Source, made: ast.stmt | None, file: str) -> list[ast.stmt]:
    """The statements that give back what the call of an assignment binds, where the script defines its function."""
    called = dotted(made.value.func) if isinstance(made, ast.Assign) and isinstance(made.value, ast.Call) else ""
    functions = [
        node for node in source.nodes(file) if isinstance(node, SCOPES[:2]) and node.name == called.rpartition(".")[2]
    ]
    parts = walk(functions[0]) if len(functions) == 1 else ()
    return [part for part in parts if isinstance(part, ast.Return)]


MESSAGES = {
    "en": {
        "message": (
            "arrays of shapes {a} and {b} broadcast: every sample of one is combined with every sample of the other"
        ),
        "why": (
            "`{left}` has shape {a} and `{right}` has shape {b}: the value is computed over {pairs} pairs instead "
            "of {samples} samples"
        ),
    },
    "es": {
        "message": (
            "los arrays de formas {a} y {b} se combinan por broadcasting: cada muestra de uno con todas las del otro"
        ),
        "why": (
            "`{left}` tiene forma {a} y `{right}` tiene forma {b}: el valor se calcula sobre {pairs} parejas en "
            "lugar de {samples} muestras"
        ),
    },
    "ja": {
        "message": (
            "形状 {a} と {b} の配列がブロードキャストされ、一方の各サンプルがもう一方の全サンプルと組になっています"
        ),
        "why": (
            "`{left}` の形状は {a}、`{right}` の形状は {b} です。{samples} サンプルではなく {pairs} "
            "組から値を計算しています"
        ),
    },
}
