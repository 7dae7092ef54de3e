"""Titles and reasons say the same in each language."""

import re
import string

import pytest

from shapewright.repair import titles


@pytest.mark.parametrize("table", [titles.TEXTS, titles.REASONS])
def test_languages_name_the_same_fields(table):
    for kind, texts in table.items():
        named = [{field for _, field, _, _ in string.Formatter().parse(text) if field} for text in texts.values()]
        assert set(texts) == {"en", "es", "ja"} and named[0] == named[1] == named[2], kind


def test_every_proposed_title_has_a_text():
    from pathlib import Path

    folder = Path(titles.__file__).parent / "remedies"
    used = {name for path in folder.glob("*.py") for name in re.findall(r'Candidate\(\s*"([\w-]+)"', path.read_text())}
    assert used and used <= set(titles.TEXTS)
