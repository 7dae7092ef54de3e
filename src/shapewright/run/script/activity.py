"""What a run has done so far, in the counts that loops compare before and after an iteration."""

from __future__ import annotations

from dataclasses import field

from ...dataclass import dataclass


@dataclass
class Activity:
    """Counters that the recorder moves; a loop compares them before and after an iteration."""

    trained: int = 0
    steps: int = 0
    forwards: int = 0
    batches: int = 0
    depth: int = 0
    grown: dict[str, int] = field(default_factory=dict)
    within: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By how many modules are around it, how many calls without gradients there were, and of which module the last."""

    judging: bool = False
    """Whether the model that was called last without gradients was in evaluation mode."""

    def called(self, uid: int, learning: bool) -> None:
        self.within[self.depth] = self.within.get(self.depth, (0, 0))[0] + 1, uid
        self.judging = self.judging if self.depth else not learning
