"""What the columns of a data set hold."""

from __future__ import annotations

from typing import Any


class Features(dict[str, Any]):
    """Features by column."""


class Value:
    """One value of a type."""

    def __init__(self, dtype: str = "string", **_: Any) -> None:
        self.dtype = dtype


class ClassLabel:
    """A class by its number."""

    dtype = "int64"

    def __init__(self, num_classes: int | None = None, names: Any = None, **_: Any) -> None:
        self.names = list(names) if names is not None else [str(number) for number in range(num_classes or 0)]
        self.num_classes = len(self.names)

    def int2str(self, values: Any) -> Any:
        """Names of numbers."""
        return self.names[values] if isinstance(values, int) else [self.names[int(value)] for value in values]

    def str2int(self, values: Any) -> Any:
        """Numbers of names."""
        return self.names.index(values) if isinstance(values, str) else [self.names.index(value) for value in values]


class Sequence:
    """A list of one feature."""

    def __init__(self, feature: Any = None, length: int = -1, **_: Any) -> None:
        self.feature, self.length = feature, length


class Image:
    """A picture of Pillow's."""

    def __init__(self, **_: Any) -> None:
        self.dtype = "PIL.Image.Image"


class Translation:
    """A text in several languages."""

    def __init__(self, languages: Any = (), **_: Any) -> None:
        self.languages = list(languages)
