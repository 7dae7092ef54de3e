"""From a path to a diagnosis: read the settings, run the script in the resident process, apply the rules, ask for
repairs.

This is the only place that joins run, rules, repair and diagnosis. It prints nothing and never imports torch."""

from __future__ import annotations

import dataclasses
import functools
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from .chosen import chosen_settings
from .dataclass import dataclass
from .diagnosis import AssumptionNote, Diagnosis, Finding, diagnose
from .report.wording import assumption_note
from .rules import all_rules
from .run.ending.axes import settled
from .run.ending.older import older
from .run.ending.ranks import compared, of_ranks_alone
from .run.ending.uncut import CONFIRMING_SECONDS, confirmed, cut, run_whole, surely_longer
from .run.engines import settle
from .run.process.request import RunRequest
from .run.process.strain import strain
from .run.script.reading import read, targets
from .run.script.runners import runners
from .settings import Settings
from .trace import Assumption, Outcome, Trace

TIMES = 1.5  # its time limit that all runs of a script may take; each after that is given a few seconds
RUNNERS = 2  # scripts that are tried for a file that only defines classes and functions


def check(
    path: str | os.PathLike[str], argv: Sequence[str] = (), *, resident: Any = None, repair: bool = True, **options: Any
) -> Diagnosis:
    """The diagnosis of one script.

    Args:
        path: the script.
        argv: its command-line arguments.
        resident: a running `run.supervisor.Resident` to use; one is started and stopped otherwise.
        repair: look for verified repairs of what is found.
        options: over pyproject's: `select`, `ignore` (sequences of codes or slugs), `lang`, `timeout` (s), `memory`
        (bytes or `"4G"`),
            `engine`, `show_output`.

    Raises:
        ValueError: an option or pyproject.toml is malformed.
    """
    return examine(os.fspath(path), argv, resident=resident, repair=repair, **options)[1]


def fix(
    path: str | os.PathLike[str], argv: Sequence[str] = (), *, resident: Any = None, every: bool = True, **options: Any
) -> dict[str, str]:
    """The texts of the files that verified repairs change, by path; empty where nothing was found or nothing could be
    repaired.

    Nothing is written. Args as for `check`; `every` goes on after the first repair.
    """
    from .repair.all import repaired_texts
    from .run.process.supervisor import Resident

    if unreadable(os.fspath(path)) is not None:
        return {}
    if resident is not None:
        return repaired_texts(os.fspath(path), resident, tuple(argv), every=every, **options)[0]
    with Resident() as own:
        return repaired_texts(os.fspath(path), own, tuple(argv), every=every, **options)[0]


@dataclass(frozen=True)
class Examined:
    """A script that was run and judged, in so many seconds: what is needed to look for its repairs afterwards. Its
    diagnosis has what was found `later` too."""

    request: RunRequest
    settings: Settings
    trace: Trace
    diagnosis: Diagnosis
    seconds: float = 0.0
    later: Examined | None = None  # what was found beyond a call that torch no longer makes


def examine(
    script: str,
    argv: Sequence[str] = (),
    *,
    resident: Any = None,
    repair: bool = False,
    show_output: bool = False,
    **options: Any,
) -> tuple[Trace, Diagnosis]:
    """As `check`, and the trace with it."""
    if resident is None:
        from .run.process.supervisor import Resident

        with Resident() as own:
            return examine(script, argv, resident=own, repair=repair, show_output=show_output, **options)
    found = found_in(script, argv, resident=resident, show_output=show_output, **options)
    return found.trace, with_repairs(found, resident) if repair else found.diagnosis


