"""Writes docs/rules from the rule files: `python -m shapewright.report.docs [FOLDER]`; `--check` only says whether they
are stale, `--no-reports` runs none of the rules' scripts and takes the reports that are kept."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from pathlib import Path

from ..rules import Rule, all_rules
from .catalogue import GROUPS, sections, shown_template, summary
from .evidence import blind_spots, silences
from .phrases import phrase
from .related import documentation, related
from .reports import Report, kept, make

BADGES = {"loud": "crash", "silent": "silent", "loop": "training loop"}
MADE = "<!-- Made from the rule's file by `make docs`. Edit that file, not this one. -->"
SEEN = "What you see"


def pages(rules: Iterable[Rule], reports: Path | None = None) -> dict[str, str]:
    """The text of every page by its file name: one per rule, and the index. `reports` is the folder of kept reports."""
    rules = sorted(rules, key=lambda rule: rule.code)
    names = {rule.code: f"{rule.code}-{rule.slug}.md" for rule in rules}
    made = {names[rule.code]: page(rule, kept(reports, rule) if reports else None, names) for rule in rules}
    lines = [MADE, "", "# The faults that shapewright finds", ""]
    for group, title in GROUPS.items():
        found = [rule for rule in rules if rule.group == group]
        if found:
            lines += [f"## {title['en'].capitalize()}", ""]
            lines += [f"- [{rule.code} {rule.slug}]({rule.code}-{rule.slug}.md): {summary(rule)}" for rule in found]
            lines.append("")
    made["README.md"] = "\n".join(lines).rstrip() + "\n"
    return made


def page(rule: Rule, report: Report | None = None, names: Mapping[str, str] | None = None) -> str:
    """One rule in Markdown: its docstring, a faulty and a sound script, the report of the faulty one and its repair,
    what the rule leaves alone and cannot see, where to read on; `names` are the pages' files by code."""
    badge = "remark" if report and report.is_remark else BADGES[rule.group]
    lines = [MADE, "", f"# {rule.code} {rule.slug}", "", f"`{badge}` {summary(rule)}", ""]
    lines += [f"## {SEEN}", "", *_seen(rule, report)]
    for title, body in sections(rule):
        if title == SEEN:
            continue
        code = title in ("Example", "Instead") and not body.lstrip().startswith("```")
        lines += [f"## {title}", "", f"```python\n{_dedented(body)}\n```" if code else body, ""]
    faulty = next(iter(scripts(rule.faulty)), "")
    sound = _nearest(faulty, tuple(scripts(rule.sound)))
    for title, source in (("A script that has it", faulty), ("A sound script", sound)):
        if source:
            lines += [f"## {title}", "", f"```python\n{source}\n```", ""]
    lines += ["## The report", "", *_told(report)]
    lines += ["## Silent on purpose", "", *(f"- {said}" for said in silences(rule))]
    lines += [f"- A line that ends in `# shapewright: allow {rule.slug}`.", ""]
    tempting = next((source for source in scripts(rule.sound) if source != sound), "")
    if tempting:
        lines += ["One of the sound scripts on which it is silent:", "", f"```python\n{tempting}\n```", ""]
    lines += ["## What it cannot see", "", *(f"- {said}" for said in blind_spots(rule)), ""]
    lines += ["## En español, 日本語", ""]
    for lang in ("es", "ja"):
        lines += [*_translated(rule, report, lang), ""]
    files = [names[other] for other in related(rule.code) if names and other in names]
    lines += ["## Related rules", "", *(f"- [{file.removesuffix('.md')}]({file})" for file in files)]
    lines += ["- [All rules](README.md)", "", "## PyTorch's documentation", ""]
    lines += [f"- [{title}]({url})" for title, url in documentation(rule.code)]
    return "\n".join(lines).rstrip() + "\n"


def _seen(rule: Rule, report: Report | None) -> list[str]:
    """What the rule itself tells of it, else torch's own error, or that there is none."""
    if told := dict(sections(rule)).get(SEEN):
        return [told.strip(), ""]
    if report and report.error:
        return ["```text", report.error.rstrip(), "```", ""]
    if rule.group == "loud":
        return ["The script stops with an error of PyTorch's.", ""]
    return ["No error: the script runs on. What is wrong shows only in what it learns, reports or keeps.", ""]


def _told(report: Report | None) -> list[str]:
    return ["```text", report.page.rstrip(), "```", ""] if report else []


def _translated(rule: Rule, report: Report | None, lang: str) -> list[str]:
    """What the report says in another language; the rule's texts where there is no report."""
    said = report.said.get(lang) if report else None
    if not said:
        return [f"- {lang}: " + " · ".join(shown_template(text) for text in rule.messages.get(lang, {}).values())]
    lines = [f"- **{said['message']}**", f"  - {phrase('why', lang)}: {said['why']}"]
    return lines + ([f"  - {phrase('help', lang)}: {said['help']}"] if said["help"] else [])


def scripts(cases: Iterable[object]) -> list[str]:
    """A rule's scripts, without their expectations."""
    return [str(one[0] if isinstance(one, (tuple, list)) else one).strip() for one in cases]


@functools.lru_cache(maxsize=1024)
def _nearest(faulty: str, sound: tuple[str, ...]) -> str:
    """The sound script that differs least from the faulty one, so that what is to be written instead is seen."""
    nearest, best = "", -1.0
    for one in sound:
        matcher = SequenceMatcher(None, faulty, one, autojunk=False)
        if matcher.quick_ratio() > best and (ratio := matcher.ratio()) > best:  # the first is a bound of the second
            nearest, best = one, ratio
    return nearest


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
    reports = folder / "reports"
    if "--check" not in argv and "--no-reports" not in argv:
        print("".join(f"{code}: its own script is not reported\n" for code in make(reports, all_rules())), end="")
    made = pages(all_rules(), reports)
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
