"""Where the values in an expression were bound: assignments, the caller's argument, a default, a field of a
configuration.

It is static: it follows names through the user's sources along a stack of sites, a few steps deep, and runs nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..dataclass import dataclass
from ..trace import Site
from .scopes import (
    Assigned,
    argument_of,
    assignments,
    class_of,
    default_of,
    enclosing,
    guard_of,
    leaves,
    parameters_of,
    reads_size,
    statement_of,
    targets,
)
from .source import Function, Source, walk

DEEPEST = 6
Stack = tuple[Site, ...]
Seen = set[tuple[str, str, int]]


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

    def _follow(
        self, expression: ast.AST | None, stack: Stack, element: int | None, depth: int, seen: Seen
    ) -> Iterator[Definition]:
        if expression is None or depth > DEEPEST or not stack:
            return
        if element is not None and isinstance(expression, (ast.Tuple, ast.List)):
            if not any(isinstance(part, ast.Starred) for part in expression.elts) and -len(
                expression.elts
            ) <= element < len(expression.elts):
                expression = expression.elts[element]
            element = None
        for leaf in leaves(expression):
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
                yield from self._field(leaf.slice.value, leaf)

    def _name(self, leaf: ast.Name, stack: Stack, element: int | None, depth: int, seen: Seen) -> Iterator[Definition]:
        site, file = stack[-1], stack[-1].file
        function = self.function_at(site)
        if function is not None:
            bound = list(assignments(function, leaf.id))
            before = [
                one
                for one in bound
                if one[0].lineno < leaf.lineno or (one[0].lineno == leaf.lineno and one[0] is not statement_of(leaf))
            ]
            if before or (bound and leaf.id not in parameters_of(function)):
                yield from self._assigned(before or bound, file, stack, element, depth, seen)
                if leaf.id not in parameters_of(function):
                    return
            if leaf.id in parameters_of(function):
                yield from self._parameter(function, leaf.id, stack, element, depth, seen)
                return
        for other in [file, *(name for name in self.trace.sources if name != file)]:
            bound = [one for one in assignments(self.tree(other), leaf.id)]
            if bound:
                line = leaf.lineno if other == file and function is None else 1 << 30
                before = [one for one in bound if one[0].lineno < line] or bound
                top = tuple([Site(other, before[-1][0].lineno, 1, function="<module>")])
                yield from self._assigned(before[-1:], other, top, element, depth, seen)
                return

    def _assigned(
        self, bound: list[Assigned], file: str, stack: Stack, element: int | None, depth: int, seen: Seen
    ) -> Iterator[Definition]:
        """The last assignment, with the others of the same `if`; then what their values are made of."""
        last = bound[-1]
        chosen = [last]
        guard = guard_of(last[0])
        if guard is not None:
            chosen += [one for one in bound[-3:-1]]
        for statement, value, _ in chosen:
            text = self.line(file, statement.lineno) if isinstance(statement, ast.For) else self.text(statement, file)
            yield Definition(self.site(statement, file), text, "assigned", value)
        for statement, *_ in chosen:
            guard = guard_of(statement)
            if guard is not None:
                yield Definition(
                    Site(file, guard.lineno, 1, guard.lineno, 1), self.line(file, guard.lineno), "condition", guard
                )
        for statement, value, position in chosen:
            if value is None or reads_size(value):
                continue
            if position is not None and isinstance(value, (ast.Tuple, ast.List)) and position < len(value.elts):
                value = value.elts[position]
            here = (*stack[:-1], Site(file, statement.lineno, 1, function=stack[-1].function))
            yield from self._follow(value, here, element, depth + 1, seen)

    def _parameter(
        self, function: Function, name: str, stack: Stack, element: int | None, depth: int, seen: Seen
    ) -> Iterator[Definition]:
        file = stack[-1].file
        outer = stack[:-1]
        call = self.call_at(outer[-1]) if outer else None
        if call is None or not self._may_call(call, function):
            found = self._static_call(function)
            if found is not None:
                call, outer = found
        if call is not None:
            argument = argument_of(call, function, name)
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
        default = default_of(function, name)
        if default is not None:
            yield Definition(self.site(default, file), f"{name}={self.text(default, file)}", "default", default)
            yield from self._follow(
                default, (Site(file, function.lineno, 1, function="<module>"),), element, depth + 1, seen
            )

    def _may_call(self, call: ast.Call, function: Function) -> bool:
        """Whether this call could be the one that entered `function`; a module is called by its variable, so only plain
        misfits count."""
        return not (
            isinstance(call.func, ast.Attribute) and call.func.attr == "__init__" and function.name != "__init__"
        )

    def _static_call(self, function: Function) -> tuple[ast.Call, tuple[Site, ...]] | None:
        owner = getattr(function, "parent", None)
        name = owner.name if function.name == "__init__" and isinstance(owner, ast.ClassDef) else function.name
        for file in self.trace.sources:
            for node in self.nodes(file):
                if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == name:
                    inside = enclosing(node)
                    return node, (
                        Site(file, node.lineno, 1, function=inside.name if inside is not None else "<module>"),
                    )
        return None

    def _attribute(
        self, leaf: ast.Attribute, stack: Stack, element: int | None, depth: int, seen: Seen
    ) -> Iterator[Definition]:
        function = self.function_at(stack[-1])
        if isinstance(leaf.value, ast.Name) and leaf.value.id == "self" and function is not None:
            owner = class_of(function)
            if owner is not None:
                bound = [
                    one
                    for method in owner.body
                    if isinstance(method, ast.FunctionDef)
                    for one in assignments(method, f"self.{leaf.attr}")
                ]
                bound = sorted(
                    bound,
                    key=lambda one: (one[0].lineno >= leaf.lineno and enclosing(one[0]) is function, one[0].lineno),
                )
                if bound:
                    here = self._made(enclosing(bound[-1][0]), stack)
                    yield from self._assigned(
                        bound[:1] if guard_of(bound[-1][0]) is None else bound,
                        stack[-1].file,
                        here,
                        element,
                        depth,
                        seen,
                    )
                    return
        yield from self._field(leaf.attr, leaf)

    def _made(self, method: Function | None, stack: Stack) -> tuple[Site, ...]:
        """A stack that ends in `method` of the running object: the constructor's, where the module that ran it is
        known."""
        file = stack[-1].file
        if method is None:
            return stack
        last_line = method.end_lineno or method.lineno
        for site_index in range(len(stack) - 1, -1, -1):
            if stack[site_index].file == file and method.lineno <= stack[site_index].line <= last_line:
                return stack[: site_index + 1]
        for module in self.trace.modules.values():
            last = module.stack[-1] if module.stack else None
            if (
                last is not None
                and last.file == file
                and last.function == method.name
                and method.lineno <= last.line <= last_line
            ):
                return module.stack
        return (Site(file, method.lineno, 1, function=method.name),)

    def _field(self, name: str, leaf: ast.AST) -> Iterator[Definition]:
        """Class fields, keyword arguments, command-line options and dict entries of this name, anywhere in the user's
        files."""
        weak: list[Definition] = []
        strong: list[Definition] = []
        for file in self.trace.sources:
            for node in self.nodes(file):
                if isinstance(node, ast.ClassDef):
                    for statement in node.body:
                        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and name in targets(statement):
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
                        and getattr(node.args[-1], "value", True) is not None
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
    inside = any(part is leaf for part in walk(call))
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    return not inside and (
        isinstance(value, ast.Constant)
        and (
            "onfig" in name
            or name in ("Namespace", "SimpleNamespace", "dict", "Args", "replace")
            or name.endswith(("Args", "Params", "Settings", "Options", "Hparams"))
        )
    )
