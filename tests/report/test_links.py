"""Links of the Markdown files lead somewhere: the README and its translations, and everything in docs/."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_no_link_between_files_is_broken():
    broken = []
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            path = target.partition("#")[0]
            if path and not re.match(r"[a-z]+:", path) and not (page.parent / path).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert broken == []


def test_the_site_and_its_pages_name_each_other():
    listed = re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert [name for name in listed if not (ROOT / "docs" / name).is_file()] == []
    assert {path.name for path in (ROOT / "docs").glob("*.md")} <= {name for name in listed}


@pytest.mark.parametrize("target,ending", [("other.md", 0), ("gone.md", 1), ("other.md#gone", 1)])
def test_a_link_that_leads_nowhere_stops_the_site(tmp_path, target, ending):
    pytest.importorskip("mkdocs", reason="mkdocs is not installed: pip install mkdocs-material")
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text("site_name: s\n" + re.search(r"^validation:\n(  .*\n)+", settings, re.M)[0])
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(f"# Index\n\n[a link]({target})\n")
    (tmp_path / "docs" / "other.md").write_text("# Other\n")
    command = re.search(r"mkdocs (build.*)", (ROOT / "Makefile").read_text(encoding="utf-8"))[1].split()
    done = subprocess.run([sys.executable, "-m", "mkdocs", *command], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == ending, done.stderr.decode()
