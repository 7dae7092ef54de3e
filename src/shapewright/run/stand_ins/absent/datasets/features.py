"""Kinds of columns, as far as scripts ask them."""

from __future__ import annotations

from typing import Any


class Value:
    """A plain value."""

    def __init__(self, dtype: str, id: Any = None) -> None:
        self.dtype = dtype

    def __repr__(self) -> str:
        return f"Value('{self.dtype}')"


class ClassLabel:
    """Whole numbers with names."""

    dtype = "int64"

    def __init__(
        self, num_classes: int | None = None, names: Any = None, names_file: Any = None, id: Any = None
    ) -> None:
        self.names = list(names) if names is not None else [str(index) for index in range(num_classes or 0)]
        self.num_classes = len(self.names)

    def int2str(self, values: Any) -> Any:
        """Name of a number, or names of several."""
        return (
            self.names[int(values)]
            if not isinstance(values, (list, tuple))
            else [self.names[int(value)] for value in values]
        )

    def str2int(self, values: Any) -> Any:
        """Number of a name, or numbers of several."""
        return self.names.index(values) if isinstance(values, str) else [self.names.index(value) for value in values]

    def __repr__(self) -> str:
        return f"ClassLabel(names={self.names})"


class Sequence:
    """Lists of one kind."""

    def __init__(self, feature: Any = None, length: int = -1, id: Any = None) -> None:
        self.feature, self.length = feature, length

    def __repr__(self) -> str:
        return f"List({self.feature})"


class Image:
    """Pictures."""

    def __init__(self, mode: Any = None, decode: bool = True, id: Any = None) -> None:
        self.mode, self.decode = mode, decode


class Audio(Image):
    """Sounds."""

    def __init__(self, sampling_rate: int | None = None, **options: Any) -> None:
        super().__init__()
        self.sampling_rate = sampling_rate


class Translation:
    """One text for each language."""

    def __init__(self, languages: Any, id: Any = None) -> None:
        self.languages = list(languages)


class Features(dict):
    """Column name → kind."""
