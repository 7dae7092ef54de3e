"""`einsum`: an equation over shapes, explained."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro

from ..explain.einsum import EquationError, parse_shape, read_equation
from ..explain.einsum_page import error_text, page
from ..report.language import language
from ..report.terminal import as_text, page_settings
from .options import LANGUAGE


@dataclass
class Einsum:
    """Explain an einsum equation for the given shapes, and name the operator it equals: shapewright einsum 'ij,jk->ik'
    2,3 3,4

    Exit codes: 0 explained, 1 the equation does not fit the shapes."""

    equation: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="EQUATION", help_behavior_hint="")]
    """The equation, for example 'bij,bjk->bik'."""
    shapes: Annotated[
        tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="SHAPE ...", help_behavior_hint="")
    ] = ()
    """One per operand: 2,3 or 2x3 or '(2, 3)'; '()' for a single number."""
    lang: Annotated[str, LANGUAGE] = ""
    """en, es or ja; by default the locale's."""


def main(argv: Sequence[str]) -> int:
    """Prints the explanation; 1 where the equation does not fit."""
    options = tyro.cli(Einsum, prog="shapewright einsum", args=list(argv))
    lang, settings = language(options.lang), page_settings()
    try:
        equation = read_equation(options.equation, [parse_shape(shape) for shape in options.shapes])
    except EquationError as error:
        print(error_text(error, lang))
        return 1
    sys.stdout.write(as_text(list(page(equation, lang, settings["width"])), settings["color"]))
    return 0
