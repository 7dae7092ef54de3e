"""Faults of everyday shapes: the first repair is safe and comes to the original, or, where the script leaves it open, it
is shown as a possibility."""

import pytest

from shapewright.repair.patch import edited

from .behaviour import alike, outcome
from .elsewhere import ELSEWHERE, NOT_SAFE
from .everyday import EVERYDAY, TRANSLATOR, UNSURE
from .further import FURTHER
from .mixed import LEFT_OPEN, MIXED
from .planted import HEAD
from .silent import SILENT
from .wider import OPEN, OTHER, WIDER

ANY_SIZE = "mask(source.size(1))"
PROPOSED = (  # what proposes these is of the kinds that the others are repaired by
    "all axes flattened",
    "one sample too many",
    "keys not turned",
    "states of one direction",
    "states batch first",
    "inputs exchanged",
    "another axis squeezed",
)
FIRST = [case for case in EVERYDAY if case.name.endswith(PROPOSED)]


@pytest.mark.parametrize("case", FIRST, ids=lambda case: case.name)
def test_the_original_is_among_the_first_edits(case, proposed):
    trace, _, found = proposed(case.faulty)
    texts = [text for one in found[:4] for text in edited(trace.sources, one.edits).values()]
    assert any(alike(text, case.sound) for text in texts)


@pytest.mark.parametrize(
    "case",
    [*(case for case in EVERYDAY if case not in FIRST), *ELSEWHERE, *FURTHER, *MIXED, *WIDER, *SILENT],
    ids=lambda case: case.name,
)
def test_a_safe_repair_is_found(case, tmp_path, resident):
    found = outcome(tmp_path / "train.py", case.faulty, case.sound, resident)
    assert (found.tier, found.right) == ("safe", True), found


@pytest.mark.parametrize("case", [*UNSURE, *OPEN], ids=lambda case: case.name)
def test_the_original_is_shown_as_a_possibility(case, tmp_path, resident):
    found = outcome(tmp_path / "train.py", case.faulty, case.sound, resident)
    assert (found.tier, found.right) == ("unsafe", True), found


@pytest.mark.parametrize("case", [*OTHER, *LEFT_OPEN, *NOT_SAFE], ids=lambda case: case.name)
def test_what_means_something_else_is_not_safe(case, tmp_path, resident):
    found = outcome(tmp_path / "train.py", case.faulty, case.sound, resident)
    assert found.right or found.tier != "safe", found


def test_a_size_read_off_the_samples_by_chance_is_a_guess(broken_by):
    faulty = HEAD + TRANSLATOR.replace("mask(target.size(1))", ANY_SIZE)
    assert broken_by(faulty, "mask(source.size(0))") == "guessed"
    assert broken_by(faulty, "mask(target.size(1))") == ""
