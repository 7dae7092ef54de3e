"""What a script's own sources tell of the data that it reads: which columns, values, separators and endings it asks
for. It reads syntax only and runs nothing."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import field

from ....dataclass import dataclass
from .parts import parts

ENDING = re.compile(r"(?:\*\*?/)*\*?(\.[A-Za-z0-9]{2,5})")
BLANK = frozenset({" ", "\n", "", ".", "/", "\\", "_", "-", "=", "'", '"', "\r\n", "?", "!"})
MAPS = frozenset({"map", "replace"})
COUNTING = frozenset({"value_counts", "unique", "nunique", "drop_duplicates"})
PLACED = frozenset({"iloc", "iat", "values"})
PLACES = PLACED | {"loc", "at"}
NUMBERS = frozenset({"int", "float"})
TENSORS = frozenset({"tensor", "as_tensor", "LongTensor", "FloatTensor", "IntTensor"})  # of numbers
LONGEST = 40


@dataclass
class Usage:
    """`columns` are strings in lists that something is subscripted with, `keys` those alone in a subscript; `values`
    the constants that a key is compared with or mapped from; `numbers` keys that are counted with; `fields` how many
    parts of a divided line are used. `named` are columns, by key or by place, that become part of a path, `single`
    places that are read alone, `folded` how many numbers a row is shaped into (`folds`: by the
    last sizes of any `reshape`), `reach` the row up to which something is
    cut off, `choices` the strings that a name or an attribute is compared with or looked up among, `asked`
    the attributes whose truth is asked or that are compared with `None`, `kinds` the number (`int`, `float`) that is
    made of an attribute or a key, `parts` what the parts of a divided line are (`parts.parts`), `words`
    those that the script's own functions are given, `within` strings that are looked for inside others, `readers` the
    functions of libraries that are called, by their full names."""

    columns: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    values: dict[str, list[str | int]] = field(default_factory=dict)
    few: set[str] = field(default_factory=set)
    separators: list[str] = field(default_factory=list)
    fields: int = 1
    beginnings: list[str] = field(default_factory=list)
    endings: list[str] = field(default_factory=list)
    numbers: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    named: set[str | int] = field(default_factory=set)
    single: set[int] = field(default_factory=set)
    folded: int = 0
    folds: set[int] = field(default_factory=set)
    reach: int = 0
    choices: dict[str, list[str]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    kinds: dict[str, str] = field(default_factory=dict)
    parts: dict[int, str] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    within: list[str] = field(default_factory=list)
    readers: list[str] = field(default_factory=list)

    @property
    def separator(self) -> str:
        """What divides the parts of a line; empty where lines are not divided by a mark of their own."""
        return next((mark for mark in self.separators if mark not in BLANK and mark != ","), "")


def usage(texts: Iterable[str]) -> Usage:
    """What the sources tell.

    >>> found = usage(["a, b = line.split('\\t')", "df[['x', 'y']]; df['kind'] == 'good'", "glob('*.jpg')"])
    >>> found.separator, found.fields, found.columns, found.values, found.endings
    ('\\t', 2, ['x', 'y'], {'kind': ['good']}, ['.jpg'])
    """
    told = Usage()
    for text in texts:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        keyed = {
            node.targets[0].id: _strings(part for part in node.value.keys if part is not None)
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Dict)
            and isinstance(node.targets[0], ast.Name)
        }
        told.parts = parts(tree) | told.parts
        told.words += _words(tree)
        told.readers += _readers(tree)
        listed = {
            node.targets[0].id: node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            and isinstance(node.value, (ast.Tuple, ast.List))
            and isinstance(node.targets[0], ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _called(node) == "startswith" and node.args:
                first = node.args[0]
                first = listed.get(first.id, first) if isinstance(first, ast.Name) else first
                told.beginnings += _strings(_items(first))
            _read(node, told)
            if isinstance(node, ast.Subscript) and (name := getattr(node.slice, "attr", getattr(node.slice, "id", ""))):
                keys = node.value.keys if isinstance(node.value, ast.Dict) else ()
                known = keyed.get(node.value.id, []) if isinstance(node.value, ast.Name) else []
                told.choices.setdefault(name, []).extend(known or _strings(part for part in keys if part is not None))
        for node in ast.walk(tree):  # `self.names = table["file"].values`: what is named so later is that column
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
                if node.targets[0].attr in told.named:
                    told.named |= _columns(node.value) | {part.attr for part in _chain(node.value)}
    for name in ("columns", "keys", "separators", "beginnings", "endings", "words", "within", "readers"):
        setattr(told, name, list(dict.fromkeys(getattr(told, name))))
    return told


def _read(node: ast.AST, told: Usage) -> None:
    if isinstance(node, ast.Subscript):
        if isinstance(cut := next(iter(_items(node.slice)), None), ast.Slice):
            told.reach = max(told.reach, *map(_bound, (cut.lower, cut.upper)))
        if isinstance(node.slice, ast.List):
            told.columns += _strings(node.slice.elts)
        elif key := _key(node):
            told.keys.append(key)
        elif isinstance(node.slice, ast.Tuple):
            for part in node.slice.elts:
                told.columns += _strings(part.elts if isinstance(part, ast.List) else [part])
            if (place := _place(node)) is not None:
                told.single.add(place)
        elif (
            isinstance(node.value, ast.Call) and _called(node.value) == "split" and isinstance(node.slice, ast.Constant)
        ):
            told.fields = max(told.fields, 1 + _number(node.slice))
        elif isinstance(node.slice, ast.Constant) and isinstance(node.value, ast.Name):
            told.fields = max(told.fields, min(1 + _number(node.slice), 4))
    elif isinstance(node, ast.JoinedStr):
        if _is_path(_strings(node.values)):
            told.named |= _columns(node)
    elif isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Add) and (beside := _strings([node.left, node.right])) and _is_path(beside):
            told.named |= _columns(node)
        for side, other in ((node.left, node.right), (node.right, node.left)):
            while isinstance(side, ast.Attribute):
                side = side.value
            if isinstance(other, ast.Constant) and isinstance(other.value, (int, float)) and (key := _key(side)):
                told.numbers.add(key)
    elif isinstance(node, ast.Attribute):
        told.attributes.add(node.attr)
    elif isinstance(node, (ast.If, ast.IfExp, ast.While, ast.UnaryOp, ast.BoolOp)):
        told.asked |= {getattr(part, "attr", "") for part in getattr(node, "values", [_tested(node)])}
    elif isinstance(node, ast.Call):
        _call(node, told)
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
        divided = isinstance(node.value, ast.Call) and _called(node.value) == "split"
        if divided or isinstance(node.value, (ast.ListComp, ast.GeneratorExp)):
            told.fields = max(told.fields, len(node.targets[0].elts))
    elif isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        if isinstance(node.ops[0], ast.In) and not isinstance(node.comparators[0], (ast.Tuple, ast.List, ast.Set)):
            told.within += [part for part in _strings([node.left]) if part.isalnum() and len(part) <= LONGEST]
        for side in sides:
            if name := getattr(side, "attr", getattr(side, "id", "")):
                others = [part for other in sides if other is not side for part in _items(other)]
                told.choices.setdefault(name, []).extend(_strings(others))
                if any(isinstance(part, ast.Constant) and part.value is None for part in others):
                    told.asked.add(name)
            if key := _key(side):
                told.values.setdefault(key, []).extend(_constants(other for other in sides if other is not side))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= 12:
        if match := ENDING.fullmatch(node.value):
            told.endings.append(match[1].lower())


def _call(node: ast.Call, told: Usage) -> None:
    name = _called(node)
    told.called.add(name)
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    if name == "split" and owner is not None and not (isinstance(owner, ast.Name) and owner.id == "re"):
        told.separators += _strings(node.args[:1])
    elif name in MAPS and node.args and isinstance(node.args[0], ast.Dict) and (key := _key(owner)):
        told.values.setdefault(key, []).extend(_constants(part for part in node.args[0].keys if part is not None))
    elif name in COUNTING and owner is not None:
        told.few |= {getattr(owner, "attr", ""), _key(owner) or ""}
    elif name == "get" and owner is not None and node.args:
        told.keys += _strings(node.args[:1])
    elif name in TENSORS:
        told.numbers |= {key for argument in node.args[:1] for part in _elements(argument) if (key := _key(part))}
    elif name in NUMBERS and owner is None and node.args:
        given = node.args[0]
        if isinstance(given, ast.Call):  # `int(os.environ.get("N"))`
            told.kinds |= dict.fromkeys(_strings(given.args[:1]), name)
        elif asked := getattr(given, "attr", _key(given)):
            told.kinds[asked] = name
    elif name == "join" and isinstance(owner, (ast.Name, ast.Attribute)) and len(node.args) > 1:
        told.named = told.named.union(*map(_columns, node.args))
    elif name == "reshape":
        last, width = [part for argument in node.args for part in _items(argument)], 1
        while last and isinstance(last[-1], ast.Constant) and isinstance(last[-1].value, int):
            width *= last.pop().value
        told.folds.add(width)
    if name == "reshape" and not told.folded:
        sizes = [part.value for arg in node.args for part in _items(arg) if isinstance(part, ast.Constant)]
        told.folded = math.prod(sizes) if len(sizes) > 1 and all(isinstance(one, int) for one in sizes) else 0


def _words(tree: ast.AST) -> list[str]:
    """Single words that the functions of a source are called with."""
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") in own)
    given = (part for call in calls for argument in call.args for part in _items(argument))
    return [word for word in _strings(given) if word.isalpha() and word.islower() and len(word) <= LONGEST]


def _readers(tree: ast.AST) -> list[str]:
    """The full names of the functions of imported modules that a source calls.

    >>> _readers(ast.parse("import numpy as np\\nfrom PIL import Image\\nnp.load(Image.open(x))"))
    ['numpy.load', 'PIL.Image.open']
    """
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            known |= {one.asname or one.name.partition(".")[0]: one.name if one.asname else "" for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            known |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    calls = (ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call) and _dotted(node.func))
    parted = ((name, *name.partition(".")) for name in calls)
    return [(known[first] or first) + mark + rest for _, first, mark, rest in parted if first in known]


def _dotted(node: ast.AST) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _tested(node: ast.AST) -> ast.AST | None:
    return getattr(node, "test", getattr(node, "operand", None))


def _called(node: ast.Call) -> str:
    return getattr(node.func, "attr", "") or getattr(node.func, "id", "")


def _key(node: ast.AST | None) -> str:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return node.slice.value if len(node.slice.value) <= LONGEST else ""
    return ""


def _bound(node: ast.expr | None) -> int:
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else 0


def _items(node: ast.AST) -> list[ast.expr]:
    return node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]  # type: ignore[list-item]


def _elements(node: ast.expr) -> Iterator[ast.expr]:
    """What the entries of a list are, as far as it is written."""
    inner = getattr(node, "elts", None) or [part for part in [getattr(node, "elt", None)] if part is not None]
    for part in inner:
        yield from _elements(part)
    if not inner:
        yield node


def _place(node: ast.Subscript) -> int | None:
    """The number of the column that `table.iloc[rows, 0]` reads alone."""
    if getattr(node.value, "attr", "") not in PLACED or not isinstance(node.slice, ast.Tuple):
        return None
    asked = node.slice.elts[-1]
    if isinstance(asked, ast.UnaryOp) and isinstance(asked.op, ast.USub) and isinstance(asked.operand, ast.Constant):
        return -_number(asked.operand) or None
    return asked.value if isinstance(asked, ast.Constant) and isinstance(asked.value, int) else None


def _columns(node: ast.AST) -> set[str | int]:
    """The columns that are read inside an expression: by key, by attribute or by place."""
    found: set[str | int] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript):
            place = _place(part)
            found |= {_key(part)} - {""} if place is None else {place}
            if isinstance(part.value, ast.Attribute) and part.value.attr not in PLACES:
                found.add(part.value.attr)
    return found


def _is_path(written: list[str]) -> bool:
    """Whether what is written beside a name makes a path of it, and no sentence."""
    return not written or any(mark in part for part in written for mark in "/\\.")


def _chain(node: ast.AST) -> Iterator[ast.Attribute]:
    """The attributes that an expression reads one of another, the last first."""
    while isinstance(node, ast.Attribute):
        yield node
        node = node.value


def _strings(nodes: Iterable[ast.AST]) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def _constants(nodes: Iterable[ast.AST]) -> list[str | int]:
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, (str, int))]


def _number(node: ast.Constant) -> int:
    return node.value if isinstance(node.value, int) and 0 <= node.value < 16 else 0
