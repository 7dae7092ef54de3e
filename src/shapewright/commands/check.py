"""`check` and `walk`: run scripts and print their diagnoses."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_type_hints

from ..checking import scripts_in
from ..diagnosis import Diagnosis
from ..report.formats import find_format
from ..report.language import language
from ..report.phrases import phrase
from ..report.terminal import page_settings
from ..run.script.reading import on_disk
from ..run.script.training import trains
from ..settings import parse_memory
from . import options as look
from .baseline import known, root_of, save, without_known
from .jobs import each


@dataclass
class Check:
    """Run PyTorch scripts safely and cheaply and say which tensor has the wrong shape, where, and why.

    Arguments after -- go to the script. Exit codes: 0 complete and clean, 1 findings, 2 cannot check."""

    scripts: Annotated[
        tuple[str, ...], look.conf.Positional, look.conf.arg(metavar="SCRIPT ...", help_behavior_hint="")
    ]
    """Scripts, notebooks, or folders of scripts."""
    format: Annotated[str, look.conf.arg(metavar="FORMAT")] = "terminal"
    """terminal, json, github, gitlab, sarif or html."""
    lang: Annotated[str, look.LANGUAGE] = ""
    """en, es or ja; by default the locale's."""
    engine: Annotated[
        Literal["auto", "live", "dry"] | None, look.conf.arg(metavar="auto|live|dry", help_behavior_hint="")
    ] = None
    """live: runs with values; dry: shapes only; auto, the default: live, and dry if the script exceeds the limits."""
    timeout: Annotated[float | None, look.SECONDS] = None
    """Seconds that one run may take; 60 by default."""
    memory: Annotated[str | None, look.BYTES] = None
    """Memory that one run may allocate, for example 4G; 8G by default."""
    python: Annotated[str, look.FILE] = ""
    """The Python that has the script's libraries, or its virtual environment; by default the active one or ./.venv."""
    select: Annotated[str | None, look.RULES] = None
    """Only these rules: codes, beginnings of codes, or slugs, separated by commas."""
    ignore: Annotated[str | None, look.RULES] = None
    """Leave out these rules."""
    show_output: Annotated[bool, look.PLAIN] = False
    """Send what the script prints to standard error."""
    remarks: Annotated[bool, look.PLAIN] = False
    """Also show all advice that is not a fault, opinions included."""
    fix: Annotated[bool, look.PLAIN] = True
    """Do not look for repairs (faster)."""
    walk: Annotated[bool, look.PLAIN] = False
    """Also print the script with the shapes that each line makes."""
    baseline: Annotated[str, look.FILE] = ""
    """A file with known findings; only findings that are not in this file are reported."""
    update_baseline: Annotated[bool, look.PLAIN] = False
    """Write all findings to the --baseline file instead of reporting them, and exit with 0."""
    training_only: Annotated[bool, look.PLAIN] = False
    """Leave out files that do not import PyTorch or only define classes and functions."""
    exit_zero: Annotated[bool, look.PLAIN] = False
    """Exit with 0 even if something was found; 2 still means that something could not be checked."""
    jobs: Annotated[int, look.conf.arg(metavar="N", help_behavior_hint="")] = 1
    """Number of scripts that are checked at the same time."""


@dataclass
class Walk(Check):
    """Show each line of a script with the shapes that it made when it first ran. The script runs as with check.

    Arguments after -- go to the script. Exit codes: 0 complete and clean, 1 findings, 2 cannot check."""

    format: Annotated[str, look.conf.arg(metavar="FORMAT")] = "terminal"
    """terminal or html."""
    fix: look.conf.Suppress[bool] = True
    walk: look.conf.Suppress[bool] = True
    baseline: look.conf.Suppress[str] = ""
    update_baseline: look.conf.Suppress[bool] = False
    training_only: look.conf.Suppress[bool] = False
    exit_zero: look.conf.Suppress[bool] = False
    jobs: look.conf.Suppress[int] = 1


def parsed(argv: Sequence[str], reading: bool = False, command: str = "") -> tuple[Check, tuple[str, ...]]:
    """The options and, after `--`, the script's own arguments. Exits with 2 on wrong usage, with 0 after --help."""
    command = command or ("walk" if reading else "check")
    argv = list(argv)
    cut = argv.index("--") if "--" in argv else len(argv)
    ours, theirs = argv[:cut], tuple(argv[cut + 1 :])
    kind = Walk if reading else Check
    if not any(word.startswith("-") for word in ours):
        options = kind(tuple(ours))
    else:
        options = look.cli(kind, prog=f"shapewright {command}", args=gathered(ours), config=look.CONFIG)
    if not options.scripts:
        raise ValueError(f"which script? shapewright {command} SCRIPT [-- ARGS]")
    return options, theirs


