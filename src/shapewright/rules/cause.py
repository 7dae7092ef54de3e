"""What several findings may have in common: of those that share a cause only the first is reported.

A finding without a cause of its own is one with whatever its rule finds on the same line. Where a rule finds one thing
at several lines, its cause is that thing with the rule's code; where several rules find one thing, it is named here.
`ORDER` tells which of them speaks first, and so explains the others.
"""

from __future__ import annotations

import enum


class Shared(enum.Enum):
    """One thing at fault that more than one rule may find, with the codes of these rules: the first that speaks (by
    `ORDER`) explains the others."""

    CLEARING = ("SW301", "SW327")  # gradients are never cleared, or the call that clears them is only named
    EMPTY_STEP = ("SW302", "SW303", "SW327")  # there is no gradient to step with
    EVALUATING = ("SW306", "SW327")  # a model stays in evaluation mode
    GROWING = ("SW309", "SW323")  # a graph is carried on from step to step
    NEVER_STEPS = ("SW304", "SW327")  # the optimizer never steps
    PADDING = ("SW256", "SW257", "SW258")  # a model reads padding
    RESTORING = ("SW325", "SW362")  # weights that an average replaced do not come back
    SHIFT = ("SW260", "SW261")  # targets are shifted not at all, or twice
    TRAINING = ("SW307", "SW327")  # a model stays in training mode


# By group, who speaks before whom: rules on one line stand by their codes, `…` are all that are not named.
ORDER: dict[str, tuple[str, ...]] = {
    "loud": (
        "loss-inputs-differ-in-shape",
        "samples-of-different-size",
        "checkpoint-shape-mismatch",
        "unpacked-into-wrong-number",
        "batch-norm-of-one-value",
        "attention-mask-of-wrong-shape backward-cannot-run class-targets-of-wrong-shape "
        "convolution-fed-wrong-channels ctc-lengths-exceed-the-sequence einsum-does-not-fit "
        "expand-of-an-axis-with-size gradient-of-wrong-shape item-of-many-values joined-tensors-disagree "
        "lengths-do-not-fit-the-batch linear-fed-wrong-width loss-inputs-of-different-size "
        "matmul-inner-sizes-differ norm-fed-wrong-features numpy-of-a-tensor-with-gradient "
        "permute-of-wrong-rank recurrent-layer-fed-wrong-input tuple-used-as-tensor "
        "view-changes-element-count",
        "hidden-state-of-wrong-shape window-larger-than-input",
        "attention-fed-wrong-operands pooling-fed-wrong-axes view-of-scattered-memory",
        "heads-do-not-divide-width",
        "index-shape-disagrees",
        "index-out-of-range",
        "class-index-out-of-range",
        "written-shape-disagrees",
        "axis-out-of-range",
        "parts-exceed-the-axis",
        "shapes-do-not-broadcast",
        "…",
        "devices-do-not-match",
        "data-types-do-not-match",
        "arrays-do-not-fit",
        "shape-check-fails",
        "operands-rejected",
    ),
    "silent": (
        "ranks-call-different-collectives stated-axes-disagree",
        "vocabulary-read-as-time",
        "loss-broadcasts-silently",
        "quantile-levels-on-targets",
        "arrays-broadcast-silently axes-misaligned",
        "arrays-shuffled-apart gradient-norm-over-samples",
        "softmax-over-samples",
        "default-axis-is-time softmax-of-one-value",
        "attention-normalized-over-queries normalized-over-wrong-axis",
        "array-axes-not-moved classes-read-along-time view-mixes-axes",
        "axis-used-as-another",
        "convolution-over-features",
        "mask-inverted repeat-order-mismatch",
        "activation-applied-twice parameter-sized-by-batch samples-used-as-steps",
        "target-encoding-mismatch",
        "blank-among-labels",
        "attention-scaled-by-other-size mask-shift-mismatch tokens-split-across-columns",
        "flags-without-effect later-tokens-seen returns-count-other-steps",
        "…",
        "batch-statistics-in-evaluation compared-on-another-scale evaluated-on-another-scale "
        "judged-on-training-rows loss-averages-padding outputs-are-not-samples samples-joined-in-two-orders "
        "scaled-with-judged-rows state-of-other-samples state-thrown-away",
        "axis-read-two-ways batch-lost-at-one output-ignores-samples targets-leak-into-inputs training-data-sorted",
        "inputs-of-another-scale inputs-of-large-scale",
        "samples-paired-out-of-order",
        "targets-fit-any-sample",
    ),
    "loop": (
        "method-not-called",
        "gradients-not-cleared trains-in-eval-mode",
        "result-thrown-away",
        "compared-with-itself",
        "freezing-without-effect layer-made-in-forward",
        "parameters-outside-optimizer",
        "target-is-the-model",
        "evaluates-in-training-mode gradient-cut saved-state-changes",
        "accumulated-gradients-cleared",
        "clipping-without-effect layers-under-no-grad",
        "ranking-order-swapped step-without-gradient training-loss-reported-as-validation",
        "held-out-data-never-read",
        "evaluation-keeps-last-batch graph-kept-across-steps scheduler-before-optimizer",
        "other-loss-in-gradients scheduler-interval-mismatch state-carries-its-graph",
        "…",
        "folds-share-one-model",
        "divided-by-wrong-count",
        "evaluation-keeps-graphs",
        "last-position-of-one-text only-the-loss-reported output-without-bias torch-not-seeded",
        "device-never-chosen",
        "mean-of-batch-means",
        "accumulated-loss-unscaled",
    ),
}


def place_in_order(group: str, slug: str) -> int:
    """The line of `ORDER` that a rule stands on.

    >>> place_in_order("loud", "operands-rejected") > place_in_order("loud", "a-rule-of-no-name")
    True
    """
    lines = [line.split() for line in ORDER[group]]
    return next((at for at, line in enumerate(lines) if slug in line), lines.index(["…"]))
