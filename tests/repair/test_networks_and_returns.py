"""Graphs cut where one network hands to another, returns turned round, columns made flat: the verified fix is the edit that a person would make."""

import pytest

from shapewright.checking import check
from shapewright.rules import find_rule

ADD = "memory.add(state, action, reward, following, end)"
WANTED = [
    ("other-loss-in-gradients", 0, {(19, "fake.detach()")}),
    ("state-carries-its-graph", 0, {(12, "state.detach()")}),
    ("advantage-carries-gradient", 1, {(14, "advantage.detach()")}),
    ("returns-in-wrong-order", 5, {(10, "reversed(rewards)")}),
    ("returns-in-wrong-order", 6, {(10, "reversed(rewards)"), (12, "out.insert(0, running)")}),
    ("returns-in-wrong-order", 7, {(12, "out.insert(0, running)")}),
    ("arrays-broadcast-silently", 0, {(19, "predicted.squeeze(-1)")}),
    ("classes-read-along-time", 0, {(20, "model(tokens).transpose(1, -1)")}),
    ("observation-of-another-step", 2, {(32, "\n        state = following")}),
    ("last-transition-never-stored", 0, {(36, f"        {ADD}\n"), (38, "")}),
    ("last-transition-never-stored", 1, {(36, f"        {ADD}\n"), (36, "")}),
]


@pytest.mark.parametrize(("rule", "case", "edits"), WANTED, ids=[f"{rule}-{case}" for rule, case, _ in WANTED])
def test_the_first_fix_is_the_expected_edit(rule, case, edits, resident, tmp_path):
    found = find_rule(rule)
    script = tmp_path / "script.py"
    script.write_text(found.faulty[case][0], encoding="utf-8")
    finding = next(f for f in check(str(script), resident=resident).findings if f.code == found.code)
    assert {(edit.line, edit.replacement) for edit in finding.fixes[0].edits} == edits
    assert finding.fixes[0].verified


ROUNDS = """
import torch
from torch import nn
torch.manual_seed(0)
make, judge = nn.Linear(3, 2), nn.Linear(2, 1)
making, judging = (torch.optim.Adam(net.parameters()) for net in (make, judge))
ask = nn.BCEWithLogitsLoss()


def judged():
    fake = make(torch.randn(16, 3)).detach()
    loss = ask(judge(torch.rand(16, 2)), torch.ones(16, 1)) + ask(judge(fake), torch.zeros(16, 1))
    judging.zero_grad()
    loss.backward()
    judging.step()


def made():
    fake = make(torch.randn(16, 3)){cut}
    loss = ask(judge(fake), torch.ones(16, 1))
    making.zero_grad()
    loss.backward()
    making.step()


for _ in range(4):
    judged()
    made()
"""


def test_the_cut_before_the_loss_of_what_learns_nothing_is_removed(repaired):
    assert repaired(ROUNDS.format(cut=".detach()")) == ROUNDS.format(cut="")
