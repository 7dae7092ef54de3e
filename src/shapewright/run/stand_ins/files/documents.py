"""What made-up documents of names and lists (JSON, settings in YAML) hold: what a script takes out of them, through
whatever names and loops; else what such documents hold (`DOCUMENTS`), which is tried in turn (`Guess.forms`)."""

from __future__ import annotations

import ast
import json
import random
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ....dataclass import dataclass
from ...process.request import DOCUMENTS
from ..filling import value as filling
from ..hub.pieces import words
from ..sets.rows import sentence

if TYPE_CHECKING:
    from ...process.request import Guess
    from .usage import Usage

LOADING = frozenset({"load", "loads", "safe_load", "full_load", "json"})
HOMES = frozenset({"json", "yaml", "simplejson", "ujson"})
THROUGH = frozenset({"enumerate", "list", "sorted", "reversed", "tqdm", "iter", "zip", "trange"})
ENTRIES, LISTED, LONG, SIZE = 40, 3, 8, 128  # of a list at the root, of one inside, of one of numbers; a setting
VOCABULARY, KINDS, LENGTH = 2000, 20, 64_000  # of what a file holds, in samples of sound


@dataclass
class Part:
    """A part of a document: what is taken out of it by name (`keys`), what each of its entries is (`each`), whether it
    is a number, and whether it is `counted` or asked whether it has something: a vocabulary, where it has names. What
    is not `looped` through and only indexed may be text."""

    keys: dict[str, Part] = field(default_factory=dict)
    each: list[Part] = field(default_factory=list)  # one, where entries are asked for
    number: bool = False
    counted: bool = False
    looped: bool = False

    @property
    def entry(self) -> Part:
        """What its entries are."""
        if not self.each:
            self.each.append(Part())
        return self.each[0]


@dataclass
class Reader:
    """Reads what one source takes out of documents: `roots` by the lines that load them."""

    roots: list[tuple[int, Part]] = field(default_factory=list)
    known: dict[str, Part] = field(default_factory=dict)
    loading: set[str] = field(default_factory=set)  # functions of the source's own that give back what was loaded

    def read(self, node: ast.AST) -> None:
        """Follow the statements in the order of the text."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            kept, self.known = self.known, dict(self.known)
            self._inside(node)
            self.known = kept
            return
        if isinstance(node, ast.Assign):
            if (found := self.part(node.value)) is None:
                self.read(node.value)
            for target in map(ast.unparse, node.targets):
                self.known.pop(target, None)
                if found is not None:
                    self.known[target] = found
            return
        elif isinstance(node, (ast.For, ast.comprehension)):
            self._bound(node.target, node.iter)
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            for generator in node.generators:  # which are read before what is made of their targets
                self.read(generator)
        elif isinstance(node, ast.Return) and node.value is not None and self.part(node.value) is not None:
            return
        elif isinstance(node, ast.BinOp):
            for side, other in ((node.left, node.right), (node.right, node.left)):
                counted = isinstance(other, ast.Constant) and isinstance(other.value, (int, float))
                measured = isinstance(other, ast.Call) and getattr(other.func, "id", "") == "len"
                if (counted or measured) and (found := self.part(side)) is not None:
                    found.number = True
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            if (found := self.part(node.comparators[0])) is not None:
                found.counted = True
        elif isinstance(node, (ast.Subscript, ast.Call)):
            if _called(node) == "len" and isinstance(node, ast.Call) and node.args:
                if (found := self.part(node.args[0])) is not None:
                    found.counted = True
            else:
                self.part(node)
        self._inside(node)

    def _inside(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            self.read(child)

    def _bound(self, target: ast.expr, through: ast.expr) -> None:
        pairs, whole = isinstance(target, ast.Tuple) and len(target.elts) == 2, through
        name = _called(through)
        if isinstance(through, ast.Call) and isinstance(through.func, ast.Attribute) and name in ("items", "values"):
            whole = through.func.value
        elif isinstance(through, ast.Call) and name in THROUGH and through.args:
            whole = through.args[0]
            if isinstance(whole, ast.Call):
                return self._bound(target, whole) if name != "enumerate" else None
        if (found := self.part(whole)) is None:
            return None
        last = target.elts[-1] if pairs and isinstance(target, ast.Tuple) else target
        if isinstance(last, ast.Name) and (pairs or not isinstance(target, ast.Tuple)):
            self.known[last.id], found.looped = found.entry, True
        return None

    def part(self, node: ast.expr) -> Part | None:
        """The part of a document that an expression gives, `None` where it gives none."""
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self.known.get(ast.unparse(node))
        if isinstance(node, ast.Subscript) and (of := self.part(node.value)) is not None:
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                return of.keys.setdefault(node.slice.value, Part())
            return of if isinstance(node.slice, ast.Slice) else of.entry
        if not isinstance(node, ast.Call):
            return None
        if loads(node) or getattr(node.func, "id", "") in self.loading:
            self.roots.append((node.lineno, Part()))
            return self.roots[-1][1]
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if owner is not None and _called(node) == "get" and node.args and isinstance(node.args[0], ast.Constant):
            of = self.part(owner)
            return of.keys.setdefault(str(node.args[0].value), Part()) if of is not None else None
        return None


def loads(node: ast.AST) -> bool:
    """Whether a call reads a document: `json.load(file)`, `yaml.safe_load(text)`."""
    owner = getattr(getattr(node, "func", None), "value", None)
    return isinstance(node, ast.Call) and _called(node) in LOADING and getattr(owner, "id", "") in HOMES


def taken(text: str, line: int) -> Part | None:
    """What is taken out of the document that a source opens on a line, `None` where nothing is by name.

    >>> found = taken("import json\\nd = json.load(open('x'))\\nfor a in d['rows']:\\n  print(a['size'] + 1)", 2)
    >>> list(found.keys), list(found.keys["rows"].entry.keys), found.keys["rows"].entry.keys["size"].number
    (['rows'], ['size'], True)
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    giving = {one.name for one in functions if any(_gives(node, one) for node in ast.walk(one))}
    reader = Reader(loading=giving)
    reader.read(tree)
    known = [(at, part) for at, part in reader.roots if part.keys or part.each]
    after = [part for at, part in known if at >= line]
    found = next(iter(after), known[-1][1] if known else None)
    return found if found is not None and (found.keys or any(one.each or _nested(one) for one in found.each)) else None


