"""What whole number an expression of the user's is, and which expressions gave it that value.

It reads the text along a stack of sites, as `rules.definitions` does, and runs nothing; what the text does not tell is
`None`.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterator

from ..dataclass import dataclass
from ..graph.definitions import Definitions
from ..graph.scopes import RECEIVERS, pairs
from ..lexicon import says
from ..trace import ModuleFact, Site, Trace

DEPTH = 8
INNERMOST = 2  # modules around the call that failed
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: lambda a, b: a // b if b else None,
    ast.Mod: lambda a, b: a % b if b else None,
    ast.Pow: lambda a, b: a**b if 0 <= b < 20 else None,
    ast.Div: lambda a, b: a // b if b and a % b == 0 else None,
}
CHOOSES = {"int": max, "round": max, "max": max, "min": min}  # of one number, or of several


def named_as_size(name: str) -> bool:
    """Whether a name may stand for the size of a layer: one letter says too little, `num_epochs` counts other things.

    >>> named_as_size("hidden"), named_as_size("n"), named_as_size("num_epochs")
    (True, False, False)
    """
    return len(name) > 1 and not says(name, "counted")


@dataclass(frozen=True)
class Written:
    """An expression with the user's sites that led to it, the innermost last."""

    node: ast.expr
    stack: tuple[Site, ...]

    @property
    def file(self) -> str:
        return self.stack[-1].file


