"""Where a script does not tell which of two was meant, no repair is safe; where it does, the safe one is right."""

import pytest

from .behaviour import outcome
from .other_of_two import NOT_TOLD, TOLD
from .planted import HEAD


@pytest.mark.parametrize(("name", "script", "old", "new"), NOT_TOLD, ids=[case[0] for case in NOT_TOLD])
def test_what_the_script_does_not_tell_is_not_safe(name, script, old, new, tmp_path, resident):
    assert old in script
    found = outcome(tmp_path / "train.py", HEAD + script.replace(old, new), HEAD + script, resident)
    assert found.tier == "unsafe" or found.right, (found.title, found.doubt)


@pytest.mark.parametrize(("name", "script", "old", "new"), TOLD, ids=[case[0] for case in TOLD])
def test_what_the_script_tells_is_repaired(name, script, old, new, tmp_path, resident):
    assert old in script
    found = outcome(tmp_path / "train.py", HEAD + script.replace(old, new), HEAD + script, resident)
    assert found.tier == "safe" and found.right, (found.tier, found.title, found.doubt)
