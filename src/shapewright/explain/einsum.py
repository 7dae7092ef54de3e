"""Explains an einsum equation over given shapes: what each letter is, what happens to it, the result's shape, the
operator it equals.

It computes nothing and imports no torch. Grammar and defaults follow the documentation of torch.einsum: without `->`,
the letters that occur once are the output, in alphabetical order; `...` stands for further axes, which broadcast."""

from __future__ import annotations

import re

from ..dataclass import dataclass

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Letter:
    """One letter: its size, in which operands it stands (numbers from 0), and whether the output keeps it."""

    name: str
    size: int
    operands: tuple[int, ...]
    kept: bool
    repeated: bool


@dataclass(frozen=True)
class Equation:
    """An equation over shapes. `operator` is the call that it equals, empty where there is no plain one; `rest` is what
    `...` stands for."""

    terms: tuple[str, ...]
    output: str
    shapes: tuple[Shape, ...]
    letters: tuple[Letter, ...]
    rest: Shape
    result: Shape
    operator: str
    kind: str

    @property
    def products(self) -> int:
        """Multiplications (or additions, for one operand): the product of all sizes."""
        count = 1
        for size in (*self.rest, *(letter.size for letter in self.letters)):
            count *= size
        return count


class EquationError(ValueError):
    """The equation does not fit the shapes. `kind` is a slug with texts in `einsum_page`, `fields` its values."""

    def __init__(self, kind: str, **fields: object) -> None:
        super().__init__(kind)
        self.kind, self.fields = kind, fields


def parse_shape(text: str) -> Shape:
    """`(2, 3)`, `2,3`, `2x3` or `()` as a shape. Raises `ValueError` with the text where it is none."""
    body = text.strip().strip("()[]")
    parts = [part for part in re.split(r"[\sx×,]+", body) if part]
    if not all(part.isdigit() for part in parts):
        raise ValueError(f"a shape is written 2,3 or 2x3, not {text!r}")
    return tuple(int(part) for part in parts)


def read_equation(equation: str, shapes: list[Shape]) -> Equation:
    """The equation over `shapes`.

    >>> read_equation("ij,jk->ik", [(2, 3), (3, 5)]).result
    (2, 5)

    Raises:
        EquationError: a letter has two sizes, a rank differs, operands are missing, an output letter is unknown or
        doubled.
    """
    compact = equation.replace(" ", "")
    left, arrow, right = compact.partition("->")
    terms = tuple(left.split(","))
    if not re.fullmatch(r"(?:[A-Za-z]|\.\.\.)*(?:,(?:[A-Za-z]|\.\.\.)*)*", left) or not re.fullmatch(
        r"(?:[A-Za-z]|\.\.\.)*", right
    ):
        raise EquationError("grammar", equation=equation)
    if len(terms) != len(shapes):
        raise EquationError("operands", terms=len(terms), shapes=len(shapes))
    sizes: dict[str, int] = {}
    rests: list[Shape] = []
    stretched: set[str] = set()
    for number, (term, shape) in enumerate(zip(terms, shapes)):
        rests.append(_sizes_of(term, shape, number, sizes, stretched))
    rest = _broadcast(rests)
    letters = left.replace(",", "").replace(".", "")
    if not arrow:
        right = ("..." if "..." in left else "") + "".join(
            sorted(name for name in set(letters) if letters.count(name) == 1)
        )
    for name in right.replace("...", ""):
        if name not in sizes or right.count(name) > 1:
            raise EquationError("output", letter=name)
    found = tuple(
        Letter(
            name,
            size,
            tuple(at for at, term in enumerate(terms) if name in term),
            name in right,
            any(term.count(name) > 1 for term in terms),
        )
        for name, size in sizes.items()
    )
    result: list[int] = []
    for name in re.findall(r"\.\.\.|[A-Za-z]", right):
        result += rest if name == "..." else [sizes[name]]
    kind, operator = _operator(terms, right)
    if stretched and "*" not in operator:
        kind, operator = "", ""  # a product of matrices does not broadcast the axes that it sums over
    return Equation(terms, right, tuple(shapes), found, rest, tuple(result), operator, kind)


def _sizes_of(term: str, shape: Shape, number: int, sizes: dict[str, int], stretched: set[str]) -> Shape:
    before, dots, after = term.partition("...")
    named = len(before) + len(after)
    if named > len(shape) or (not dots and named != len(shape)) or "..." in after:
        raise EquationError("rank", number=number, term=term, letters=named, rank=len(shape), shape=shape)
    middle = shape[len(before) : len(shape) - len(after)]
    for name, size in [*zip(before, shape), *zip(after, shape[len(shape) - len(after) :])]:
        if sizes.get(name, size) not in (size, 1) and size != 1:
            raise EquationError("size", letter=name, first=sizes[name], second=size, number=number)
        if sizes.get(name, size) != size:
            stretched.add(name)
        sizes[name] = max(size, sizes.get(name, 1))
    return middle


