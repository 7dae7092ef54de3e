"""What the author says of axes: annotations, einops patterns, asserted and unpacked shapes, docstrings and comments.

Each becomes a `Statement`: symbols, one per axis, beside the tensor that they speak of as it was seen in the run. The
words are opaque: what matters is where the same symbol is used again. It compares nothing.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from ..trace import Axis, Binding, Event, Site, TensorFact, Trace
from .calls import dotted
from .flow import tensors
from .source import Function, Located, Source

SYMBOL = re.compile(r"[^\W\d]\w*(?:[ -][^\W\d]\w*)?")  # one word or two, in any alphabet: `B`, `seq_len`, `batch size`
GROUP = re.compile(r"(?<![\w.\]])[(\[]([^()\[\]]*)[)\]]")
TIMES = re.compile(r"(?<![\w.])([\w*+/-]+(?: [x×] [\w*+/-]+)+)")
NAMED = re.compile(r"^\W*([A-Za-z_]\w*)\b")
PATTERNS = {"rearrange": 1, "reduce": 1, "repeat": 1}
LONGEST = 6
Symbols = tuple[str, ...]
Meant = tuple[Symbols, TensorFact, Site | None]


@dataclass(frozen=True)
class Statement:
    """`symbols` (empty where an axis is given no name) of the axes of `fact`, said at `site`. `kind` is `comment`,
    `docstring`, `annotation`, `pattern`, `assert` or `unpacked`; `scope` is the outermost
    function or class and `function` the innermost function, by line; 0 for the module."""

    kind: str
    site: Site
    symbols: Symbols
    fact: TensorFact
    scope: int = 0
    function: int = 0
    caller: Site | None = None

    @property
    def axes(self) -> tuple[Axis, ...]:
        return self.fact.axes

    @property
    def loose(self) -> bool:
        """Whether nothing but prose says it."""
        return self.kind in ("comment", "docstring")


def statements(trace: Trace) -> list[Statement]:
    """Every statement about a tensor that was seen, in the order of the sources."""
    reader = _Reader(trace)
    return [one for file in trace.sources for one in reader.read(file)]


def spoken(text: str) -> list[Symbols]:
    """The shapes in a comment or docstring line, one symbol per axis, an empty one for sizes and expressions.

    >>> spoken("(batch, seq, 2*hidden) -> [B, T, 512]"), spoken("n_layers*2 x N x H")
    ([('batch', 'seq', ''), ('B', 'T', '')], [('', 'N', 'H')])
    >>> spoken("calls f(a, b) (see above)")
    []
    """
    found = [match.group(1).split(",") for match in GROUP.finditer(text)]
    if not found:
        found = [re.split(r" [x×] ", match.group(1)) for match in TIMES.finditer(text)]
    return [symbols for parts in found if (symbols := _symbols([part.strip() for part in parts]))]


def _symbols(parts: list[str]) -> Symbols:
    """One symbol per part; nothing where the parts are no shape."""
    if parts and not parts[-1]:
        parts = parts[:-1]
    made = tuple(part if SYMBOL.fullmatch(part) else "" for part in parts)
    plain = all(made) or all(name or re.fullmatch(r"[\w*+/. -]{1,24}|…", part) for name, part in zip(made, parts))
    return made if 2 <= len(made) <= LONGEST and plain and any(made) and "..." not in parts else ()


class _Reader:
    """Reads one trace's sources."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.source = trace, Source(trace)
        self.bound: dict[str, list[Binding]] = {}
        for one in trace.bound:
            self.bound.setdefault(one.site.file, []).append(one)

    def read(self, file: str) -> Iterator[Statement]:
        nodes = self.source.nodes(file)
        functions = [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        for function in functions:
            yield from self._annotated(file, function)
            yield from self._documented(file, function)
        for node in nodes:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                one = self._binding(file, node.target.id, node.lineno, node.end_lineno or node.lineno)
                yield from self._said("annotation", file, node, _annotation(node.annotation), one)
            elif isinstance(node, ast.Call) and dotted(node.func).split(".")[-1] in PATTERNS:
                yield from self._pattern(file, node)
            elif isinstance(node, ast.Assert):
                yield from self._asserted(file, node)
            elif isinstance(node, ast.Assign):
                yield from self._unpacked(file, node)
        yield from self._commented(file)

    # who is spoken of
    # --------------------------------------------------------------------------------------------------------------
    def _scope(self, file: str, line: int) -> int:
        """The line of the outermost function or class around a line; 0 where there is none."""
        scopes = (node for node in self.source.tree(file).body if isinstance(node, (ast.FunctionDef, ast.ClassDef)))
        return next((node.lineno for node in scopes if node.lineno <= line <= (node.end_lineno or 0)), 0)

    def _function(self, file: str, line: int) -> Function | None:
        return self.source.function_at(Site(file, line))

    def _binding(self, file: str, name: str, first: int, last: int) -> Binding | None:
        """What a name was bound to first within some lines."""
        return next(
            (one for one in self.bound.get(file, ()) if one.name == name and first <= one.site.line <= last), None
        )

    def _before(self, file: str, name: str, line: int) -> Binding | None:
        """What a name was bound to last above a line of the same function."""
        function = self._function(file, line)
        first, last = 1, 1 << 30
        if function is not None:
            first, last = function.lineno, function.end_lineno or function.lineno
        held = [
            one
            for one in self.bound.get(file, ())
            if one.name == name and first <= one.site.line <= min(line, last) and self._owner(one.site) is function
        ]
        return max(held, key=lambda one: one.site.line, default=None)

    def _owner(self, site: Site) -> ast.AST | None:
        return self._function(site.file, site.line)

    def _returned(self, file: str, node: ast.Return) -> TensorFact | None:
        """The tensor that a `return` gives back, the first time: a variable, or what the last call there made."""
        if isinstance(node.value, ast.Name):
            one = self._before(file, node.value.id, node.lineno)
            return one.fact if one is not None else None
        found: Event | None = None
        for event in self.trace.events:
            site = event.site
            if site is not None and site.file == file and node.lineno <= site.line <= (node.end_lineno or node.lineno):
                if found is not None and event.site == found.site:
                    break
                found = event
        return next(tensors(found.result), None) if found is not None else None

    def _statement(
        self, kind: str, file: str, line: int, symbols: Symbols, fact: TensorFact | None, caller: Site | None = None
    ) -> Iterator[Statement]:
        if fact is not None and symbols and len(symbols) == fact.rank == len(fact.axes):
            site = Site(file, line, 1, line, 1)
            function = getattr(self._function(file, line), "lineno", 0)
            yield Statement(kind, site, symbols, fact, self._scope(file, line), function, caller)

    def _said(self, kind: str, file: str, node: Located, symbols: Symbols, one: Binding | None) -> Iterator[Statement]:
        if one is not None:
            entered = isinstance(node, ast.arg)
            yield from self._statement(kind, file, node.lineno, symbols, one.fact, one.caller if entered else None)

    # what is said
    # ------------------------------------------------------------------------------------------------------------------
    def _annotated(self, file: str, function: Function) -> Iterator[Statement]:
        """Parameters and the result of a function."""
        for parameter in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
            symbols = _annotation(parameter.annotation)
            if symbols:
                one = self._parameter(file, function, parameter.arg)
                yield from self._said("annotation", file, parameter, symbols, one)
        symbols = _annotation(function.returns)
        for node in ast.walk(function) if symbols else ():
            if isinstance(node, ast.Return) and (made := self._returned(file, node)) is not None:
                yield from self._statement("annotation", file, node.lineno, symbols, made)

    def _parameter(self, file: str, function: Function, name: str) -> Binding | None:
        """What a parameter was when the function was first entered."""
        held = [one for one in self.bound.get(file, ()) if one.name == name and one.site.line == function.lineno]
        return held[0] if held else None

    def _documented(self, file: str, function: Function) -> Iterator[Statement]:
        """Lines of a docstring that begin with a parameter's name and hold one shape."""
        text = ast.get_docstring(function, clean=False) or ""
        parameters = {one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}
        first = function.body[0].lineno if text else 0
        for offset, line in enumerate(text.split("\n")):
            name, shapes = NAMED.match(line), spoken(line)
            if name is not None and name.group(1) in parameters and len(shapes) == 1:
                one = self._parameter(file, function, name.group(1))
                if one is not None:
                    yield from self._statement("docstring", file, first + offset, shapes[0], one.fact, one.caller)

    def _pattern(self, file: str, call: ast.Call) -> Iterator[Statement]:
        """Both sides of an einops pattern, of the tensor that went in and the one that came out."""
        pattern = call.args[1] if len(call.args) > 1 else None
        if not isinstance(pattern, ast.Constant) or not isinstance(pattern.value, str) or "->" not in pattern.value:
            return
        left, right = pattern.value.split("->")
        given = self._before(file, call.args[0].id, call.lineno) if isinstance(call.args[0], ast.Name) else None
        if given is not None and given.site.line < call.lineno:
            yield from self._said("pattern", file, call, _terms(left), given)
        statement = self.source.statement_at(self.source.site(call, file))
        if isinstance(statement, ast.Assign) and statement.value is call and isinstance(statement.targets[0], ast.Name):
            made = self._binding(file, statement.targets[0].id, statement.lineno, statement.lineno)
            yield from self._said("pattern", file, call, _terms(right), made)

    def _asserted(self, file: str, node: ast.Assert) -> Iterator[Statement]:
        """`assert x.shape == (B, T, C)`."""
        test = node.test
        if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq):
            return
        for side, other in ((test.left, test.comparators[0]), (test.comparators[0], test.left)):
            if isinstance(other, ast.Call) and dotted(other.func) == "torch.Size" and other.args:
                other = other.args[0]
            name = _shape_of(side)
            if name and isinstance(other, (ast.Tuple, ast.List)):
                symbols = tuple(part.id if isinstance(part, ast.Name) else "" for part in other.elts)
                yield from self._said("assert", file, node, symbols, self._before(file, name, node.lineno))

    def _unpacked(self, file: str, node: ast.Assign) -> Iterator[Statement]:
        """`B, T, C = x.shape`."""
        name, target = _shape_of(node.value), node.targets[0]
        if name and isinstance(target, (ast.Tuple, ast.List)):
            parts = [part.id if isinstance(part, ast.Name) and part.id != "_" else "" for part in target.elts]
            yield from self._said("unpacked", file, node, tuple(parts), self._before(file, name, node.lineno))

    def _commented(self, file: str) -> Iterator[Statement]:
        """Comments behind a line that binds or returns a tensor, and above it where they name it."""
        text = self.trace.sources[file]
        if "#" not in text:
            return
        try:
            tokens = [
                one for one in tokenize.generate_tokens(io.StringIO(text).readline) if one.type == tokenize.COMMENT
            ]
        except (tokenize.TokenError, SyntaxError, IndentationError):
            return
        for token in tokens:
            shapes = spoken(token.string)
            line, alone = token.start[0], not token.line[: token.start[1]].strip()
            if not shapes or len(token.string) > 160:
                continue
            for meant in self._meant(file, line, alone, token.string, shapes):
                yield from self._statement("comment", file, line, *meant)

    def _meant(self, file: str, line: int, alone: bool, text: str, shapes: list[Symbols]) -> Iterator[Meant]:
        """The tensors that a comment speaks of, each with its shape."""
        name = NAMED.match(text.lstrip("# "))
        named = name.group(1) if name is not None and len(shapes) == 1 else ""
        if alone:
            one = (self._binding(file, named, line + 1, line + 3) or self._before(file, named, line)) if named else None
            if one is not None:
                yield shapes[0], one.fact, None
            return
        statement = self.source.statement_on(file, line)
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from self._of_parameter(file, line, statement, named, shapes)
        elif isinstance(statement, ast.Return):
            made = self._returned(file, statement) if len(shapes) == 1 else None
            if made is not None:
                yield shapes[0], made, None
        elif isinstance(statement, ast.Assign) and statement.end_lineno == line:
            targets = [
                part.id for target in statement.targets for part in ast.walk(target) if isinstance(part, ast.Name)
            ]
            held = [self._binding(file, target, statement.lineno, line) for target in targets]
            tensors_bound = [one for one in held if one is not None]
            turned = "->" in text or "→" in text
            chosen = shapes[-1:] if turned else shapes
            if len(tensors_bound) == len(chosen):
                for symbols, one in zip(chosen, tensors_bound):
                    if turned or not self._true_of_operand(file, statement, symbols, one):
                        yield symbols, one.fact, None

    def _of_parameter(
        self, file: str, line: int, function: Function, named: str, shapes: list[Symbols]
    ) -> Iterator[Meant]:
        on_line = [
            one.arg
            for one in (*function.args.args, *function.args.kwonlyargs)
            if one.lineno == line and one.arg != "self"
        ]
        meant = named if named in on_line else on_line[0] if len(on_line) == 1 else ""
        one = self._parameter(file, function, meant) if meant and len(shapes) == 1 else None
        if one is not None:
            yield shapes[0], one.fact, one.caller

    def _true_of_operand(self, file: str, statement: ast.Assign, symbols: Symbols, one: Binding) -> bool:
        """Whether a comment may speak of what goes into its line, as another one above says it in the same words."""
        above = self.trace.sources[file].split("\n")[: statement.lineno - 1]
        for part in ast.walk(statement.value):
            held = self._before(file, part.id, statement.lineno - 1) if isinstance(part, ast.Name) else None
            if held is not None and held.fact.rank == one.fact.rank:
                words = (
                    spoken(above[held.site.end_line - 1].partition("#")[2]) if held.site.end_line <= len(above) else []
                )
                if symbols in words:
                    return True
        return False


