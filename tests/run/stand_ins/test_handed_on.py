"""What libraries that are not installed only hand on: names in their order, sentences in words, what a bar goes
through."""

from __future__ import annotations

from shapewright.checking import examine
from shapewright.run.stand_ins.handed_on import declared

SCRIPT = """
import jieba
import torch
from natsort import natsorted
from pyprind import prog_bar

names = natsorted(["row10.txt", "row2.txt"])
texts = {name: f"{at}天气很好我们去公园" for at, name in enumerate(names)}
words = [list(jieba.cut(texts[name], cut_all=False)) for name in names]
known = {word: at for at, word in enumerate(sorted({word for row in words for word in row}))}
net = torch.nn.Sequential(torch.nn.Embedding(len(known), 4), torch.nn.Linear(4, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for row in prog_bar(words):
    loss = net(torch.tensor([known[word] for word in row])).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_a_script_goes_on_with_what_was_handed_on(resident, tmp_path):
    (tmp_path / "a.py").write_text(SCRIPT, encoding="utf-8")
    _, diagnosis = examine(str(tmp_path / "a.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, (diagnosis.reason, diagnosis.findings)


def test_nothing_of_a_library_beyond_that_is_known():
    assert declared("natsort", "natsorted")(["b", "a"]) == ["a", "b"]
    assert declared("jieba", "lcut")("abc") == ["ab", "c"]
    assert declared("rich", "track")([1, 2], description="going") == [1, 2]
    folds = [
        (set(one), set(other))
        for one, other in declared("sklearn", "KFold")(n_splits=4, shuffle=True).split("abcdefghij")
    ]
    assert len(folds) == 4 and all(not one & other and len(one | other) == 10 and other for one, other in folds)
    assert declared("rich", "print") is None and declared("natsort", "ns") is None
