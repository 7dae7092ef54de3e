"""One source text as LibCST sees it: finds nodes by place and makes edits that leave every other byte alone.

It runs nothing and decides nothing.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from .. import ops
from ..dataclass import dataclass
from ..diagnosis.model import Edit
from ..graph.imports import library
from ..trace import Site

ATOMS = (
    cst.Name,
    cst.Attribute,
    cst.Call,
    cst.Subscript,
    cst.List,
    cst.Tuple,
    cst.Integer,
    cst.Float,
    cst.SimpleString,
)


@dataclass(frozen=True)
class Place:
    """A node with its span: lines from 1, columns from 1, the end exclusive."""

    node: cst.CSTNode
    line: int
    column: int
    end_line: int
    end_column: int

    def within(self, other: Place) -> bool:
        """Whether this span lies in the other's."""
        return (other.line, other.column) <= (self.line, self.column) and (self.end_line, self.end_column) <= (
            other.end_line,
            other.end_column,
        )


class Source:
    """A parsed file. Raises `libcst.ParserSyntaxError` where it cannot be parsed."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        self.lines = re.split(r"\r\n|\r|\n", text)
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        self.module = wrapper.module
        self.places: list[Place] = []
        self._of_kind: dict[type | tuple, list[Place]] = {}
        for node, span in wrapper.resolve(PositionProvider).items():
            self.places.append(Place(node, span.start.line, span.start.column + 1, span.end.line, span.end.column + 1))

    # finding
    # ---------------------------------------------------------------------------------------------------------------
    def at(self, site: Site, kinds: type | tuple = cst.BaseExpression) -> Place | None:
        """The node that spans exactly `site`, else the largest of these kinds within it, else the smallest around
        it."""
        wanted = Place(self.module, site.line, site.column, site.end_line or site.line, site.end_column or 10_000)
        fitting = self.of_kind(kinds)
        exact = [
            p
            for p in fitting
            if (p.line, p.column, p.end_line, p.end_column)
            == (wanted.line, wanted.column, wanted.end_line, wanted.end_column)
        ]
        if exact:
            return exact[0]
        inside = [p for p in fitting if p.within(wanted)]
        if inside:
            return max(inside, key=_extent)
        around = [p for p in fitting if wanted.within(p)]
        return min(around, key=_extent) if around else None

    def of_kind(self, kinds: type | tuple) -> list[Place]:
        """Every place of a node of these kinds; asked often, looked for once."""
        found = self._of_kind.get(kinds)
        if found is None:
            found = self._of_kind[kinds] = [place for place in self.places if isinstance(place.node, kinds)]
        return found

    def place(self, node: cst.CSTNode) -> Place:
        """The place of a node of this module."""
        return self._by_node[id(node)]

    @functools.cached_property
    def _by_node(self) -> dict[int, Place]:
        return {id(place.node): place for place in self.places}

    def within(self, outer: Place, kinds: type | tuple) -> Iterator[Place]:
        """Nodes of these kinds within a place, in reading order."""
        found = [place for place in self.of_kind(kinds) if place.within(outer)]
        return iter(sorted(found, key=lambda place: (place.line, place.column)))

    def methods(self, outer: Place, *names: str) -> Iterator[Place]:
        """Calls `x.name(…)` within a place by the names of methods, or by groups of operators."""
        for place in self.within(outer, cst.Call):
            func = place.node.func
            if isinstance(func, cst.Attribute) and (func.attr.value in names or ops.is_a(func.attr.value, *names)):
                yield place

    def method(self, call: cst.Call) -> str:
        """`.mean(1)` of `(x + y).mean(1)`."""
        bare = call.with_changes(lpar=(), rpar=())
        return self.code(bare)[len(self.code(cst.ensure_type(bare.func, cst.Attribute).value)) :].strip()

    def operand(self, call: Place) -> Place | None:
        """What a method, or a function of a library, computes with: `x` of `x.mean(1)` and of `torch.mean(x, 1)`."""
        func, given = call.node.func, call.node.args
        if isinstance(func, cst.Attribute) and not library(self.text, self.code(func)):
            return self.place(func.value)
        return self.place(given[0].value) if given else None

    def twice(self, place: Place) -> str:
        """Two times what is written."""
        text = self.text_of(place)
        return str(2 * int(text)) if text.isdigit() else f"2 * {self.atom(place)}"

    def exchanged(self, one: Place, other: Place) -> tuple[Edit, ...]:
        """Two expressions in each other's place."""
        return self.replace(one, self.text_of(other)), self.replace(other, self.text_of(one))

    def statement(self, line: int) -> Place | None:
        """The smallest statement that covers a line."""
        kinds = (cst.SimpleStatementLine, cst.BaseCompoundStatement)
        around = [p for p in self.of_kind(kinds) if p.line <= line <= p.end_line]
        return min(around, key=_extent) if around else None

    def enclosing(self, line: int, kinds: type | tuple) -> list[Place]:
        """Nodes of these kinds whose span covers a line, innermost first."""
        return sorted((p for p in self.of_kind(kinds) if p.line <= line <= p.end_line), key=_extent)

    def scope(self, line: int) -> Place | None:
        """The innermost function around a line."""
        return next(iter(self.enclosing(line, cst.FunctionDef)), None)

    def binding(self, name: str, before: int) -> Place | None:
        """The value last assigned to `name` above a line in the same function (or module)."""
        scope = self.scope(before)
        found = []
        for place in self.of_kind(cst.Assign):
            if place.end_line >= before + (place.end_line == before and 0):
                continue
            targets = [target.target for target in place.node.targets]
            if (
                any(isinstance(target, cst.Name) and target.value == name for target in targets)
                and self.scope(place.line) is scope
            ):
                found.append(self.place(place.node.value))
        return max(found, key=lambda place: place.line) if found else None

    def code(self, node: cst.CSTNode) -> str:
        """The text of a node."""
        return self.module.code_for_node(node)

    def text_of(self, place: Place) -> str:
        """The text of a span, byte for byte."""
        if place.line == place.end_line:
            return self.lines[place.line - 1][place.column - 1 : place.end_column - 1]
        first = self.lines[place.line - 1][place.column - 1 :]
        last = self.lines[place.end_line - 1][: place.end_column - 1]
        return "\n".join([first, *self.lines[place.line : place.end_line - 1], last])

    # editing
    # ---------------------------------------------------------------------------------------------------------------
    def replace(self, place: Place, text: str) -> Edit:
        """Put `text` where a span stands."""
        return Edit(self.file, place.line, place.column, place.end_line, place.end_column, text)

    def suffix(self, place: Place, suffix: str) -> Edit:
        """Call or index an expression: `x` becomes `x` + `suffix`, in parentheses where it must be."""
        return self.replace(place, self.atom(place) + suffix)

    def atom(self, place: Place) -> str:
        """The text of an expression as it may stand in another one: in parentheses where it must be."""
        text = self.text_of(place)
        bare = isinstance(place.node, ATOMS) and not (isinstance(place.node, cst.Tuple) and not text.startswith("("))
        return text if bare else f"({text})"

    def called(self, call: Place) -> str:
        """The last name of what a call calls: `Linear` of `nn.Linear(...)`."""
        return self.text_of(self.place(call.node.func)).split(".")[-1]

    def inverted(self, expression: cst.BaseExpression) -> str:
        """The text of a mask turned over: without its `~` where it has one, else with one."""
        if isinstance(expression, cst.UnaryOperation) and isinstance(expression.operator, cst.BitInvert):
            return self.text_of(self.place(expression.expression))
        return f"~{self.atom(self.place(expression))}"

    def given(self, call: Place, position: int | None, keyword: str) -> cst.BaseExpression | None:
        """The argument that a call has, by keyword or position."""
        plain = [a.value for a in call.node.args if a.keyword is None and not a.star]
        named = next((a.value for a in call.node.args if a.keyword is not None and a.keyword.value == keyword), None)
        return (
            named if named is not None else plain[position] if position is not None and position < len(plain) else None
        )

    def argument(self, call: Place, position: int | None, keyword: str, text: str) -> Edit | None:
        """Set one argument of a call, in place where it stands, else as a new keyword at the end."""
        node = call.node
        assert isinstance(node, cst.Call)
        plain = [a for a in node.args if a.keyword is None and not a.star]
        for given in node.args:
            if given.keyword is not None and given.keyword.value == keyword:
                return self.replace(self.place(given.value), text)
        if position is not None and position < len(plain):
            return self.replace(self.place(plain[position].value), text)
        added = f"{keyword}={text}"
        if not node.args:
            end = Place(node, call.end_line, call.end_column - 1, call.end_line, call.end_column - 1)
            return self.replace(end, added)
        last = self._closed(self.place(node.args[-1].value))
        tail = node.args[-1]
        if tail.keyword is not None or not tail.star:
            end = Place(node, last.end_line, last.end_column, last.end_line, last.end_column)
            if last.line != call.line or call.end_line != last.end_line:  # one argument a line: keep to that form
                indent = " " * (len(self.lines[last.line - 1]) - len(self.lines[last.line - 1].lstrip()))
                return self.replace(end, f",\n{indent}{added}")
            return self.replace(end, f", {added}")
        return None

    def _closed(self, place: Place) -> Place:
        """A span with the brackets of its own that end it, which LibCST leaves out."""
        line, column = place.end_line, place.end_column
        for _ in getattr(place.node, "rpar", ()):
            while ")" not in self.lines[line - 1][column - 1 :]:
                line, column = line + 1, 1
            column = self.lines[line - 1].index(")", column - 1) + 2
        return Place(place.node, place.line, place.column, line, column)

    def line_before(self, line: int, text: str) -> Edit:
        """A new statement above a line, indented like it."""
        return Edit(self.file, line, 1, line, 1, self.indent(line) + text + self._newline())

    def line_after(self, place: Place, text: str, indent: str | None = None) -> Edit:
        """A new statement below a statement."""
        at = place.end_line if place.end_column > 1 else place.end_line - 1
        width = len(self.lines[at - 1]) + 1
        return Edit(
            self.file,
            at,
            width,
            at,
            width,
            self._newline() + (self.indent(place.line) if indent is None else indent) + text,
        )

    def line_below(self, line: int, text: str) -> Edit:
        """A new line below a line, its indentation given."""
        width = len(self.lines[line - 1]) + 1
        return Edit(self.file, line, width, line, width, self._newline() + text)

    def last_line(self, place: Place) -> int:
        """The last line of a statement that says something."""
        at = place.end_line if place.end_column > 1 else place.end_line - 1
        while at > place.line and not self.lines[at - 1].strip():
            at -= 1
        return at

    def imported(self, name: str) -> tuple[Edit, ...]:
        """The line that imports a module, where the file does not."""
        plain = [p for p in self.of_kind(cst.Import) for a in p.node.names if self.code(a.name).strip() == name]
        lines = self.of_kind((cst.Import, cst.ImportFrom)) if name and not plain else []
        lines = [place for place in lines if "__future__" not in self.text_of(place)]
        return (self.line_before(lines[0].line, f"import {name}"),) if lines else ()

    def body(self, line: int) -> list[Place]:
        """The statements of the innermost loop or function around a line, in order."""
        for around in self.enclosing(line, (cst.For, cst.While, cst.FunctionDef)):
            if isinstance(around.node.body, cst.IndentedBlock):
                return [self.place(part) for part in around.node.body.body]
        return []

    def block_of(self, line: int) -> tuple[list[Place], int]:
        """The statements of the block that the one on a line is directly in, and its number among them; `([], -1)`
        where there is none."""
        statement = self.statement(line)
        for place in self.of_kind((cst.IndentedBlock, cst.Module)) if statement is not None else ():
            for number, part in enumerate(place.node.body):
                if part is statement.node:
                    return [self.place(one) for one in place.node.body], number
        return [], -1

    def below_header(self, first: int, last: int, header: str) -> Edit:
        """The lines from `first` to `last` one level deeper, below a header."""
        indent = self.indent(first)
        step = "\t" if indent.startswith("\t") else " " * 4
        body = [step + line if line.strip() else line for line in self.lines[first - 1 : last]]
        whole = Place(self.module, first, 1, last, len(self.lines[last - 1]) + 1)
        return self.replace(whole, "\n".join([indent + header, *body]))

    def name_of(self, module: str) -> str:
        """What the file calls a module: by the name that an import gives it, else in full."""
        for place in self.of_kind(cst.Import):
            for alias in place.node.names:
                if self.code(alias.name).strip() == module and alias.asname is not None:
                    return self.code(alias.asname.name).strip()
        owner, _, last = module.rpartition(".")
        for place in self.of_kind(cst.ImportFrom):
            names = () if isinstance(place.node.names, cst.ImportStar) else place.node.names
            within = place.node.module is not None and self.code(place.node.module).strip() == owner
            for alias in names if within else ():
                if self.code(alias.name).strip() == last:
                    return self.code(alias.asname.name if alias.asname is not None else alias.name).strip()
        return module

    def removed(self, place: Place) -> Edit:
        """The lines of a statement taken away, their ends with them."""
        last = self.last_line(place)
        if last < len(self.lines):
            return Edit(self.file, place.line, 1, last + 1, 1, "")
        return Edit(self.file, place.line, 1, last, len(self.lines[last - 1]) + 1, "")

    def place_of_line(self, line: int) -> Place:
        """A whole line, its end left out."""
        return Place(self.module, line, 1, line, len(self.lines[line - 1]) + 1)

    def indent(self, line: int) -> str:
        """The white space before a line."""
        text = self.lines[line - 1]
        return text[: len(text) - len(text.lstrip())]

    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"


def merged(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits, of which those that add at one place are one."""
    found: dict[tuple[int, int, int, int], Edit] = {}
    for edit in edits:
        place = (edit.line, edit.column, edit.end_line, edit.end_column)
        added = found[place].replacement if place in found else ""
        found[place] = replace(edit, replacement=added + edit.replacement)
    return tuple(found.values())


def _extent(place: Place) -> tuple[int, int]:
    return (
        place.end_line - place.line,
        place.end_column - place.column if place.end_line == place.line else 10_000 + place.end_column,
    )
