"""The list of rules, one rule in full, and the pages made from the rule files."""

from pathlib import Path

import pytest

from shapewright.report.catalogue import listing, rule_page, shown_template
from shapewright.report.docs import main, page, pages, stale
from shapewright.rules import all_rules

from .first_diagnosis import FACTS, rule

FOLDER = Path(__file__).parents[2] / "docs" / "rules"


def test_the_pages_of_the_rules_are_not_stale():
    assert stale(FOLDER, pages(all_rules())) == [], "run: make docs"


@pytest.mark.parametrize("lang", ["en", "es", "ja"])
def test_every_rule_has_a_page_and_a_line(lang):
    lines = "\n".join(line.plain for line in listing(all_rules(), lang, 100))
    for one in all_rules():
        assert one.code in lines and one.slug in lines
        text = "\n".join(line.plain for line in rule_page(one, lang, 100))
        assert one.slug in text and "shapewright: allow" in text


def test_a_page_is_found_stale_when_it_differs_lacks_or_is_left_over(tmp_path):
    made = pages([rule(FACTS)])
    for name, text in made.items():
        (tmp_path / name).write_text(text)
    assert stale(tmp_path, made) == []
    (tmp_path / "README.md").write_text("old")
    (tmp_path / "SW999-gone.md").write_text("old")
    assert stale(tmp_path, made) == ["README.md", "SW999-gone.md"]
    (tmp_path / "SW101-three-shapes-differ.md").unlink()
    assert "SW101-three-shapes-differ.md" in stale(tmp_path, made)


def test_the_generator_writes_removes_and_checks(tmp_path, capsys):
    (tmp_path / "SW999-gone.md").write_text("old")
    assert main([str(tmp_path), "--check"]) == 1
    assert main([str(tmp_path)]) == 0 and main([str(tmp_path), "--check"]) == 0
    assert not (tmp_path / "SW999-gone.md").exists()


def test_fields_are_shown_as_names():
    assert shown_template("{op} takes {n:d} axes") == "<op> takes <n> axes"
    assert "```python\nloss(a, b, c)\n```" in page(rule(FACTS))


def test_every_page_has_a_badge_a_faulty_and_a_sound_script():
    lacking = [
        name
        for name, text in pages(all_rules()).items()
        if name != "README.md"
        and not ("\n`" in text and "## A script that has it" in text and "## A sound script" in text)
    ]
    assert lacking == []
