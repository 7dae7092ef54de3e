"""Stands for the scalers of `sklearn.preprocessing`, whose arithmetic is a line each: over which rows a scale was taken
is a question that findings ask. Every other name of the module stays unknown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from shapewright.run.stand_ins.unknown import How, UnknownThing, thing_of, unknown_name


class _Scaler:
    """`(x - center) / spread`, both of the rows that it was fitted to; what is unknown yet is scaled when asked for."""

    _measured: Callable[[Any], tuple[Any, Any]]  # the center and the spread of some rows

    def __init__(self, *args: Any, **options: Any) -> None:
        self._given, self._options, self._rows = args, options, None

    def fit(self, X: Any, y: Any = None, **options: Any) -> _Scaler:
        self._rows = X
        return self

    partial_fit = fit

    def fit_transform(self, X: Any, y: Any = None, **options: Any) -> Any:
        return self.fit(X).transform(X)

    def transform(self, X: Any, copy: Any = None) -> Any:
        return self._put(lambda rows, center, spread: (rows - center) / spread, X)

    def inverse_transform(self, X: Any, copy: Any = None) -> Any:
        return self._put(lambda rows, center, spread: rows * spread + center, X)

    def _put(self, change: Callable[..., Any], X: Any) -> Any:
        if self._rows is None:
            raise ValueError(f"This {type(self).__name__} instance is not fitted yet")

        def scaled(fitted: Any, rows: Any) -> Any:
            return change(_numbers(rows), *self._scale(_numbers(fitted)))

        if isinstance(X, UnknownThing) or isinstance(self._rows, UnknownThing):
            return thing_of("sklearn", How("computed", scaled, "scale", (self._rows, X)))
        return scaled(self._rows, X)

    def _scale(self, rows: Any) -> tuple[Any, Any]:
        center, spread = self._measured(rows)
        return center, numpy.where(spread == 0, 1.0, spread)

    def __getattr__(self, name: str) -> Any:
        if name not in ("mean_", "center_", "scale_") or self._rows is None:
            raise AttributeError(name)
        return self._scale(_numbers(self._rows))[name == "scale_"]


class StandardScaler(_Scaler):
    """Means of 0 and deviations of 1."""

    def _measured(self, rows: Any) -> tuple[Any, Any]:
        flat, one = numpy.zeros(rows.shape[1]), numpy.ones(rows.shape[1])
        mean, std = self._options.get("with_mean", True), self._options.get("with_std", True)
        return rows.mean(0) if mean else flat, rows.std(0) if std else one


class MinMaxScaler(_Scaler):
    """From the least to the most."""

    def _measured(self, rows: Any) -> tuple[Any, Any]:
        low, high = self._options.get("feature_range", (*self._given, (0, 1))[0])
        spread = numpy.ptp(rows, 0) / (high - low)
        return rows.min(0) - low * numpy.where(spread == 0, 1.0, spread), spread


class MaxAbsScaler(_Scaler):
    """Up to an absolute value of 1."""

    def _measured(self, rows: Any) -> tuple[Any, Any]:
        return numpy.zeros(rows.shape[1]), numpy.abs(rows).max(0)


class RobustScaler(_Scaler):
    """The median and the distance of the quartiles."""

    def _measured(self, rows: Any) -> tuple[Any, Any]:
        low, center, high = numpy.percentile(rows, (25, 50, 75), axis=0)
        return center, high - low


def normalize(X: Any, norm: str = "l2", *, axis: int = 1, **_: Any) -> Any:
    """Rows, or columns with `axis=0`, of length 1; a sparse matrix stays one. What is unknown yet is scaled when asked
    for."""
    if isinstance(X, UnknownThing):
        return thing_of(
            "sklearn", How("computed", lambda rows: normalize(_numbers(rows), norm, axis=axis), "scale", (X,))
        )
    sizes = abs(X if hasattr(X, "multiply") else _numbers(X))
    if norm == "l2":
        squares = sizes.power(2) if hasattr(X, "multiply") else sizes**2
        spans = numpy.sqrt(numpy.asarray(squares.sum(axis)))
    else:
        spans = numpy.asarray(
            sizes.sum(axis) if norm == "l1" else (sizes.toarray() if hasattr(X, "multiply") else sizes).max(axis)
        )
    shares = (1 / numpy.where(spans == 0, 1.0, spans)).reshape((-1, 1) if axis == 1 else (1, -1))
    return X.multiply(shares) if hasattr(X, "multiply") else _numbers(X) * shares


def _numbers(X: Any) -> Any:
    rows = numpy.asarray(X)
    rows = rows if rows.dtype.kind == "f" else rows.astype("float64")
    if rows.ndim != 2:
        raise ValueError(f"Expected 2D array, got {rows.ndim}D array instead: reshape your data")
    return rows


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown_name(name, "sklearn")
