"""`--help` of every command in three languages."""

import re

import pytest
from rich.cells import cell_len

from shapewright.cli import COMMANDS, main
from shapewright.commands.help import CLASSES, OTHER, contents, of_recipes, overview, page
from shapewright.commands.help_texts import OVERVIEW, TEXTS, WORDS
from shapewright.recipes.registry import find


def test_every_command_has_a_page_and_every_text_its_translations():
    assert set(COMMANDS) == {*CLASSES, *OTHER} == {line.split()[0] for line in OVERVIEW}
    texts = [
        text
        for name in COMMANDS
        for about, options in [contents(name)]
        for text in (*about, *[o.text for o in options])
    ]
    assert {text for text in texts if text and text not in TEXTS} == set()
    assert set(TEXTS) <= set(texts), "texts that no command shows"


@pytest.mark.parametrize("lang", ["en", "es", "ja"])
def test_the_pages_are_in_the_reader_s_language_and_no_line_is_too_wide(lang, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "90")
    for name in COMMANDS:
        assert main([name, "--help", "--lang", lang]) == 0
        text = capsys.readouterr().out
        assert text == page(name, lang) and text.startswith(WORDS["usage"][lang])
        assert max(cell_len(line) for line in text.splitlines()) <= 90
        if lang == "ja":
            assert re.search(r"[ぁ-ん]", text)
    assert set(overview(lang).split()) >= {"check", "fix", "mcp"}


@pytest.mark.parametrize("lang", ["es", "ja"])
def test_a_recipe_s_settings_are_in_the_reader_s_language(lang, capsys):
    assert main(["train", "reward", "--help", "--lang", lang]) == 0
    text = capsys.readouterr().out
    assert text.startswith(WORDS["usage"][lang]) and "--no-resume" in text and "bradley-terry|margin-ranking" in text
    assert WORDS["default"][lang].format(value="0") in text
    texts = {text for recipe in find().values() for text in (recipe.summary, *[one.help for one in recipe.settings])}
    assert len(texts - set(of_recipes())) < 0.05 * len(texts), "recipes.toml lacks these texts"


def test_the_locale_decides_where_no_language_is_named(capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    assert main(["fix", "-h"]) == 0 and "opciones" in capsys.readouterr().out
    assert main(["--help"]) == 0 and capsys.readouterr().out.startswith("uso")
