"""Axes that were viewed, flattened, normalised or cut in the wrong place: the verified fix is the edit that a person would make."""

import pytest

from shapewright.checking import check
from shapewright.rules import find_rule

WANTED = [
    ("array-axes-not-moved", 0, {(8, "X.transpose(0, 2, 1)")}),
    ("view-mixes-axes", 0, {(8, "nn.functional.one_hot(y, 3).permute(0, 3, 1, 2).reshape(6, 3, -1)")}),
    ("view-mixes-axes", 1, {(13, "f.view(b, t, 6).transpose(1, 2)")}),
    ("view-mixes-axes", 2, {(10, "z.view(2, 6, 4).transpose(0, 1)")}),
    ("view-mixes-axes", 3, {(12, "1")}),
    ("view-mixes-axes", 4, {(13, "x.permute(0, 1, 4, 2, 5, 3).reshape(b, 1, 2 * h, 2 * w)")}),
    ("samples-used-as-steps", 0, {(15, "1")}),
    ("samples-used-as-steps", 1, {(9, "batch[:, :-1]"), (9, "batch[:, 1:]")}),
    ("normalized-over-wrong-axis", 2, {(7, ", keepdim=True")}),
    ("normalized-over-wrong-axis", 5, {(9, "-1")}),
    ("axes-misaligned", 0, {(6, "k(x).transpose(-2, -1)")}),
    ("compared-over-samples", 1, {(11, "-1")}),
    ("default-axis-is-time", 0, {(8, ", dim=-1")}),
    ("default-axis-is-time", 1, {(8, ", dim=-1")}),
    ("flatten-order-mismatch", 1, {(8, "gains.reshape(-1)")}),
    ("attention-normalized-over-queries", 0, {(9, "-1")}),
]


@pytest.mark.parametrize(("rule", "case", "edits"), WANTED, ids=[f"{rule}-{case}" for rule, case, _ in WANTED])
def test_the_first_fix_is_the_expected_edit(rule, case, edits, resident, tmp_path):
    found = find_rule(rule)
    script = tmp_path / "script.py"
    script.write_text(found.faulty[case][0], encoding="utf-8")
    finding = next(f for f in check(str(script), resident=resident).findings if f.code == found.code)
    assert {(edit.line, edit.replacement) for edit in finding.fixes[0].edits} == edits
    assert finding.fixes[0].verified
