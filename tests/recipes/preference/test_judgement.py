"""The figures beside accuracy, against numbers worked out by hand."""

import math

import pytest

from shapewright.recipes.preference import judgement
from shapewright.recipes.preference.judgement import Judged

SURE = math.log(19)  # a margin that states 95 %


def test_a_margin_is_held_against_the_share_that_is_right():
    """Four pairs at 95 %, three of them right: 0.2 too sure. One tie at 50 %: half right, exactly as stated."""
    pairs = [Judged(SURE), Judged(SURE), Judged(SURE), Judged(-SURE), Judged(0.0)]
    low, high = judgement.reliability(pairs)
    assert (low.low, low.pairs, low.confidence, low.right) == (0.5, 1, 0.5, 0.5)
    assert (high.high, high.pairs, high.right) == (1.0, 4, 0.75) and high.confidence == pytest.approx(0.95)
    assert judgement.calibration_error(pairs) == pytest.approx(4 * 0.2 / 5)
    assert "need not match" in "\n".join(judgement.page(pairs, log_odds=False))


def test_accuracy_by_subset_and_its_mean():
    pairs = [
        Judged(1, 0, "chat"),
        Judged(1, 0, "chat"),
        Judged(1, 0, "chat"),
        Judged(-1, 0, "code"),
        Judged(0, 0, "code"),
    ]
    found = judgement.by_subset(pairs)
    assert {name: (one.pairs, one.value) for name, one in found.items()} == {"chat": (3, 1.0), "code": (2, 0.25)}
    text = "\n".join(judgement.page(pairs))
    assert "| code | 2 | 25.0% |" in text and "Mean over subsets 62.5%" in text
    assert "subset" not in "\n".join(judgement.page([Judged(1.0)]))


def test_length_bias_is_told_from_errors_not_from_agreement():
    """People prefer the longer answer in 2 of 9; the model in 8: all seven errors favor the longer answer."""
    pairs = [Judged(2.0, 5), Judged(1.0, 3), *[Judged(-1.0, -4)] * 6, Judged(1.0, -2), Judged(0.5, 0)]
    found = judgement.length(pairs)
    assert (found.longer.pairs, found.longer.value) == (2, 1.0) and (found.shorter.pairs, found.shorter.right) == (7, 1)
    assert found.errors == (6, 0) and found.preferred == pytest.approx(8 / 9)
    assert found.decides and judgement.tail(6, 6) == 1 / 64  # below 0.025
    assert "6 of 6 wrongly ordered" in judgement.warning(pairs)
    gaps, lengths = [2, 1, *[-1] * 6, 1, 0.5], [5, 3, *[-4] * 6, -2, 0]
    mean = sum(gaps) / 10, sum(lengths) / 10
    products = sum((gap - mean[0]) * (size - mean[1]) for gap, size in zip(gaps, lengths))
    spread = sum((gap - mean[0]) ** 2 for gap in gaps) * sum((size - mean[1]) ** 2 for size in lengths)
    assert found.correlation == pytest.approx(products / spread**0.5)


def test_a_sound_model_is_not_accused():
    """It prefers longer answers as often as people do, and errs both ways."""
    pairs = [Judged(1.0, 5)] * 30 + [Judged(1.0, -5)] * 5 + [Judged(-1.0, -5)] * 4 + [Judged(-1.0, 5)] * 3
    assert judgement.length(pairs).preferred > 0.75 and judgement.warning(pairs) == ""
    alike = [Judged(1.0, 0), Judged(-1.0, 0)]
    assert judgement.warning(alike) == "" and judgement.length(alike).correlation == 0.0
    assert "## Length" not in judgement.page(alike)