def found_in(
    script: str,
    argv: Sequence[str] = (),
    *,
    resident: Any,
    show_output: bool = False,
    texts: Mapping[str, str] | None = None,
    cwd: str = "",
    early: Callable[[Examined], None] | None = None,
    defining: str = "",
    **options: Any,
) -> Examined:
    """What one run of a script finds, without repairs. A file that only defines classes and functions is run by a
    script of its project that imports it, where one can be.

    Args:
        script: the script's path.
        argv: its arguments.
        resident: a running `Resident`.
        show_output: pass on what the script prints.
        texts: by absolute path, read instead of what is on the disk, such as those of an editor that were not saved
            yet.
        cwd: the folder to run in, by default this process's.
        early: is told what is found before the probes are asked; what needs more runs to be sure of is left out.
        defining: the file, which only defines classes and functions, that this script is run for.
        options: as for `check`.
    """
    began = time.monotonic()
    settings = chosen_settings(script, **options)
    if cwd and not os.path.samefile(cwd, os.getcwd()):
        script = os.path.abspath(script)  # a path is meant from here, also where the script runs elsewhere
    request = RunRequest(
        script=script,
        argv=tuple(argv),
        engine=settings.engine,
        timeout=settings.timeout,
        memory=settings.memory,
        show_output=show_output,
        cwd=cwd or os.getcwd(),
        sources=dict(texts or {}),
    )
    refused = unreadable(script, request.sources.get(os.path.abspath(script)))
    if refused is not None:
        trace = Trace(script=script, outcome=refused)
        return Examined(request, settings, trace, diagnose(trace, settings, rules=()))

    def told(trace: Trace) -> None:
        diagnosis = diagnose(trace, settings)
        sure = tuple(item for item in diagnosis.findings if not (item.code.startswith("SW3") and cut(trace)))
        early(Examined(request, settings, trace, diagnosis.with_findings(sure), time.monotonic() - began))

    all_rules()  # they are loaded while the resident process still imports torch
    run = resident.run if early is None else functools.partial(resident.run, early=told)
    limited = dataclasses.replace(request, until=began + TIMES * settings.timeout * strain())
    trace = confirmed(request, settle(limited, run), resident.run)  # what a cut may have caused is given its own time
    if trace.outcome.reason == "nothing-ran" and not (texts or defining):
        first: Examined | None = None
        for other, given in islice(runners(script), RUNNERS):
            ran = found_in(
                other, given, resident=resident, cwd=cwd, show_output=show_output, defining=script, **options
            )
            loaded = os.path.basename(script) in map(os.path.basename, ran.trace.sources)
            if ran.diagnosis.findings or (loaded and ran.trace.outcome.state == "complete"):
                return ran
            if first is None and ran.trace.outcome.state == "incomplete":
                first = ran
            if time.monotonic() - began > settings.timeout:
                break
        built = resident.run(dataclasses.replace(limited, build=True, probe=False))
        if built.outcome.state == "complete" or built.outcome.reason == "untried":
            return Examined(request, settings, built, diagnose(built, settings, rules=()), time.monotonic() - began)
        if first is not None:
            return first  # how it ended tells what is missing
    if defining:
        through = Assumption("run-by", {"file": defining, "script": script})
        trace = dataclasses.replace(trace, assumptions=(through, *trace.assumptions))
    trace = compared(request, trace, resident)
    if trace.data.whole:
        request = dataclasses.replace(request, whole=True)  # its repairs are tried on whole loops too
    request = dataclasses.replace(request, passing=trace.data.passing)
    if trace.data.small is not None:
        request = dataclasses.replace(request, small=trace.data.small, measured=False)
    if trace.engine == "dry":
        request = dataclasses.replace(request, engine="dry")  # an edited script outgrows the live engine as this one
    diagnosis = _seen_whole(request, trace, diagnose(trace, settings), settings, resident)
    request, trace, diagnosis = _of_any_data(request, trace, diagnosis, settings, resident)
    if defining:
        diagnosis = diagnosis.with_findings(tuple(one for one in diagnosis.findings if _tells_of(one, defining)))
    found = Examined(request, settings, trace, diagnosis, time.monotonic() - began)
    return _and_beyond(found, dataclasses.replace(request, until=limited.until, whole=False), resident)


def _and_beyond(found: Examined, request: RunRequest, resident: Any) -> Examined:
    """What was found, with what is found beyond the call that ended the run where torch made it once."""

    def run(asked: RunRequest) -> Trace:
        return confirmed(asked, settle(asked, resident.run), resident.run)

    beyond = older(request, found.trace, run)
    if beyond is None:
        return found
    request, trace = beyond
    diagnosis = _seen_whole(request, trace, diagnose(trace, found.settings), found.settings, resident)
    if not found.diagnosis.findings:
        return dataclasses.replace(found, request=request, trace=trace, diagnosis=diagnosis)
    known = {(one.code, one.site.line) for one in found.diagnosis.findings}
    others = tuple(one for one in diagnosis.findings if (one.code, one.site.line) not in known)
    later = Examined(request, found.settings, trace, diagnosis.with_findings(others))
    whole = diagnosis.with_findings((*found.diagnosis.findings, *others))
    return dataclasses.replace(found, diagnosis=whole, later=later)


def _tells_of(finding: Finding, file: str) -> bool:
    """Whether a finding or one of its origins stands in a file."""
    named = (finding.site.file, *(origin.file for origin in finding.origins))
    return os.path.basename(file) in map(os.path.basename, named)