def gathered(argv: Sequence[str]) -> list[str]:
    """The same arguments with the scripts first, wherever among the options they stood.

    >>> gathered(["a.py", "--lang", "es", "b.py", "--remarks", "c.py"])
    ['a.py', 'b.py', 'c.py', '--lang', 'es', '--remarks']
    """
    valued = {"--" + name.replace("_", "-") for name, kind in get_type_hints(Check).items() if kind is not bool}
    scripts, options, value = [], [], False
    for argument in argv:
        if value or argument.startswith("-"):
            options.append(argument)
            value = not value and argument in valued
        else:
            scripts.append(argument)
    return scripts + options


def main(argv: Sequence[str], resident: Any, *, reading: bool = False) -> int:
    """Checks every script, prints the diagnoses in the format asked for, returns the exit code. `reading` prints the
    walk of each."""
    options, theirs = parsed(argv, reading)
    renderer = find_format(options.format)
    if reading and options.format not in ("terminal", "html"):
        raise ValueError(f"walk's format must be terminal or html, not {options.format!r}")
    lang = language(options.lang) if options.lang else None
    chosen = {
        "engine": options.engine,
        "timeout": options.timeout,
        "lang": lang,
        "show_output": options.show_output,
        "memory": parse_memory(options.memory) if options.memory else None,
        "select": rules_named(options.select),
        "ignore": rules_named(options.ignore),
        "opinions": options.remarks or None,
    }
    if options.timeout is not None and not options.timeout > 0:
        raise ValueError("timeout must be a number of seconds above 0")
    scripts = scripts_in(options.scripts)
    if options.training_only:
        scripts = [script for script in scripts if script.endswith(".ipynb") or trains(on_disk(script) or "")]
        if not scripts:
            return 0
    many = len(options.scripts) > 1 or any(os.path.isdir(path) for path in options.scripts)
    if options.jobs < 1:
        raise ValueError("jobs must be a number above 0")
    if options.update_baseline and not options.baseline:
        raise ValueError("--update-baseline needs --baseline FILE")
    spoken = language(options.lang)
    listed = known(options.baseline, spoken) if options.baseline and not options.update_baseline else frozenset()
    diagnoses: list[Diagnosis] = []
    traces: list[Any] = []
    streamed = options.format == "terminal" and not options.update_baseline
    repair = options.fix and not reading and not options.update_baseline
    for trace, diagnosis in each(scripts, theirs, resident, options.jobs, repair=repair, **chosen):
        if listed:
            diagnosis = without_known(diagnosis, listed, root_of(options.baseline))
        diagnoses.append(diagnosis)
        if options.format == "html":  # the only format that draws what a run did
            traces.append(trace)
        if options.show_output:
            sys.stderr.write(diagnosis.output)
        if streamed:
            _print_page(renderer, trace, diagnosis, options, reading, first=len(diagnoses) == 1)
    if options.update_baseline:
        count = save(options.baseline, diagnoses)
        print(phrase("baseline_saved", spoken, path=options.baseline, count=count))
        return 2 if any(diagnosis.outcome == "incomplete" for diagnosis in diagnoses) else 0
    if not streamed:
        sys.stdout.write(renderer.render(diagnoses, many=many, remarks=options.remarks, traces=traces))
    code = exit_code(diagnoses)
    return 0 if code == 1 and options.exit_zero else code


def exit_code(diagnoses: Sequence[Diagnosis]) -> int:
    """1 where anything was found, else 2 where anything was left unchecked, else 0."""
    codes = {diagnosis.exit_code for diagnosis in diagnoses}
    return 1 if 1 in codes else 2 if 2 in codes or not codes else 0


def _print_page(renderer: Any, trace: Any, diagnosis: Diagnosis, options: Check, reading: bool, first: bool) -> None:
    page = page_settings()
    if not first:
        print()
    if options.walk or reading:
        from ..report.walk import render as walk

        sys.stdout.write(walk(trace, lang=diagnosis.lang, **page))
    if not reading or diagnosis.findings or diagnosis.outcome != "complete":
        sys.stdout.write(renderer.render([diagnosis], remarks=options.remarks, **page))
    sys.stdout.flush()


def rules_named(text: str | None) -> tuple[str, ...] | None:
    """The codes and slugs in an option's text."""
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())
