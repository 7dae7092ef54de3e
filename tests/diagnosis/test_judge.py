"""One root cause, one finding; what is allowed, chosen and broken."""

from dataclasses import replace

import pytest
from report.first_diagnosis import FACTS, SOURCE, TRACE, rule, site

from shapewright.diagnosis import diagnose
from shapewright.rules import Facts
from shapewright.settings import Settings
from shapewright.trace import Outcome, Site, Trace


def codes(diagnosis):
    return [finding.code for finding in diagnosis.findings]


def silent(line, code="SW201", cause="", **kwargs):
    return rule(
        replace(FACTS, site=site(line, 5, 20), cause=cause, **kwargs),
        code=code,
        slug=f"slug-{code.lower()}",
        group="silent",
    )


def test_a_failure_gives_one_loud_finding_that_of_the_first_rule():
    assert codes(diagnose(TRACE, rules=[rule(FACTS, FACTS), rule(FACTS, code="SW199", slug="fallback")])) == ["SW101"]


def test_a_loud_rule_is_not_asked_without_a_failure_or_where_the_failure_is_ours():
    assert codes(diagnose(replace(TRACE, failure=None), rules=[rule(FACTS)])) == []
    assert codes(diagnose(replace(TRACE, failure=replace(TRACE.failure, ours="cut")), rules=[rule(FACTS)])) == []


def test_silent_findings_stand_beside_it_unless_they_share_line_or_cause():
    rules = [rule(FACTS), silent(45), silent(43, "SW202", cause="extra-axis"), silent(42, "SW203")]
    assert codes(diagnose(TRACE, rules=rules)) == ["SW101", "SW203"]


def test_one_cause_is_reported_once_and_one_place_once_per_rule():
    twice = rule(
        replace(FACTS, cause="a"),
        replace(FACTS, cause="a", site=site(43)),
        replace(FACTS, cause=""),
        replace(FACTS, cause=""),
        code="SW201",
        group="silent",
    )
    assert len(diagnose(replace(TRACE, failure=None), rules=[twice]).findings) == 1


def test_an_allow_comment_silences_its_slug_or_code_on_any_line_of_the_span():
    lines = SOURCE.splitlines()
    for said, left in (("three-shapes-differ", []), ("sw101, other", []), ("other", ["SW101"])):
        lines[44] = SOURCE.splitlines()[44] + f"  # shapewright: allow {said}"
        assert codes(diagnose(replace(TRACE, sources={"rl.py": "\n".join(lines)}), rules=[rule(FACTS)])) == left
    lines[44] = SOURCE.splitlines()[44].replace("labels)", "'# shapewright: allow sw101')")
    assert codes(diagnose(replace(TRACE, sources={"rl.py": "\n".join(lines)}), rules=[rule(FACTS)])) == ["SW101"]


def test_an_allowed_failure_is_not_handed_to_the_fallback_and_is_not_called_clean():
    made = diagnose(TRACE, Settings(ignore=("SW101",)), [rule(FACTS), rule(FACTS, code="SW199", slug="fallback")])
    assert codes(made) == [] and made.exit_code == 2


@pytest.mark.parametrize(
    "select,ignore,left",
    [
        ((), (), ["SW101", "SW203"]),
        (("SW2",), (), ["SW203"]),
        (("three-shapes-differ",), (), ["SW101"]),
        ((), ("sw1",), ["SW203"]),
        (("SW101",), ("SW101",), []),
    ],
)
def test_select_and_ignore(select, ignore, left):
    assert codes(diagnose(TRACE, Settings(select=select, ignore=ignore), [rule(FACTS), silent(42, "SW203")])) == left


def test_a_broken_rule_is_an_assumption_and_the_others_still_speak(monkeypatch):
    def broken(trace):
        raise KeyError("axis")
        yield

    bad = rule(code="SW150", slug="bad")
    bad.module.check = broken
    missing = rule(replace(FACTS, fields={}), code="SW201", slug="no-field", group="silent")
    with pytest.raises(KeyError):
        diagnose(TRACE, Settings(strict=True), [bad])
    monkeypatch.delenv("SHAPEWRIGHT_STRICT", raising=False)
    made = diagnose(TRACE, rules=[bad, rule(FACTS), replace(missing)])
    assert codes(made) == ["SW101"] and [item.kind for item in made.assumptions] == ["fewer-layers", "rule-failed"]
    assert "SW150" in made.assumptions[1].note


def test_advice_is_a_remark_and_changes_no_exit_code():
    made = diagnose(
        Trace("ok.py", Outcome("complete")), rules=[rule(replace(FACTS, severity="remark"), code="SW390", group="loop")]
    )
    assert made.exit_code == 0 and [item.code for item in made.remarks] == ["SW390"]


@pytest.mark.parametrize(
    "state,facts,code",
    [
        ("complete", False, 0),
        ("complete", True, 1),
        ("stopped", True, 1),
        ("stopped", False, 2),
        ("incomplete", False, 2),
        ("incomplete", True, 1),
    ],
)
def test_exit_codes(state, facts, code):
    trace = Trace("a.py", Outcome(state))
    assert diagnose(trace, rules=[rule(FACTS, group="silent", code="SW201")] if facts else []).exit_code == code


def test_paths_are_written_as_the_user_gave_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    facts = replace(FACTS, site=Site(str(tmp_path / "p" / "model.py"), 3, 1), origins=(), spans=())
    trace = Trace("p/train.py", Outcome("complete"))
    assert diagnose(trace, rules=[rule(facts, group="silent")]).findings[0].site.file == "p/model.py"
    assert diagnose(replace(trace, script=str(tmp_path / "p/train.py")), rules=[rule(facts, group="silent")]).findings[
        0
    ].site.file == str(tmp_path / "p/model.py")


def test_the_axis_of_an_origin_is_named():
    origins = diagnose(TRACE, rules=[rule(FACTS)]).findings[0].origins
    assert [(item.axis, item.line) for item in origins] == [("1", 23), ("", 12)]


def test_facts_without_fields_or_spans_are_shown_all_the_same():
    plain = Facts(Site("rl.py", 44))
    made = diagnose(
        replace(TRACE, failure=None), rules=[rule(plain, group="silent", messages={"en": {"message": "plain"}})]
    )
    assert made.findings[0].message == "plain" and made.findings[0].why == "" and made.findings[0].excerpt.lines


def test_a_rule_that_stands_back_speaks_only_where_no_other_silent_rule_has():
    last = silent(44, "SW219")
    last.module.stands_back = True
    assert codes(diagnose(replace(TRACE, failure=None), rules=[last])) == ["SW219"]
    assert codes(diagnose(replace(TRACE, failure=None), rules=[silent(42, "SW203"), last])) == ["SW203"]
    assert codes(diagnose(replace(TRACE, failure=None), rules=[silent(42, "SW203", severity="remark"), last])) == [
        "SW219"
    ]


def test_of_made_up_data_of_any_rank_only_rules_speak_that_read_no_rank():
    of_axes, of_any = silent(42, "SW203"), silent(44, "SW205")
    of_any.module.of_any_rank = True
    loose = replace(TRACE, failure=None, data=replace(TRACE.data, loose=True))
    assert codes(diagnose(loose, rules=[of_axes, of_any])) == ["SW205"]
    assert codes(diagnose(loose, rules=[silent(42, "SW203", of_any_rank=True), of_any])) == ["SW203", "SW205"]
