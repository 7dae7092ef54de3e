"""One resident process for all tests of repair, and what most of them ask: is this text repaired, and is nothing found in it then?"""

import pytest

import shapewright
from shapewright.run.process.supervisor import Resident


@pytest.fixture(scope="session")
def resident():
    with Resident() as running:
        yield running


@pytest.fixture
def repaired(resident, tmp_path):
    """Repairs a script's text; gives the new text, in which nothing is found any more."""

    def repair(faulty: str) -> str:
        path = tmp_path / "train.py"
        path.write_text(faulty)
        (text,) = shapewright.fix(path, resident=resident).values()
        path.write_text(text)
        assert not shapewright.check(path, resident=resident, repair=False).findings
        return text

    return repair
