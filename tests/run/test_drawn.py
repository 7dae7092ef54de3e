"""Batches that a script draws by hand are known by two tables drawn alike; steps of a series are not taken for them."""

import pytest
import torch

from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions

HEAD = """
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)
x, y, series = torch.randn(24, 5, 3), torch.randint(0, 2, (24,)), torch.randn(24, 3)
table = torch.randn(24, 3)
net = nn.Linear(3, 2)
"""
DRAWN = {
    "slices of samples and labels": "for i in range(0, 24, 6):\n    net(x[i:i + 6]).mean().backward()\n    y[i:i + 6].float()",
    "one order for both": "order = torch.randperm(24)\nfor i in range(0, 24, 6):\n    rows = order[i:i + 6]\n    net(series[rows]).mean().backward()\n    table[rows].sum()",
    "numpy's order": "order = np.random.permutation(24)\nfor i in range(0, 24, 6):\n    net(series[order[i:i + 6]]).mean().backward()\n    y[order[i:i + 6]].sum()",
    "split alike": "for a, b in zip(x.split(6), y.split(6)):\n    net(a).mean().backward()",
}
NOT = {
    "windows of one series": "for i in range(0, 20, 4):\n    net(series[i:i + 4]).mean().backward()",
    "steps and their labels": "for i in range(0, 24, 6):\n    net(series[i:i + 6]).mean().backward()\n    y[i:i + 6].sum()",
    "chunks of time of inputs and targets": "for i in range(0, 24, 6):\n    net(x[i:i + 6]).mean().backward()\n    torch.ones(24, 5)[i:i + 6].sum()",
    "words looked up": "for words in torch.randint(0, 24, (4, 7)):\n    net(table[words]).mean().backward()",
    "next steps": "for i in range(0, 18, 6):\n    (net(series[i:i + 6]).sum() - table[i + 1:i + 7].sum()).backward()",
}


@pytest.fixture
def drawn(tmp_path):
    def run(text):
        script = tmp_path / "script.py"
        script.write_text(HEAD + text + "\n", encoding="utf-8")
        torch.set_num_threads(1)
        trace = execute(RunRequest(script=str(script), engine="live"), tmp_path, Assumptions())
        assert trace.outcome.state == "complete", trace.outcome
        return trace

    return run


@pytest.mark.parametrize("text", DRAWN.values(), ids=DRAWN)
def test_a_batch_is_known(text, drawn):
    trace = drawn(text)
    linear = [event for event in trace.events if event.op == "linear"]
    uids = {uid for event in linear for uid, _ in event.args[0].axes[0].uids}
    assert uids & set(trace.data.drawn)


@pytest.mark.parametrize("text", NOT.values(), ids=NOT)
def test_steps_are_no_batch(text, drawn):
    assert drawn(text).data.drawn == ()


def test_reshaped_arrays_are_noted(drawn):
    trace = drawn(
        "a = np.zeros((4, 6, 3)).reshape(4, 3, 6)\nb = np.reshape(a, (4, -1))\nc = torch.zeros(4, 6).reshape(6, 4)"
    )
    assert [(old, new) for _, old, new in trace.data.folded] == [((4, 6, 3), (4, 3, 6)), ((4, 3, 6), (4, 18))]
