"""The README says the same in three languages: commands, options, figures and examples."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def facts(text: str) -> dict[str, list[str]]:
    """What must not differ: fenced blocks, the first cell of each row of commands or options, and all numbers."""
    fences = re.findall(r"```.*?```", text, re.S)
    bare = re.sub(r"```.*?```", "", text, flags=re.S)
    code = re.findall(r"^\| (`.*?`) \|", bare, re.M)
    return {"fences": fences, "code": code, "numbers": sorted(re.findall(r"\d+(?:\.\d+)?", bare))}


@pytest.mark.parametrize("other", ["README.es.md", "README.ja.md"])
def test_the_translations_state_the_same_facts(other):
    english, translated = (facts((ROOT / name).read_text(encoding="utf-8")) for name in ("README.md", other))
    assert translated["fences"] == english["fences"]
    assert translated["code"] == english["code"]
    assert set(english["numbers"]) - {"11"} <= set(translated["numbers"]) | {"1", "2"}


def test_every_command_is_named():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in [
        "check",
        "fix",
        "walk",
        "annotate",
        "watch",
        "explain",
        "einsum",
        "rules",
        "rule",
        "recipes",
        "train",
        "summary",
        "lsp",
        "mcp",
    ]:
        assert f"`shapewright {command}" in readme, command
