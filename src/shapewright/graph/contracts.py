"""What the author says of axes: annotations, einops patterns, asserted and unpacked shapes, docstrings and comments.

Each becomes a `Statement`: symbols, one per axis, beside the tensor that they speak of as it was seen in the run. The
words are opaque: what matters is where the same symbol is used again. It compares nothing.
"""

from __future__ import annotations

import ast
import functools
import io
import tokenize
from collections.abc import Iterator

from ..dataclass import dataclass
from ..trace import Axis, Binding, Site, TensorFact, Trace
from .calls import dotted
from .flow import once
from .scopes import SIZED, parameters
from .source import Function, Located
from .spoken import Spoken, Symbols, annotated, documented, grouped, spoken
from .subjects import Subjects

PATTERNS = frozenset({"rearrange", "reduce", "repeat"})
FAR = 160
LOOSE = frozenset({"comment", "docstring"})


@dataclass(frozen=True)
class Statement:
    """`symbols` (empty where an axis is given no name) of the `axes` of `fact`, said at `site`. `kind` is `comment`,
    `docstring`, `annotation`, `pattern`, `assert` or `unpacked`; `scope` is the outermost
    function or class and `function` the innermost function, by line; 0 for the module. `others` are tensors that prose
    may speak of instead. A pattern's merged axis has one entry per factor. `written` is the line that says it of what
    `site` returns."""

    kind: str
    site: Site
    symbols: Symbols
    fact: TensorFact
    axes: tuple[Axis, ...]
    scope: int = 0
    function: int = 0
    caller: Site | None = None
    others: tuple[TensorFact, ...] = ()
    written: Site | None = None

    @property
    def loose(self) -> bool:
        """Whether nothing but prose says it."""
        return self.kind in LOOSE

    @functools.cached_property
    def identities(self) -> dict[str, object]:
        """The identity of the one axis that each symbol is given to."""
        held = {symbol: identity(axis) for symbol, axis in zip(self.symbols, self.axes)}
        return {name: known for name, known in held.items() if name and known and self.symbols.count(name) == 1}

    @property
    def place(self) -> Site:
        """The line that says it."""
        return self.written or self.site

    @property
    def text(self) -> str:
        """`(B, T, ·)`."""
        return f"({', '.join(name or '·' for name in self.symbols)}{',' * (len(self.symbols) == 1)})"


def identity(axis: Axis) -> object:
    """What tells an axis from others: the samples of a loader are one thing, batch after batch."""
    if axis.size == 1:
        return None
    if axis.role == "batch" and axis.origin is not None and axis.origin.kind == "loader":
        return "samples"
    return axis.uids or None


@once
def statements(trace: Trace) -> tuple[Statement, ...]:
    """Every statement about a tensor that was seen, in the order of the sources; read once for a trace."""
    reader = _Reader(trace)
    return tuple(one for file in trace.sources for one in reader.read(file))


