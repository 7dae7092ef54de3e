"""Every loud rule finds its faulty scripts at the expected line in three languages and is silent on their sound twins; the table of cases."""

from __future__ import annotations

import json
import os
import string
import warnings
from pathlib import Path

import pytest

from shapewright.diagnosis import diagnose
from shapewright.rules import all_rules
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions
from shapewright.settings import Settings

LOUD = tuple(rule for rule in all_rules() if rule.group == "loud")
SHARED = Path(os.environ.get("SHAPEWRIGHT_SHARED", Path(__file__).parents[3] / "../shared")) / "cases"
TOLD = {path.parent: json.loads(path.read_text()) for path in sorted(SHARED.glob("*/case.json"))}
CRASHING = [folder for folder, told in TOLD.items() if told["kind"] == "loud"]  # the others: silent/test_reported_cases


@pytest.fixture(autouse=True)
def strictly(monkeypatch):
    monkeypatch.setenv("SHAPEWRIGHT_STRICT", "1")


def run(tmp_path: Path, text: str | None = None, script: Path | None = None):
    """The trace of a text, or of a script on disk."""
    path = script or tmp_path / "case.py"
    if text is not None:
        path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return execute(RunRequest(script=str(path)), tmp_path, Assumptions())


@pytest.mark.parametrize("rule", LOUD, ids=lambda rule: rule.slug)
def test_faulty_scripts_are_found_in_every_language(rule, tmp_path):
    for text, line in rule.faulty:
        trace = run(tmp_path, text)
        assert trace.failure is not None, text
        for lang in ("en", "es", "ja"):
            found = diagnose(trace, Settings(lang=lang), LOUD).findings
            assert [(one.code, one.site.line) for one in found] == [(rule.code, line)], text
            assert found[0].message and found[0].why
            assert all(origin.line > 0 for origin in found[0].origins)


@pytest.mark.parametrize("rule", LOUD, ids=lambda rule: rule.slug)
def test_sound_scripts_are_left_alone(rule, tmp_path):
    for text in rule.sound:
        trace = run(tmp_path, text)
        assert trace.failure is None, (trace.failure, text)
        assert not diagnose(trace, Settings(lang="en"), LOUD).findings, text


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("nn.Linear(3, 4)(torch.randn(8, 3))", "a tensor of shape (8, 4)"),
        ("(torch.randn(8, 3), 1, 2)", "the number of parts of the value does not match"),
    ],
)
def test_what_is_unpacked_is_described_as_it_was_before(value, said, tmp_path):
    trace = run(tmp_path, f"import torch\nfrom torch import nn\nout, h = {value}\n")
    assert said in diagnose(trace, Settings(lang="en"), LOUD).findings[0].why


@pytest.mark.parametrize("rule", LOUD, ids=lambda rule: rule.slug)
def test_languages_have_the_same_messages_with_the_same_fields(rule):
    def fields(lang):
        return {
            key: {name for _, name, _, _ in string.Formatter().parse(text) if name}
            for key, text in rule.messages[lang].items()
        }

    assert set(rule.messages) == {"en", "es", "ja"}
    assert rule.messages["en"].keys() == rule.messages["es"].keys() == rule.messages["ja"].keys()
    named = {lang: set().union(*fields(lang).values()) for lang in ("en", "es", "ja")}
    assert named["en"] == named["es"] == named["ja"]


def test_codes_and_slugs_are_unique():
    rules = all_rules()
    assert len({rule.code for rule in rules}) == len({rule.slug for rule in rules}) == len(rules)


@pytest.mark.parametrize("case", CRASHING, ids=lambda path: path.name)
def test_case(case, tmp_path, monkeypatch):
    monkeypatch.chdir(case)
    told = TOLD[case]
    assert not diagnose(run(tmp_path, script=case / "fixed.py"), Settings(lang="en"), LOUD).findings
    found = diagnose(run(tmp_path, script=case / "faulty.py"), Settings(lang="en"), LOUD).findings
    causes = told["fault_line"] if isinstance(told["fault_line"], list) else [told["fault_line"]]
    lines = [found[0].site.line, *(origin.line for origin in found[0].origins)]
    assert lines[0] == told["crash_line"] or set(lines) & set(causes)
    assert any(abs(line - cause) <= 1 for line in lines for cause in causes)


@pytest.mark.parametrize(
    "text",
    [
        'import torch\nrows = {"a": torch.randn(3, 4)}\nprint(rows["b"].shape)',
        'import torch\nclass M(torch.nn.Module):\n    def forward(self, x, mode):\n        if mode != "a":\n            raise ValueError("unknown mode")\nM()(torch.randn(3), "b")',
        "import torch\nclass M(torch.nn.Module):\n    def forward(self, x, y):\n        return x\nM()(torch.randn(3, 4).double())",
        'import numpy as np\nrows = np.zeros((3, 4))\nn = int("abc")',
        "import torch\ntorch.randn(3).there_is_no_such_method()",
        "x = [1, 2, 3]\nprint(x[5])",
    ],
)
def test_failures_of_another_kind_are_not_ours(text, tmp_path):
    trace = run(tmp_path, text)
    assert trace.failure is not None
    assert not diagnose(trace, Settings(lang="en"), LOUD).findings