def with_repairs(found: Examined, resident: Any) -> Diagnosis:
    """The diagnosis with a verified repair for each finding that has one."""
    diagnosis = found.diagnosis
    if not diagnosis.findings or of_ranks_alone(found.trace):
        return diagnosis
    from .repair import repaired  # LibCST is loaded only where there is something to repair

    if found.later is not None:
        others = found.later.diagnosis.findings
        first = diagnosis.with_findings(tuple(one for one in diagnosis.findings if one not in others))
        parts = (dataclasses.replace(found, diagnosis=first, later=None), found.later)
        return diagnosis.with_findings(tuple(one for part in parts for one in with_repairs(part, resident).findings))
    try:
        return repaired(resident, found.request, found.trace, diagnosis, found.settings)
    except Exception as error:  # a repair that cannot be looked for must not cost what was found
        if os.environ.get("SHAPEWRIGHT_STRICT"):
            raise
        failed = Assumption("repair-failed", {"error": f"{type(error).__name__}: {error}"})
        note = AssumptionNote(failed.kind, assumption_note(failed, diagnosis.lang))
        return dataclasses.replace(diagnosis, assumptions=(*diagnosis.assumptions, note))


def _seen_whole(
    request: RunRequest, trace: Trace, diagnosis: Diagnosis, settings: Settings, resident: Any
) -> Diagnosis:
    """`diagnosis` without what rules of the training loop miss only because a loop was cut: a step, a gradient that
    comes later."""
    doubtful = [finding for finding in diagnosis.findings if finding.code.startswith("SW3")]
    if not doubtful or request.whole or trace.engine == "dry" or not cut(trace):
        return diagnosis
    if surely_longer(trace, CONFIRMING_SECONDS):
        return diagnosis
    again = run_whole(request, resident.run, spent=trace.seconds, most=CONFIRMING_SECONDS)
    if again is None or again.failure is not None:
        return diagnosis
    codes = {finding.code for finding in doubtful}
    asked = [(rule,) for rule in all_rules() if rule.code in codes]  # each alone: another one may explain more of it
    told = [finding for rules in asked for finding in diagnose(again, settings, rules=rules).findings]
    seen = set(map(_place, told))
    gone = [finding for finding in doubtful if _place(finding) not in seen]
    return (
        dataclasses.replace(diagnosis, findings=tuple(finding for finding in diagnosis.findings if finding not in gone))
        if gone
        else diagnosis
    )


def _of_any_data(
    request: RunRequest, trace: Trace, diagnosis: Diagnosis, settings: Settings, resident: Any
) -> tuple[RunRequest, Trace, Diagnosis]:
    """A run and what was found in it, with what is found whichever number of axes data have that were made up."""
    if not (trace.data.loose and trace.data.untold) or trace.outcome.state != "complete":
        return request, trace, diagnosis
    told, known = _told(trace), set(map(_place, diagnosis.findings))
    left = {_place(finding) for finding in diagnose(told, settings).findings} - known
    asked = [(rule,) for rule in all_rules() if rule.code in {code for code, *_ in left}]

    def stays(again: Trace) -> bool:
        found = (finding for rules in asked for finding in diagnose(_told(again), settings, rules=rules).findings)
        left.intersection_update(map(_place, found))
        return bool(left)

    if not left or not settled(request, trace, stays, resident.run):
        return request, trace, diagnosis
    spoken = {code for code, *_ in left}
    rules = [rule for rule in all_rules() if rule.group != "silent" or rule.of_any_rank or rule.code in spoken]
    found = diagnose(told, settings, rules=rules).findings
    kept = tuple(finding for finding in found if _place(finding) in left | known)
    return dataclasses.replace(request, settled=True), told, diagnosis.with_findings(kept)


def _told(trace: Trace) -> Trace:
    """A trace of made-up data whose number of axes is taken to be known."""
    return dataclasses.replace(trace, data=dataclasses.replace(trace.data, loose=False))


def _place(finding: Finding) -> tuple[str, str, int]:
    return finding.code, finding.site.file, finding.site.line


def scripts_in(paths: Iterable[str]) -> list[str]:
    """The scripts that `paths` name, in order: a folder stands for its scripts, and for itself where it has none."""
    scripts: list[str] = []
    for path in paths:
        found = targets(path)
        scripts += [path] if isinstance(found, Outcome) else found
    return scripts


def unreadable(script: str, text: str | None = None) -> Outcome | None:
    """Why `script` (or `text` in its place) cannot be run at all, found without running anything; `None` where it
    can."""
    found = targets(script) if text is None else None
    if isinstance(found, Outcome):
        return found
    read_script = read(script, text)
    return read_script if isinstance(read_script, Outcome) else None
