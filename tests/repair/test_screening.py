"""Brief runs: what they leave out, and that they decide nothing which they cannot see."""

import dataclasses
import os

from shapewright.chosen import chosen_settings
from shapewright.diagnosis import diagnose
from shapewright.repair.verify import BRIEF, Verifier
from shapewright.run.process.request import RunRequest

LOOP = """import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
net = nn.Linear(4, 1)
loader = DataLoader(TensorDataset(torch.randn(22, 4), torch.randn(22)), batch_size=4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(5):
    for x, y in loader:
        loss = ((net(x){taken} - y) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
{later}
"""


def run(tmp_path, resident, text, **options):
    path = tmp_path / "train.py"
    path.write_text(text)
    request = RunRequest(script=str(path), cwd=os.getcwd(), probe=False, **options)
    return request, resident.run(request)


def steps(trace):
    return [step for step in trace.steps if step.kind == "step"]


def test_brief_run_takes_a_full_and_the_ragged_batch_of_one_epoch(tmp_path, resident):
    text = LOOP.format(taken=".squeeze(-1)", later="")
    _, usual = run(tmp_path, resident, text)
    _, brief = run(tmp_path, resident, text, brief=True)
    assert len(steps(usual)) == 9 and len(steps(brief)) == 2
    assert brief.data.batch_sizes == usual.data.batch_sizes == (2, 4)


def test_brief_run_leaves_large_weights_alone_and_says_that_it_stepped(tmp_path, resident):
    text = (
        "import torch\nbig = torch.nn.Linear(1100, 1000)\nbefore = big.weight.detach().clone()\nopt = torch.optim.Adam(big.parameters())\n"
        "big(torch.ones(1, 1100)).sum().backward()\nopt.step()\nprint(torch.equal(before, big.weight), big.weight.grad is None)\n"
    )
    _, usual = run(tmp_path, resident, text)
    _, brief = run(tmp_path, resident, text, brief=True)
    assert usual.output.split() == ["False", "False"] and brief.output.split() == ["True", "False"]
    assert len(steps(brief)) == 1


def verifier_of(tmp_path, resident, text):
    request, trace = run(tmp_path, resident, text)
    request = dataclasses.replace(request, probe=True)
    settings = chosen_settings(request.script)
    diagnosis = diagnose(trace, settings)
    return Verifier(resident, request, trace, diagnosis, settings), diagnosis.findings[0]


def test_silent_fault_that_shows_in_a_brief_run_is_screened_by_brief_runs(tmp_path, resident):
    verifier, finding = verifier_of(tmp_path, resident, LOOP.format(taken="", later=""))
    assert finding.code == "SW201" and verifier.screening(finding) == BRIEF


def test_fault_of_a_later_iteration_is_not_screened_by_brief_runs(tmp_path, resident):
    verifier, finding = verifier_of(
        tmp_path, resident, LOOP.format(taken=".squeeze(-1)", later="    if epoch == 1:\n        net(x[:, :2])")
    )
    assert finding.code.startswith("SW1") and verifier.screening(finding) == {}
