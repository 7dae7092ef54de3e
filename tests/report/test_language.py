"""Texts in three languages: chosen rightly, complete, with the same fields."""

import ast
import inspect
import json
import keyword
import re
import string
from pathlib import Path

import pytest

from shapewright.editor import words as editor_words
from shapewright.explain.discovery import known_messages
from shapewright.repair import invariants
from shapewright.repair.remedies import kinds as remedies
from shapewright.repair.remedies import titles
from shapewright.repair.titles import REASONS
from shapewright.report import assumptions, outcomes, phrases
from shapewright.report.catalogue import headline, rule_page, shown_template
from shapewright.report.html import words as html_words
from shapewright.report.language import language
from shapewright.report.reports import _pattern
from shapewright.rules import all_rules


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


@pytest.mark.parametrize(
    "environ,expected",
    [
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LC_ALL": "ja_JP.UTF-8", "LANG": "es_ES"}, "ja"),
        ({"LC_MESSAGES": "es", "LANG": "ja_JP"}, "es"),
        ({"LC_ALL": "C", "LANG": "ja_JP"}, "en"),
        ({"LC_ALL": "", "LANG": "ja"}, "ja"),
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_locale_decides(environ, expected):
    assert language("", environ) == expected


def test_a_wish_beats_the_locale_and_an_unknown_one_is_refused():
    assert language("es-MX", {"LANG": "ja_JP"}) == "es"
    with pytest.raises(ValueError, match="en, es, ja"):
        language("fr")


UNSAID = {  # words of which the field has a better one, by language; see the glossary in docs/glossary.md
    "en": r"\b(wants?|wanted|stands?|stood|meets?|played|ragged|raw scores|takes? away|another \w+ than|is told|are told|"
    r"told of|stretch(es|ed)?|are crossed|its company|glues?|no whole number|no matter of|meant to be|optimis\w+|"
    r"normalis\w+|colours?|larger by|smaller by|passed over|as meant|(was|is|are) meant|was thought|came in\b|no multiple|"
    r"(features|value|mean|loss) a (step|class|sample|batch)|axis (\{\} |\d |that )?counts|[Ll]as|[Ll]os|una)\b",
    "es": r"arreglo\b|decimales|\bbatch |núcleo|en el sitio|logaritmos? de probabilidad|punto de control|\bcifra\b|difu(nd|si)",
    "ja": r"目標値|注意機構|（|）| optimizer |訓練|チャンネル|フォルダー|生のスコア|平らに|特徴次元|隠れ次元|を数える軸|軸[^、。]{0,14}[\d}] ?本",
}


def said(lang: str) -> list[str]:
    """Every text of the product in one language."""
    texts = [text for one in all_rules() for text in one.messages.get(lang, {}).values()]
    tables = (
        titles(),
        REASONS,
        invariants.texts(),
        html_words.WORDS,
        editor_words.TEXTS,
        assumptions.TEXTS,
        outcomes.TEXTS,
        phrases.WORDS,
        phrases.ORIGINS,
    )
    texts += [by_language[lang] for table in tables for by_language in table.values()]
    return texts + [text for _, message in known_messages() for text in getattr(message, lang)]


@pytest.mark.parametrize("lang", UNSAID)
def test_all_texts_share_one_glossary(lang):
    without_fields = {text: re.sub(r"\{[^{}]*\}", "{}", text) for text in said(lang)}
    unwanted = {text: found[0] for text, bare in without_fields.items() if (found := re.search(UNSAID[lang], bare))}
    assert unwanted == {}


def test_the_pages_of_the_rules_share_the_glossary():
    unwanted = {}
    for one in all_rules():
        prose = re.sub(r"^## (Example|Instead)\n.*?(?=^## |\Z)", "", inspect.getdoc(one.module), flags=re.M | re.S)
        found = re.search(UNSAID["en"], re.sub(r"`[^`]*`", "", prose))
        unwanted |= {one.code: found[0]} if found else {}
    assert unwanted == {}


def test_no_english_phrase_reaches_a_title_of_another_language():
    kinds = titles()
    phrases_in_fields = {
        f"{module.__name__}:{text.lineno}": text.value
        for module in remedies()
        for made in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8")))
        if isinstance(made, ast.Dict) and not {"en", "es", "ja"} & {key.value for key in made.keys if _text(key)}
        for value in made.values
        if not isinstance(value, ast.Dict)
        for text in ast.walk(value)
        if _text(text) and re.search(r"[a-z]{2,} [a-z]{2,}", re.sub(PYTHON, "", text.value))
    }
    assert phrases_in_fields == {}, "the fields of a title hold code; words belong in TITLES"
    left = {}
    for kept_at in sorted((Path(__file__).parents[2] / "docs/rules/reports").glob("*.json")):
        report = json.loads(kept_at.read_text(encoding="utf-8"))
        if "\nhelp" in report["page"]:
            for lang, words in report["said"].items():
                fitting = [k for k, one in kinds.items() if re.fullmatch(_pattern(one[lang]), words["help"], re.S)]
                if not fitting or (lang != "en" and re.search(ENGLISH, words["help"])):
                    left[kept_at.stem, lang] = words["help"]
    assert left == {}, "delete these reports and run: make docs"


PYTHON = rf"\b({'|'.join(keyword.kwlist)})\b"
ENGLISH = r"\b(the|of|where|both|they|are|made by|instead|before|after)\b"


def _text(node: object) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@pytest.mark.parametrize("lang", ["es", "ja"])
def test_every_text_of_a_rule_is_said_in_each_language_with_the_same_fields(lang):
    for one in all_rules():
        english, own = ({k: fields(text) for k, text in one.messages[name].items()} for name in ("en", lang))
        assert own == english, one.code


def test_every_rule_says_something_in_each_language():
    for one in all_rules():
        assert re.search(r"[ぁ-んァ-ン]", headline(one, "ja")), one.code
        page = "\n".join(line.plain for line in rule_page(one, "es", 100))
        assert "solo en inglés" in page and shown_template(headline(one, "es")).split("<")[0][:20] in page, one.code
