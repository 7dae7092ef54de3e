"""One resident process for all tests of repair, and what most of them ask: is this text repaired, and is nothing found in it then?"""

import pytest

import shapewright


@pytest.fixture
def repaired(resident, tmp_path):
    """Repairs a script's text; gives the new text, in which nothing is found any more. With `unsafe` no safe repair
    may be known, and the first unsafe one is taken."""

    def repair(faulty: str, unsafe: bool = False) -> str:
        path = tmp_path / "train.py"
        path.write_text(faulty)
        if unsafe:
            assert not shapewright.fix(path, resident=resident)
        (text,) = shapewright.fix(path, resident=resident, unsafe=unsafe).values()
        path.write_text(text)
        assert not shapewright.check(path, resident=resident, repair=False).findings
        return text

    return repair
