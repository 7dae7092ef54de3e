"""Text that a script executes itself, such as a file of settings: `exec(open("small.py").read())`. What it says sizes
the data as the script's own lines do."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .smaller import shrink

if TYPE_CHECKING:
    from ..process.request import Size

NAME = "<string>"  # as Python calls it


def executes(node: ast.Call) -> bool:
    """Whether a call executes what it is given.

    >>> executes(ast.parse("exec(text)").body[0].value), executes(ast.parse("run(text)").body[0].value)
    (True, False)
    """
    return isinstance(node.func, ast.Name) and node.func.id == "exec" and bool(node.args)


def through(node: ast.Call) -> ast.Call:
    """The call with `__shapewright__.executed(text, whether it is executed among the module's own names)` in place of
    what it executes."""
    hook = ast.Attribute(ast.Name("__shapewright__", ast.Load()), "executed", ast.Load())
    here = ast.Constant(len(node.args) == 1 and not node.keywords)
    node.args[0] = ast.copy_location(ast.Call(hook, [node.args[0], here], []), node.args[0])
    return ast.fix_missing_locations(node)


class Executed:
    """The texts that were executed, once each, and with which smaller numbers they are."""

    def __init__(self, sizes: tuple[Size, ...] = ()) -> None:
        self.sizes = sizes
        self.texts: dict[str, None] = {}

    def code(self, text: object, here: bool) -> object:
        """What is executed in place of `text`: its code, and where it stands `here`, among the module's own names, also
        that of the texts which it executes; the same object where it is no text, or none that Python can read."""
        if not isinstance(text, str):
            return text
        try:
            tree = ast.parse(text, NAME)
        except (SyntaxError, ValueError):
            return text
        self.texts[text] = None
        shrink(tree, text, self.sizes)
        for node in ast.walk(tree) if here else ():
            if isinstance(node, ast.Call) and executes(node):
                through(node)
        return compile(tree, NAME, "exec", dont_inherit=True)
