"""Functions of the script's own that read what is not here: what calls them is checked all the same."""

import ast

import pytest
import torch

from shapewright.checking import examine
from shapewright.run.script.going_on import without
from shapewright.run.stand_ins.reading import LENGTH, _sample, gives

GRAPH = """
import numpy as np
import torch
from torch import nn
import surely_absent as graphs

def read(folder):
    rows = np.genfromtxt(folder + "/rows.part", dtype=np.dtype(str))
    order = {{int(row): at for at, row in enumerate(rows[:, 0])}}
    ends = np.array([order[int(end)] for end in np.genfromtxt(folder + "/ends.part")])
    near = graphs.coo((np.ones(len(ends)), (ends[:, 0], ends[:, 1]))).todense()
    return torch.FloatTensor(near), torch.FloatTensor(rows[:, 1:]), torch.LongTensor(ends), torch.LongTensor(range(99))

class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.one, self.two = nn.Linear(width, 16), nn.Linear({wide}, 7)
    def forward(self, rows, near):
        return self.two(near @ torch.relu(self.one(near @ rows)))

near, rows, kinds, chosen = read("papers")
net = Net(rows.shape[1])
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(20):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(rows, near)[chosen], kinds[chosen])
    loss.backward()
    {step}
"""

CORPUS = """
import json
import torch
from torch import nn

class Corpus:
    def __init__(self, path):
        self.words = {}
        for piece in json.load(open(path))["data"]["deep"]:
            for word in piece["inner"]["words"]:
                self.words.setdefault(word, len(self.words))
        self.batches = self.joined(path)

class Net(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.table, self.states, self.head = nn.Embedding(count, 8), nn.GRU(8, 16, batch_first=True), nn.Linear(16, 5)
    def forward(self, words):
        return self.head(self.states(self.table(words))[0][:, -1])

corpus = Corpus("pieces.json")
net = Net(len(corpus.words))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for batch in corpus.batches:
        loss = nn.functional.cross_entropy(net(batch.words), batch.kind)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def made_up(trace):
    return [item.fields["name"] for item in trace.assumptions if item.kind == "samples-made-up"]


@pytest.mark.parametrize(("step", "code"), [("optimizer.step()", set()), ("", {"SW304"})])
def test_what_calls_a_function_that_cannot_read_is_checked(step, code, resident, tmp_path):
    (tmp_path / "train.py").write_text(GRAPH.format(wide=16, step=step))
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete", diagnosis.reason
    assert {finding.code for finding in diagnosis.findings} == code, diagnosis.findings
    assert made_up(trace) == ["read()"]


def test_an_object_that_was_made_half_answers_for_the_rest(resident, tmp_path):
    (tmp_path / "train.py").write_text(CORPUS)
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, (diagnosis.reason, diagnosis.findings)
    assert made_up(trace) == ["Corpus.__init__()"]


def test_no_function_that_trains_is_passed_over(resident, tmp_path):
    text = GRAPH.format(wide=16, step="surely_absent_measure(loss, open('marks.part').read())")
    (tmp_path / "train.py").write_text(text)
    _, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "incomplete" and not diagnosis.findings


def test_a_failure_after_data_were_made_up_is_no_evidence(resident, tmp_path):
    (tmp_path / "train.py").write_text(GRAPH.format(wide=24, step="optimizer.step()"))
    _, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "incomplete" and not diagnosis.findings


def test_what_became_a_tensor_is_as_long_as_the_tensor():
    thing = _sample("surely_absent", "")
    before = len(thing)
    thing.__dict__["_tensor"] = torch.zeros(5, 2)
    assert before == LENGTH and len(thing) == 5


def test_functions_are_known_by_their_qualified_names():
    tree = ast.parse("def a():\n    def b(): pass\nclass C:\n    @staticmethod\n    def b(): pass")
    hooked = ast.unparse(without(tree, ["C.b()", "a.<locals>.b()"]))
    assert hooked.count("reads") == 2 and hooked.index("@staticmethod") < hooked.index("reads('C.b()')")


def test_a_function_without_a_value_gives_none():
    def fills(self):
        self.rows = open("rows")

    assert not gives(fills) and gives(made_up)
