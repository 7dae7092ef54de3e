"""What is known of the scripts that are open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..diagnosis import Diagnosis
from ..graph.bound import Reading, readings
from ..trace import Trace


@dataclass
class Checked:
    """The last check of one script: its diagnosis, the texts that ran and the shapes seen, by absolute path. The trace
    itself is let go: it can be large."""

    diagnosis: Diagnosis
    texts: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, Reading] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    final: bool = True

    @staticmethod
    def of(trace: Trace, diagnosis: Diagnosis, arguments: tuple[str, ...], final: bool) -> Checked:
        """What to keep of a run."""
        read = readings(trace)
        return Checked(diagnosis, {file: reading.text for file, reading in read.items()}, read, arguments, final)
