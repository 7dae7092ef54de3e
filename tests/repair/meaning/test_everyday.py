"""Faults of everyday shapes: the first repair is safe and comes to the original, or, where the script leaves it open, it
is shown as a possibility."""

import pytest

from .behaviour import outcome
from .everyday import EVERYDAY, TRANSLATOR, UNSURE
from .planted import HEAD

ANY_SIZE = "mask(source.size(1))"


@pytest.mark.parametrize("case", EVERYDAY, ids=lambda case: case.name)
def test_a_safe_repair_is_found(case, tmp_path, resident):
    found = outcome(tmp_path / "train.py", case.faulty, case.sound, resident)
    assert (found.tier, found.right) == ("safe", True), found


@pytest.mark.parametrize("case", UNSURE, ids=lambda case: case.name)
def test_the_original_is_shown_as_a_possibility(case, tmp_path, resident):
    found = outcome(tmp_path / "train.py", case.faulty, case.sound, resident)
    assert (found.tier, found.right) == ("unsafe", True), found


def test_a_size_read_off_the_samples_by_chance_is_a_guess(broken_by):
    faulty = HEAD + TRANSLATOR.replace("mask(target.size(1))", ANY_SIZE)
    assert broken_by(faulty, "mask(source.size(0))") == "guessed"
    assert broken_by(faulty, "mask(target.size(1))") == ""
