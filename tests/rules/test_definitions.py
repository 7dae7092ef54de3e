"""Names are followed to the lines that bound them."""

from __future__ import annotations

import ast
import textwrap

from shapewright.graph.definitions import Definitions
from shapewright.trace import Outcome, Site, Trace

FILE = "script.py"


def lines(text: str, *stack: tuple[int, str], pick) -> list[int]:
    """The lines of the definitions of the expression that `pick` chooses, for a stack of `(line, function)`."""
    source = Definitions(Trace(FILE, Outcome("complete"), sources={FILE: textwrap.dedent(text)}))
    node = next(n for n in source.nodes(FILE) if pick(n))
    sites = []
    for line, function in stack:
        call = next((n for n in source.nodes(FILE) if isinstance(n, ast.Call) and n.lineno == line), None)
        place = source.site(call, FILE) if call is not None else Site(FILE, line)
        sites.append(Site(FILE, line, place.column, place.end_line, place.end_column, function))
    return [d.site.line for d in source.definitions(node, tuple(sites))]


def named(text: str):
    return lambda node: (
        isinstance(node, ast.expr)
        and not isinstance(getattr(node, "ctx", None), ast.Store)
        and ast.unparse(node) == text
    )


def test_a_constant_of_the_module():
    assert lines("WIDTH = 12\nlayer = make(WIDTH * 2)\n", (2, "<module>"), pick=named("WIDTH * 2")) == [1]


def test_an_argument_is_followed_into_the_caller():
    text = """\
    BATCH = 8
    def hidden(n):
        return zeros(1, n)
    h = hidden(BATCH)
    """
    assert lines(
        text, (4, "<module>"), (3, "hidden"), pick=lambda n: isinstance(n, ast.Name) and n.id == "n" and n.lineno == 3
    ) == [4, 1]


def test_a_default_stands_where_the_caller_is_silent():
    text = """\
    def table(longest=16):
        return zeros(longest)
    table()
    """
    assert lines(text, (3, "<module>"), (2, "table"), pick=lambda n: isinstance(n, ast.Name) and n.id == "longest") == [
        1
    ]


def test_a_field_of_a_configuration():
    text = """\
    class Config:
        width: int = 30
    def build(cfg):
        return layer(cfg.width)
    build(Config())
    """
    assert 2 in lines(text, (5, "<module>"), (4, "build"), pick=named("cfg.width"))


def test_the_condition_of_an_assignment_is_told():
    text = """\
    def block(stride):
        shortcut = None
        if stride != 1:
            shortcut = conv()
        return use(shortcut)
    """
    assert lines(
        text, (5, "block"), pick=lambda n: isinstance(n, ast.Name) and n.id == "shortcut" and n.lineno == 5
    ) == [4, 2, 3]


def test_options_of_the_command_line_and_entries_of_a_dict():
    assert lines(
        'p.add_argument("--hidden-dim", default=4)\nlayer(args.hidden_dim)\n',
        (2, "<module>"),
        pick=named("args.hidden_dim"),
    ) == [1]
    assert lines('cfg = {\n "dim": 4}\nlayer(cfg["dim"])\n', (3, "<module>"), pick=named("cfg['dim']")) == [2]


def test_what_is_unknown_or_broken_is_silent():
    assert lines("layer(width)\n", (1, "<module>"), pick=named("width")) == []
    assert Definitions(Trace(FILE, Outcome("complete"), sources={FILE: "def ("})).node_at(Site(FILE, 1)) is None
