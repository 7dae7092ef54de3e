"""Random damages of sound scripts, of the kinds that people make: a size, an axis, a flag, a call left out, two arguments
or operands exchanged, one name or attribute written for another, an end that is off by one, a view of sizes in another
order, another reduction, a mask or a sign turned, two lines exchanged, a statement left out, a value cut from the graph;
also where two sizes of the script were made equal before. Seeded."""

from __future__ import annotations

import ast
import itertools
import random
from collections.abc import Iterator
from pathlib import Path

from .behaviour import ran
from .planted import PLANTED, Planted

SOUND = Path(__file__).parents[2] / "sound" / "scripts"
FOREIGN = ("transformers", "lightning", "argparse", "torch.save", "open(", "distributed")
MOVES = [
    "squeeze",
    "unsqueeze",
    "flatten",
    "transpose",
    "permute",
    "reshape",
    "view",
    "expand",
    "detach",
    "mean",
    "sum",
    "amax",
    "argmax",
    "max",
    "softmax",
    "log_softmax",
    "cat",
    "stack",
    "cumsum",
    "chunk",
    "split",
    "norm",
    "gather",
    "roll",
    "flip",
]
LEFT_OUT = [
    "squeeze",
    "unsqueeze",
    "flatten",
    "transpose",
    "permute",
    "reshape",
    "detach",
    "mean",
    "sum",
    "softmax",
    "log_softmax",
    "sigmoid",
    "float",
]
FLAGS = ("batch_first", "padding", "stride", "keepdim", "bias", "dim", "bidirectional", "diagonal", "ignore_index")
OFTEN = {"size": 4, "axis": 2}  # against every other kind


