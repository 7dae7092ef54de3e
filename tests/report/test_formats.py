"""What each format promises beyond its golden."""

import json
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len

from shapewright.diagnosis import Diagnosis, Excerpt, ExcerptLine, OriginNote
from shapewright.report import github, html, sarif, terminal
from shapewright.report import json as contract
from shapewright.report.formats import find_format, format_names
from shapewright.trace import Site

from .first_diagnosis import clean, first, unfinished

LANGS = ("en", "es", "ja")


def test_formats_are_discovered():
    assert format_names() == ["github", "gitlab", "html", "json", "sarif", "terminal"]
    with pytest.raises(ValueError, match="terminal"):
        find_format("phrases")
    with pytest.raises(ValueError, match="nonsense"):
        find_format("nonsense")


def test_json_holds_the_contract():
    made = json.loads(contract.render([first()]))
    assert {"version", "script", "outcome", "reason", "engine", "seconds", "findings", "assumptions"} <= set(made)
    assert made["version"] == 1 and made["outcome"] == "stopped"
    finding = made["findings"][0]
    assert {"code", "slug", "severity", "message", "why", "site", "origins", "fixes"} <= set(finding)
    assert finding["site"] == {"file": "rl.py", "line": 45, "column": 12, "end_line": 45, "end_column": 77}
    assert {"axis", "note", "file", "line"} <= set(finding["origins"][0])
    fix = finding["fixes"][0]
    assert {"title", "applicability", "verified", "edits", "diff"} <= set(fix) and fix["verified"] == [1, 2, 5]
    assert set(fix["edits"][0]) == {"file", "line", "column", "end_line", "end_column", "replacement"}
    assert {"kind", "note", "line"} <= set(made["assumptions"][0])


def test_json_is_an_array_only_for_several_scripts_or_a_folder():
    assert isinstance(json.loads(contract.render([clean()], many=True)), list)
    assert [one["script"] for one in json.loads(contract.render([clean(), first()]))] == ["ok.py", "rl.py"]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("width", [40, 63, 80, 100, 120])
def test_no_line_of_the_page_is_wider_than_asked(lang, width):
    page = terminal.render([first(lang), unfinished(lang), clean(lang)], width=width, remarks=True)
    assert max(cell_len(line) for line in page.splitlines()) <= width
    assert "\x1b" not in page


def test_the_underline_lies_below_the_call():
    lines = terminal.render([first()], width=100).splitlines()
    at = next(number for number, line in enumerate(lines) if "───" in line)
    assert lines[at].index("─") == lines[at - 1].index("reward_criterion")
    assert lines[at].count("─") == len("reward_criterion")
    assert lines[at].endswith("input1 (1, 1) · input2 (1, 1) · target (1)")


def test_shapes_stand_in_one_column_with_the_names_of_axes():
    lines = [line for line in terminal.render([first()], width=100).splitlines() if re.match(r"4[234] │", line)]
    assert len(lines) == 3 and len({line.index("(batch=1") for line in lines}) == 1