def read_as(text: str, line: int) -> str:
    """The extension of a document that a source opens on a line and reads there or in the statements after it, empty
    where it reads none.

    >>> read_as("import yaml\\nwith open(name) as file:\\n    settings = yaml.safe_load(file)", 2)
    '.yaml'
    >>> read_as("import json\\ntext = open(name).read()\\ndef other():\\n    return json.load(file)", 2)
    ''
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return ""
    scopes = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    body = max(scopes, key=lambda node: node.lineno).body if scopes else tree.body
    kept = [node for node in body if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
    calls = [part for node in kept for part in ast.walk(node) if loads(part) and part.lineno >= line]
    first = min(calls, key=lambda call: call.lineno, default=None)
    home = getattr(getattr(getattr(first, "func", None), "value", None), "id", "")
    return "" if first is None else ".yaml" if home == "yaml" else ".json"


def _nested(part: Part) -> bool:
    return any(inner.keys or inner.each for inner in part.keys.values())


def _gives(node: ast.AST, function: ast.FunctionDef) -> bool:
    if not isinstance(node, ast.Return) or node.value is None:
        return False
    bound = (one.value for one in ast.walk(function) if isinstance(one, ast.Assign) and loads(one.value))
    return loads(node.value) or (isinstance(node.value, ast.Name) and any(bound))


def _called(node: ast.AST) -> str:
    func = getattr(node, "func", None)
    return getattr(func, "attr", getattr(func, "id", ""))


def of_parts(part: Part, told: Usage, guess: Guess, name: str = "", count: int = ENTRIES, outer: bool = True) -> Any:
    """What a part of a document holds. `count` is the length of a list, of one that is in no other (`outer`) at least
    that of the guess.

    >>> from .usage import Usage
    >>> from ...process.request import Guess
    >>> of_parts(Part({"n": Part(number=True), "l": Part(each=[Part(number=True)], looped=True)}), Usage(), Guess())
    {'n': 1, 'l': [1, 1, 1]}
    """
    from .contents import column

    if part.keys and part.counted and not _nested(part):
        return _mapping(told, guess)
    if part.keys:
        return {key: of_parts(inner, told, guess, key, LISTED, outer) for key, inner in part.keys.items()}
    if part.looped or any(one.keys or one.each for one in part.each):
        many = max(count, guess.many) if outer else count
        return [of_parts(part.entry, told, guess, name, LISTED, outer=False) for _ in range(many)]
    return 1 if part.number else column(name, told, guess, 1, spoken=True)[0]


def _settings(told: Usage, guess: Guess) -> Any:
    """Whatever the script asks for by name, as settings: numbers, or what it is compared with."""
    names = [*told.keys, *sorted(told.attributes - told.called)]
    return {name: _setting(name, told, guess) for name in dict.fromkeys(names) if name.isidentifier()}


def _setting(name: str, told: Usage, guess: Guess) -> Any:
    compared = [*told.values.get(name, ()), *told.choices.get(name, ())]
    if compared or told.kinds.get(name) == "float":
        return compared[0] if compared else float(filling(name, "float"))
    return guess.many or SIZE


def _paths(told: Usage, guess: Guess) -> Any:
    from .contents import paths

    return paths(told, guess.many or ENTRIES)


def _mapping(told: Usage, guess: Guess) -> Any:
    known = dict.fromkeys([*told.keys, *told.words, *words()[: guess.many or VOCABULARY]])
    return {word: number for number, word in enumerate(known)}


def _numbers(told: Usage, guess: Guess) -> Any:
    return [[(row * 3 + at) % KINDS for at in range(LONG)] for row in range(guess.many or ENTRIES)]


def _pairs(told: Usage, guess: Guess) -> Any:
    return [[path, LENGTH] for path in _paths(told, guess)]


def _numbered(told: Usage, guess: Guess) -> Any:
    return {str(number): [f"n{number:08d}", word] for number, word in enumerate(words()[: guess.many or 1000])}


def _sentences(told: Usage, guess: Guess) -> Any:
    chance = random.Random(0)
    return [sentence(chance, 5, 20) for _ in range(guess.many or ENTRIES)]


MAKERS = dict(zip(DOCUMENTS, (_mapping, _paths, _numbers, _sentences, _numbered, _pairs, _settings), strict=True))


def document(form: str, told: Usage, guess: Guess, asked: Part | None = None) -> str | None:
    """The text of a document of a form, or of what is `asked` of it; `None` where it is a list of rows."""
    if form in MAKERS:
        return json.dumps(MAKERS[form](told, guess))
    return json.dumps(of_parts(asked, told, guess)) if asked is not None else None