def damages(text: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Every damage of one script as `(what, text)`, in a random order."""
    kinds: dict[str, list[tuple[ast.AST, str]]] = {}
    tree = ast.parse(text)
    sizes = _sizes(tree)
    for node in ast.walk(tree):
        for what, place, code in (
            *_of_call(text, node, sizes, rng),
            *_of_operator(text, node),
            *_of_own_call(text, node),
            *_of_ends(text, node, rng),
            *_of_reduction(text, node),
            *_of_lines(text, node),
        ):
            kinds.setdefault(what, []).append((place, code))
    for what, place, code in _of_names(text, tree, rng):
        kinds.setdefault(what, []).append((place, code))
    for found in kinds.values():
        rng.shuffle(found)
    while kinds:
        what = rng.choice([kind for kind in sorted(kinds) for _ in range(OFTEN.get(kind, 1))])
        node, code = kinds[what].pop()
        if not kinds[what]:
            del kinds[what]
        made = replaced(text, node, code)
        if made != text and _reads(made):
            yield f"{what}, line {node.lineno}: {code}", made


def _of_call(text: str, node: ast.AST, sizes: list[str], rng: random.Random) -> Iterator[tuple[str, ast.AST, str]]:
    if not isinstance(node, ast.Call):
        return
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    for value in [*node.args, *(keyword.value for keyword in node.keywords)]:
        number = _number(value)
        whole = number is not None
        if name[:1].isupper() and name not in ("DataLoader", "TensorDataset"):
            if whole and number > 0:
                yield "size", value, str(number + rng.choice((1, 2, 3)))
                if sizes:
                    yield "another size", value, rng.choice(sizes)
            if isinstance(value, ast.Name) and value.id in sizes:
                yield "size", value, str(rng.choice((3, 7, 10)))
                yield "another size", value, rng.choice(sizes)
        if name in MOVES and whole:
            yield "axis", value, str(rng.choice([n for n in (0, 1, 2, -1) if n != number]))
    method = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) not in ("F", "torch", "nn")
    if name in LEFT_OUT and method:
        yield "call left out", node, ast.get_source_segment(text, node.func.value)
    for keyword in node.keywords:
        if keyword.arg in FLAGS:
            rest = [ast.get_source_segment(text, part) for part in node.args]
            rest += [f"{k.arg}={ast.get_source_segment(text, k.value)}" for k in node.keywords if k is not keyword]
            yield "flag left out", node, f"{ast.get_source_segment(text, node.func)}({', '.join(rest)})"
    plain = [part for part in node.args if isinstance(part, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))]
    if len(plain) == len(node.args) >= 2 and not node.keywords and name != "print" and not name[:1].isupper():
        one, other, *rest = (ast.get_source_segment(text, part) for part in node.args)
        code = ", ".join([other, one, *rest])
        yield "arguments exchanged", node, f"{ast.get_source_segment(text, node.func)}({code})"


def _of_operator(text: str, node: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        one, other = ast.get_source_segment(text, node.left), ast.get_source_segment(text, node.right)
        yield "operands exchanged", node, f"{other} @ {one}"
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)) and _number(node.right) is None:
        one, other = ast.get_source_segment(text, node.left), ast.get_source_segment(text, node.right)
        plain = isinstance(node.right, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
        if plain:
            yield "sign turned", node, f"{one} {'-' if isinstance(node.op, ast.Add) else '+'} {other}"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        yield "mask turned", node, ast.get_source_segment(text, node.operand)


def _of_own_call(text: str, node: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:
    """Two arguments of a call of a class exchanged, or the values of two keywords."""
    if not isinstance(node, ast.Call):
        return
    func = ast.get_source_segment(text, node.func)
    given = [ast.get_source_segment(text, part) for part in node.args]
    named = [(k.arg, ast.get_source_segment(text, k.value)) for k in node.keywords]
    if any(arg is None for arg, _ in named) or any(isinstance(part, ast.Starred) for part in node.args):
        return
    if func.rpartition(".")[2][:1].isupper() and len(given) >= 2 and given[0] != given[1]:
        rest = ", ".join([given[1], given[0], *given[2:], *(f"{arg}={value}" for arg, value in named)])
        yield "own arguments exchanged", node, f"{func}({rest})"
    if len(named) >= 2 and named[0][1] != named[1][1]:
        (one, first), (other, second), *rest = named
        parts = [*given, f"{one}={second}", f"{other}={first}", *(f"{arg}={value}" for arg, value in rest)]
        yield "own arguments exchanged", node, f"{func}({', '.join(parts)})"


def _of_ends(text: str, node: ast.AST, rng: random.Random) -> Iterator[tuple[str, ast.AST, str]]:
    """A range or a slice that is one longer or shorter, an index from the other end, a view of sizes in another
    order."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "range" and node.args:
        end = node.args[-1] if len(node.args) < 3 else node.args[1]
        yield "end off by one", end, f"{ast.get_source_segment(text, end)} {rng.choice('+-')} 1"
    if isinstance(node, ast.Slice):
        for end in (part for part in (node.lower, node.upper) if part is not None):
            number = _number(end)
            code = (
                str(number + rng.choice((-1, 1))) if number is not None else f"{ast.get_source_segment(text, end)} - 1"
            )
            if number is None or number not in (1, -1) or code != "0":
                yield "end off by one", end, code
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for part in parts:
            if _number(part) in (0, -1):
                yield "index from the other end", part, str(-1 - _number(part))
    func = getattr(node, "func", None)
    if isinstance(func, ast.Attribute) and func.attr in ("view", "reshape", "permute") and len(node.args) >= 2:
        at = rng.randrange(len(node.args) - 1)
        sizes = [ast.get_source_segment(text, part) for part in node.args]
        sizes[at], sizes[at + 1] = sizes[at + 1], sizes[at]
        yield "view in another order", node, f"{ast.get_source_segment(text, func)}({', '.join(sizes)})"


def _of_reduction(text: str, node: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:
    """A mean for a sum, and the other way round, also of a loss."""
    if not isinstance(node, ast.Call):
        return
    func = node.func
    if isinstance(func, ast.Attribute) and func.attr in ("mean", "sum"):
        other = "sum" if func.attr == "mean" else "mean"
        whole = ast.get_source_segment(text, node)
        head = ast.get_source_segment(text, func)
        yield "another reduction", node, head[: -len(func.attr)] + other + whole[len(head) :]
    for keyword in node.keywords:
        if keyword.arg == "reduction" and isinstance(keyword.value, ast.Constant):
            yield "another reduction", keyword.value, '"mean"' if keyword.value.value == "sum" else '"sum"'


def _of_lines(text: str, node: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:
    """Two statements that follow each other exchanged, a call that is a statement left out, an argument detached."""
    for body in (getattr(node, part, None) for part in ("body", "orelse")):
        for one, other in itertools.pairwise(body) if isinstance(body, list) else ():
            simple = all(isinstance(part, (ast.Assign, ast.AugAssign, ast.Expr)) for part in (one, other))
            if simple and one.lineno > 8:
                span = ast.Pass(
                    lineno=one.lineno,
                    col_offset=one.col_offset,
                    end_lineno=other.end_lineno,
                    end_col_offset=other.end_col_offset,
                )
                first, second = (ast.get_source_segment(text, part) for part in (one, other))
                yield "lines exchanged", span, f"{second}\n{' ' * one.col_offset}{first}"
        for one in body if isinstance(body, list) else ():
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) and one.lineno > 8:
                yield "statement left out", one, "pass"
    if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
        for part in node.args:
            if isinstance(part, ast.Name) and ast.unparse(node.func).rpartition(".")[2][:1].islower():
                yield "detach put in", part, f"{part.id}.detach()"


def _of_names(text: str, tree: ast.Module, rng: random.Random) -> Iterator[tuple[str, ast.AST, str]]:
    """Another attribute of the same object, and another argument of the same function, where one is read."""
    for scope in ast.walk(tree):
        if not isinstance(scope, ast.FunctionDef):
            continue
        given = [arg.arg for arg in scope.args.args if arg.arg != "self"]
        for node in ast.walk(scope):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in given and len(given) > 1:
                yield "another name", node, rng.choice([name for name in given if name != node.id])
    owned: dict[str, list[str]] = {}
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    read = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)]
    read = [
        node for node in read if isinstance(node.ctx, ast.Load) and node.value.id not in ("F", "torch", "nn", "math")
    ]
    for node in read:
        owned.setdefault(f"{node.value.id} {id(node) in called}", []).append(node.attr)
    for node in read:
        others = sorted(set(owned[f"{node.value.id} {id(node) in called}"]) - {node.attr})
        if others and node.value.id in ("self", "cfg", "args", "config", "s"):
            yield "another attribute", node, f"{node.value.id}.{rng.choice(others)}"


