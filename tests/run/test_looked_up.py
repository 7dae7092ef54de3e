"""Words that a script looks up in a table of its own are made up as that table has them; what is defined in a notebook
has a source; names that PyTorch once had of other libraries are theirs."""

import importlib.util
import json

import pytest

from shapewright.checking import examine

TRAINS = """
net = nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(Skies(), batch_size=8, shuffle=True):
    loss = nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
DATA = "torch.manual_seed(0)\ndata = TensorDataset(torch.rand(40, 4), torch.arange(40) % 3)\n"
IRIS = """
iris = load_iris()
x, y = iris["data"], iris["target"]
print(x.shape, y.shape)
data = TensorDataset(torch.tensor(x).float(), torch.tensor(y).long())
"""
SKIES = (
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
KINDS = {"calm": 0, "storm": 1, "mist": 2}

class Skies(Dataset):
    def __init__(self):
        {read}
        self.rows = torch.rand(len(self.marks), 4)
    def __len__(self):
        return len(self.rows)
    def __getitem__(self, index):
        return self.rows[index], KINDS[self.marks[index]]
"""
    + TRAINS
)
READ = {
    "table": 'import pandas; self.marks = pandas.read_csv("skies.csv")["sky"].str.strip()',
    "lines": 'self.marks = [line.strip().split(",")[1] for line in open("skies.csv")]',
}
ABSENT = (
    """
import surely_absent
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

class Skies(Dataset):
    def __init__(self):
        with open("skies.bin", "rb") as raw:
            self.held = surely_absent.decode(raw.read())
    def __len__(self):
        return len(self.held)
    def __getitem__(self, index):
        return torch.from_numpy(self.held[index, :]).float(), self.held.mark(index)
"""
    + TRAINS
)


@pytest.mark.parametrize("read", READ.values(), ids=READ.keys())
def test_words_are_those_of_the_table_that_they_are_looked_up_in(read, resident, tmp_path):
    (tmp_path / "train.py").write_text(SKIES.replace("{read}", read))
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason
    assert any(step.kind == "backward" for step in trace.steps)


