"""Random damages of sound scripts: a size, an axis, a flag, a call left out, two arguments or operands exchanged, one name
written for another. Seeded."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path

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
        for what, place, code in (*_of_call(text, node, sizes, rng), *_of_operator(text, node)):
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
        number = getattr(value, "value", None)
        whole = isinstance(number, int) and not isinstance(number, bool)
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


def sample(count: int, seed: int = 0) -> list[Planted]:
    """So many damages, of scripts in a random order in turn."""
    rng = random.Random(seed)
    names = sources()
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
