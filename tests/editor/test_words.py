"""Every text of the editor's is there in three languages, and every kind of constraint has one."""

from shapewright.editor.words import CONSTRAINTS, TEXTS
from shapewright.ops.stated import FAMILIES


def test_texts_are_in_three_languages():
    assert set(CONSTRAINTS) == {*FAMILIES.values(), "named", "broadcast"}
    for by_language in (*TEXTS.values(), *CONSTRAINTS.values()):
        assert set(by_language) == {"en", "es", "ja"} and all(by_language.values())
