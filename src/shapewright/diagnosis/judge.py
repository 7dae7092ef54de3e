"""Applies the rules to a trace: one root cause, one finding.

Order is loud, silent, loop. A failure gives exactly one loud finding, that of the first rule that recognises it; silent
and loop findings stand beside it unless they share its cause or its line. It edits nothing and renders nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..report.wording import assumption_note, filled, origin_note, outcome_reason
from ..rules import Facts, Rule, all_rules
from ..settings import Settings
from ..trace import Assumption, Event, Origin, Site, Trace
from .allow import allowances, is_allowed, is_selected
from .cited import cited
from .excerpt import event_of, excerpt_of, labels_of
from .model import AssumptionNote, Diagnosis, Finding, OriginNote, Remark, in_cells
from .paths import as_given, site_as_given

LINES = re.compile(r"\blines? ((?:\{\w+\}(?:, | and | to | or )?)+)")  # where a message names lines
NAMES = re.compile(r"\{(\w+)\}")
ADVICE = ("remark", "advice", "note", "info")


def diagnose(trace: Trace, settings: Settings = Settings(), rules: Iterable[Rule] | None = None) -> Diagnosis:
    """The diagnosis of one run.

    Args:
        trace: what happened.
        settings: which rules speak, in which language (`lang` must be `en`, `es` or `ja`; empty is English).
        rules: the rules to apply, in order; all by default.

    Raises:
        Exception: whatever a broken rule raises, where `settings.strict` or the variable SHAPEWRIGHT_STRICT is set;
        otherwise a broken
            rule becomes the assumption `rule-failed`.
    """
    lang = settings.lang or "en"
    broken: list[Assumption] = []
    findings: list[Finding] = []
    remarks: list[Remark] = []
    for rule, facts in _root_causes(trace, tuple(all_rules() if rules is None else rules), settings, broken):
        try:
            made = _remark(rule, facts, trace, lang) if facts.severity in ADVICE else _finding(rule, facts, trace, lang)
        except Exception as error:
            _note_broken(rule, error, settings, broken)
            continue
        remarks.append(made) if isinstance(made, Remark) else findings.append(made)
    outcome = trace.outcome
    return Diagnosis(
        script=trace.script,
        outcome=outcome.state,
        reason="" if outcome.state == "complete" else _reason(trace, findings, lang),
        reason_kind=outcome.reason,
        engine=trace.engine,
        seconds=round(trace.seconds, 3),
        findings=tuple(findings),
        assumptions=tuple(_assumption(item, trace.script, lang) for item in (*trace.assumptions, *broken)),
        remarks=tuple(remarks),
        lang=lang,
        output=trace.output,
        end=site_as_given(outcome.site, trace.script) if outcome.site else None,
        cells=trace.data.cells,
        trained=trace.data.by_hand or any(step.kind in ("backward", "step") for step in trace.steps),
    )


def _root_causes(
    trace: Trace, rules: tuple[Rule, ...], settings: Settings, broken: list[Assumption]
) -> Iterator[tuple[Rule, Facts]]:
    """The facts that are reported, one per root cause, in order."""
    spoken: set[object] = set()
    loud_done = silent = False
    allowed = {
        os.path.abspath(file): allowances(text) for file, text in trace.sources.items() if "shapewright:" in text
    }
    for rule in rules:
        if rule.is_opinion and not (settings.opinions or {rule.code, *rule.names} & set(settings.select)):
            continue
        if rule.group == "loud" and (loud_done or trace.failure is None or trace.failure.ours):
            continue
        if rule.group == "loop" and trace.data.steered:  # what steps and clears is not known
            continue
        loose = rule.group == "silent" and trace.data.loose and not rule.of_any_rank
        for facts in _checked(rule, trace, settings, broken):
            if loose and not facts.of_any_rank:
                continue
            where = (os.path.abspath(facts.site.file), facts.site.line)
            keys: set[object] = {(rule.code, where), *([facts.cause] if facts.cause else [])}
            if keys & spoken or (rule.group != "loud" and where in spoken) or (silent and rule.stands_back):
                continue
            if rule.group in ("loud", "silent") and facts.severity not in ADVICE:
                keys.add(where)
                silent |= rule.group == "silent"
            spoken |= keys
            if is_selected(rule.code, rule.names, settings.select, settings.ignore) and not is_allowed(
                facts.site, rule.code, rule.names, allowed.get(where[0], {})
            ):
                yield rule, facts
            if rule.group == "loud":
                loud_done = True
                break


def _checked(rule: Rule, trace: Trace, settings: Settings, broken: list[Assumption]) -> list[Facts]:
    try:
        return [facts for facts in (rule.check(trace) or ()) if facts is not None]
    except Exception as error:
        _note_broken(rule, error, settings, broken)
        return []


def _note_broken(rule: Rule, error: Exception, settings: Settings, broken: list[Assumption]) -> None:
    if settings.strict or os.environ.get("SHAPEWRIGHT_STRICT"):
        raise error
    broken.append(Assumption("rule-failed", {"rule": rule.code, "error": f"{type(error).__name__}: {error}"}))


def _finding(rule: Rule, facts: Facts, trace: Trace, lang: str) -> Finding:
    event = event_of(facts, trace)
    origins = (*facts.origins, *(cited(facts, event, trace) if rule.group != "loop" else ()))
    return Finding(
        code=rule.code,
        slug=rule.slug,
        severity="warning" if facts.severity == "warning" else "error",
        message=_words(rule, facts.message, facts, trace, lang),
        why=_words(rule, facts.why, facts, trace, lang),
        site=site_as_given(facts.site, trace.script),
        origins=tuple(_origin(origin, event, trace.script, lang) for origin in origins),
        labels=labels_of(facts, event, trace),
        excerpt=excerpt_of(facts, event, trace),
        facts=facts,
    )


def _words(rule: Rule, key: str, facts: Facts, trace: Trace, lang: str) -> str:
    """A message, in a notebook with its lines as `cell:line`."""
    fields, cells = facts.fields, trace.data.cells
    here = bool(cells) and site_as_given(facts.site, trace.script).file in ("", trace.script)
    told = LINES.findall(rule.messages["en"].get(key, "")) if here else ()
    for name in (name for names in told for name in NAMES.findall(names)):
        if isinstance(line := fields.get(name), int):
            fields = {**fields, name: in_cells(line, cells)}
    return filled(rule.messages, lang, key, fields)


def _remark(rule: Rule, facts: Facts, trace: Trace, lang: str) -> Remark:
    message, why = (_words(rule, key, facts, trace, lang) for key in (facts.message, facts.why))
    return Remark(rule.code, rule.slug, message, why, site_as_given(facts.site, trace.script))


def _origin(origin: Origin, event: Event | None, script: str, lang: str) -> OriginNote:
    site = origin.site or Site("", 0)
    return OriginNote(
        origin.axis or _axis_label(origin, event),
        origin_note(origin, lang),
        as_given(site.file, script),
        site.line,
        origin.kind,
    )


def _axis_label(origin: Origin, event: Event | None) -> str:
    """The label of the operands' axis that has this origin, empty where none has."""
    given = event.given if event else ()
    return next((axis.label for fact in given for axis in fact.axes if axis.origin == origin), "")


