"""Where the values in an expression were bound: assignments, the caller's argument, a default, a field of a
configuration.

It is static: it follows names through the user's sources along a stack of sites, a few steps deep, and runs nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ..trace import Site
from .source import FUNCTIONS, Source

DEEPEST = 6
READS = ("size", "shape", "ndim", "dim", "numel", "item", "device", "dtype", "tolist", "to")


@dataclass(frozen=True)
class Definition:
    """A line that gave a value: `kind` is `assigned`, `argument`, `default`, `field` or `condition`; `text` its short
    source."""

    site: Site
    text: str
    kind: str = "assigned"
    value: ast.AST | None = None


class Definitions(Source):
    """The user's sources, with the way back from a name to the lines that gave it its value."""

    def definitions(
        self, expression: ast.AST | None, stack: tuple[Site, ...], element: int | None = None
    ) -> list[Definition]:
        """Where the values in `expression` were bound, nearest first: assignments, the caller's argument, a default, a
        field.

        Args:
            expression: part of the code at `stack[-1]`.
            stack: the user's sites, outermost first; a parameter is followed into `stack[-2]`.
            element: follow only this element of a tuple.
        """
        found: dict[tuple[str, int], Definition] = {}
        for definition in self._follow(expression, stack, element, 0, set()):
            found.setdefault((definition.site.file, definition.site.line), definition)
        return list(found.values())

    def _follow(self, expression, stack, element, depth, seen) -> Iterator[Definition]:
        if expression is None or depth > DEEPEST or not stack:
            return
        if element is not None and isinstance(expression, (ast.Tuple, ast.List)):
            if not any(isinstance(part, ast.Starred) for part in expression.elts) and -len(
                expression.elts
            ) <= element < len(expression.elts):
                expression = expression.elts[element]
            element = None
        for leaf in _leaves(expression):
            key = (ast.dump(leaf), stack[-1].file, stack[-1].line)
            if key in seen:
                continue
            seen.add(key)
            if isinstance(leaf, ast.Name):
                yield from self._name(leaf, stack, element, depth, seen)
            elif isinstance(leaf, ast.Attribute):
                yield from self._attribute(leaf, stack, element, depth, seen)
            elif (
                isinstance(leaf, ast.Subscript)
                and isinstance(leaf.slice, ast.Constant)
                and isinstance(leaf.slice.value, str)
            ):
                yield from self._field(leaf.slice.value, leaf, stack)

    def _name(self, leaf: ast.Name, stack, element, depth, seen) -> Iterator[Definition]:
        site, file = stack[-1], stack[-1].file
        function = self.function_at(site)
        if function is not None:
            bound = list(_assignments(function, leaf.id))
            before = [
                one
                for one in bound
                if one[0].lineno < leaf.lineno or (one[0].lineno == leaf.lineno and one[0] is not _statement(leaf))
            ]
            if before or (bound and leaf.id not in _parameters(function)):
                yield from self._assigned(before or bound, file, stack, element, depth, seen)
                if leaf.id not in _parameters(function):
                    return
            if leaf.id in _parameters(function):
                yield from self._parameter(function, leaf.id, stack, element, depth, seen)
                return
        for other in [file, *(name for name in self.trace.sources if name != file)]:
            bound = [one for one in _assignments(self.tree(other), leaf.id)]
            if bound:
                line = leaf.lineno if other == file and function is None else 1 << 30
                before = [one for one in bound if one[0].lineno < line] or bound
                top = tuple([Site(other, before[-1][0].lineno, 1, function="<module>")])
                yield from self._assigned(before[-1:], other, top, element, depth, seen)
                return

    def _assigned(self, bound, file, stack, element, depth, seen) -> Iterator[Definition]:
        """The last assignment, with the others of the same `if`; then what their values are made of."""
        last = bound[-1]
        chosen = [last]
        guard = _guard(last[0])
        if guard is not None:
            chosen += [one for one in bound[-3:-1]]
        for statement, value, _ in chosen:
            text = self.line(file, statement.lineno) if isinstance(statement, ast.For) else self.text(statement, file)
            yield Definition(self.site(statement, file), text, "assigned", value)
        for statement, *_ in chosen:
            guard = _guard(statement)
            if guard is not None:
                yield Definition(
                    Site(file, guard.lineno, 1, guard.lineno, 1), self.line(file, guard.lineno), "condition", guard
                )
        for statement, value, position in chosen:
            if value is None or _reads(value):
                continue
            if position is not None and isinstance(value, (ast.Tuple, ast.List)) and position < len(value.elts):
                value = value.elts[position]
            here = (*stack[:-1], Site(file, statement.lineno, 1, function=stack[-1].function))
            yield from self._follow(value, here, element, depth + 1, seen)

    def _parameter(self, function, name, stack, element, depth, seen) -> Iterator[Definition]:
        file = stack[-1].file
        outer = stack[:-1]
        call = self.node_at(outer[-1], (ast.Call,)) if outer else None
        if call is None or not self._may_call(call, function):
            found = self._static_call(function)
            if found is not None:
                call, outer = found
        if call is not None:
            argument = _argument(call, function, name)
            if argument is not None:
                where = outer[-1].file
                yield Definition(
                    self.site(argument if argument.lineno else call, where),
                    self.text(call, where),
                    "argument",
                    argument,
                )
                yield from self._follow(argument, outer, element, depth + 1, seen)
                return
        default = _default(function, name)
        if default is not None:
            yield Definition(self.site(default, file), f"{name}={self.text(default, file)}", "default", default)
            yield from self._follow(
                default, (Site(file, function.lineno, 1, function="<module>"),), element, depth + 1, seen
            )

    def _may_call(self, call: ast.Call, function) -> bool:
        """Whether this call could be the one that entered `function`; a module is called by its variable, so only plain
        misfits count."""
        return not (
            isinstance(call.func, ast.Attribute) and call.func.attr == "__init__" and function.name != "__init__"
        )

    def _static_call(self, function) -> tuple[ast.Call, tuple[Site, ...]] | None:
        owner = getattr(function, "parent", None)
        name = owner.name if function.name == "__init__" and isinstance(owner, ast.ClassDef) else function.name
        for file in self.trace.sources:
            for node in self.nodes(file):
                if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == name:
                    inside = _enclosing(node)
                    return node, (
                        Site(file, node.lineno, 1, function=inside.name if inside is not None else "<module>"),
                    )
        return None

    def _attribute(self, leaf: ast.Attribute, stack, element, depth, seen) -> Iterator[Definition]:
        function = self.function_at(stack[-1])
        if isinstance(leaf.value, ast.Name) and leaf.value.id == "self" and function is not None:
            owner = _class_of(function)
            if owner is not None:
                bound = [
                    one
                    for method in owner.body
                    if isinstance(method, ast.FunctionDef)
                    for one in _assignments(method, f"self.{leaf.attr}")
                ]
                bound = sorted(
                    bound,
                    key=lambda one: (one[0].lineno >= leaf.lineno and _enclosing(one[0]) is function, one[0].lineno),
                )
                if bound:
                    here = self._made(_enclosing(bound[-1][0]), stack)
                    yield from self._assigned(
                        bound[:1] if _guard(bound[-1][0]) is None else bound, stack[-1].file, here, element, depth, seen
                    )
                    return
        yield from self._field(leaf.attr, leaf, stack)

    def _made(self, method, stack) -> tuple[Site, ...]:
        """A stack that ends in `method` of the running object: the constructor's, where the module that ran it is
        known."""
        file = stack[-1].file
        for site_index in range(len(stack) - 1, -1, -1):
            if stack[site_index].file == file and method.lineno <= stack[site_index].line <= method.end_lineno:
                return stack[: site_index + 1]
        for module in self.trace.modules.values():
            last = module.stack[-1] if module.stack else None
            if (
                last is not None
                and last.file == file
                and last.function == method.name
                and method.lineno <= last.line <= method.end_lineno
            ):
                return module.stack
        return (Site(file, method.lineno, 1, function=method.name),)

    def _field(self, name: str, leaf: ast.AST, stack) -> Iterator[Definition]:
        """Class fields, keyword arguments, command-line options and dict entries of this name, anywhere in the user's
        files."""
        weak: list[Definition] = []
        strong: list[Definition] = []
        for file in self.trace.sources:
            for node in self.nodes(file):
                if isinstance(node, ast.ClassDef):
                    for statement in node.body:
                        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and name in _targets(statement):
                            weak.append(
                                Definition(
                                    self.site(statement, file), self.text(statement, file), "field", statement.value
                                )
                            )
                elif isinstance(node, ast.Assign) and any(
                    isinstance(t, ast.Attribute) and t.attr == name for t in node.targets
                ):
                    strong.append(Definition(self.site(node, file), self.text(node, file), "assigned", node.value))
                elif isinstance(node, ast.Call):
                    strong += [
                        Definition(self.site(k.value, file), f"{name}={self.text(k.value, file)}", "argument", k.value)
                        for k in node.keywords
                        if k.arg == name and _configures(node, k.value, leaf)
                    ]
                    if (
                        node.args
                        and isinstance(node.args[0], ast.Constant)
                        and isinstance(node.args[0].value, str)
                        and getattr(node.func, "attr", "") == "add_argument"
                        and node.args[-1].value is not None
                    ) and any(
                        isinstance(a, ast.Constant) and str(a.value).lstrip("-").replace("-", "_") == name
                        for a in node.args
                    ):
                        weak.append(Definition(self.site(node, file), self.text(node, file), "field", node))
                elif isinstance(node, ast.Dict):
                    for key, value in zip(node.keys, node.values):
                        if isinstance(key, ast.Constant) and key.value == name:
                            weak.append(
                                Definition(self.site(key, file), f"{name!r}: {self.text(value, file)}", "field", value)
                            )
        yield from [*strong[:2], *weak[:2]]


