"""A place in a source file. It does not read the file."""

from __future__ import annotations

from ..dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Site:
    """A span of source text. Lines and columns count from 1; columns count characters; `end_column` is exclusive."""

    file: str
    line: int
    column: int = 1
    end_line: int = 0
    end_column: int = 0
    function: str = ""

    def begins_with(self, other: Site) -> bool:
        """Whether both begin at one place."""
        return (self.file, self.line, self.column) == (other.file, other.line, other.column)

    def spans(self, other: Site) -> bool:
        """Whether both begin and end at one place."""
        ends = [(max(one.line, one.end_line), one.end_column) for one in (self, other)]
        return self.begins_with(other) and ends[0] == ends[1]

    def covers(self, line: int) -> bool:
        """Whether `line` lies within the span."""
        return self.line <= line <= max(self.line, self.end_line)
