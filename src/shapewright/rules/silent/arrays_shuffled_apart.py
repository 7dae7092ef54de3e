"""Inputs and labels are shuffled by two different orders, or one of them alone, before they are paired.

## What it finds
NumPy arrays or lists that a script pairs row by row (in a `TensorDataset`, a `zip`, a `fit`, a slice of each), of which
one was put in another
order than the other: `shuffle` of one alone, two permutations, two calls of scikit-learn's `shuffle` or
`train_test_split` with seeds of their own.

## Why it hurts
Every sample gets another sample's label. Nothing is left to learn; the loss sinks to the entropy of the labels and
stays, and nothing raises.

## Example
    np.random.shuffle(images)
    np.random.shuffle(labels)

## Instead
    order = np.random.permutation(len(images))
    images, labels = images[order], labels[order]

## Fix safety
Safe where row i of both belongs to one sample. Labels that are shuffled under another name (a permutation test) are not
reported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...graph.calls import dotted
from ...graph.flow import one_per_place
from ...graph.source import Source
from ...graph.training import place
from ...trace import Trace
from ..facts import Facts

code = "SW224"
slug = "arrays-shuffled-apart"
LABELS = re.compile(r"^(y|ys)(_|$|\d)|label|target|class|answer|truth|outcome|response|tag", re.IGNORECASE)
NAMED = re.compile(r"^(y|ys)(_|$|\d)|(?<!un)label", re.IGNORECASE)
DOMAINS = re.compile(r"source|src|domain|unlabel|unpaired", re.IGNORECASE)
PERMUTING = frozenset({"permutation", "randperm"})
PAIRING = frozenset(
    {"TensorDataset", "zip", "fit", "train_test_split", "SubsetRandomSampler", "from_tensor_slices", "partial_fit"}
)
MEANT = ("perm", "shuf", "rand", "null", "scram", "noise", "neg", "wrong")


@dataclass(frozen=True)
class Turn:
    """A statement that puts the rows of `name` into the order `by`; equal orders are equal texts. `seeds` counts the
    seedings before it."""

    name: str
    by: str
    node: ast.stmt
    seeds: int


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every pair of arrays whose rows were put in different orders."""
    source = Source(trace)
    for file, text in trace.sources.items():
        if not re.search(r"shuffle|permutation|train_test_split|\.sample\(", text):
            continue
        for scope in (node for node in source.nodes(file) if isinstance(node, (ast.Module, ast.FunctionDef))):
            statements = list(_statements(scope.body))
            same = _aliases(statements)
            for one, other, node in _pairs(statements):
                samples, targets = same.get(one, one), same.get(other, other)
                if bool(LABELS.search(targets)) == bool(LABELS.search(samples)) or DOMAINS.search(
                    f"{samples} {targets}"
                ):
                    continue  # two sets that belong to no common samples may be shuffled as one likes
                found = (
                    _apart(statements, samples, targets, node)
                    or _derived(statements, samples, targets, node)
                    or _split(statements, samples, targets)
                    or _loaders(statements, samples, targets, node)
                )
                if found is None:
                    continue
                first, second = found
                site = source.site(second.node if second is not None else first.node, file)
                yield Facts(
                    site,
                    message="message" if second is not None else "alone",
                    why="why" if second is not None else "why_alone",
                    fields={
                        "samples": first.name,
                        "targets": targets if first.name == samples else samples,
                        "line": first.node.lineno,
                        "pair": node.lineno,
                    },
                    origins=(
                        *(place(trace, source.site(first.node, file)) if second is not None else ()),
                        *place(trace, source.site(node, file)),
                    ),
                    cause=f"pairing:{file}:{site.line}",
                )


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The simple statements of a scope in the order of the text; of a loop or a condition, its header and its body."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        yield node
        for part in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, part, []))


