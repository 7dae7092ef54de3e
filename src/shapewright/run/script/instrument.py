"""Rewrites the syntax tree of a user file so that loops can be cut and bindings noted. Positions stay those of the
original.

It adds calls on the name `__shapewright__`, which the importer puts into the module's globals; it changes no file.
"""

from __future__ import annotations

import ast
import builtins
import copy
import sys
from collections.abc import Sequence

from ..process.request import Size
from .added import at, call, place, span
from .assertions import check, hook
from .branches import PLAIN, branches, needed, walk_scope
from .computing import replayable
from .counting import asked, converts, counted, is_equality, kept, matches, reads
from .executed import executes, through
from .going_on import early, going_on, without
from .putting import computed, held, places, stores, walks
from .smaller import shrink
from .temporary import watched
from .waiting import awaiting

DEEP = 20_000
MEETINGS = ("subtract", "equal", "not_equal")


def instrument(
    text: str, path: str, sizes: tuple[Size, ...] = (), failing: Sequence[range] = (), unread: Sequence[str] = ()
) -> ast.Module:
    """Parse `text` and return the instrumented tree, with smaller numbers where some are given; where the statements of
    some lines are `failing`, what comes after those lines is run all the same; functions that are `unread` go on where
    they cannot read. Raises SyntaxError."""
    tree = ast.parse(text, path)
    shrink(tree, text, sizes)
    return without(going_on(_instrumented(tree, "numpy" in text), failing), unread)


def alone(statements: list[ast.stmt], tree: ast.Module, arrays: bool) -> list[ast.stmt]:
    """Some statements that stand in a tree, which tells what their names are for, instrumented; they hold no others."""
    made = _Instrument(arrays, *_added_up(tree)).visit(ast.Module(statements, []))
    return ast.fix_missing_locations(made).body  # type: ignore[no-any-return]


def _instrumented(tree: ast.Module, arrays: bool) -> ast.Module:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEP))  # a sum of five hundred terms is as many levels deep
    try:
        needed(tree)
        return ast.fix_missing_locations(_Instrument(arrays, *_added_up(tree)).visit(tree))
    finally:
        sys.setrecursionlimit(limit)