class Numbers(Definitions):
    """The user's sources, with what their expressions come to."""

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace)
        self.known: dict[str, int] = {}  # parts that the text does not tell, as the whole tells them
        self.told = dict(self._layers())  # parameters of constructors, as the layers made there tell them

    def _layers(self) -> Iterator[tuple[tuple[ast.AST | None, str], int]]:
        """The names that a constructor of the user's hands to a layer as one of its numbers, with that number: of the
        objects that are made there again and again, of the one that was being called when the script failed."""
        failure = self.trace.failure
        around = [*(failure.modules if failure is not None else ())][:INNERMOST]
        for uid in reversed([uid for uid in around if uid in self.trace.modules]):
            for event in (event for event in self.trace.events if uid in event.modules):
                layer = self.trace.layer(event)
                if layer is None or not layer.is_torch or layer.site is None:
                    continue
                call = self.node_at(layer.site, (ast.Call,))
                for word in call.keywords if isinstance(call, ast.Call) else ():
                    number = layer.config.get(word.arg or "")
                    number = number[0] if isinstance(number, tuple) and len(set(number)) == 1 else number
                    if isinstance(word.value, ast.Name) and isinstance(number, int) and not isinstance(number, bool):
                        yield (self.function_at(layer.site), word.value.id), number

    def _named(self, written: Written) -> tuple[ast.AST | None, str]:
        """A name with the function that it stands in."""
        return self.function_at(written.stack[-1]), getattr(written.node, "id", "")

    def value(self, written: Written, depth: int = 0) -> int | None:
        """The whole number that an expression is."""
        node = written.node
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, int) and not isinstance(node.value, bool) else None
        if self.known and ast.dump(node) in self.known:
            return self.known[ast.dump(node)]
        if depth > DEPTH:
            return None
        if isinstance(node, (ast.Name, ast.Attribute)):
            bound = self.bound(written)
            value = self.value(bound, depth + 1) if bound is not None else None
            return value if value is not None else self.told.get(self._named(written))
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            left, right = (self.value(Written(part, written.stack), depth + 1) for part in (node.left, node.right))
            return OPERATORS[type(node.op)](left, right) if left is not None and right is not None else None
        if isinstance(node, ast.Subscript):
            entry = next((part for key, part in self.entries(written) if key == ast.unparse(node.slice)), None)
            return self.value(entry, depth + 1) if entry is not None else None
        if isinstance(node, ast.IfExp):
            chosen = self._truth(Written(node.test, written.stack))
            return (
                None
                if chosen is None
                else self.value(Written(node.body if chosen else node.orelse, written.stack), depth + 1)
            )
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "len"
            and len(node.args) == 1
        ):
            return self._length(Written(node.args[0], written.stack))
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in CHOOSES
            and node.args
            and not node.keywords
        ):
            values = [self.value(Written(part, written.stack), depth + 1) for part in node.args]
            if None in values:
                return None
            return CHOOSES[node.func.id](values)
        return None

    def entries(self, written: Written) -> Iterator[tuple[str, Written]]:
        """The entries of the list, tuple or dictionary that a subscript reads, by the keys as they are written."""
        whole = written.node.value if isinstance(written.node, ast.Subscript) else None
        bound = self.bound(Written(whole, written.stack)) if isinstance(whole, (ast.Name, ast.Attribute)) else None
        node = bound.node if bound is not None else None
        if bound is not None and isinstance(node, (ast.List, ast.Tuple)):
            yield from ((str(at), Written(part, bound.stack)) for at, part in enumerate(node.elts))
        elif bound is not None and isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values)
            yield from ((ast.unparse(key), Written(part, bound.stack)) for key, part in pairs if key is not None)

    def _length(self, written: Written) -> int | None:
        """How many elements a list or tuple has that is written out."""
        node = written.node
        if isinstance(node, (ast.Name, ast.Attribute)):
            found = self.definitions(node, written.stack)
            node = found[0].value if found and not any(d.kind == "condition" for d in found[:2]) else None
        elements = (
            node.elts
            if isinstance(node, (ast.List, ast.Tuple))
            else node.keys
            if isinstance(node, ast.Dict)
            else [ast.Starred()]
        )
        return len(elements) if not any(isinstance(part, ast.Starred) or part is None for part in elements) else None

    def _truth(self, written: Written) -> bool | None:
        node = written.node
        if isinstance(node, ast.Constant):
            return bool(node.value)
        bound = self.bound(written) if isinstance(node, (ast.Name, ast.Attribute)) else None
        return self._truth(bound) if bound is not None and isinstance(bound.node, ast.Constant) else None

    def bound(self, written: Written) -> Written | None:
        """The one expression that a name or attribute was bound to last: an assignment's value, a caller's argument, a
        default, a field."""
        leaf = written.node
        found = self.definitions(leaf, written.stack)
        if not found or any(d.kind == "condition" for d in found[:2]) or found[0].value is None:
            return None
        first, value = found[0], found[0].value
        name = leaf.id if isinstance(leaf, ast.Name) else leaf.attr
        if isinstance(value, (ast.Tuple, ast.List)):
            statement = self.statement_on(first.site.file, first.site.line)
            own = (part for one, part in pairs(statement) if getattr(one, "id", getattr(one, "attr", "")) == name)
            value = next(own, value)
        if isinstance(value, ast.Call) and getattr(value.func, "attr", "") == "add_argument":
            value = next((k.value for k in value.keywords if k.arg == "default"), None)
        return (
            Written(value, self._frames(value, first.site, written.stack))
            if isinstance(value, ast.expr) and hasattr(value, "lineno")
            else None
        )

    def _frames(self, node: ast.AST, site: Site, stack: tuple[Site, ...]) -> tuple[Site, ...]:
        """The stack as it was where `node` was evaluated: cut where its function ran, or the constructor's that is
        known."""
        function = getattr(node, "parent", None)
        inside = node
        while function is not None and not (
            isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and inside is not function.args
        ):
            inside, function = function, getattr(function, "parent", None)
        if function is None:
            return (Site(site.file, node.lineno, 1, function="<module>"),)
        for at in range(len(stack) - 1, -1, -1):
            if (
                stack[at].file == site.file
                and function.lineno <= stack[at].line <= function.end_lineno
                and stack[at].function in ("", function.name)
            ):
                return (*stack[:at], Site(site.file, node.lineno, 1, function=function.name))
        known = self._made(function, stack)
        return (*known[:-1], Site(site.file, node.lineno, 1, function=function.name))

    def is_told(self, written: Written, name: str) -> bool:
        """Whether only a layer that is made in the same constructor tells what a name is."""
        return (self.function_at(written.stack[-1]), name) in self.told

    def names(self, written: Written) -> dict[str, int]:
        """Names that could be written in the place of an expression, with their values: the function's own, then the
        module's."""
        function = self.function_at(written.stack[-1])
        found: dict[str, int] = {}
        line = written.node.lineno
        for name in (
            *(_own(function, line) if function is not None else ()),
            *(_read(function) if function is not None else ()),
            *_own(self.tree(written.file), line if function is None else 1 << 30),
        ):
            meant = named_as_size(name.removeprefix("self.")) or self.is_told(written, name)
            if name not in found and meant:
                number = self.value(Written(_leaf(name, line, written.node), written.stack))
                if number is not None:
                    found[name] = number
        return found

    def sized(self, written: Written, axis: int, target: int) -> list[str]:
        """Tensors bound above in the same function, with so many entries along an axis each time that they were."""
        function, line = self.function_at(written.stack[-1]), written.node.lineno
        found: dict[str, bool] = {}
        for site, name, shape in self.trace.bindings:
            if site.file == written.file and site.line < line and self.function_at(site) is function is not None:
                fits = -len(shape) <= axis < len(shape) and shape[axis] == target
                found[name] = fits and found.get(name, True)
        return [name for name, fits in found.items() if fits][:2]

    def sums(self, written: Written, target: int) -> list[str]:
        """Sums and products that stand elsewhere in the same function and come to `target`: what was written there may
        be meant here."""
        function = self.function_at(written.stack[-1])
        found = []
        for node in ast.walk(function) if function is not None else ():
            if (
                isinstance(node, ast.BinOp)
                and type(node.op) in OPERATORS
                and not isinstance(getattr(node, "parent", None), ast.BinOp)
                and node is not written.node
            ) and (
                any(isinstance(part, (ast.Name, ast.Attribute)) for part in ast.walk(node))
                and self.value(Written(node, written.stack)) == target
            ):
                found.append(ast.unparse(node))
        return list(dict.fromkeys(found))[:2]