def _configures(call: ast.Call, value: ast.AST, leaf: ast.AST) -> bool:
    """Whether a keyword argument may be the field that `leaf` reads: a config's, not the very call that reads it."""
    inside = any(part is leaf for part in ast.walk(call))
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    return not inside and (
        isinstance(value, ast.Constant)
        and (
            "onfig" in name
            or name in ("Namespace", "SimpleNamespace", "dict", "Args", "replace")
            or name.endswith(("Args", "Params", "Settings", "Options", "Hparams"))
        )
    )


def _leaves(expression: ast.AST) -> Iterator[ast.AST]:
    """The names, attributes and string subscripts that give an expression its value, left to right; never what is
    called."""
    if isinstance(expression, (ast.Name, ast.Attribute)):
        if isinstance(expression, ast.Attribute) and expression.attr in READS:
            return
        yield expression
        return
    if isinstance(expression, ast.Subscript):
        if isinstance(expression.slice, ast.Constant) and isinstance(expression.slice.value, str):
            yield expression
        else:
            yield from _leaves(expression.value)
        return
    if isinstance(expression, ast.Call):
        if isinstance(expression.func, ast.Attribute) and expression.func.attr in READS:
            return
        if isinstance(expression.func, ast.Name) and expression.func.id == "len":
            return
        if isinstance(expression.func, ast.Attribute) and not isinstance(expression.func.value, ast.Name):
            yield from _leaves(expression.func.value)
        elif isinstance(expression.func, ast.Attribute) and expression.func.value.id not in (
            "self",
            "torch",
            "nn",
            "np",
            "F",
            "numpy",
        ):
            yield expression.func.value
        for part in (*expression.args, *(keyword.value for keyword in expression.keywords)):
            yield from _leaves(part)
        return
    if isinstance(expression, (ast.Lambda, ast.ListComp, ast.GeneratorExp)):
        return
    for child in ast.iter_child_nodes(expression):
        yield from _leaves(child)