class _Instrument(ast.NodeTransformer):
    def __init__(self, arrays: bool, sums: frozenset[str], counts: frozenset[str]) -> None:
        self.loops, self.arrays, self.sums, self.counts = 0, arrays, sums, counts

    # loops
    # -----------------------------------------------------------------------------------------------------------------
    def visit_For(self, node: ast.For) -> ast.AST:
        tests = _tests(node)
        steps = _contains(node, (ast.Yield, ast.YieldFrom))
        begins = [at(node, ast.Expr(call("looping", [ast.Constant(node.lineno)])))] if replayable(node) else []
        self.generic_visit(node)
        node.iter = self._loop(node, node.iter, tests, generator=steps)
        node.body[:0] = _bound(node, _names(node.target))
        return [*begins, node] if begins else node

    def visit_If(self, node: ast.If) -> ast.AST:
        counted, told = getattr(node, "counted", False), check(node)
        self.generic_visit(node)
        if told:
            node.test = at(node.test, call("expected", [ast.Constant(node.lineno), node.test, *told]))
        elif not node.orelse and not counted:
            test = node.test = self._due(node.test)
            if any(getattr(getattr(part, "func", None), "attr", "") == "due" for part in ast.walk(test)):
                node.body = [at(node.body[0], early(node.body, span(test, test)))]
        node.test = awaiting(node, node.test)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        name, told = hook(node.test)
        self.generic_visit(node)
        if name:
            node.test = at(node.test, call(name, [ast.Constant(node.lineno), node.test, *told]))
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self.generic_visit(node)
        if any(isinstance(part, ast.Attribute) or _is_foreign(part) for part in ast.walk(node.type or ast.Pass())):
            node.type = at(node.type, call("caught", [node.type]))
        return node

    def _due(self, test: ast.expr) -> ast.expr:
        """`due(where, test, period)` for a test `count % period == …` that a cut loop may never see come true."""
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            test.values = [self._due(part) for part in test.values]
            return test
        rest = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else None
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
            rest = test.left
        if isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Mod) and isinstance(rest.right, PLAIN):
            return at(test, call("due", [span(test, test), test, copy.deepcopy(rest.right)]))
        return test

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        if not node.is_async:
            node.iter = self._loop(node.iter, node.iter, [], generator=False)
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return node  # lazy: the loop that consumes it is the one to cut

    def visit_While(self, node: ast.While) -> ast.AST:
        steps = _contains(node, (ast.Yield, ast.YieldFrom))
        self.generic_visit(node)
        self.loops += 1
        state = f"__shapewright_loop_{self.loops}"
        enter = at(
            node,
            ast.Assign([ast.Name(state, ast.Store())], call("enter", [span(node, node.test), ast.Constant(steps)])),
        )
        again = ast.Call(ast.Attribute(ast.Name(state, ast.Load()), "again", ast.Load()), [], [])
        node.test = at(node.test, ast.BoolOp(ast.And(), [at(node.test, again), node.test]))
        leave = ast.Expr(ast.Call(ast.Attribute(ast.Name(state, ast.Load()), "leave", ast.Load()), [], []))
        return [enter, at(node, ast.Try(body=[node], handlers=[], orelse=[], finalbody=[at(node, leave)]))]

    # meetings of arrays
    # -----------------------------------------------------------------------------------------------------
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if isinstance(node.op, (ast.Div, ast.Mult)):
            counted(node.right)
            if reads(node.left):
                counted(node.left)
        if isinstance(node.op, ast.Div) and isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Mult):
            node.left.left = _literal(node.left.left)  # `100.0 * hits / count`
        self.generic_visit(node)
        if self.arrays and isinstance(node.op, ast.Sub):
            node.left, node.right = self._meeting(node, node.left, node.right)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.NotEq, ast.In) if self.arrays else ast.In):
            node.left, node.comparators[0] = self._meeting(node, node.left, node.comparators[0])
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        asked(node)
        summed = matches(node) if self.arrays else None
        self.generic_visit(node)
        if executes(node):
            return through(node)
        if self.arrays and converts(node):
            node.args[0] = at(node.args[0], call("single", [node.args[0]]))
        if getattr(node, "counts", False):
            given = [node.func, node.args[0]] if isinstance(node.func, ast.Name) else [node]
            return at(node, call("counted", given))
        if summed is not None:
            return self._matching(node, *summed)
        if (
            self.arrays
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in MEETINGS
            and _numpy(node.func.value)
            and len(node.args) == 2
        ):
            node.args = list(self._meeting(node, *node.args))
        if self.arrays and isinstance(node.func, ast.Attribute) and node.func.attr == "reshape":
            return self._folding(node)
        told = "storing" if stores(node) else "zipping" if walks(node) else ""
        node.func = at(node.func, call(told, [node.func])) if told else node.func
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        return at(node, call("counted", [node])) if getattr(node, "counts", False) else node

    def _matching(self, node: ast.Call, holder: ast.AST, field: str) -> ast.Call:
        """A `sum` or a `mean` of matches: what it counts and its result are handed through `matches`."""
        where = ast.Constant(node.lineno), ast.Constant(node.col_offset)
        base = holder.args[0] if field == "args" else holder.value
        wrapped = at(base, call("matches", [*where, ast.Constant(0), base]))
        if field == "args":
            holder.args[0] = wrapped
        else:
            holder.value = wrapped
        average = getattr(node.func, "attr", "") == "mean"
        return at(node, call("matches", [*where, ast.Constant(1), node, ast.Constant(average)]))

    def _folding(self, node: ast.Call) -> ast.Call:
        """A `reshape` whose array and result are both handed through `folded`, which notes their shapes."""
        where = place(node)
        if not _numpy(node.func.value):
            node.func.value = at(node.func.value, call("folded", [where, ast.Constant(0), node.func.value]))
        elif node.args and not isinstance(node.args[0], ast.Starred):
            node.args[0] = at(node.args[0], call("folded", [where, ast.Constant(0), node.args[0]]))
        return at(node, call("folded", [where, ast.Constant(1), node]))

    def _meeting(self, node: ast.expr, left: ast.expr, right: ast.expr) -> tuple[ast.expr, ast.expr]:
        """Both operands, each handed through `met`, which notes arrays' shapes; constants meet nobody."""
        if any(
            isinstance(part, (ast.Constant, ast.Starred))
            or (isinstance(part, ast.UnaryOp) and isinstance(part.operand, ast.Constant))
            for part in (left, right)
        ):
            return left, right
        where = place(node)
        return tuple(
            at(part, call("met", [where, ast.Constant(side), part])) for side, part in enumerate((left, right))
        )

    def _loop(self, node: ast.AST, iterable: ast.expr, tests: list[ast.expr], generator: bool) -> ast.expr:
        """`loop(iterable, span, generator, counted, start, tests)`; a plain `enumerate(...)` is unwrapped so that it
        can jump."""
        start, original = ast.Constant(0), iterable
        called = iterable.func if isinstance(iterable, ast.Call) and iterable.args else None
        counted = isinstance(called, ast.Name) and called.id == "enumerate"
        if counted:
            named = (given.value for given in original.keywords if given.arg == "start")
            iterable, start = (*original.args, next(named, start))[:2]
        arguments = [
            iterable,
            span(node, original),
            ast.Constant(generator),
            ast.Constant(counted),
            start,
            ast.List(tests, ast.Load()),
        ]
        return at(original, call("loop", arguments))

    # bindings
    # --------------------------------------------------------------------------------------------------------------
    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        names = [name for target in node.targets for name in _names(target)]
        counted(node.value, sizes=not self.counts.isdisjoint(names))
        if not self.sums.isdisjoint(names):
            if isinstance(node.value, ast.Tuple):
                node.value.elts = [_literal(part) for part in node.value.elts]
            node.value = _literal(node.value)
        compared, placed = self.arrays and is_equality(kept(node.value)), places(node)
        column = computed(node)
        self.generic_visit(node)
        if compared and names:
            node.value = at(node.value, call("compared", [node.value]))
        told = (("placed", placed), ("computed", column))
        puts = [at(node, ast.Expr(call(name, copy.deepcopy([*parts])))) for name, parts in told if parts]
        puts += [at(node, ast.Expr(call("held", parts))) for parts in held(node)]
        return [*watched(node), *puts, *_bound(node, names)]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        names = _names(node.target) if node.value is not None else []
        return [node, *_bound(node, names)] if names else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        for part in ast.walk(node.value):
            counted(part, sizes=True)
        self.generic_visit(node)
        names = _names(node.target)
        return [*watched(node), *_bound(node, names, grown=True)]

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        return watched(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        first = 1 if ast.get_docstring(node, clean=False) is not None else 0
        if node.args.args or node.args.posonlyargs or node.args.kwonlyargs:
            node.body.insert(first, at(node, ast.Expr(call("entered", []))))
        names = [
            a.arg
            for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            if a.arg not in ("self", "cls")
        ]
        if names and not _contains(node, (ast.Global, ast.Nonlocal)):
            node.body[first:first] = _bound(node, names, header=True)
        return node


def _added_up(tree: ast.AST) -> tuple[frozenset[str], frozenset[str]]:
    """The names that numbers read from tensors are added to, and those that such a number is given beside or that are
    added up themselves."""
    added = [node for node in ast.walk(tree) if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add)]
    reading = [node for node in added if any(map(reads, ast.walk(node.value)))]
    called = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and any(map(reads, node.args)))
    beside = [*(part for node in called for part in node.args), *(node.value for node in added)]
    return (
        frozenset(node.target.id for node in reading if isinstance(node.target, ast.Name)),
        frozenset(part.id for part in beside if isinstance(part, ast.Name)),
    )


