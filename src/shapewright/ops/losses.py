"""Losses: what they expect of input and target."""

from __future__ import annotations

from .call import Bound
from .maps import broadcast
from .places import Layout, kept
from .table import teach


def _classes(call: Bound) -> str:
    """Classes are axis 1, or the only one; targets are indices, or probabilities of the input's shape."""
    scores, target = call.tensor("input"), call.tensor("target")
    if scores is not None and len(call.shape(scores)) == 1:
        return "classes, ->" if target is None or len(call.shape(target)) == 0 else "classes, classes ->"
    if target is not None and "float" in str(getattr(target, "dtype", "")):
        return "samples classes *places, samples classes *places ->"
    return "samples classes *places, samples *places ->"


def _unreduced(call: Bound) -> Layout | None:
    """With `reduction="none"`, one loss for each sample and place, of which the classes are gone."""
    scores = call.tensor("input")
    rank = len(call.shape(call.result)) if call.result is not None else 0
    if scores is None or len(call.shape(scores)) != rank + 1:
        return () if rank == 0 else None
    return tuple(kept((scores, axis + (axis > 0))) for axis in range(rank))


CLASS = "input target weight=None size_average=None ignore_index=-100 reduce=None reduction=mean"
PAIR = "input target size_average=None reduce=None reduction=mean"
SAME, STRICT = "**places, **places ->", "*places, *places ->"
teach(
    "cross_entropy",
    f"{CLASS} label_smoothing=0.0",
    _classes,
    axes=_unreduced,
    tags="losses targets classifies takes_logits positive",
)
teach(
    "nll_loss",
    CLASS,
    _classes,
    axes=_unreduced,
    tags="losses targets classifies takes_log_probabilities may_be_negative",
)
teach("multi_margin_loss", PAIR, "samples classes, samples ->", tags="losses targets classifies_by_margin")
teach("multilabel_margin_loss", PAIR, "samples classes, samples classes ->", tags="losses targets multilabels")
teach("multilabel_soft_margin_loss", PAIR, "samples classes, samples classes ->", tags="losses targets multilabels")
teach(
    "mse_loss l1_loss smooth_l1_loss huber_loss",
    PAIR,
    SAME,
    axes=broadcast,
    tags="losses targets regresses measures_error positive",
)
teach("poisson_nll_loss", "input target log_input=True", SAME, tags="losses targets regresses may_be_negative")
teach("gaussian_nll_loss", "input target var", SAME, tags="losses targets regresses may_be_negative estimates_variance")
teach("soft_margin_loss", PAIR, SAME, tags="losses targets regresses signed_targets")
teach("hinge_embedding_loss", "input target margin=1.0", SAME, tags="losses targets regresses signed_targets")
BINARY = "input target weight=None size_average=None reduce=None reduction=mean"
teach("binary_cross_entropy", BINARY, STRICT, axes=broadcast, tags="losses targets binary takes_probabilities positive")
teach(
    "binary_cross_entropy_with_logits",
    BINARY,
    STRICT,
    axes=broadcast,
    tags="losses targets binary takes_logits positive",
)
teach("kl_div", PAIR, SAME, axes=broadcast, tags="losses targets divergences takes_log_probabilities may_be_negative")
teach(
    "margin_ranking_loss",
    "input1 input2 target margin=0.0",
    "*places, *places, *places ->",
    tags="losses targets ranks_pairs signed_targets positive",
)
teach(
    "cosine_embedding_loss",
    "input1 input2 target margin=0.0",
    "samples? features, samples? features, samples? ->",
    tags="losses targets compares_pairs signed_targets",
)
teach(
    "triplet_margin_loss triplet_margin_with_distance_loss",
    "anchor positive negative margin=1.0",
    "*places, *places, *places ->",
    tags="losses triplets positive",
)
teach(
    "ctc_loss",
    "log_probs targets input_lengths target_lengths blank=0",
    "steps samples? classes, - ->",
    tags="losses targets aligns takes_log_probabilities may_be_negative",
)
