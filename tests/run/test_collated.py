"""A user's function for batches that puts one part of the samples in another order than the rest."""

import pytest

from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions

_BATCHES = """
import random
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
random.seed(0)
torch.manual_seed(0)


def text():
    words = [random.randint(1, 29) for _ in range(random.randint(3, 9))]
    return words, [(word + 1) % 4 for word in words], words[0] % 3


def together(batch):
    words, tags = ([torch.tensor(one[part]) for one in batch] for part in range(2))
    kinds = torch.tensor([one[2] for one in batch])
    lengths, order = torch.tensor([len(one) for one in words]).sort(descending=True)
    words = [words[at] for at in order]
    {more}
    return pad_sequence(words, True), pad_sequence(tags, True, -100), kinds, {last}


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.out = nn.Embedding(30, 8), nn.GRU(8, 8, batch_first=True), nn.Linear(8, 4)

    def forward(self, x):
        return self.out(self.rnn(self.embed(x))[0])


net = Tagger()
opt = torch.optim.Adam(net.parameters())
for x, y, kinds, last in DataLoader([text() for _ in range(40)], batch_size=8, collate_fn=together):
    guess = net(x)
    loss = nn.functional.cross_entropy(guess{back}.flatten(0, 1), y.flatten(), ignore_index=-100)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def mispaired(folder, more, last="lengths", back=""):
    script = folder / "script.py"
    script.write_text(_BATCHES.format(more=more, last=last, back=back), encoding="utf-8")
    trace = execute(RunRequest(script=str(script), engine="live"), folder, Assumptions())
    assert trace.outcome.state == "complete"
    return trace.data.mispaired


@pytest.mark.parametrize(
    ("more", "kept"), [("kinds = kinds[order]", "tags"), ("tags = [tags[at] for at in order]", "kinds")]
)
def test_a_part_is_left_in_its_order(tmp_path, more, kept):
    (found,) = mispaired(tmp_path, more)
    assert (found.targets.name, found.moved_samples.site.line, found.count) == (kept, 20, 8)


@pytest.mark.parametrize(
    "how",
    [
        ("tags, kinds = [tags[at] for at in order], kinds[order]",),
        ("pass", "order.argsort()", "[last]"),  # the model's answers are put back
    ],
)
def test_all_parts_keep_together_or_the_order_is_told(tmp_path, how):
    assert mispaired(tmp_path, *how) == ()