def _assumption(item: Assumption, script: str, lang: str) -> AssumptionNote:
    site = item.site or Site("", 0)
    return AssumptionNote(item.kind, assumption_note(item, lang), site.line, as_given(site.file, script))


def _reason(trace: Trace, findings: list[Finding], lang: str) -> str:
    """Why the run ended early: the outcome's own sentence, else the message of the fault, else the exception."""
    outcome, failure = trace.outcome, trace.failure
    cells = trace.data.cells
    if cells and outcome.site is not None and "line" in outcome.fields:
        outcome = replace(outcome, fields={**outcome.fields, "line": in_cells(outcome.site.line, cells)})
    lacking = {one.fields.get("name") for one in trace.assumptions if one.kind == "name-absent"}
    if outcome.reason == "missing-module" and outcome.fields.get("module") in lacking:  # of an installed library
        library = outcome.fields["module"].partition(".")[0]
        outcome = replace(outcome, reason="missing-part", fields={**outcome.fields, "library": library})
    if outcome.reason == "excerpt" and trace.modules:  # a whole script, of which a part ran
        outcome = replace(outcome, reason="undefined")
    text = outcome_reason(outcome, lang) if outcome.reason else ""
    if not text and findings and outcome.state == "stopped":
        text = findings[0].message
    if not text and failure is not None:
        text = f"{failure.kind}: {failure.message}"
    return text
