"""What is called safe behaves as the original. Here a few of the planted faults and of the random damages are run; all of
them by `python benchmarks/repair_meaning.py` and `python benchmarks/repair_meaning.py --random 200 --seed 0`."""

import pytest

from shapewright.repair.patch import edited

from .behaviour import alike, outcome
from .damaged import sample
from .kept import KEPT
from .planted import PLANTED

BEGIN, STEP = 12, 24  # a fault of every other script
RIGHT = ("slots", "heads_by_hand", "paired", "rivals", "translated")  # scripts whose faults are all repaired safely
REPAIRED = [case for case in PLANTED if case.name.startswith(RIGHT)]
SOME = [case for case in PLANTED[BEGIN::STEP] if case not in REPAIRED]  # more is asked of those
FIRST = [case for case in PLANTED if case.name.partition(":")[0] in {script for script, *_ in KEPT}]


def test_every_script_is_itself():
    scripts = {case.sound: case.name for case in PLANTED}
    assert len(PLANTED) >= 80 and all(alike(text, text) for text in scripts)


@pytest.mark.parametrize("case", SOME, ids=lambda case: case.name)
def test_a_safe_repair_of_a_planted_fault_is_the_original(case, tmp_path, resident):
    found = outcome(tmp_path / "train.py", case.faulty, case.sound, resident)
    assert found.tier != "safe" or found.right, found


@pytest.mark.parametrize("case", sample(3, seed=7), ids=lambda case: case.name)
def test_a_safe_repair_of_a_random_damage_is_the_original(case, tmp_path, resident):
    found = outcome(tmp_path / "train.py", case.faulty, case.sound, resident)
    assert found.tier != "safe" or found.right or alike(case.faulty, case.sound), found


@pytest.mark.parametrize("case", REPAIRED, ids=lambda case: case.name)
def test_a_safe_repair_is_found(case, tmp_path, resident):
    found = outcome(tmp_path / "train.py", case.faulty, case.sound, resident)
    assert (found.tier, found.right) == ("safe", True), found


@pytest.mark.parametrize("case", FIRST, ids=lambda case: case.name)
def test_the_original_is_among_the_first_edits(case, proposed):
    trace, _, found = proposed(case.faulty)
    texts = [text for one in found[:6] for text in edited(trace.sources, one.edits).values()]
    assert any(alike(text, case.sound) for text in texts)