def _pairs(statements: list[ast.stmt]) -> Iterator[tuple[str, str, ast.stmt]]:
    """Two names whose rows a statement pairs."""
    for node in statements:
        header = (
            node.iter
            if isinstance(node, ast.For)
            else None
            if isinstance(node, (ast.If, ast.While, ast.With, ast.Try))
            else node
        )
        for part in ast.walk(header) if header is not None else ():
            if (
                isinstance(part, ast.Call)
                and (dotted(part.func).split(".")[-1] or getattr(part.func, "attr", "")) in PAIRING
                and len(part.args) >= 2
                and getattr(getattr(part.parent, "func", None), "id", "") != "dict"
            ):
                names = [_inner(argument) for argument in part.args[:2]]
                if all(names) and names[0] != names[1]:
                    yield names[0], names[1], node
            if isinstance(part, ast.Call) and len(part.args) == 2:  # loss(model(x[a:b]), y[a:b])
                cuts = [
                    {
                        (c.value.id, ast.unparse(c.slice))
                        for c in ast.walk(arg)
                        if isinstance(c, ast.Subscript)
                        and isinstance(c.value, ast.Name)
                        and isinstance(c.slice, ast.Slice)
                    }
                    for arg in part.args
                ]
                if all(len(cut) == 1 for cut in cuts):
                    (one, first), (two, second) = (cut.pop() for cut in cuts)
                    if first == second and one != two:
                        yield one, two, node
            if (
                isinstance(part, ast.Tuple)
                and len(part.elts) == 2
                and all(isinstance(e, ast.Subscript) and isinstance(e.value, ast.Name) for e in part.elts)
            ):
                one, two = part.elts
                if (
                    ast.unparse(one.slice) == ast.unparse(two.slice)
                    and one.value.id != two.value.id
                    and isinstance(one.slice, ast.Slice)
                ):
                    yield one.value.id, two.value.id, node


def _aliases(statements: list[ast.stmt]) -> dict[str, str]:
    """Names that are another name's rows, converted: `x = torch.tensor(rows)`."""
    found = {}
    for node in statements:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            whole = (
                isinstance(node.targets[0], ast.Tuple)
                and isinstance(node.value, ast.Tuple)
                and len(node.targets[0].elts) == len(node.value.elts)
            )
            for target, value in (
                zip(node.targets[0].elts, node.value.elts) if whole else ((node.targets[0], node.value),)
            ):
                if (
                    isinstance(target, ast.Name)
                    and isinstance(value, ast.Call)
                    and _inner(value) not in ("", target.id)
                ):
                    found[target.id] = found.get(_inner(value), _inner(value))
    return found


def _inner(node: ast.expr) -> str:
    """The name under conversions: `torch.from_numpy(x).float()` is `x`."""
    while True:
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            library = dotted(node.func).split(".")[0] in ("torch", "np", "numpy")
            if (
                library
                and node.args
                and node.func.attr
                in ("from_numpy", "tensor", "as_tensor", "asarray", "array", "FloatTensor", "LongTensor", "Tensor")
            ):
                node = node.args[0]
                continue
            if not library and node.func.attr in (
                "float",
                "long",
                "astype",
                "to",
                "type",
                "double",
                "int",
                "copy",
                "tolist",
            ):
                node = node.func.value
                continue
        return ""


