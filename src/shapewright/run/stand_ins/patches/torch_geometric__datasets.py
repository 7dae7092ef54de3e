"""Graphs of an installed PyTorch Geometric whose files are not on this machine: the class stays the library's, nodes,
edges and labels are made up, as wide and of as many classes as the public ones.

Sets whose graphs have several kinds of nodes are not made up: their constructors fail as ever.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ..context import Context

NODES = {  # one graph: features and classes of a node, by the name that is asked for
    "Planetoid": {"cora": (1433, 7), "citeseer": (3703, 6), "pubmed": (500, 3)},
    "CitationFull": {"cora": (8710, 70), "cora_ml": (2879, 7), "citeseer": (602, 6), "dblp": (1639, 4)},
    "Amazon": {"computers": (767, 10), "photo": (745, 8)},
    "Coauthor": {"cs": (6805, 15), "physics": (8415, 5)},
    "WikipediaNetwork": {"chameleon": (2325, 5), "squirrel": (2089, 5)},
    "WebKB": {"cornell": (1703, 5), "texas": (1703, 5), "wisconsin": (1703, 5)},
    "Actor": {"": (932, 5)},
    "Reddit": {"": (602, 41)},
    "Reddit2": {"": (602, 41)},
    "Flickr": {"": (500, 7)},
}
GRAPHS = {  # many graphs: kinds of nodes, of edges, classes of a graph
    "mutag": (7, 4, 2),
    "enzymes": (3, 0, 6),
    "proteins": (3, 0, 2),
    "nci1": (37, 0, 2),
    "mutagenicity": (14, 3, 2),
    "imdb-binary": (0, 0, 2),
    "imdb-multi": (0, 0, 3),
    "reddit-binary": (0, 0, 2),
    "collab": (0, 0, 3),
}
SPLITS = ("WikipediaNetwork", "WebKB", "Actor")  # whose masks are ten each
LENGTHS = {"QM9": 21000}  # where scripts count rows off; the same graphs come again
COUNT, SIZE, MANY = 2000, 20, 200  # nodes of one graph, of one of many; graphs


def patch(module: ModuleType, context: Context) -> None:
    """Wrap the constructors: the library's own first."""
    import torch
    from numpy.random import RandomState
    from torch_geometric.data import Data

    def edges(chance: Any, count: int, each: int = 2) -> Any:
        starts = chance.randint(0, count, each * count)
        ends = (starts + 1 + chance.randint(0, count - 1, each * count)) % count
        pairs = sorted({*zip(starts, ends), *zip(ends, starts)})
        return torch.tensor(pairs, dtype=torch.long).t().contiguous()

    def kinds(chance: Any, shape: tuple[int, ...] | int, most: int) -> Any:
        return torch.from_numpy(chance.randint(0, most, shape))

    def one_hot(found: Any, most: int) -> Any:
        return torch.nn.functional.one_hot(found, most).float()

    def floats(chance: Any, *shape: int) -> Any:
        return torch.from_numpy(chance.rand(*shape).astype("float32"))

    def nodes(kind: str, told: dict[str, object]) -> list[Any]:
        known = NODES[kind]
        width, classes = known.get(str(told.get("name", "")).lower(), next(iter(known.values())))
        chance = RandomState(0)
        data = Data(x=(floats(chance, COUNT, width) < 0.02).float(), edge_index=edges(chance, COUNT))
        data.y = torch.arange(COUNT) % classes
        parts = torch.from_numpy(chance.permutation(COUNT))
        ends = (0, 20 * classes, COUNT // 2, COUNT)
        for name, begin, end in zip(("train_mask", "val_mask", "test_mask"), ends, ends[1:]):
            mask = torch.zeros(COUNT, dtype=torch.bool)
            mask[parts[begin:end]] = True
            data[name] = mask[:, None].repeat(1, 10) if kind in SPLITS else mask
        return [data]

    def proteins(told: dict[str, object]) -> list[Any]:
        chance = RandomState(0)
        return [
            Data(x=floats(chance, 300, 50), edge_index=edges(chance, 300, 5), y=kinds(chance, (300, 121), 2).float())
            for _ in range(20 if told.get("split", "train") == "train" else 2)
        ]

    def classed(told: dict[str, object]) -> list[Any]:
        of_nodes, of_edges, classes = GRAPHS.get(str(told.get("name", "")).lower(), (3, 0, 2))
        chance, found = RandomState(0), []
        for number in range(MANY):
            size = SIZE + number % 7
            data = Data(edge_index=edges(chance, size), y=torch.tensor([number % classes]), num_nodes=size)
            if of_nodes:
                data.x = one_hot(kinds(chance, size, of_nodes), of_nodes)
            if of_edges:
                data.edge_attr = one_hot(kinds(chance, data.edge_index.shape[1], of_edges), of_edges)
            found.append(data)
        return found

    def molecules(kind: str) -> list[Any]:
        chance, found = RandomState(0), []
        for number in range(MANY):
            size = SIZE + number % 7
            data = Data(edge_index=edges(chance, size), num_nodes=size)
            count = data.edge_index.shape[1]
            if kind == "ZINC":
                data.x, data.edge_attr = kinds(chance, (size, 1), 21), 1 + kinds(chance, count, 3)
                data.y = floats(chance, 1)
            elif kind == "QM9":
                data.x, data.edge_attr = floats(chance, size, 11), one_hot(kinds(chance, count, 4), 4)
                data.y, data.pos, data.z = floats(chance, 1, 19), floats(chance, size, 3), 1 + kinds(chance, size, 9)
            else:
                data.x, data.pos, data.y = floats(chance, size, 1), floats(chance, size, 2), torch.tensor([number % 10])
            found.append(data)
        return found

    makers: dict[str, Callable[[dict[str, Any]], list[Any]]] = {
        **{kind: functools.partial(nodes, kind) for kind in NODES},
        **{kind: lambda told, kind=kind: molecules(kind) for kind in ("ZINC", "QM9", "MNISTSuperpixels")},
        "PPI": proteins,
        "TUDataset": classed,
    }
    for name, make in makers.items():
        kind = getattr(module, name, None)
        if kind is not None:
            kind.__init__ = _either(kind.__init__, make, context)


def _either(original: Any, make: Callable[[dict[str, Any]], list[Any]], context: Context) -> Any:
    """The library's own constructor, or one that makes graphs up where its files are not here."""
    known = inspect.signature(original)

    @functools.wraps(original)
    def __init__(self: Any, *args: Any, **options: Any) -> None:
        given = known.bind(self, *args, **options)
        given.apply_defaults()
        told = dict(given.arguments)
        told.pop(next(iter(told)))
        try:
            original(self, *args, **options)
        except Exception:  # whatever a library raises where its files are not there
            from torch_geometric.data import InMemoryDataset

            self._download = self._process = lambda: None
            keys = {key: told[key] for key in ("root", "transform", "pre_transform", "pre_filter") if key in told}
            InMemoryDataset.__init__(self, **keys)
            for key, value in told.items():
                if key not in self.__dict__:
                    self.__dict__[key] = value
            graphs = make(told)
            if self.pre_transform is not None:
                graphs = [self.pre_transform(graph) for graph in graphs]
            self._data, self.slices = self.collate(graphs)
            if (count := LENGTHS.get(type(self).__name__, 0)) > len(graphs):
                known_at = self.get
                self.len, self.get = lambda: count, lambda idx: known_at(idx % len(graphs))
            self.sizes = {"num_node_labels": graphs[0].num_node_features, "num_node_attributes": 0}
            self.sizes |= {"num_edge_labels": graphs[0].num_edge_features, "num_edge_attributes": 0}
            columns = ", ".join(graphs[0].keys())
            context.note("stand-in-dataset", name=f"torch_geometric {type(self).__name__}", columns=columns)

    return __init__