def _literal(node: ast.expr) -> ast.expr:
    """A float of the source as one whose sums and products with followed numbers are followed."""
    plain = isinstance(node, ast.Constant) and type(node.value) is float
    return at(node, call("literal", [node])) if plain else node


def _tests(loop: ast.For) -> list[ast.expr]:
    """For each plain `if` of the body that reads the loop's counter: `lambda counter: test`, to find the iterations
    that matter, and whether what follows needs it."""
    target = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else loop.target
    found = []
    for node in branches(loop):
        copied = ast.parse(ast.unparse(node.test), mode="eval").body
        arguments = ast.arguments(posonlyargs=[], args=[ast.arg(target.id)], kwonlyargs=[], kw_defaults=[], defaults=[])
        told = [ast.Lambda(arguments, copied), ast.Constant(getattr(node, "needed", False))]
        found.append(at(node.test, ast.Tuple(told, ast.Load())))
        node.counted = True
    return found


def _contains(node: ast.AST, kinds: tuple) -> bool:
    return any(isinstance(part, kinds) for part in walk_scope(list(ast.iter_child_nodes(node))))


def _names(target: ast.expr) -> list[str]:
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, (ast.Tuple, ast.List)):
        return [name for part in target.elts for name in _names(part.value if isinstance(part, ast.Starred) else part)]
    return []


def _bound(node: ast.AST, names: list[str], grown: bool = False, header: bool = False) -> list[ast.stmt]:
    if not names:
        return []
    pairs = [ast.Tuple([ast.Constant(name), ast.Name(name, ast.Load())], ast.Load()) for name in names]
    last = node.lineno if header or isinstance(node, ast.For) else getattr(node, "end_lineno", node.lineno)
    where = ast.Tuple([ast.Constant(node.lineno), ast.Constant(last), ast.Constant(grown)], ast.Load())
    return [at(node, ast.Expr(call("bound", [where, *pairs])))]


def _numpy(node: ast.expr) -> bool:
    """Whether an expression is NumPy by the name that it is imported under."""
    return getattr(node, "id", "") in ("np", "numpy")


def _is_foreign(node: ast.AST) -> bool:
    """Whether a name is none of Python's own."""
    return isinstance(node, ast.Name) and not hasattr(builtins, node.id)