def _leaf(name: str, line: int, beside: ast.AST) -> ast.expr:
    """A name as it would stand beside a node."""
    leaf = (
        ast.Attribute(ast.Name("self", ast.Load()), name[5:], ast.Load())
        if name.startswith("self.")
        else ast.Name(name, ast.Load())
    )
    leaf.lineno, leaf.col_offset, leaf.end_lineno, leaf.end_col_offset = line, 0, line, 0
    leaf.parent = beside.parent
    return leaf


def _own(scope: ast.AST, before: int) -> Iterator[str]:
    """Names that a function's arguments or plain assignments above a line bind, or those of a module."""
    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for argument in (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs):
            if argument.arg not in RECEIVERS:
                yield argument.arg
    for statement in scope.body:
        if isinstance(statement, ast.Assign) and statement.end_lineno < before:
            for target in statement.targets:
                for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                    if isinstance(part, ast.Name):
                        yield part.id
                    elif (
                        isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "self"
                    ):
                        yield f"self.{part.attr}"


def _read(function: ast.AST) -> Iterator[str]:
    """The object's own fields that a method reads."""
    for node in ast.walk(function):
        held = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name)
        if held and node.value.id == "self" and not isinstance(getattr(node, "parent", None), ast.Attribute):
            if not (isinstance(node.parent, ast.Call) and node.parent.func is node):
                yield f"self.{node.attr}"


def names_of(trace: Trace, module: ModuleFact, value: int) -> list[str]:
    """The names that have a value where a module is constructed, followed through its callers."""
    numbers = Numbers(trace)
    call = numbers.node_at(module.site, (ast.Call,)) if module.site is not None else None
    if call is None or not module.stack:
        return []
    return [name for name, own in numbers.names(Written(call, module.stack)).items() if own == value]
