"""Scripts of another age: what torch no longer takes is found, and the rest of the script is checked as it was meant."""

import json
import textwrap

import pytest

from shapewright.checking import examine
from shapewright.run.process.request import Guess, RunRequest

NET = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(6, 3), torch.randint(0, 2, (6,))
"""


def checked(text, resident, tmp_path, name="old.py"):
    (tmp_path / name).write_text(text)
    _, diagnosis = examine(str(tmp_path / name), resident=resident, cwd=str(tmp_path))
    return diagnosis


def kinds(diagnosis):
    return {one.kind for one in diagnosis.assumptions}


def test_the_axis_of_a_single_number(resident, tmp_path):
    text = NET + textwrap.dedent(
        """
        total = 0
        for step in range(3):
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            total += loss.data[0]
        print(total / 3, torch.cat([loss, loss]).shape)
        """
    )
    diagnosis = checked(text, resident, tmp_path)
    found = [(one.code, one.site.line) for one in diagnosis.findings]
    assert ("SW108", text.splitlines().index("    total += loss.data[0]") + 1) in found
    assert any(code.startswith("SW3") for code, _ in found), found  # gradients are never cleared
    assert diagnosis.outcome == "complete" and "once-alone" in kinds(diagnosis)


@pytest.mark.parametrize(
    "read", ["loss.data.numpy()[0]", "loss.data.tolist()[0]", "float(loss.detach().cpu().numpy()[0])"]
)
def test_a_single_number_out_of_torch(resident, tmp_path, read):
    text = NET + f"loss = nn.functional.cross_entropy(net(x), y)\nloss.backward()\nopt.step()\nprint({read} * 2)\n"
    diagnosis = checked(text, resident, tmp_path)
    assert diagnosis.outcome == "complete" and not diagnosis.findings
    assert "once-alone" in kinds(diagnosis)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("kept = 1 - (x > 0)", "once-truth"),
        ("x.masked_fill((x > 0).to(torch.uint8), 0.0)", "once-truth"),
        ("x.gather(1, (torch.tensor([[5]] * 6) / 2))", "once-quotient"),
        ("nn.functional.cross_entropy(net(x)[:1], y[0])", "once-alone"),
        ("x[(x > 0).to(torch.uint8)] = torch.tensor(0.0)", "once-truth"),
        ("torch.ones(1, 4, 4).sub_(torch.ones(3, 1, 1))", "once-channels"),
    ],
)
def test_what_is_refused_is_found_and_passed(resident, tmp_path, line, kind):
    text = NET + f"{line}\nnn.functional.cross_entropy(net(x), y).backward()\nopt.step()\n"
    diagnosis = checked(text, resident, tmp_path)
    assert [one.site.line for one in diagnosis.findings] == [text.splitlines().index(line) + 1]
    assert diagnosis.outcome == "complete" and kind in kinds(diagnosis)


def test_a_batch_that_a_squeeze_lost_is_of_no_age(resident, tmp_path):
    text = NET + "score = net(x[:1])[:, :1].squeeze()\nprint(score[0])\n"
    diagnosis = checked(text, resident, tmp_path)
    assert [one.code for one in diagnosis.findings] == ["SW108"]
    assert diagnosis.outcome == "stopped" and "once-alone" not in kinds(diagnosis)


def test_a_version_that_the_script_looks_for_is_no_fault(resident, tmp_path):
    text = NET + (
        "loss = nn.functional.cross_entropy(net(x), y)\ntry:\n    value = loss.data[0]\nexcept IndexError:\n"
        "    value = loss.item()\nprint(value)\n"
    )
    diagnosis = checked(text, resident, tmp_path)
    assert not diagnosis.findings and diagnosis.outcome == "complete"


@pytest.mark.parametrize("saved", [True, False])
def test_a_cell_that_failed_for_its_author(resident, tmp_path, saved):
    error = [{"output_type": "error", "ename": "RuntimeError", "evalue": "", "traceback": []}] if saved else []
    texts = [NET, "net(torch.randn(4, 5))", "x, y = torch.ones(2, 3), torch.ones(4, 3)\nprint(x + y)"]
    cells = [
        {"cell_type": "code", "source": text, "metadata": {}, "execution_count": 1, "outputs": [] if at != 1 else error}
        for at, text in enumerate(texts)
    ]
    book = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})
    diagnosis = checked(book, resident, tmp_path, "book.ipynb")
    assert [one.code for one in diagnosis.findings] == (["SW102", "SW104"] if saved else ["SW102"])
    assert ("cell-failed" in kinds(diagnosis)) == saved


def test_a_mask_of_numbers_is_still_what_it_was_made_of(resident, tmp_path):
    text = (
        NET + "ends = torch.tensor([1, 0, 0, 1, 0, 0], dtype=torch.uint8).clone()\nnet(x).data[ends] = 0.0\nprint(x)\n"
    )
    (tmp_path / "old.py").write_text(text)
    trace = resident.run(RunRequest(str(tmp_path / "old.py"), guess=Guess(beyond=True)))
    assert trace.outcome.state == "complete" and [one.kind for one in trace.assumptions] == ["once-truth"]
    written = next(event for event in trace.events if event.op == "setitem")
    assert trace.events[written.given[1].producer].op == "clone"