class _Reader(Subjects):
    """Reads one trace's sources."""

    def read(self, file: str) -> Iterator[Statement]:
        nodes = self.source.nodes(file)
        for node in nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from self._annotated(file, node)
                yield from self._documented(file, node, node)
            elif isinstance(node, ast.ClassDef):
                forward = next((f for f in node.body if isinstance(f, ast.FunctionDef) and f.name == "forward"), None)
                if forward is not None:
                    yield from self._documented(file, node, forward)
        for node in nodes:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                one = self.binding(file, node.target.id, node.lineno, node.end_lineno or node.lineno)
                yield from self._bound("annotation", file, node, annotated(node.annotation), one)
            elif isinstance(node, ast.Call) and dotted(node.func).split(".")[-1] in PATTERNS:
                yield from self._pattern(file, node)
            elif isinstance(node, ast.Assert):
                yield from self._asserted(file, node)
            elif isinstance(node, ast.Assign):
                yield from self._unpacked(file, node)
        yield from self._commented(file)

    def _statement(
        self,
        kind: str,
        file: str,
        line: int,
        symbols: Symbols,
        fact: TensorFact | None,
        caller: Site | None = None,
        others: tuple[TensorFact, ...] = (),
        written: Site | None = None,
    ) -> Iterator[Statement]:
        if fact is not None and symbols and fact.rank == len(fact.axes) > 0:
            site = Site(file, line, 1, line, 1)
            function = getattr(self.function(file, line), "lineno", 0)
            alike = tuple(one for one in others if one.rank == len(one.axes) == len(symbols))
            if fact.rank != len(symbols) and alike:
                fact, alike = alike[0], alike[1:]
            scope = self.scope(file, line)
            yield Statement(kind, site, symbols, fact, fact.axes, scope, function, caller, alike, written)

    def _bound(self, kind: str, file: str, node: Located, symbols: Symbols, one: Binding | None) -> Iterator[Statement]:
        if one is not None:
            entered = isinstance(node, ast.arg)
            yield from self._statement(kind, file, node.lineno, symbols, one.fact, one.caller if entered else None)

    # what is said
    # ------------------------------------------------------------------------------------------------------------------
    def _annotated(self, file: str, function: Function) -> Iterator[Statement]:
        """Parameters and the result of a function."""
        for parameter in parameters(function):
            symbols = annotated(parameter.annotation)
            if symbols:
                one = self.parameter(file, function, parameter.arg)
                yield from self._bound("annotation", file, parameter, symbols, one)
        told = function.returns
        several = isinstance(told, ast.Subscript) and dotted(told.value).split(".")[-1] in ("tuple", "Tuple")
        inner = told.slice if isinstance(told, ast.Subscript) and several else None
        parts = inner.elts if isinstance(inner, ast.Tuple) else [told] if told is not None else []
        said = [annotated(part) for part in parts]
        for node, made in self.returned(file, function) if any(said) else ():
            for symbols, fact in zip(said, made) if len(said) == len(made) else ():
                place = Site(file, told.lineno) if told is not None else None
                yield from self._statement("annotation", file, node.lineno, symbols, fact, written=place)

    def _documented(self, file: str, owner: Function | ast.ClassDef, function: Function) -> Iterator[Statement]:
        """Shapes in a docstring: of parameters, and of what is returned."""
        text = ast.get_docstring(owner, clean=False)
        if not text or isinstance(function, ast.Lambda):
            return
        names = [one.arg for one in parameters(function)]
        said = list(documented(text, names))
        for offset, one in said:
            line = owner.body[0].lineno + offset
            for name in one.names:
                held = self.parameter(file, function, name)
                if held is not None:
                    yield from self._statement("docstring", file, line, one.symbols, held.fact, held.caller)
        results = [(owner.body[0].lineno + offset, one) for offset, one in said if one.result]
        for node, made in self.returned(file, function) if results else ():
            for (line, one), fact in zip(results, made) if len(results) == len(made) else ():
                place = Site(file, line)
                yield from self._statement("docstring", file, node.lineno, one.symbols, fact, written=place)

    def _pattern(self, file: str, call: ast.Call) -> Iterator[Statement]:
        """Both sides of an einops pattern, of the tensor that went in and the one that came out."""
        pattern = call.args[1] if len(call.args) > 1 else None
        if not isinstance(pattern, ast.Constant) or not isinstance(pattern.value, str) or "->" not in pattern.value:
            return
        left, right = pattern.value.split("->")
        yield from self._factors(file, call, left, self.made(file, call.args[0], call.lineno - 1))
        statement = self.source.statement_at(self.source.site(call, file))
        made = self.made(file, call, call.lineno)
        if isinstance(statement, ast.Assign) and statement.value is call and isinstance(statement.targets[0], ast.Name):
            one = self.binding(file, statement.targets[0].id, statement.lineno, statement.lineno)
            made = one.fact if one is not None else made
        yield from self._factors(file, call, right, made)

    def _factors(self, file: str, call: ast.Call, pattern: str, fact: TensorFact | None) -> Iterator[Statement]:
        """One statement of a side of a pattern; an axis of as many factors as its group names is taken apart."""
        groups = grouped(pattern)
        if fact is None or len(groups) != fact.rank or len(fact.axes) != fact.rank:
            return
        symbols: list[str] = []
        axes: list[Axis] = []
        for group, axis in zip(groups, fact.axes):
            if len(group) > 1 and len(group) == len(axis.uids):
                symbols += group
                axes += [Axis(size, "", axis.origin, ((uid, size),)) for uid, size in axis.uids]
            else:
                symbols.append(group[0] if len(group) == 1 else "")
                axes.append(axis)
        line = call.lineno
        function = getattr(self.function(file, line), "lineno", 0)
        site = Site(file, line, 1, line, 1)
        yield Statement("pattern", site, tuple(symbols), fact, tuple(axes), self.scope(file, line), function)

    def _asserted(self, file: str, node: ast.Assert) -> Iterator[Statement]:
        """`assert x.shape == (B, T, C)`."""
        test = node.test
        if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq):
            return
        for side, other in ((test.left, test.comparators[0]), (test.comparators[0], test.left)):
            if isinstance(other, ast.Call) and dotted(other.func) in ("torch.Size", "tuple", "list") and other.args:
                other = other.args[0]
            name = _shape_of(side)
            if name and isinstance(other, (ast.Tuple, ast.List)):
                symbols = tuple(part.id if isinstance(part, ast.Name) else "" for part in other.elts)
                yield from self._bound("assert", file, node, symbols, self.before(file, name, node.lineno))

    def _unpacked(self, file: str, node: ast.Assign) -> Iterator[Statement]:
        """`B, T, C = x.shape`."""
        name, target = _shape_of(node.value), node.targets[0]
        if name and isinstance(target, (ast.Tuple, ast.List)):
            parts = [part.id if isinstance(part, ast.Name) and part.id != "_" else "" for part in target.elts]
            one = self.before(file, name, node.lineno)
            if one is not None and one.fact.rank == len(parts):
                yield from self._bound("unpacked", file, node, tuple(parts), one)

    # comments
    # ------------------------------------------------------------------------------------------------------------------
    def _commented(self, file: str) -> Iterator[Statement]:
        """Comments behind a line that binds or returns a tensor, and those on lines of their own."""
        text = self.trace.sources[file]
        if "#" not in text:
            return
        try:
            tokens = [
                one for one in tokenize.generate_tokens(io.StringIO(text).readline) if one.type == tokenize.COMMENT
            ]
        except (tokenize.TokenError, SyntaxError, IndentationError):
            return
        names = {name for held, name in self.bound if held == file}
        for token in tokens:
            line, alone = token.start[0], not token.line[: token.start[1]].strip()
            told = spoken(token.string, names) if len(token.string) <= FAR else []
            statement = self.source.statement_on(file, line)
            if alone and _disused(token.string):
                continue
            if alone:
                yield from self._alone(file, line, token.string, told)
            elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from self._of_parameter(file, line, statement, told)
            elif isinstance(statement, ast.Return) and statement.value is not None:
                if len(told) == 1 and not told[0].names:
                    made = self.made(file, statement.value, line)
                    yield from self._statement("comment", file, line, told[0].symbols, made)
            elif isinstance(statement, ast.Assign) and statement.end_lineno == line:
                yield from self._behind(file, line, statement, token.string, told)

    def _alone(self, file: str, line: int, text: str, told: list[Spoken]) -> Iterator[Statement]:
        """A comment on a line of its own: of variables that it names, else of what the next line binds, from what it
        reads, or of what the line above bound."""
        for one in told:
            for name in one.names:
                above, below = self.before(file, name, line), self.binding(file, name, line + 1, line + 3)
                held = [other for other in (above, below) if other is not None]
                if held:
                    entered = self._head(file, held[0]) is not None
                    at, others = (line if entered else held[0].site.line), tuple(other.fact for other in held[1:])
                    caller, place = (held[0].caller if entered else None), Site(file, line)
                    yield from self._statement("comment", file, at, one.symbols, held[0].fact, caller, others, place)
        if len(told) == 1 and not told[0].names and text.lstrip("# ")[:1] in ("(", "[", "（"):
            lines = self.trace.sources[file].split("\n")
            after = next((n for n in range(line + 1, min(line + 3, len(lines) + 1)) if _is_code(lines[n - 1])), 0)
            statement = self.source.statement_on(file, after) if after else None
            if isinstance(statement, ast.Assign) and statement.lineno == after:
                made = [bound.fact for bound in self.targets(file, statement)]
                before = self.source.statement_on(file, line - 1) if line > 1 and _is_code(lines[line - 2]) else None
                others = self.read_by(file, statement.value, after)
                if isinstance(before, ast.Assign):
                    others += tuple(bound.fact for bound in self.targets(file, before))
                if len(made) == 1:
                    place, symbols = Site(file, line), told[0].symbols
                    yield from self._statement("comment", file, after, symbols, made[0], None, others, place)

    def _head(self, file: str, one: Binding) -> ast.arg | None:
        function = self.function(file, one.site.line)
        held = parameters(function) if function is not None and one.site.line == function.lineno else ()
        return next((parameter for parameter in held if parameter.arg == one.name), None)

    def _behind(
        self, file: str, line: int, statement: ast.Assign, text: str, told: list[Spoken]
    ) -> Iterator[Statement]:
        """A comment behind an assignment: of its targets in their order, or of those that it names."""
        bound = self.targets(file, statement)
        turned = "->" in text or "→" in text
        chosen = told[-1:] if turned else told
        others = () if turned else self.read_by(file, statement.value, statement.lineno)
        for one in chosen:
            for target in bound:
                if target.name in one.names:
                    yield from self._statement("comment", file, line, one.symbols, target.fact, None, others)
        if any(one.names for one in chosen):
            return
        if len(chosen) == 1 and len({target.fact.shape for target in bound}) == 1:
            chosen = chosen * len(bound)
        for one, target in zip(chosen, bound) if len(chosen) == len(bound) else ():
            yield from self._statement("comment", file, line, one.symbols, target.fact, None, others)

    def _of_parameter(self, file: str, line: int, function: Function, told: list[Spoken]) -> Iterator[Statement]:
        on_line = [one.arg for one in parameters(function) if one.lineno == line and one.arg != "self"]
        meant = [name for one in told for name in one.names if name in on_line] or on_line
        held = self.parameter(file, function, meant[0]) if len(meant) == 1 == len(told) else None
        if held is not None:
            yield from self._statement("comment", file, line, told[0].symbols, held.fact, held.caller)


def _disused(comment: str) -> bool:
    """Whether a comment is a line of code that was taken out, with the comment behind it.

    >>> _disused("#     y = x.mT # (B, C, T)"), _disused("# x: (B, T, C) # as above"), _disused("# (B, T, C)")
    (True, False, False)
    """
    code, mark, _ = comment.lstrip("# ").partition("#")
    try:
        return bool(mark) and any(isinstance(one, (ast.Assign, ast.Return)) for one in ast.parse(code.strip()).body)
    except SyntaxError:
        return False


def _is_code(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _shape_of(node: ast.expr) -> str:
    """`x` for `x.shape` and `x.size()`."""
    if (
        isinstance(node, ast.Call)
        and not node.args
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "size"
    ):
        node = node.func
    if isinstance(node, ast.Attribute) and node.attr in SIZED and isinstance(node.value, ast.Name):
        return node.value.id
    return ""