def _broadcast(rests: list[Shape]) -> Shape:
    rank = max((len(rest) for rest in rests), default=0)
    result = []
    for axis in range(rank):
        sizes = {padded[axis] for rest in rests for padded in [(1,) * (rank - len(rest)) + rest]} - {1}
        if len(sizes) > 1:
            raise EquationError("rest", sizes=" ≠ ".join(map(str, sorted(sizes))))
        result.append(next(iter(sizes), 1))
    return tuple(result)


KNOWN: tuple[tuple[str, str, str], ...] = (
    ("a->a", "identity", "A"),
    ("ab->ba", "transpose", "A.T"),
    ("...ab->...ba", "transpose", "A.transpose(-1, -2)"),
    ("abc->acb", "transpose", "A.transpose(1, 2)"),
    ("aa->", "trace", "A.trace()"),
    ("aa->a", "diagonal", "A.diagonal()"),
    ("...aa->...a", "diagonal", "A.diagonal(dim1=-2, dim2=-1)"),
    ("a->", "sum", "A.sum()"),
    ("ab->", "sum", "A.sum()"),
    ("abc->", "sum", "A.sum()"),
    ("ab->a", "sum", "A.sum(1)"),
    ("ab->b", "sum", "A.sum(0)"),
    ("...a->...", "sum", "A.sum(-1)"),
    ("a,a->", "dot", "torch.dot(A, B)"),
    ("a,b->ab", "outer", "torch.outer(A, B)"),
    ("a,a->a", "elementwise", "A * B"),
    ("ab,ab->ab", "elementwise", "A * B"),
    ("...,...->...", "elementwise", "A * B"),
    ("ab,ab->", "inner", "(A * B).sum()"),
    ("ab,ab->a", "row dot", "(A * B).sum(-1)"),
    ("abc,abc->ab", "row dot", "(A * B).sum(-1)"),
    ("ab,bc->ac", "matrix product", "A @ B"),
    ("ab,cb->ac", "matrix product", "A @ B.T"),
    ("ba,bc->ac", "matrix product", "A.T @ B"),
    ("ab,ca->cb", "matrix product", "B @ A"),
    ("ab,b->a", "matrix-vector product", "A @ B"),
    ("a,ab->b", "vector-matrix product", "A @ B"),
    ("abc,acd->abd", "batched matrix product", "torch.bmm(A, B)"),
    ("abc,adc->abd", "batched matrix product", "torch.bmm(A, B.transpose(1, 2))"),
    ("abc,cd->abd", "matrix product", "A @ B"),
    ("abc,dc->abd", "matrix product", "A @ B.T"),
    ("abcd,abde->abce", "batched matrix product", "A @ B"),
    ("abcd,abed->abce", "attention scores", "A @ B.transpose(-1, -2)"),
    ("...ab,...bc->...ac", "batched matrix product", "A @ B"),
    ("...ab,...cb->...ac", "batched matrix product", "A @ B.transpose(-1, -2)"),
    ("...a,...a->...", "row dot", "(A * B).sum(-1)"),
    ("abcd,aecd->acbe", "attention scores", "A.transpose(1, 2) @ B.permute(0, 2, 3, 1)"),
    ("a,bac,c->b", "bilinear", "torch.nn.functional.bilinear(A, C, B)"),
    ("ab,cbd,ad->ac", "bilinear", "torch.nn.functional.bilinear(A, C, B)"),
    ("a,abc->bc", "contraction", "torch.tensordot(A, B, dims=([0], [0]))"),
    ("a,abc,b->c", "bilinear", "torch.nn.functional.bilinear(A, C, B.permute(2, 0, 1))"),
    ("a,abc,c->b", "bilinear", "torch.nn.functional.bilinear(A, C, B.permute(1, 0, 2))"),
    ("...ab->...a", "sum", "A.sum(-1)"),
    ("...ab->...b", "sum", "A.sum(-2)"),
)


def _operator(terms: tuple[str, ...], output: str) -> tuple[str, str]:
    """The known operator whose equation is this one up to the names of letters."""
    wanted = _canonical(terms, output)
    for equation, kind, operator in KNOWN:
        left, _, right = equation.partition("->")
        if _canonical(tuple(left.split(",")), right) == wanted:
            return kind, operator
    return _general(terms, output)


def _canonical(terms: tuple[str, ...], output: str) -> str:
    names: dict[str, str] = {}
    text = ",".join(terms) + "->" + output
    return "".join(names.setdefault(char, chr(97 + len(names))) if char.isalpha() else char for char in text)


def _general(terms: tuple[str, ...], output: str) -> tuple[str, str]:
    """Permutations, sums over axes and element-wise products of any rank."""
    first = terms[0]
    plain = "." not in "".join(terms) + output and all(len(set(term)) == len(term) for term in terms)
    if not plain:
        return "", ""
    if len(terms) == 1 and sorted(first) == sorted(output):
        return "permutation", f"A.permute({', '.join(str(first.index(name)) for name in output)})"
    if len(terms) == 1 and output == "".join(name for name in first if name in output):
        return "sum", f"A.sum(({', '.join(str(first.index(name)) for name in first if name not in output)}))"
    if len(terms) == 2 and terms[0] == terms[1] == output:
        return "elementwise", "A * B"
    return "", ""