def _apart(
    statements: list[ast.stmt], samples: str, targets: str, pairing: ast.stmt
) -> tuple[Turn, Turn | None] | None:
    """The turns of two paired names that differ: those since either was made from the other."""
    before = statements[: statements.index(pairing)]
    names = {samples, targets}
    turns: dict[str, list[Turn]] = {samples: [], targets: []}
    seeds, drawn = 0, set()
    for node in before:
        for part in ast.walk(node) if isinstance(node, (ast.Assign, ast.Expr)) else ():
            if isinstance(part, ast.Call) and dotted(part.func).split(".")[-1] in (
                "seed",
                "set_state",
                "default_rng",
                "manual_seed",
                "set_rng_state",
                "setstate",
                "RandomState",
                "Random",
            ):
                seeds += 1
        bound = _bound(node)
        turned = list(_turns(node, names, seeds))
        drawn |= _drawn(node)
        for turn in turned:
            turns[turn.name].append(turn)
        for name in bound & set(turns) - {turn.name for turn in turned}:
            read = (
                {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
                if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None
                else set()
            )
            other = targets if name == samples else samples
            if other in read and name not in read:  # made from the other: its rows come in that order
                turns[name] = list(turns[other])
            elif name not in read:
                if bound >= {samples, targets} or not turns[other]:
                    turns = {samples: [], targets: []} if bound >= {samples, targets} else {**turns, name: []}
                else:
                    return None  # made after the other was turned: perhaps from it
    orders = {name: [turn.by for turn in own] for name, own in turns.items()}
    if orders[samples] == orders[targets] or any(word in name.lower() for name in names for word in MEANT):
        return None
    if any(isinstance(node, ast.stmt) and _jointly(node, samples, targets) for node in before):
        return None
    if any(
        by.startswith("from:") or (by.startswith("index:") and by[6:] not in drawn)
        for own in orders.values()
        for by in own
    ):
        return None  # a selection, or an order that was not drawn at random here
    extra = [turn for name in (samples, targets) for turn in turns[name]]
    if not extra or len(orders[samples]) > 1 or len(orders[targets]) > 1:
        return None
    if len({turn.seeds for turn in extra}) > 1:  # seeded anew in between, perhaps for one and the same order
        return None
    extra.sort(key=lambda turn: turn.node.lineno)
    return (extra[0], extra[1]) if len(extra) == 2 else (extra[0], None)


def _derived(statements: list[ast.stmt], samples: str, targets: str, pairing: ast.stmt) -> tuple[Turn, None] | None:
    """A table that is shuffled after one of the two was taken from it and before the other was."""
    before = statements[: statements.index(pairing)]
    last = {
        name: max(
            (i for i, node in enumerate(before) if name in _bound(node) and isinstance(node, ast.Assign)), default=None
        )
        for name in (samples, targets)
    }
    if None in last.values() or last[samples] == last[targets]:
        return None
    early, late = sorted(last.values())
    reads = [{part.id for part in ast.walk(before[i].value) if isinstance(part, ast.Name)} for i in (early, late)]
    for node in before[early + 1 : late]:
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "reset_index":
            value = value.func.value
        for table in _bound(node) & reads[0] & reads[1]:
            sampled = (
                isinstance(value, ast.Call)
                and isinstance(value.func, ast.Attribute)
                and value.func.attr == "sample"
                and dotted(value.func.value) == table
            )
            whole = sampled and any(
                k.arg == "frac" and isinstance(k.value, ast.Constant) and k.value.value == 1 for k in value.keywords
            )
            if whole or (value is not None and _order(value, table, node).startswith("drawn")):
                later = targets if last[targets] == late else samples
                return Turn(later, "table", node, 0), None
    return None


def _split(statements: list[ast.stmt], samples: str, targets: str) -> tuple[Turn, Turn] | None:
    """Two calls of `train_test_split`, each of one array, that draw orders of their own."""
    found = {}
    for node in statements:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and dotted(node.value.func).split(".")[-1] == "train_test_split"
            and len(node.value.args) == 1
        ):
            options = {k.arg: ast.unparse(k.value) for k in node.value.keywords}
            if options.get("shuffle") != "False" and "stratify" not in options:
                for name in _bound(node) & {samples, targets}:
                    found[name] = Turn(name, options.get("random_state", "None"), node, 0)
    if len(found) < 2 or found[samples].node is found[targets].node or found[samples].by == found[targets].by != "None":
        return None
    first, second = sorted(found.values(), key=lambda turn: turn.node.lineno)
    return first, second


def _loaders(statements: list[ast.stmt], samples: str, targets: str, pairing: ast.stmt) -> tuple[Turn, Turn] | None:
    """Two DataLoaders that shuffle, each by itself, and are drawn from side by side."""
    if not isinstance(pairing, ast.For) or not any(NAMED.search(name) for name in (samples, targets)):
        return None
    found = {}
    for node in statements:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            whole = (
                isinstance(node.targets[0], ast.Tuple)
                and isinstance(node.value, ast.Tuple)
                and len(node.targets[0].elts) == len(node.value.elts)
            )
            for target, value in (
                zip(node.targets[0].elts, node.value.elts) if whole else ((node.targets[0], node.value),)
            ):
                if (
                    isinstance(target, ast.Name)
                    and target.id in (samples, targets)
                    and isinstance(value, ast.Call)
                    and dotted(value.func).split(".")[-1] == "DataLoader"
                ):
                    options = {k.arg: ast.unparse(k.value) for k in value.keywords}
                    if options.get("shuffle") == "True" and "generator" not in options:
                        found[target.id] = Turn(target.id, "loader", node, 0)
    return (found[samples], found[targets]) if len(found) == 2 else None


def _bound(node: ast.stmt) -> set[str]:
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.For))
        else []
    )
    return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}


