"""Graphs of PyTorch Geometric whose files are not here: a small library of its interface stands for it, as it is not
installed where these tests run."""

from __future__ import annotations

import json

SCRIPT = """
import json, os, sys
from pathlib import Path
home = Path("library/torch_geometric")
home.mkdir(parents=True)
(home / "__init__.py").write_text("")
(home / "data.py").write_text('''
class Data(dict):
    def __init__(self, **given):
        super().__init__(given)
    def __setattr__(self, name, value):
        self[name] = value
    def __getattr__(self, name):
        return self[name] if name in self else 0
class InMemoryDataset:
    def __init__(self, root, transform=None, pre_transform=None):
        self.root, self.transform, self.pre_transform = root, transform, pre_transform
        self._download()
    def _download(self):
        raise FileNotFoundError(self.root)
    def collate(self, graphs):
        return graphs, None
    def len(self):
        return len(self._data)
    def get(self, idx):
        return self._data[idx]
''')
(home / "datasets.py").write_text('''
from .data import InMemoryDataset
class Planetoid(InMemoryDataset):
    def __init__(self, root, name, transform=None, pre_transform=None):
        super().__init__(root, transform, pre_transform)
class TUDataset(InMemoryDataset):
    def __init__(self, root, name, transform=None, pre_transform=None):
        super().__init__(root, transform, pre_transform)
class QM9(InMemoryDataset):
    def __init__(self, root, transform=None, pre_transform=None):
        super().__init__(root, transform, pre_transform)
class DBLP(InMemoryDataset):
    pass
''')
sys.path.append("library")
from torch_geometric.datasets import DBLP, QM9, Planetoid, TUDataset
cora = Planetoid("nowhere", "Cora")._data[0]
many = TUDataset("nowhere", name="MUTAG", pre_transform=lambda graph: graph)
facts = {"x": list(cora.x.shape), "classes": int(cora.y.max()) + 1, "masks": int(cora.train_mask.sum())}
facts["edges"] = [int(cora.edge_index.min()) >= 0, int(cora.edge_index.max()) < len(cora.x)]
facts["many"] = [len(many._data), many._data[3].x.shape[1], many._data[3].edge_attr.shape[1], many.name]
molecules = QM9("nowhere")
facts["last"] = list(molecules.get(molecules.len() - 1).y.shape), molecules.len() > 20000
try:
    DBLP("nowhere")
except FileNotFoundError as error:
    facts["other"] = str(error)
print(json.dumps(facts))
"""


def test_graphs_are_made_up_as_wide_as_the_public_ones(under_stand_ins):
    printed, notes = under_stand_ins(SCRIPT)
    facts = json.loads(printed.strip().splitlines()[-1])
    assert facts["x"] == [2000, 1433] and facts["classes"] == 7 and facts["masks"] == 140
    assert facts["edges"] == [True, True]
    assert facts["many"] == [200, 7, 4, "MUTAG"]
    assert facts["last"] == [[1, 19], True], "scripts take the rows from 20,000 on for training"
    assert facts["other"] == "nowhere", "graphs of several kinds of nodes are not made up"
    told = [fields["name"] for kind, fields, _ in notes if kind == "stand-in-dataset"]
    assert told == [f"torch_geometric {name}" for name in ("Planetoid", "TUDataset", "QM9")]
