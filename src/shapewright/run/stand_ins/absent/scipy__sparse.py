"""Stands for `scipy.sparse`: what scripts about graphs and recommendations do with an adjacency or a table of ratings
before tensors are made of it. A matrix is its coordinates.

Formats differ in speed alone, so that one class answers for all of them. What else the library has stays unknown.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy

from shapewright.run.stand_ins.unknown import UnknownThing, unknown_name

FORMATS = ("coo", "csr", "csc", "lil", "dok", "bsr", "dia")
__all__ = [f"{form}_{kind}" for form in FORMATS for kind in ("matrix", "array")]
__all__ += ["diags", "eye", "find", "hstack", "identity", "issparse", "isspmatrix", "vstack"]


def _diagonals(data: Any, offsets: Any, shape: Any) -> tuple[Any, Any, Any]:
    """The entries of diagonals, of which each is kept by its columns."""
    row, col = numpy.arange(data.shape[1]) - numpy.asarray(offsets, int).reshape(-1, 1), numpy.arange(data.shape[1])
    kept = (row >= 0) & (row < shape[0]) & (col < shape[1])
    return row[kept], numpy.broadcast_to(col, row.shape)[kept], data[kept]


class Matrix:
    """A matrix of which only some entries are kept: `row`, `col` and `data` of each, in the order of the rows."""

    format = "coo"
    ndim = 2
    __array_priority__ = 10.1

    def __init__(self, given: Any, shape: Any = None, dtype: Any = None, copy: bool = False) -> None:
        if isinstance(given, Matrix):
            row, col, data, shape = given.row, given.col, given.data, given.shape
        elif isinstance(given, tuple) and len(given) == 2 and all(numpy.ndim(part) == 0 for part in given):
            row, col, data, shape = numpy.zeros(0, int), numpy.zeros(0, int), numpy.zeros(0), given
        elif isinstance(given, tuple) and len(given) == 2 and self.format == "dia" and not isinstance(given[1], tuple):
            row, col, data = _diagonals(numpy.atleast_2d(numpy.asarray(given[0])), given[1], shape)
        elif isinstance(given, tuple) and len(given) == 2:
            row, col = (numpy.asarray(part).astype(int) for part in given[1])
            data = numpy.asarray(given[0])
            if data.shape != row.shape or len(col) != len(row):  # made up apart
                data, col = numpy.resize(data, len(row)), numpy.resize(col, len(row))
            if any(isinstance(part, UnknownThing) for part in given[1]):
                row, col = (part % size for part, size in zip((row, col), shape or (len(row), len(row))))
        elif isinstance(given, tuple):
            data, col, ends = numpy.asarray(given[0]), numpy.asarray(given[1], int), numpy.asarray(given[2], int)
            row = numpy.repeat(numpy.arange(len(ends) - 1), numpy.diff(ends))
            row, col = (col, row) if self.format == "csc" else (row, col)
        else:
            whole = numpy.atleast_2d(numpy.asarray(given))
            (row, col), shape = numpy.nonzero(whole), whole.shape
            data = whole[row, col]
        if shape is None:
            shape = (int(row.max(initial=-1)) + 1, int(col.max(initial=-1)) + 1)
        if len(row) and (row.max() >= shape[0] or col.max() >= shape[1]):
            raise ValueError(f"{'row' if row.max() >= shape[0] else 'column'} index exceeds matrix dimensions")
        self.shape = (int(shape[0]), int(shape[1]))
        self._set(row, col, data if dtype is None else data.astype(dtype))

    def _set(self, row: Any, col: Any, data: Any) -> None:
        places, inverse = numpy.unique(row * self.shape[1] + col, return_inverse=True)
        if len(places) < len(row):  # entries of one place are summed
            summed = numpy.zeros(len(places), data.dtype)
            numpy.add.at(summed, inverse, data)
        else:
            summed = data[numpy.argsort(row * self.shape[1] + col, kind="stable")] if len(data) else data
        self.row, self.col, self.data = places // max(self.shape[1], 1), places % max(self.shape[1], 1), summed

    def __setstate__(self, state: dict[str, Any]) -> None:
        """As the library's own that was pickled."""
        shape = state.get("_shape", state.get("shape"))
        compressed = (state["data"], state.get("indices"), state.get("indptr"))
        coordinates = state.get("coords") or (state.get("row"), state.get("col"))
        self.__init__(compressed if "indptr" in state else (state["data"], coordinates), shape)  # type: ignore[misc]

    def _with(self, data: Any) -> Any:
        return type(self)((data, (self.row, self.col)), self.shape)

    def _as(self, kind: type) -> Any:
        return kind((self.data.copy(), (self.row, self.col)), self.shape)

    dtype = property(lambda self: self.data.dtype)
    nnz = property(lambda self: len(self.data))
    size = nnz
    T = property(lambda self: self.transpose())
    A = property(lambda self: self.toarray())
    coords = property(lambda self: (self.row, self.col))
    indptr = property(lambda self: numpy.searchsorted(self.row, numpy.arange(self.shape[0] + 1)))
    rows = property(lambda self: numpy.array([list(self.col[self.row == at]) for at in range(self.shape[0])], object))

    @property
    def indices(self) -> Any:
        """The columns of the entries, row by row."""
        return self.col

    def getnnz(self, axis: int | None = None) -> Any:
        """How many entries there are."""
        if axis is None:
            return len(self.data)
        return numpy.bincount((self.col, self.row)[axis], minlength=self.shape[1 - axis])

    count_nonzero = getnnz

    def toarray(self, *_: object, **__: object) -> Any:
        """All entries."""
        whole = numpy.zeros(self.shape, self.data.dtype)
        whole[self.row, self.col] = self.data
        return whole

    def todense(self, *_: object, **__: object) -> Any:
        """All entries, as a matrix."""
        return numpy.asmatrix(self.toarray())

    def astype(self, dtype: Any, *_: object, **__: object) -> Any:
        """The same of another type."""
        return self._with(self.data.astype(dtype))

    def copy(self) -> Any:
        """The same."""
        return self._with(self.data.copy())

    def transpose(self, *_: object, **__: object) -> Any:
        """Rows for columns."""
        return type(self)((self.data, (self.col, self.row)), self.shape[::-1])

    def asformat(self, format: str, copy: bool = False) -> Any:
        """In another format."""
        return self._as(globals()[f"{format}_matrix"])

    def nonzero(self) -> Any:
        """The places of the entries that are not zero."""
        kept = self.data != 0
        return self.row[kept], self.col[kept]

    def sum(self, axis: int | None = None, *_: object, **__: object) -> Any:
        """The sum of all entries, or along an axis."""
        if axis is None:
            return self.data.sum()
        found = numpy.zeros(self.shape[1 - axis % 2], numpy.result_type(self.data.dtype, "int8"))
        numpy.add.at(found, (self.col, self.row)[axis % 2], self.data)
        return numpy.asmatrix(found if axis % 2 == 0 else found[:, None])

    def mean(self, axis: int | None = None) -> Any:
        """The mean of all entries, or along an axis."""
        return self.sum(axis) / (self.shape[0] * self.shape[1] if axis is None else self.shape[axis])

    def max(self, axis: int | None = None) -> Any:
        """The largest entry, or along an axis."""
        return self.todense().max(axis)

    def min(self, axis: int | None = None) -> Any:
        """The smallest entry, or along an axis."""
        return self.todense().min(axis)

    def diagonal(self, k: int = 0) -> Any:
        """The entries of the diagonal."""
        return self.toarray().diagonal(k)

    def setdiag(self, values: Any, k: int = 0) -> None:
        """Put entries on the diagonal."""
        at = numpy.arange(min(self.shape[0], self.shape[1] - k))
        self[at, at + k] = values

    def eliminate_zeros(self) -> None:
        """Keep no zeros."""
        kept = self.data != 0
        self._set(self.row[kept], self.col[kept], self.data[kept])

    def sort_indices(self) -> None:
        """They are in order."""

    sum_duplicates = sort_indices

    def power(self, n: Any, dtype: Any = None) -> Any:
        """Each entry to a power."""
        return self._with(self.data**n)

    def multiply(self, other: Any) -> Any:
        """Entry by entry."""
        if isinstance(other, Matrix):
            return coo_matrix(self.toarray() * other.toarray())
        return self._with(self.data * numpy.broadcast_to(numpy.asarray(other), self.shape)[self.row, self.col])

    def dot(self, other: Any) -> Any:
        """The product with a matrix, a vector or a number."""
        if numpy.ndim(other) == 0 and not isinstance(other, Matrix):
            return self._with(self.data * other)
        rows = other.shape[0] if isinstance(other, Matrix) else numpy.shape(other)[0]
        if rows != self.shape[1]:
            raise ValueError(f"dimension mismatch: {self.shape} and {numpy.shape(other)}")
        if isinstance(other, Matrix):
            return type(self)(self.toarray() @ other.toarray())
        other = numpy.asarray(other)
        found = numpy.zeros((self.shape[0], *other.shape[1:]), numpy.result_type(self.data, other))
        numpy.add.at(found, self.row, self.data.reshape(-1, *[1] * (other.ndim - 1)) * other[self.col])
        return found

    def __mul__(self, other: Any) -> Any:
        return self.multiply(other) if type(self).__name__.endswith("array") else self.dot(other)

    def __matmul__(self, other: Any) -> Any:
        return self.dot(other)

    def __rmul__(self, other: Any) -> Any:
        return self._with(self.data * other) if numpy.ndim(other) == 0 else (self.T.dot(numpy.transpose(other))).T

    def __rmatmul__(self, other: Any) -> Any:
        return self.T.dot(numpy.transpose(other)).T

    def _beside(self, other: Any, sign: int) -> Any:
        if not isinstance(other, Matrix):
            return numpy.asmatrix(self.toarray() + sign * numpy.asarray(other))
        if other.shape != self.shape:
            raise ValueError(f"inconsistent shapes: {self.shape} and {other.shape}")
        data = numpy.concatenate([self.data, sign * other.data])
        row, col = (numpy.concatenate(pair) for pair in ((self.row, other.row), (self.col, other.col)))
        return type(self)((data, (row, col)), self.shape)

    def __add__(self, other: Any) -> Any:
        return (
            self.copy()
            if not isinstance(other, Matrix) and numpy.ndim(other) == 0 and not other
            else self._beside(other, 1)
        )

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._beside(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return (-self)._beside(other, 1)

    def __neg__(self) -> Any:
        return self._with(-self.data)

    def __abs__(self) -> Any:
        return self._with(abs(self.data))

    def __truediv__(self, other: Any) -> Any:
        return self._with(self.data / other) if numpy.ndim(other) == 0 else numpy.asmatrix(self.toarray() / other)

    def __pow__(self, n: int) -> Any:
        found = self
        for _ in range(n - 1):
            found = found.dot(self)
        return found

    def _compared(self, other: Any, how: Any) -> Any:
        return csr_matrix(how(self.toarray(), other.toarray() if isinstance(other, Matrix) else other))

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, numpy.greater)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, numpy.less)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, numpy.greater_equal)

    def __ne__(self, other: object) -> Any:
        return self._compared(other, numpy.not_equal)

    def __eq__(self, other: object) -> Any:
        return self._compared(other, numpy.equal)

    __hash__ = object.__hash__

    def __getitem__(self, key: Any) -> Any:
        found = self.toarray()[key]
        one = isinstance(key, (int, numpy.integer)) or (isinstance(key, tuple) and numpy.ndim(key[0]) == 0)
        if numpy.ndim(found) == 1 and isinstance(key, tuple) and not one and not isinstance(key[0], slice):
            return numpy.asmatrix(found)
        column = isinstance(key, tuple) and isinstance(key[0], slice) and numpy.ndim(found) == 1
        return type(self)(found[:, None] if column else found) if numpy.ndim(found) else found

    def getrow(self, at: int) -> Any:
        """One row."""
        return self[at]

    def getcol(self, at: int) -> Any:
        """One column."""
        return self[:, at]

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, tuple) and all(numpy.ndim(part) == 0 and not isinstance(part, slice) for part in key):
            row, col = (int(part) % size for part, size in zip(key, self.shape))
            kept = (self.row != row) | (self.col != col)
            data = numpy.append(self.data[kept], numpy.asarray(value))
            self._set(numpy.append(self.row[kept], row), numpy.append(self.col[kept], col), data)
            return
        whole = self.toarray()
        whole[key] = value.toarray() if isinstance(value, Matrix) else value
        self.__init__(whole)  # type: ignore[misc]

    def __contains__(self, key: Any) -> bool:
        return bool(numpy.any((self.row == key[0]) & (self.col == key[1])))

    def keys(self) -> Any:
        """The places of the entries."""
        return list(zip(self.row.tolist(), self.col.tolist()))

    def items(self) -> Any:
        """The entries with their places."""
        return list(zip(self.keys(), self.data))

    def __iter__(self) -> Iterator[Any]:
        return (self[at] for at in range(self.shape[0]))

    def __len__(self) -> int:
        raise TypeError("sparse array length is ambiguous; use getnnz()")


