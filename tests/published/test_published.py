"""Scripts in the manner of tutorials, example collections and course notebooks, with everything that they carry: each is
checked to its end as it is, and nothing is found in it. The first line of each names what usually stops such a script."""

from collections import Counter
from pathlib import Path

import pytest

from shapewright.checking import examine
from shapewright.run.process.supervisor import Resident

SCRIPTS = sorted(path for path in (Path(__file__).parent / "scripts").glob("*.*") if path.suffix in (".py", ".ipynb"))


@pytest.fixture(scope="module")
def resident():
    with Resident() as one:
        yield one


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_as_it_is_published_is_checked_to_its_end(script, resident):
    _, diagnosis = examine(str(script), resident=resident, cwd=str(script.parent))
    assert diagnosis.outcome == "complete", diagnosis.reason
    assert not diagnosis.findings, [(found.code, found.message) for found in diagnosis.findings]


def test_every_cause_is_covered():
    causes = Counter(cause(script) for script in SCRIPTS)
    assert all(causes) and len(causes) >= 15, causes


def cause(script: Path) -> str:
    """What the first line of a script, or of the first cell of a notebook, says."""
    text = script.read_text(encoding="utf-8")
    return text.partition("# cause: ")[2].partition("\n")[0].partition('\\n"')[0].rstrip('",')
