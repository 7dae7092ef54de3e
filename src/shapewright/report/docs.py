"""Writes docs/rules from the rule files: `python -m shapewright.report.docs [FOLDER]`; `--check` only says whether they
are stale."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from ..rules import Rule, all_rules
from .catalogue import GROUPS, sections, shown_template, summary

BADGES = {"loud": "crash", "silent": "silent", "loop": "training loop"}
MADE = "<!-- Made from the rule's file by `make docs`. Edit that file, not this one. -->"


def pages(rules: Iterable[Rule]) -> dict[str, str]:
    """The text of every page by its file name: one per rule, and the index."""
    rules = sorted(rules, key=lambda rule: rule.code)
    made = {f"{rule.code}-{rule.slug}.md": page(rule) for rule in rules}
    lines = [MADE, "", "# The faults that shapewright finds", ""]
    for group, title in GROUPS.items():
        found = [rule for rule in rules if rule.group == group]
        if found:
            lines += [f"## Faults that {title['en']}" if group != "loop" else "## Faults of the training loop", ""]
            lines += [f"- [{rule.code} {rule.slug}]({rule.code}-{rule.slug}.md): {summary(rule)}" for rule in found]
            lines.append("")
    made["README.md"] = "\n".join(lines).rstrip() + "\n"
    return made


def page(rule: Rule) -> str:
    """One rule in Markdown: its docstring, what it says in each language, a faulty and a sound script."""
    lines = [MADE, "", f"# {rule.code} {rule.slug}", "", f"`{BADGES[rule.group]}` {summary(rule)}", ""]
    for title, body in sections(rule):
        code = title in ("Example", "Instead") and not body.lstrip().startswith("```")
        lines += [f"## {title}", "", f"```python\n{_dedented(body)}\n```" if code else body, ""]
    lines += ["## What it says", ""]
    for lang, texts in rule.messages.items():
        lines += [f"- {lang}: " + " · ".join(shown_template(text) for text in texts.values())]
    lines += ["", f"Where it is meant: `# shapewright: allow {rule.slug}` on the line.", ""]
    for title, cases in (("A script that has it", rule.faulty), ("A sound script", rule.sound)):
        if source := script(cases):
            lines += [f"## {title}", "", f"```python\n{source}\n```", ""]
    return "\n".join(lines).rstrip() + "\n"


def script(cases: Iterable[object]) -> str:
    """The first of a rule's scripts, without its expectation."""
    first = next(iter(cases), "")
    return str(first[0] if isinstance(first, (tuple, list)) else first).strip()


def _dedented(body: str) -> str:
    lines = body.splitlines()
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[indent:] for line in lines)


def stale(folder: Path, made: dict[str, str]) -> list[str]:
    """The names of pages that are missing, different, or no longer made."""
    present = {path.name for path in folder.glob("*.md")}
    different = [
        name
        for name, text in made.items()
        if name not in present or (folder / name).read_text(encoding="utf-8") != text
    ]
    return sorted([*different, *(present - set(made))])


def main(argv: list[str]) -> int:
    """Writes the pages, or with `--check` prints the stale ones and returns 1 where there are any."""
    folder = Path(next((word for word in argv if not word.startswith("-")), "docs/rules"))
    made = pages(all_rules())
    changed = stale(folder, made)
    if "--check" in argv:
        print("\n".join(changed))
        return 1 if changed else 0
    folder.mkdir(parents=True, exist_ok=True)
    for name in changed:
        if name in made:
            (folder / name).write_text(made[name], encoding="utf-8")
        else:
            (folder / name).unlink()
    print(f"{len(made)} pages in {folder}, {len(changed)} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