def test_what_a_notebook_defines_has_a_source(resident, tmp_path):
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    source = ABSENT.splitlines(keepends=True)
    show = ["import inspect\n", "assert inspect.getsource(Skies).startswith('class Skies(Dataset):')\n"]
    cells = [{**cell, "source": part} for part in (source, show)]
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "skies.ipynb").write_text(json.dumps(book))
    _, diagnosis = examine(str(tmp_path / "skies.ipynb"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason


def test_numpy_was_once_a_name_of_torch(resident, tmp_path):
    text = "import torch\nfrom torch import np\nprint(torch.from_numpy(np.ones((2, 3), dtype=np.float32)).sum())\n"
    (tmp_path / "train.py").write_text(text)
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete" and "3" not in diagnosis.findings
    assert [item.kind for item in trace.assumptions] == ["old-interface"] and "6." in trace.output


@pytest.mark.parametrize("owner", ["torch", "torch.utils.data"])
def test_what_a_library_no_longer_has_is_unknown(owner, resident, tmp_path):
    text = f"import torch\nfrom torch import nn\nfrom torch.utils.data import *\n{owner}.surely_gone(3)\n"
    (tmp_path / "train.py").write_text(f"{text}{DATA}{TRAINS.replace('Skies()', 'data')}")
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason
    assert [item.fields["name"] for item in trace.assumptions] == [f"{owner}.surely_gone"]


def test_what_is_given_by_name_is_had_by_name(resident, tmp_path):
    text = f"import torch\nfrom torch import nn\nfrom torch.utils.data import *\nimport surely_absent\n{DATA}"
    text += "kept = surely_absent.Data(edges=torch.zeros(2, 9).long(), size=4)\ndata.tensors[0][:, : kept.size]\n"
    text += f"assert kept.edges.shape[1] == 9\n{TRAINS.replace('Skies()', 'data')}"
    (tmp_path / "train.py").write_text(text)
    _, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason


def test_names_of_numpy_that_were_never_its_own(resident, tmp_path):
    text = "import numpy as np\nimport torch\nprint(np.math.sqrt(np.asscalar(torch.full((1,), 9.0).numpy())))\n"
    (tmp_path / "train.py").write_text(text)
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete" and trace.output == "3.0\n"
    assert {item.fields["new"] for item in trace.assumptions} == {"math", "x.item()"}


def test_errors_of_absent_libraries_are_raised_by_nothing(resident, tmp_path):
    text = f"import surely_absent\nimport torch\nfrom torch import nn\nfrom torch.utils.data import *\n{DATA}"
    text += "try:\n    rate = float('none')\nexcept (surely_absent.errors.Wrong, ValueError):\n    rate = 0.1\n"
    text += "try:\n    kept = open('skies.txt').read()\nexcept surely_absent.Missing:\n    kept = None\n"
    text += f"assert kept\n{TRAINS.replace('Skies()', 'data').replace('lr=0.1', 'lr=rate')}"
    (tmp_path / "train.py").write_text(text)
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason
    assert "stand-in-file" in [item.kind for item in trace.assumptions]


def test_a_saved_file_tells_sizes_and_holds_a_whole_model(resident, tmp_path):
    text = f"import torch\nfrom torch import nn\nfrom torch.utils.data import *\n{DATA}kept = torch.load('skies.pt')\n"
    text += "words = nn.Embedding(kept['size'], 4)\nwords.load_state_dict(torch.load('words.pt').state_dict())\n"
    text += TRAINS.replace("Skies()", "data").replace("net(x)", "net(x + words(y))")
    (tmp_path / "train.py").write_text(text.replace("net.parameters()", "[*net.parameters(), *words.parameters()]"))
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason
    assert "checkpoint-absent" in [item.kind for item in trace.assumptions]


@pytest.mark.skipif(importlib.util.find_spec("albumentations") is not None, reason="the real one answers")
def test_pictures_come_out_of_absent_augmentations_as_they_say(resident, tmp_path):
    text = """
import albumentations as A
import numpy as np
import torch
from albumentations.pytorch import ToTensorV2
steps = A.Compose([A.Resize(height=12, width=8), A.HorizontalFlip(p=0.5), A.Normalize(), ToTensorV2()])
made = steps(image=np.zeros((20, 30, 3), "uint8"), mask=np.ones((20, 30), "uint8"))
print(made["image"].shape, made["image"].dtype, made["mask"].shape, made["mask"].dtype)
torch.nn.functional.relu(made["image"])
print(A.Compose([A.RandomCrop(6, 4)])(image=np.zeros((20, 30, 3), "uint8"))["image"].shape)
"""
    (tmp_path / "train.py").write_text(text)
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete", diagnosis.reason
    sizes = "torch.Size([3, 12, 8]) torch.float32 torch.Size([12, 8]) torch.uint8\n(6, 4, 3)\n"
    assert trace.output == sizes and "stand-in-values" in [item.kind for item in trace.assumptions]


def test_what_ipython_alone_reads_is_left_out_of_a_script(resident, tmp_path):
    text = f"import torch\nfrom torch import nn\n%matplotlib inline\nfrom torch.utils.data import *\n{DATA}"
    (tmp_path / "train.py").write_text(f"{text}{TRAINS.replace('Skies()', 'data')}!ls\n")
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason
    told = [(item.kind, item.site.line, item.fields["count"]) for item in trace.assumptions]
    assert told == [("lines-left-out", 3, "2")]


@pytest.mark.skipif(importlib.util.find_spec("sklearn") is not None, reason="the real one answers")
def test_parts_of_a_toy_set_have_names_either_way(resident, tmp_path):
    text = f"import torch\nfrom sklearn.datasets import load_iris\nfrom torch import nn\n{IRIS}"
    text += TRAINS.replace("Skies()", "data")
    (tmp_path / "train.py").write_text(f"from torch.utils.data import *\n{text}")
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason
    assert trace.output == "(150, 4) (150,)\n"


def test_a_frozen_script_is_called_as_it_is(resident, tmp_path):
    text = f"import torch\nfrom torch import nn\nfrom torch.utils.data import *\n{DATA}"
    text += f"{TRAINS.replace('Skies()', 'data')}kept = torch.jit.freeze(torch.jit.script(net.eval()))\nprint(kept(x).shape)\n"
    (tmp_path / "train.py").write_text(text)
    trace, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason
    assert trace.output == "torch.Size([8, 3])\n"


FIELDS = """
import torch
from torch import nn
from torchtext import data
words = data.Field(tokenize="spacy", batch_first=True, include_lengths=True)
kinds = data.LabelField(dtype=torch.float, batch_first=True)
held = data.TabularDataset("asked.csv", "csv", [(None, None), ("text", words), ("label", kinds)], skip_header=True)
words.build_vocab(held)
kinds.build_vocab(held)
net = nn.EmbeddingBag(len(words.vocab), 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in data.BucketIterator(held, 16, sort_key=lambda one: len(one.text), sort_within_batch=True):
    text, lengths = batch.text
    loss = nn.functional.binary_cross_entropy(torch.sigmoid(net(text)).squeeze(1), batch.label{scale})
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.skipif(importlib.util.find_spec("torchtext") is not None, reason="the real one answers")
@pytest.mark.parametrize(("scale", "outcome"), [("", "complete"), (" + 2", "incomplete")])
def test_labels_that_were_made_up_are_no_wrong_values(scale, outcome, resident, tmp_path):
    (tmp_path / "train.py").write_text(FIELDS.replace("{scale}", scale))
    _, diagnosis = examine(str(tmp_path / "train.py"), resident=resident)
    assert diagnosis.outcome == outcome and not diagnosis.findings, diagnosis.findings
