"""The einsum explainer against torch.einsum itself."""

import pytest
import torch

from shapewright.explain.einsum import KNOWN, EquationError, parse_shape, read_equation
from shapewright.explain.einsum_page import ERRORS, FATES, error_text, page

SIZES = dict(zip("abcdefgh", (2, 3, 4, 5, 6, 7, 8, 9)))


def tensors(equation: str) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    shapes = []
    for term in equation.split("->")[0].split(","):
        before, dots, after = term.partition("...")
        shapes.append([SIZES[name] for name in before] + ([2, 3] if dots else []) + [SIZES[name] for name in after])
    return [torch.rand(shape, generator=generator, dtype=torch.float64) for shape in shapes]


@pytest.mark.parametrize("equation,operator", [(equation, operator) for equation, _, operator in KNOWN])
def test_every_known_operator_computes_what_the_equation_does(equation, operator):
    operands = tensors(equation)
    names = dict(zip("ABC", operands))
    expected = torch.einsum(equation, *operands)
    assert torch.allclose(eval(operator, {"torch": torch}, names), expected)
    read = read_equation(equation, [tuple(operand.shape) for operand in operands])
    assert read.result == tuple(expected.shape)
    assert torch.allclose(eval(read.operator, {"torch": torch}, names), expected)


@pytest.mark.parametrize(
    "equation,shapes,operator",
    [
        ("ij,jk->ik", [(2, 3), (3, 5)], "A @ B"),
        ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)], "torch.bmm(A, B)"),
        ("ii->", [(3, 3)], "A.trace()"),
        ("i,ijk,j->k", [(2,), (2, 3, 4), (3,)], "torch.nn.functional.bilinear(A, C, B.permute(2, 0, 1))"),
        ("...ij->...i", [(5, 2, 3)], "A.sum(-1)"),
        ("abcd->dbca", [(2, 3, 4, 5)], "A.permute(3, 1, 2, 0)"),
        ("ij,jk", [(2, 3), (3, 4)], "A @ B"),
        ("ij,kl->il", [(2, 3), (4, 5)], ""),
    ],
)
def test_operators(equation, shapes, operator):
    assert read_equation(equation, shapes).operator == operator


@pytest.mark.parametrize("equation", ["ij,jk", "ba", "...i,...i", "ij,ij->i", "ijk,ikl", "b...,b..."])
def test_result_shape_is_torch_s(equation):
    sizes = {"i": 2, "j": 3, "k": 4, "l": 5, "a": 2, "b": 3}
    shapes = [
        tuple(n for part in term.replace("...", ".") for n in ((6, 7) if part == "." else (sizes[part],)))
        for term in equation.split("->")[0].split(",")
    ]
    assert read_equation(equation, shapes).result == tuple(torch.einsum(equation, *map(torch.zeros, shapes)).shape)


@pytest.mark.parametrize(
    "equation,shapes,kind",
    [
        ("ij,jk->ik", [(2, 3), (4, 5)], "size"),
        ("ijk->i", [(2, 3)], "rank"),
        ("ij,jk", [(2, 3)], "operands"),
        ("ij->ik", [(2, 3)], "output"),
        ("i$->i", [(2, 3)], "grammar"),
        ("...,...->...", [(2, 3), (2, 4)], "rest"),
    ],
)
def test_what_torch_refuses_is_refused(equation, shapes, kind):
    with pytest.raises(EquationError) as caught:
        read_equation(equation, shapes)
    assert caught.value.kind == kind
    assert len({error_text(caught.value, lang) for lang in ("en", "es", "ja")}) == 3
    with pytest.raises(RuntimeError):
        torch.einsum(equation, *map(torch.zeros, shapes))


def test_shapes_are_read_in_every_notation():
    assert parse_shape("(2, 3)") == parse_shape("2x3") == parse_shape("2,3") == (2, 3)
    assert parse_shape("()") == ()
    with pytest.raises(ValueError, match="2,a"):
        parse_shape("2,a")


def test_the_page_names_the_fate_of_each_letter():
    text = "\n".join(line.plain for line in page(read_equation("ij,jk->ik", [(2, 3), (3, 5)]), "en", 100))
    assert (
        "multiplied and summed; not in the output" in text
        and "(2, 5)" in text
        and "A @ B" in text
        and "number of products: 30" in text
    )


def test_every_text_has_three_languages():
    assert all(set(said) == {"en", "es", "ja"} for said in (*ERRORS.values(), *FATES.values()))
