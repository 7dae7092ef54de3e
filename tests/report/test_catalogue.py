"""The list of rules, one rule in full, and the pages made from the rule files."""

import functools
import re
from pathlib import Path

import pytest

from shapewright.report.catalogue import listing, rule_page, shown_template
from shapewright.report.docs import main, page, pages, stale
from shapewright.report.related import PYTORCH
from shapewright.report.reports import is_stale, kept
from shapewright.rules import all_rules

from .first_diagnosis import FACTS, rule

FOLDER = Path(__file__).parents[2] / "docs" / "rules"


def test_the_pages_of_the_rules_are_not_stale():
    reports = FOLDER / "reports"
    assert [rule.code for rule in all_rules() if is_stale(rule, kept(reports, rule))] == [], "run: make docs"
    assert stale(FOLDER, pages(all_rules(), reports)) == [], "run: make docs"


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
    assert main([str(tmp_path), "--no-reports"]) == 0 and main([str(tmp_path), "--check"]) == 0
    assert not (tmp_path / "SW999-gone.md").exists()


def test_fields_are_shown_as_names():
    assert shown_template("{op} takes {n:d} axes") == "<op> takes <n> axes"
    assert "```python\nloss(a, b, c)\n```" in page(rule(FACTS))


SECTIONS = (
    "What you see",
    "What it finds",
    "Why it hurts",
    "Example",
    "Instead",
    "Fix safety",
    "A script that has it",
    "A sound script",
    "The report",
    "Silent on purpose",
    "What it cannot see",
    "En español, 日本語",
    "Related rules",
    "PyTorch's documentation",
)


def test_every_page_is_complete():
    made = pages(all_rules(), FOLDER / "reports")
    lacking = {
        name: [section for section in SECTIONS if f"\n## {section}\n" not in text]
        for name, text in made.items()
        if name != "README.md"
    }
    assert {name: sections for name, sections in lacking.items() if sections} == {}
    for one in all_rules():
        text = made[f"{one.code}-{one.slug}.md"]
        assert f"\n{one.code} " in text.partition("## The report")[2], "its report speaks of it"


def test_related_rules_and_links_exist():
    import torch

    made = pages(all_rules(), FOLDER / "reports")
    links = {(name, link) for name, text in made.items() for link in re.findall(r"\]\((SW[^)]*)\)", text)}
    assert {(name, link) for name, link in links if link not in made} == set()
    for name in " ".join(PYTORCH.values()).split():
        if not name.startswith("notes/") and name != "data":
            assert functools.reduce(getattr, name.split("."), torch) is not None, name