def _number(node: ast.AST) -> int | None:
    """A whole number as it is written, a negative one, too."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand)
        return -inner if inner is not None else None
    value = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _sizes(tree: ast.Module) -> list[str]:
    """Names that are bound to whole numbers at the top level."""
    pairs: list[tuple[ast.AST, ast.AST]] = []
    for node in tree.body:
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            both = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            pairs += zip(target.elts, value.elts) if both else [(target, value)]
    return [one.id for one, value in pairs if isinstance(one, ast.Name) and type(getattr(value, "value", None)) is int]


def _reads(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def replaced(text: str, node: ast.AST, code: str) -> str:
    """The text with the span of one node written otherwise."""
    lines = text.encode().splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    whole = b"".join(lines)
    return (whole[:start] + code.encode() + whole[end:]).decode()


def sources() -> dict[str, str]:
    """Texts that are damaged, with the name of each: the planted ones' originals, and sound scripts that need no other
    library."""
    texts = {case.sound: case.name.partition(":")[0] for case in PLANTED}
    for path in sorted(SOUND.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(word in text for word in FOREIGN):
            texts[text] = path.stem
    return texts


def with_equal_sizes(text: str, rng: random.Random, tries: int = 12) -> str | None:
    """A script two of whose sizes are one, so that axes are told apart by what they are alone; `None` where none of
    the tries runs."""
    tree = ast.parse(text)
    places = [node for node in ast.walk(tree) if (_number(node) or 0) > 1 and isinstance(node, ast.Constant)]
    sizes = sorted({node.value for node in places if node.value < 100})
    pairs = [(one, other) for one in sizes for other in sizes if one != other]
    for one, other in rng.sample(pairs, min(tries, len(pairs))):
        made = text
        for node in sorted(places, key=lambda node: (node.lineno, node.col_offset), reverse=True):
            made = replaced(made, node, str(one)) if node.value == other else made
        try:
            ran(made)
        except (Exception, SystemExit):
            continue
        return made
    return None


def sample(count: int, seed: int = 0, equal: bool = False) -> list[Planted]:
    """So many damages, of scripts in a random order in turn; `equal` of scripts two of whose sizes were made one."""
    rng = random.Random(seed)
    names = sources()
    if equal:
        drawn = rng.sample(list(names), min(count, len(names)))
        names = {made: names[text] for text in drawn if (made := with_equal_sizes(text, rng)) is not None}
    scripts = list(names)
    rng.shuffle(scripts)
    streams = [(text, damages(text, rng)) for text in scripts]
    made: list[Planted] = []
    while streams and len(made) < count:
        for stream in list(streams):
            if len(made) == count:
                break
            text, rest = stream
            damage = next(rest, None)
            if damage is None:
                streams.remove(stream)
            else:
                made.append(Planted(f"{names[text]}: {damage[0]}", text, damage[1]))
    return made
