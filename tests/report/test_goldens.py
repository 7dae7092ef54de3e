"""Every renderer in every language against its golden file. `make goldens` writes them anew; read the difference before committing it."""

import os
from pathlib import Path

import pytest

from shapewright.report.formats import find_format, format_names

from .first_diagnosis import clean, first, unfinished

GOLDENS = Path(__file__).parent / "goldens"
CASES = {"first": first, "clean": clean, "unfinished": unfinished}


@pytest.mark.parametrize("lang", ["en", "es", "ja"])
@pytest.mark.parametrize("name", format_names())
def test_golden(name, lang):
    parts = [
        find_format(name).render([make(lang)], width=100, color=False, remarks=case == "first")
        for case, make in CASES.items()
    ]
    made = ("\n" + "=" * 100 + "\n").join(parts)
    path = GOLDENS / f"{name}.{lang}.txt"
    if os.environ.get("SHAPEWRIGHT_GOLDENS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(made, encoding="utf-8")
    assert made == path.read_text(encoding="utf-8"), f"{path.name} differs: make goldens"


def test_there_is_a_golden_for_each_format_and_no_other():
    assert {path.name for path in GOLDENS.glob("*.txt")} == {
        f"{name}.{lang}.txt" for name in format_names() for lang in ("en", "es", "ja")
    }