def _reads(value: ast.AST) -> bool:
    """Whether a value is the size of some tensor: what bound that tensor is the walk's business, not this one's."""
    return any(isinstance(part, ast.Attribute) and part.attr in ("shape", "size") for part in ast.walk(value))


def _assignments(scope: ast.AST, name: str) -> Iterator[tuple[ast.stmt, ast.AST | None, int | None]]:
    """`(statement, value, position in a tuple)` for each binding of `name` in one scope, in order of lines."""
    found = []
    queue = list(ast.iter_child_nodes(scope))
    while queue:
        node = queue.pop(0)
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            continue
        queue = [*ast.iter_child_nodes(node), *queue]
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if _target_name(target) == name:
                    found.append((node, node.value, None))
                elif isinstance(target, (ast.Tuple, ast.List)):
                    found += [
                        (node, node.value, at) for at, part in enumerate(target.elts) if _target_name(part) == name
                    ]
        elif (
            isinstance(node, (ast.AnnAssign, ast.AugAssign))
            and _target_name(node.target) == name
            and node.value is not None
        ):
            found.append((node, node.value, None))
        elif (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Attribute)
            and node.value.args
        ):
            if node.value.func.attr in ("append", "extend", "insert") and _target_name(node.value.func.value) == name:
                found.append((node, node.value.args[-1], None))
        elif isinstance(node, ast.For) and any(_target_name(part) == name for part in ast.walk(node.target)):
            found.append((node, node.iter, None))
    return iter(sorted(found, key=lambda one: one[0].lineno))


