"""A user's function for batches, called by hand or by a loader, that puts one part of the samples in another order."""

import pytest

from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions

_BATCHES = """
import random
import torch
from torch import nn
random.seed(0)
torch.manual_seed(0)
WORDS = [f"w{{at}}" for at in range(20)]
texts = [(random.choices(WORDS, k=random.randint(2, 8)), random.randint(0, 2)) for _ in range(64)]
number = {{word: at + 1 for at, word in enumerate(WORDS)}}


def batch(few):
    rows, kinds = [[number[word] for word in words] for words, _ in few], [kind for _, kind in few]
    {more}
    table = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
    for at, row in enumerate(rows):
        table[at, :len(row)] = torch.tensor(row)
    return {given}


net = nn.Sequential(nn.EmbeddingBag(21, 8, padding_idx=0), nn.Linear(8, 3))
opt = torch.optim.Adam(net.parameters())
for at in range(0, 64, 16):
    words, kinds, *_ = batch(texts[at:at + 16])
    loss = nn.functional.cross_entropy(net(words), kinds)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_SORTED = "rows.sort(key=len, reverse=True)"
_ORDER = "order = sorted(range(len(rows)), key=lambda at: -len(rows[at])); rows = [rows[at] for at in order]"


def mispaired(folder, more, given="table, torch.tensor(kinds)"):
    script = folder / "script.py"
    script.write_text(_BATCHES.format(more=more, given=given), encoding="utf-8")
    trace = execute(RunRequest(script=str(script), engine="live"), folder, Assumptions())
    assert trace.outcome.state == "complete"
    return trace.data.mispaired


@pytest.mark.parametrize("more", [_SORTED, _ORDER, "rows = rows[::-1]"])
def test_one_part_in_another_order_is_told(tmp_path, more):
    assert mispaired(tmp_path, more)


@pytest.mark.parametrize(
    ("more", "given"),
    [
        ("pass", "table, torch.tensor(kinds)"),
        (_ORDER + "; kinds = [kinds[at] for at in order]", "table, torch.tensor(kinds)"),
        ("pass", "table, torch.tensor(kinds), table.roll(1, 0)"),  # another text for each
        (
            "random.shuffle(few); rows = [[number[w] for w in one[0]] for one in few]; kinds = [one[1] for one in few]",
            "table, torch.tensor(kinds)",
        ),
    ],
)
def test_what_is_moved_together_or_told_is_not(tmp_path, more, given):
    assert not mispaired(tmp_path, more, given)