def _kind(form: str, kind: str) -> type:
    return type(f"{form}_{kind}", (Matrix,), {"format": form, "__module__": __name__})


globals().update({f"{form}_{kind}": _kind(form, kind) for form in FORMATS for kind in ("matrix", "array")})
coo_matrix, csr_matrix = globals()["coo_matrix"], globals()["csr_matrix"]
for _form in FORMATS:  # modules that pickled matrices name
    for _module in (f"{__name__}.{_form}", f"{__name__}._{_form}"):
        sys.modules[_module] = sys.modules[__name__]
spmatrix = sparray = base = Matrix
for _form in FORMATS:
    setattr(Matrix, f"to{_form}", lambda self, copy=False, _form=_form: self._as(globals()[f"{_form}_matrix"]))


def issparse(x: object) -> bool:
    """Whether something is such a matrix."""
    return isinstance(x, Matrix)


isspmatrix = issparse


def _is(form: str) -> Any:
    return lambda x: isinstance(x, Matrix) and x.format == form


globals().update({f"isspmatrix_{form}": _is(form) for form in FORMATS})


def eye(m: int, n: int | None = None, k: int = 0, dtype: Any = float, format: str | None = None) -> Any:
    """Ones on the diagonal."""
    return csr_matrix(numpy.eye(m, n, k, dtype))


def identity(n: int, dtype: Any = float, format: str | None = None) -> Any:
    """Ones on the diagonal of a square."""
    return eye(n, dtype=dtype)


def diags(diagonals: Any, offsets: Any = 0, shape: Any = None, format: str | None = None, dtype: Any = None) -> Any:
    """A matrix of diagonals."""
    if numpy.ndim(offsets) == 0:
        diagonals, offsets = [numpy.ravel(numpy.asarray(diagonals))], [offsets]
    whole = sum(numpy.diag(numpy.ravel(one), at) for one, at in zip(diagonals, offsets))
    return csr_matrix(whole, dtype=dtype)


def vstack(blocks: Any, format: str | None = None, dtype: Any = None) -> Any:
    """Some below each other."""
    return csr_matrix(numpy.concatenate([Matrix(one).toarray() for one in blocks], 0))


def hstack(blocks: Any, format: str | None = None, dtype: Any = None) -> Any:
    """Some beside each other."""
    return csr_matrix(numpy.concatenate([Matrix(one).toarray() for one in blocks], 1))


def find(A: Any) -> Any:
    """Rows, columns and values of the entries."""
    found = Matrix(A)
    return found.row, found.col, found.data


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown_name(name, "scipy")
