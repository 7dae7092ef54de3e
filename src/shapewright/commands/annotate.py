"""`annotate`: what `walk` shows, written into the code and verified by another run."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import tyro

from ..annotate import comments, jaxtyping
from ..checking import found_in
from ..diagnosis.paths import as_given
from ..graph.bound import readings
from ..repair.patch import Changed, diff, of_project, write
from ..report.language import language
from ..report.phrases import phrase
from ..report.wording import unchecked
from ..run.script.reading import on_disk
from ..run.script.training import trains
from .options import CONFIG, FILE, LANGUAGE, PLAIN, SECONDS


@dataclasses.dataclass
class Annotate:
    """Write the shapes that were observed into the code: as comments at the ends of lines, or as jaxtyping annotations
    on signatures.

    Prints a patch; the changed script is run before the patch is shown. Arguments after -- go to the script. Exit
    codes: 0 done, 1 stale shapes (--check), 2 cannot be run or written."""

    scripts: Annotated[
        tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="SCRIPT ...", help_behavior_hint="")
    ]
    """The scripts."""
    style: Annotated[
        Literal["comments", "jaxtyping"], tyro.conf.arg(metavar="comments|jaxtyping", help_behavior_hint="")
    ] = "comments"
    """comments, the default, or jaxtyping."""
    write: Annotated[bool, PLAIN] = False
    """Write the files instead of printing a patch."""
    check: Annotated[bool, PLAIN] = False
    """Only list the written shapes that are out of date."""
    timeout: Annotated[float | None, SECONDS] = None
    """Seconds that one run may take; 60 by default."""
    training_only: Annotated[bool, PLAIN] = False
    """Leave out files that do not import PyTorch or only define classes and functions."""
    lang: Annotated[str, LANGUAGE] = ""
    """en, es or ja; by default the locale's."""
    python: Annotated[str, FILE] = ""
    """The Python that has the script's libraries, or its virtual environment; by default the active one or ./.venv."""


def main(argv: Sequence[str], resident: Any) -> int:
    """Run the command; returns the exit code."""
    argv = list(argv)
    cut = argv.index("--") if "--" in argv else len(argv)
    options = tyro.cli(Annotate, prog="shapewright annotate", args=argv[:cut], config=CONFIG)
    scripts = [script for script in options.scripts if not options.training_only or trains(on_disk(script) or "")]
    return max(
        (_one(script, tuple(argv[cut + 1 :]), options, resident) for script in scripts),
        default=0 if options.scripts else 2,
    )


def _one(script: str, argv: tuple[str, ...], options: Annotate, resident: Any) -> int:
    spoken = language(options.lang)
    found = found_in(script, argv, resident=resident, timeout=options.timeout, lang=spoken)
    if found.trace.outcome.state == "incomplete":
        print(f"{script}: {unchecked(found.diagnosis)}", file=sys.stderr)
        return 2
    style = comments if options.style == "comments" else jaxtyping
    before, after = {}, {}
    worst = 0
    for file, reading in readings(found.trace).items():
        name = as_given(file, script)
        if not of_project(file, script) or file.endswith(".ipynb"):
            continue
        if options.check and options.style == "comments":
            for line, (old, new) in sorted(comments.stale(reading).items()):
                print(f"{name}:{line}: {old} -> {new}")
                worst = 1
            continue
        text = style.annotated(reading)
        if text != reading.text:
            before[name], after[name] = reading.text, text
    if options.check:
        if after:
            print(diff(before, after), end="")
        return 1 if worst or after else 0
    if not after:
        return 0
    again = resident.run(_request(found.request, after))
    if again.outcome.state != found.trace.outcome.state:
        print(phrase("annotated_otherwise", spoken, script=script), file=sys.stderr)
        return 2
    if not options.write:
        print(diff(before, after), end="")
        return 0
    try:
        write({name: (before[name], after[name]) for name in after})
    except Changed as refused:
        print(f"shapewright annotate: {refused}", file=sys.stderr)
        return 2
    return 0


def _request(request: Any, texts: dict[str, str]) -> Any:
    """The same run on the new texts."""
    return dataclasses.replace(request, sources={os.path.abspath(file): text for file, text in texts.items()})