def test_colour_is_only_where_asked_and_changes_no_text():
    page, plain = terminal.render([first()], color=True), terminal.render([first()])
    assert (
        "\x1b[" in page
        and [line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", page).splitlines()] == plain.splitlines()
    )


def test_an_origin_that_the_why_already_names_is_not_repeated():
    page = terminal.render([first()], width=100)
    assert page.count("Linear(768, 1)") == 1 and "DataLoader(batch_size=32), rl.py:12" in page


def test_the_summary_always_says_what_was_not_checked():
    assert "what runs after line 45 was not checked" in terminal.render([first()])
    assert "not checked: there is no file gone.py" in terminal.render([unfinished()])
    assert "ran to its end" in terminal.render([clean()])
    assert "1 assumption was made" in terminal.render([first()], width=120)


def test_remarks_are_one_line_under_a_finding_and_whole_when_asked():
    whole, brief = terminal.render([first()], remarks=True, width=120), terminal.render([first()], width=120)
    assert "SW390" in whole and "remark  SW390 margin_ranking_loss wants" in brief
    alone = replace(first(), findings=(), outcome="complete")
    assert "SW390" in terminal.render([alone], remarks=True) and "remark" not in terminal.render([alone])


def test_github_escapes_and_counts():
    text = github.render([first(), clean(), unfinished()])
    assert len(text.splitlines()) == 3
    assert text.startswith(
        "::error file=rl.py,line=45,endLine=45,col=12,endColumn=76,title=SW101 three-shapes-differ::"
    )
    assert (
        "%0A" in text.splitlines()[0]
        and text.splitlines()[1].startswith("::notice")
        and text.splitlines()[2].startswith("::error file=gone.py")
    )


def test_sarif_points_at_the_rule_and_carries_the_edit():
    run = json.loads(sarif.render([first()]))["runs"][0]
    result = run["results"][0]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "SW101"
    replacement = result["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert replacement["insertedContent"]["text"] == ".squeeze(-1)" and replacement["deletedRegion"]["startLine"] == 42
    assert [item["id"] for item in result["relatedLocations"]] == [1, 2]
    json.loads(sarif.render([clean()]))


def test_html_escapes_what_scripts_say_and_asks_for_nothing():
    made = first()
    finding = replace(
        made.findings[0], message="<script>alert(1)</script>", origins=(OriginNote("<b>", "&", "a.py", 1),)
    )
    page = html.render([made.with_findings((finding,))])
    assert "<script>alert" not in page and "&lt;script&gt;" in page and "http" not in page and "src=" not in page


def test_the_end_is_named_by_its_file_where_that_is_another_one_and_by_its_reason_where_no_finding_tells_it():
    elsewhere = replace(first(), end=replace(first().end, file="model.py", line=7))
    assert "what runs after model.py:7 was not checked" in terminal.render([elsewhere], width=120)
    silent = first().with_findings((replace(first().findings[0], code="SW201"),))
    assert "could not check everything: RuntimeError on line 45" in terminal.render([silent], width=120)


def test_the_page_keeps_the_origins_of_a_known_kind_when_there_are_too_many():
    many = tuple(
        OriginNote("", f"note {number}", "rl.py", number, "unknown" if number < 105 else "operator")
        for number in range(100, 107)
    )
    page = terminal.render([first().with_findings((replace(first().findings[0], origins=many),))])
    assert [number for number in range(100, 107) if f"note {number}" in page] == [100, 101, 105, 106]


def at(text: str, line: int, column: int, end: int, diff: str = "") -> Diagnosis:
    """A diagnosis of a one-line script with the span underlined."""
    finding = first().findings[0]
    site = replace(finding.site, line=line, end_line=line, column=column, end_column=end)
    fix = replace(finding.fixes[0], diff=diff, rejected=())
    found = replace(
        finding,
        site=site,
        labels=(),
        excerpt=Excerpt("rl.py", (ExcerptLine(line, text, ""),)),
        fixes=(fix,) if diff else (),
    )
    return replace(first(), findings=(found,))


def test_a_notebook_s_lines_are_those_of_its_cells():
    page = terminal.render(
        [replace(at("x = fault()", 7, 5, 12), script="rl.py", cells=((1, 1), (3, 6)), end=Site("rl.py", 7))]
    )
    assert "rl.py, cell 3, line 2" in page and "3:2 │ x = fault()" in page and "what runs after line 3:2" in page
    assert "rl.py, celda 3, línea 2" in html.render([replace(at("x = fault()", 7, 5, 12), cells=((3, 6),), lang="es")])


def test_a_fix_of_a_script_without_batches_is_verified_too():
    finding = first().findings[0]
    page = terminal.render(
        [replace(first(), findings=(replace(finding, fixes=(replace(finding.fixes[0], verified=()),)),))]
    )
    assert "verified by a run" in page and "not verified" not in page


def test_tabs_do_not_move_the_underline():
    lines = terminal.render([at("\tif x:\ty = a\t@ b", 1, 8, 17)]).splitlines()
    assert lines[2:4] == ["1 │ if x:   y = a   @ b", "  │         ───────────"]


def test_a_long_line_is_shown_where_the_fault_is():
    text = "; ".join(f"v{number} = {number}" for number in range(100)) + "; y = fault(x); z = 1"
    lines = terminal.render([at(text, 1, text.index("fault") + 1, text.index("; z") + 1)], width=80).splitlines()
    assert max(map(cell_len, lines)) <= 80
    assert lines[2][lines[3].index("─") :].startswith("fault(x)") and lines[3].count("─") == len("fault(x)")


def test_a_long_change_is_shown_where_it_changes():
    old = "loader = DataLoader(" + ", ".join(f"option_{number}=value_{number}" for number in range(9))
    lines = terminal.render(
        [at("x", 1, 1, 2, f"@@ -1,1 +1,1 @@\n-{old})\n+{old}, drop_last=True)\n")], width=80
    ).splitlines()
    shown = [line for line in lines if " + " in line and "…" in line]
    assert len(shown) == 1 and "drop_last=True)" in shown[0] and cell_len(shown[0]) <= 80
