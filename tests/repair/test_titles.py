"""Titles and reasons say the same in each language, and every kind of edit has one."""

import inspect
import re
import string
from pathlib import Path

import pytest

from shapewright.repair.remedies import kinds, titles
from shapewright.repair.titles import REASONS
from shapewright.rules import remedy


@pytest.mark.parametrize("table", [titles(), REASONS])
def test_languages_name_the_same_fields(table):
    for kind, texts in table.items():
        named = [{field for _, field, _, _ in string.Formatter().parse(text) if field} for text in texts.values()]
        assert set(texts) == {"en", "es", "ja"} and named[0] == named[1] == named[2], kind


def test_every_proposed_title_has_a_text():
    used = {
        name for kind in kinds() for name in re.findall(r'Candidate\(\s*"([\w-]+)"', Path(kind.__file__).read_text())
    }
    assert used and used <= set(titles())


def test_every_remedy_has_a_kind_of_edit():
    answered = {kind for module in kinds() for kind in module.ANSWERS}
    declared = {c for c in vars(remedy).values() if inspect.isclass(c) and issubclass(c, remedy.Remedy)}
    assert {c.__name__ for c in declared - answered} <= {"Remedy", "DivideHeads"}
