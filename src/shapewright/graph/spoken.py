"""Shapes as people write them: in comments, docstrings, annotations and patterns, one symbol per axis.

It reads text and knows no run. A symbol is opaque: nothing is concluded from what it means.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from ..dataclass import dataclass

LONGEST = 6
Symbols = tuple[str, ...]

_SYMBOL = re.compile(r"[^\W\d]\w*(?:[ -][^\W\d]\w*)?")  # one word or two, in any alphabet: `B`, `seq_len`, `batch size`
_PART = re.compile(r"[\w*+/. '-]{1,24}|…")
_GROUP = re.compile(r"(?<![\w.\])])[(\[]([^()\[\]]*)[)\]](?!\s*=[^=>])")  # none where it says what symbols are
_TIMES = re.compile(r"(?<![\w.])([\w*+/-]+(?: [x×] [\w*+/-]+)+|[A-Z]\w?(?:[x×](?:[A-Z]\w?|\d+))+(?!\w))")
_BARE = re.compile(r"[^\W\d]\w{0,5}(?:, ?\w{1,6}){1,5}|[^\W\d](?: [^\W\d]){1,5}")
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_VALUE = re.compile(r"\(\s*=[^()]*\)")  # `n_directions(=2)` and `1(=n_layer)` tell a value beside a symbol
_WIDE = str.maketrans("（）［］，、：", "()[],,:")
_RESULT = re.compile(
    r"^\W*(?:returns?|yields?|outputs?|devuelve|retorna|salida|result|戻り値|返り値|出力)(?![\w-])|->|→|を返", re.I
)
_SECTION = re.compile(r"^\s*[^\W\d][\w ]{0,24}:?\s*$")


@dataclass(frozen=True)
class Spoken:
    """A shape in a text: its symbols, the names before it that it speaks of, and whether it is said of a result."""

    symbols: Symbols
    names: tuple[str, ...] = ()
    result: bool = False


def spoken(text: str, known: Collection[str] = ()) -> list[Spoken]:
    """The shapes in a comment or a line of a docstring, each with the `known` names that are written before it.

    >>> [one.symbols for one in spoken("(batch, seq, 2*hidden) -> [B, T, 512]")]
    [('batch', 'seq', ''), ('B', 'T', '')]
    >>> [(one.names, one.symbols) for one in spoken("est, ref: (batch, time), n: (batch,)", {"est", "ref", "n"})]
    [(('est', 'ref'), ('batch', 'time')), (('n',), ('batch',))]
    >>> [one.symbols for one in spoken("n_layers*2 x N x H")], spoken("calls f(a, b) (see above)")
    ([('', 'N', 'H')], [])
    """
    text = _VALUE.sub("", text.translate(_WIDE))
    found = [(match, match.group(1).split(",")) for match in _GROUP.finditer(text)]
    made = [one for one in found if _symbols(one[1])]
    if not made:
        made = [(match, re.split(r" ?[x×] ?", match.group(1))) for match in _TIMES.finditer(text)]
    bare = text.strip("# ")
    whole = _BARE.fullmatch(bare) if not made else None
    if whole is not None:
        return [Spoken(_symbols(re.split(r", ?| ", whole.group())))]
    told, end = [], 0
    for match, parts in made:
        before = text[end : match.start()]
        names = tuple(name for name in _NAME.findall(before) if name in known)
        if symbols := _symbols(parts, alone=bool(names) or before.rstrip().endswith(("shape", "->", "→", "形状"))):
            told.append(Spoken(symbols, names, not names and bool(_RESULT.search(before))))
            end = match.end()
    return told


def documented(text: str, known: Collection[str]) -> Iterator[tuple[int, Spoken]]:
    """The shapes in a docstring, each with its line from 0: of the `known` parameters, or of the result.

    A shape speaks of the names before it on its line, else of the parameter or the result whose entry it is in.
    """
    entry: tuple[str, ...] = ()
    result = False
    for number, line in enumerate(text.split("\n")):
        bare = line.strip().lstrip(":-*` ")
        words = _NAME.findall(bare[:60].partition(":")[0]) if not bare.startswith(("return", "rtype")) else []
        named = tuple(word for word in words if word in known)
        if re.match(r"(?:param(?:eter)?\s+)?(?:[\w.\[\]]+\s+)?\*{0,2}[^\W\d]\w*`*\s*[:(,\[]", bare) and named:
            entry, result = named[:1], False
        elif _RESULT.search(bare) and not re.search(r"->|→", bare):
            entry, result = (), True
        elif not bare or (_SECTION.match(line) and bare.endswith(":")):
            entry, result = (), result and not bare
        for one in spoken(line, known):
            yield (number, one if one.names or one.result else Spoken(one.symbols, () if result else entry, result))


def annotated(node: ast.expr | None) -> Symbols:
    """The symbols of `Float[Tensor, "batch seq dim"]`, `TensorType["batch", "seq", 4]`, alone or in a union."""
    if isinstance(node, ast.BinOp):
        return annotated(node.left) or annotated(node.right)
    if not isinstance(node, ast.Subscript):
        return ()
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if not texts:
        return next((made for part in parts[:1] if (made := annotated(part))), ())
    if len(texts) == 1 and len(parts) == 2:
        return terms(texts[0])
    symbols = tuple(
        part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "" for part in parts
    )
    return symbols if all(name == "" or name.isidentifier() for name in symbols) else ()


def grouped(text: str) -> tuple[Symbols, ...]:
    """The axes of a pattern separated by spaces, each as its factors; sizes and expressions have no symbol.

    >>> grouped(" b (h d) t"), grouped("... c")
    ((('b',), ('h', 'd'), ('t',)), ())
    """
    parts = re.findall(r"\([^)]*\)|\S+", text)
    if any("..." in part or part.startswith("*") for part in parts):
        return ()
    return tuple(tuple(_term(one) for one in part.strip("()").split()) or ("",) for part in parts)


def terms(text: str) -> Symbols:
    """The axes of a pattern separated by spaces; merged ones have no symbol.

    >>> terms(" b (h d) t"), terms("batch 3 seq"), terms("... c")
    (('b', '', 't'), ('batch', '', 'seq'), ())
    """
    return tuple(factors[0] if len(factors) == 1 else "" for factors in grouped(text))


def _term(text: str) -> str:
    name = text.split("=")[0]
    return name if name.isidentifier() and name != "_" else ""


def _symbols(parts: list[str], alone: bool = True) -> Symbols:
    """One symbol per part; nothing where the parts are no shape. One axis `alone` is a shape where it is said of
    something by name, or written as the tuple of one."""
    parts = [part.strip(" `'\"") for part in parts]
    tuple_of_one = len(parts) == 2 and not parts[1]
    if parts and not parts[-1]:
        parts = parts[:-1]
    made = tuple(part if _SYMBOL.fullmatch(part) else "" for part in parts)
    plain = all(made) or all(name or _PART.fullmatch(part) for name, part in zip(made, parts))
    if not plain or not any(made) or "..." in parts or len(made) > LONGEST:
        return ()
    return made if len(made) > 1 or tuple_of_one or (alone and " " not in made[0]) else ()