def _target_name(target: ast.AST) -> str:
    if isinstance(target, ast.Name):
        return target.id
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
        return f"self.{target.attr}"
    return ""


def _targets(statement: ast.stmt) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]


def _parameters(function: ast.AST) -> list[str]:
    arguments = function.args
    return [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _argument(call: ast.Call, function: ast.AST, name: str) -> ast.AST | None:
    """What a call passes for a parameter; `None` where it leaves it out."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    if names and names[0] in ("self", "cls"):
        names = names[1:]
    if name in names:
        position = names.index(name)
        if position < len(call.args) and not any(isinstance(a, ast.Starred) for a in call.args[: position + 1]):
            return call.args[position]
    return None


def _default(function: ast.AST, name: str) -> ast.AST | None:
    arguments = function.args
    names = [*arguments.posonlyargs, *arguments.args]
    for argument, default in zip(reversed(names), reversed(arguments.defaults)):
        if argument.arg == name:
            return default
    return next(
        (default for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults) if argument.arg == name),
        None,
    )


def _statement(node: ast.AST) -> ast.stmt | None:
    while node is not None and not isinstance(node, ast.stmt):
        node = getattr(node, "parent", None)
    return node


def _guard(statement: ast.AST) -> ast.If | None:
    """The `if` around a statement, within its function."""
    node = getattr(statement, "parent", None)
    while node is not None and not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)):
        if isinstance(node, ast.If) and not (
            isinstance(node.test, ast.Compare) and getattr(node.test.left, "id", "") == "__name__"
        ):
            return node
        node = getattr(node, "parent", None)
    return None


def _enclosing(node: ast.AST) -> ast.FunctionDef | None:
    node = getattr(node, "parent", None)
    while node is not None and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        node = getattr(node, "parent", None)
    return node


def _class_of(function: ast.AST) -> ast.ClassDef | None:
    node = getattr(function, "parent", None)
    while node is not None and not isinstance(node, ast.ClassDef):
        node = getattr(node, "parent", None)
    return node
