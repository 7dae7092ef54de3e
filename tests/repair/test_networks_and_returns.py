"""Graphs cut where one network hands to another, returns turned round, columns made flat: the verified fix is the edit that a person would make."""

import importlib

import pytest

from shapewright.checking import check

WANTED = [
    ("loop.other_loss_in_gradients", 0, {(19, "fake.detach()")}),
    ("loop.state_carries_its_graph", 0, {(12, "state.detach()")}),
    ("silent.advantage_carries_gradient", 1, {(14, "advantage.detach()")}),
    ("silent.returns_in_wrong_order", 2, {(10, "reversed(rewards)")}),
    ("silent.returns_in_wrong_order", 3, {(10, "reversed(rewards)"), (12, "out.insert(0, running)")}),
    ("silent.returns_in_wrong_order", 4, {(12, "out.insert(0, running)")}),
    ("silent.arrays_broadcast", 0, {(19, "predicted.squeeze(-1)")}),
    ("silent.classes_along_time", 0, {(20, "model(tokens).transpose(1, -1)")}),
]


@pytest.mark.parametrize(("rule", "case", "edits"), WANTED, ids=[f"{rule.split('.')[-1]}-{case}" for rule, case, _ in WANTED])
def test_the_first_fix_is_the_expected_edit(rule, case, edits, resident, tmp_path):
    module = importlib.import_module(f"shapewright.rules.{rule}")
    script = tmp_path / "script.py"
    script.write_text(module.FAULTY[case][0], encoding="utf-8")
    finding = next(f for f in check(str(script), resident=resident).findings if f.code == module.code)
    assert {(edit.line, edit.replacement) for edit in finding.fixes[0].edits} == edits
    assert finding.fixes[0].verified
