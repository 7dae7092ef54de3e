"""Cases of SW257."""

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