def _turns(node: ast.stmt, names: set[str], seeds: int) -> Iterator[Turn]:
    """The turns that a statement makes of the names."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        call = node.value
        owner = dotted(call.func).split(".")
        if (
            owner[-1] == "shuffle"
            and len(call.args) == 1
            and isinstance(call.args[0], ast.Name)
            and call.args[0].id in names
        ):
            yield Turn(call.args[0].id, f"shuffle:{node.lineno}", node, seeds)
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        pairs = [(node.targets[0], node.value)]
        if (
            isinstance(node.targets[0], ast.Tuple)
            and isinstance(node.value, ast.Tuple)
            and len(node.targets[0].elts) == len(node.value.elts)
        ):
            pairs = list(zip(node.targets[0].elts, node.value.elts))
        for target, value in pairs:
            if isinstance(target, ast.Name) and target.id in names:
                by = _order(value, target.id, node)
                if by:
                    yield Turn(target.id, by, node, seeds)


def _order(value: ast.expr, name: str, node: ast.stmt) -> str:
    """The order in which `name = value` puts the rows of `name`; empty where it does something else."""
    if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name):
        index = value.slice
        if value.value.id != name:
            return f"from:{ast.unparse(index)}"
        if isinstance(index, ast.Name):
            return f"index:{index.id}"
        if isinstance(index, ast.Call) and dotted(index.func).split(".")[-1] in PERMUTING:
            return f"drawn:{node.lineno}:{index.col_offset}"
        return ""
    if (
        isinstance(value, ast.Call)
        and len(value.args) == 1
        and isinstance(value.args[0], ast.Name)
        and value.args[0].id == name
    ):
        called = dotted(value.func).split(".")
        seed = next((ast.unparse(k.value) for k in value.keywords if k.arg == "random_state"), "")
        if called[-1] == "permutation":
            return f"drawn:{node.lineno}:{value.col_offset}"
        if called[-1] == "shuffle":
            return f"seed:{seed}" if seed and seed != "None" else f"drawn:{node.lineno}:{value.col_offset}"
    return ""


def _drawn(node: ast.stmt) -> set[str]:
    """The names that a statement makes a random order of."""
    calls = (
        [part for part in ast.walk(node) if isinstance(part, ast.Call)]
        if isinstance(node, (ast.Assign, ast.Expr))
        else []
    )
    if isinstance(node, ast.Assign) and any(dotted(call.func).split(".")[-1] in PERMUTING for call in calls):
        return _bound(node)
    return {
        call.args[0].id
        for call in calls
        if dotted(call.func).split(".")[-1] == "shuffle" and call.args and isinstance(call.args[0], ast.Name)
    }


def _jointly(node: ast.stmt, samples: str, targets: str) -> bool:
    """Whether a statement turns or splits both together, so that what went before was of the same order."""
    return any(
        isinstance(part, ast.Call)
        and dotted(part.func).split(".")[-1] in ("shuffle", "train_test_split", "resample")
        and {samples, targets} <= {a.id for a in part.args if isinstance(a, ast.Name)}
        for part in ast.walk(node)
    ) and not isinstance(node, (ast.For, ast.If, ast.While, ast.With, ast.Try))


MESSAGES = {
    "en": {
        "message": "{targets} is shuffled separately from {samples}: their orders differ",
        "alone": "{samples} is shuffled, but {targets} is not",
        "why": (
            "line {line} puts the rows of {samples} in one random order, this line those of {targets} in "
            "another; line {pair} pairs them row by row, so samples get the labels of other samples"
        ),
        "why_alone": (
            "line {pair} pairs the rows of {samples} and {targets} one by one; after line {line} row i of one "
            "belongs to a different sample than row i of the other"
        ),
    },
    "es": {
        "message": "{targets} se baraja aparte de {samples}: sus órdenes difieren",
        "alone": "se baraja {samples}, pero no {targets}",
        "why": (
            "la línea {line} pone las filas de {samples} en un orden aleatorio y esta las de {targets} en "
            "otro; la línea {pair} las empareja fila a fila, así que las muestras reciben etiquetas de otras"
        ),
        "why_alone": (
            "la línea {pair} empareja una a una las filas de {samples} y {targets}; tras la línea {line} la fila i de "
            "una es de otra muestra que la fila i de la otra"
        ),
    },
    "ja": {
        "message": "{targets} が {samples} とは別にシャッフルされ、並び順が食い違っています",
        "alone": "{samples} だけがシャッフルされ、{targets} はそのままです",
        "why": (
            "{line} 行目で {samples} の行を、この行で {targets} の行を、それぞれ別の乱数順に並べていま"
            "す。{pair} 行目では行ごとに組にするので、サンプルに他のサンプルのラベルが付きます"
        ),
        "why_alone": (
            "{pair} 行目では {samples} と {targets} を行ごとに組にしますが、{line} 行目の後は同じ i "
            "行目が別々のサンプルになっています"
        ),
    },
}
