"""Pickled files that are not there hold what the script takes out of them, lists of lists as well as words."""

import pytest

SCRIPTS = {
    "sequences of several lengths and their labels": """
import pickle
import torch
from torch import nn
with open("visits.pkl", "rb") as file:
    held = pickle.load(file)
kept, marks = [], []
for visit, mark in zip(held[0], held[1]):
    kept.append(visit if len(visit) < 9 else visit[:9])
    marks.append(mark)
longest = max(map(len, kept))
x = torch.zeros(len(kept), longest).long()
for row, visit in enumerate(kept):
    x[row, : len(visit)] = torch.LongTensor(visit)
net = nn.Sequential(nn.Embedding(50, 8), nn.Flatten(), nn.LazyLinear(30))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = nn.functional.cross_entropy(net(x), torch.tensor(marks).long())
    opt.zero_grad(); loss.backward(); opt.step()
""",
    "several objects in one file": """
import pickle
import torch
from torch import nn
with open("shops.pkl", "rb") as file:
    rows = pickle.load(file)
    shelves, buyers = pickle.load(file)
x, y = [], []
for row in rows:
    shop, sold = row["shop"], row["sold"]
    x.append([int(shop), int(sold)])
    y.append(float(row["price"]))
net = nn.Sequential(nn.Embedding(shelves + buyers + 99, 8), nn.Flatten(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = nn.functional.mse_loss(net(torch.tensor(x)).squeeze(1), torch.tensor(y))
    opt.zero_grad(); loss.backward(); opt.step()
""",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_pickled_files_hold_what_is_taken_out_of_them(name, run):
    trace = run(SCRIPTS[name], probe=False, timeout=120)
    assert trace.outcome.state == "complete", trace.outcome
    assert any(step.kind == "backward" for step in trace.steps)


def test_another_part_of_the_same_text_tells_the_words(run, tmp_path):
    (tmp_path / "talk.valid.txt").write_text(" good day to you all \n how do you do today \n" * 40)
    (tmp_path / "talk.test.txt").write_text(" you do good today \n to all a day \n" * 40)
    source = """
import torch
from torch import nn
parts = {part: open(f"talk.{part}.txt").read().split() for part in ("train", "valid", "test")}
known = {word: at for at, word in enumerate(sorted(set(parts["train"])))}
x, y = (torch.tensor([known[word] for word in parts[part]]) for part in ("train", "test"))
net = nn.Sequential(nn.Embedding(len(known), 8), nn.Linear(8, len(known)))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = nn.functional.cross_entropy(net(x[:-1]), x[1:])
    opt.zero_grad(); loss.backward(); opt.step()
"""
    trace = run(source, probe=False, timeout=120)
    assert trace.outcome.state == "complete", trace.outcome
    assert [one.fields["other"] for one in trace.assumptions if one.kind == "file-alike"] == ["talk.test.txt"]
