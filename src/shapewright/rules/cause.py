"""What several findings may have in common: of those that share a cause only the first is reported.

A finding without a cause of its own is one with whatever its rule finds on the same line. Where a rule finds one thing
at several lines, its cause is that thing with the rule's code; where several rules find one thing, it is named here.
"""

from __future__ import annotations

import enum


class Shared(enum.Enum):
    """One thing at fault that more than one rule may find, with the codes of these rules: the first that speaks (by
    its `order`) explains the others."""

    CLEARING = ("SW301", "SW327")  # gradients are never cleared, or the call that clears them is only named
    EMPTY_STEP = ("SW302", "SW303", "SW327")  # there is no gradient to step with
    EVALUATING = ("SW306", "SW327")  # a model stays in evaluation mode
    GROWING = ("SW309", "SW323")  # a graph is carried on from step to step
    NEVER_STEPS = ("SW304", "SW327")  # the optimizer never steps
    PADDING = ("SW256", "SW257", "SW258")  # a model reads padding
    SHIFT = ("SW260", "SW261")  # targets are shifted not at all, or twice
    TRAINING = ("SW307", "SW327")  # a model stays in training mode
