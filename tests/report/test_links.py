"""Links of the Markdown files lead somewhere: the README and its translations, and everything in docs/."""

import re
from pathlib import Path

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
