"""Where a tensor gets the type that a refused call asks for."""

from shapewright.repair.patch import edited

TAGGED = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

class Notes(Dataset):
    def __init__(self):
        drawn = torch.Generator().manual_seed(0)
        self.rows = [torch.randint(1, 20, (3 + row % 5,), generator=drawn).tolist() for row in range(32)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, row):
        words = torch.zeros(8, dtype=torch.long)
        words[: len(self.rows[row])] = torch.tensor(self.rows[row])
        return words, torch.tensor([int(tag in self.rows[row]) for tag in (3, 7, 11)])

net = nn.Sequential(nn.EmbeddingBag(20, 6), nn.Linear(6, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for words, tags in DataLoader(Notes(), batch_size=8):
    optimizer.zero_grad()
    nn.functional.binary_cross_entropy_with_logits(net(words), tags).backward()
    optimizer.step()
"""


def test_data_that_are_written_into_others_are_not_cast(proposed):
    trace, _, found = proposed(TAGGED)
    texts = ["".join(edited(trace.sources, one.edits).values()) for one in found]
    assert any("for tag in (3, 7, 11)]).float()" in text for text in texts)
    assert not any("torch.tensor(self.rows[row]).float()" in text for text in texts)