def _annotation(node: ast.expr | None) -> Symbols:
    """The symbols of `Float[Tensor, "batch seq dim"]` and `TensorType["batch", "seq", 4]`."""
    if not isinstance(node, ast.Subscript):
        return ()
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if len(texts) == 1 and len(parts) == 2:
        return _terms(texts[0])
    symbols = tuple(
        part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "" for part in parts
    )
    return symbols if texts and all(name == "" or name.isidentifier() for name in symbols) else ()


def _terms(text: str) -> Symbols:
    """The axes of a pattern separated by spaces; merged ones, sizes and expressions have no symbol.

    >>> _terms(" b (h d) t"), _terms("batch 3 seq"), _terms("... c")
    (('b', '', 't'), ('batch', '', 'seq'), ())
    """
    parts = re.findall(r"\([^)]*\)|\S+", text)
    if any("..." in part or part.startswith("*") for part in parts):
        return ()
    return tuple(part.split("=")[0] if part.split("=")[0].isidentifier() and part != "_" else "" for part in parts)


def _shape_of(node: ast.expr) -> str:
    """`x` for `x.shape` and `x.size()`."""
    if (
        isinstance(node, ast.Call)
        and not node.args
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "size"
    ):
        node = node.func
    if isinstance(node, ast.Attribute) and node.attr in ("shape", "size") and isinstance(node.value, ast.Name):
        return node.value.id
    return ""
