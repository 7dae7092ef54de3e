"""Texts in three languages: chosen rightly, complete, with the same fields."""

import string

import pytest

from shapewright.report import assumptions, outcomes, phrases
from shapewright.report.language import language


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("texts", [phrases.WORDS, phrases.ORIGINS, assumptions.TEXTS, outcomes.TEXTS])
def test_each_text_has_three_languages_with_the_same_fields(texts):
    for kind, said in texts.items():
        assert set(said) == {"en", "es", "ja"}, kind
        assert len({frozenset(fields(text)) for text in said.values()}) == 1, kind


@pytest.mark.parametrize("texts", [assumptions.TEXTS, outcomes.TEXTS, phrases.ORIGINS])
def test_kinds_are_in_alphabetical_order(texts):
    assert list(texts) == sorted(texts)


@pytest.mark.parametrize("environ,expected", [
    ({"LANG": "es_ES.UTF-8"}, "es"), ({"LC_ALL": "ja_JP.UTF-8", "LANG": "es_ES"}, "ja"), ({"LC_MESSAGES": "es", "LANG": "ja_JP"}, "es"),
    ({"LC_ALL": "C", "LANG": "ja_JP"}, "en"), ({"LC_ALL": "", "LANG": "ja"}, "ja"), ({}, "en"), ({"LANG": "de_DE.UTF-8"}, "en"),
])
def test_the_locale_decides(environ, expected):
    assert language("", environ) == expected


def test_a_wish_beats_the_locale_and_an_unknown_one_is_refused():
    assert language("es-MX", {"LANG": "ja_JP"}) == "es"
    with pytest.raises(ValueError, match="en, es, ja"):
        language("fr")
