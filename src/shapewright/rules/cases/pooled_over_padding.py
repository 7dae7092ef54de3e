"""Cases of SW257."""

from . import filled

FAULTY = (
    (
        """
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)

class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 8, padding_idx=0)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.words(x).mean(dim=1))

model = Bag()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    rows = [torch.randint(1, 40, (n,)) for n in (3, 9, 5, 7, 4, 8)]
    x = pad_sequence(rows, batch_first=True, padding_value=0)
    loss = nn.functional.cross_entropy(model(x), torch.randint(0, 2, (6,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        15,
    ),
)

SOUND = (
    """
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)

class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 8, padding_idx=0)
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        keep = (x != 0).unsqueeze(-1)
        words = self.words(x)
        mean = (words * keep).sum(dim=1) / keep.sum(dim=1)
        most = words.masked_fill(~keep, float("-inf")).amax(dim=1)
        return self.head(torch.cat([mean, most], dim=1))

model = Bag()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    rows = [torch.randint(1, 40, (n,)) for n in (3, 9, 5, 7, 4, 8)]
    x = pad_sequence(rows, batch_first=True, padding_value=0)
    loss = nn.functional.cross_entropy(model(x), torch.randint(0, 2, (6,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)

# the largest of the nodes of a graph, of which a mask tells
_NODES = """
import torch
from torch import nn
from torch.utils.data import DataLoader
torch.manual_seed(0)

def joined(rows):
    most = max(len(row) for row, _ in rows)
    x, keep = torch.zeros(len(rows), most, 5), torch.zeros(len(rows), most)
    for at, (row, _) in enumerate(rows):
        x[at, : len(row)] = row
        keep[at, : len(row)] = 1
    return x, keep, torch.tensor([kind for _, kind in rows])

class Points(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.head = nn.Linear(5, 16), nn.Linear(16, 16), nn.Linear(16, 2)
    def forward(self, x, keep):
        x = torch.relu(self.first(x)){between}
        x = torch.relu(self.second(x)){then}
        return self.head(x.{pooled})

data = [(torch.randn(n, 5), n % 2) for n in (3, 9, 5, 7, 4, 8, 6, 6, 2, 3, 10, 4)]
model = Points()
opt = torch.optim.Adam(model.parameters())
for epoch in range(2):
    for x, keep, y in DataLoader(data, batch_size=4, collate_fn=joined):
        loss = nn.functional.cross_entropy(model(x, keep), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
"""
_KEEP, _MOST = " * keep[..., None]", "max(dim=1)[0]"
FAULTY += (
    (filled(_NODES, between="", then="", pooled=_MOST), 22),
    (filled(_NODES, between="", then="", pooled="amax(1)"), 22),
)
SOUND += (
    filled(_NODES, between="", then=_KEEP, pooled=_MOST),
    filled(_NODES, between=_KEEP, then=_KEEP, pooled="amax(1)"),
    filled(_NODES, between="", then=_KEEP, pooled="sum(1) / keep.sum(1, keepdim=True)"),
    # the largest of all positions, padding as one of the words: no mask says otherwise
    filled(_NODES, between="", then="", pooled=_MOST).replace("(x, keep)", "(x)").replace("self, x, keep", "self, x"),
)
