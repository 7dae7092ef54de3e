"""Cases of SW255."""

_TURNED = """
import torch
from torch import nn
torch.manual_seed(0)
class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(20, 8)
        self.there, self.back = nn.GRU(8, 6, batch_first=True), nn.GRU(8, 6, batch_first=True)
        self.tags = nn.Linear(12, 3)
    def forward(self, ids):
        words = self.words(ids)
        seen, left = self.there(words)[0], self.back(words.flip(1))[0]
        return self.tags([joined])
net = Tagger()
opt = torch.optim.Adam(net.parameters())
ids, kinds = torch.randint(0, 20, (24, 7)), torch.randint(0, 3, (24, 7))
for _ in range(3):
    scores = net(ids)
    loss = nn.functional.cross_entropy(scores.flatten(0, -2), [asked])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def _turned(joined: str, asked: str = "kinds.flatten()") -> str:
    return _TURNED.replace("[joined]", joined).replace("[asked]", asked)


FAULTY = (
    (
        """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Matcher(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(5, 6), nn.Linear(4, 6)
        self.head = nn.Linear(12, 1)

    def forward(self, x, options):
        n, k, _ = options.shape
        x = self.left(x).repeat(k, 1)
        options = self.right(options).view(n * k, 6)
        both = torch.cat([x, options], dim=1)
        return self.head(both).view(n, k)

data = TensorDataset(torch.randn(40, 5), torch.randn(40, 3, 4), torch.randint(0, 3, (40,)))
model = Matcher()
opt = torch.optim.Adam(model.parameters())
for x, options, y in DataLoader(data, batch_size=10):
    loss = nn.functional.cross_entropy(model(x, options), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        18,
    ),
    (_turned("torch.cat([seen, left], -1)"), 14),
)

SOUND = (
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Matcher(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(5, 6), nn.Linear(4, 6)
        self.head = nn.Linear(12, 1)

    def forward(self, x, options):
        n, k, _ = options.shape
        x = self.left(x).repeat_interleave(k, dim=0)
        options = self.right(options).view(n * k, 6)
        both = torch.cat([x, options], dim=1)
        copies = both.repeat(2, 1).view(2, n, k, 12).mean(dim=0)
        return self.head(copies).squeeze(-1)

data = TensorDataset(torch.randn(40, 5), torch.randn(40, 3, 4), torch.randint(0, 3, (40,)))
model = Matcher()
opt = torch.optim.Adam(model.parameters())
for x, options, y in DataLoader(data, batch_size=10):
    loss = nn.functional.cross_entropy(model(x, options), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    _turned("torch.cat([seen, left.flip(1)], -1)"),
    _turned("torch.cat([seen, left], -1)[:, -1]", "kinds[:, 0]"),  # what each has read to its end
    _turned("torch.cat([seen, left], -1).mean(1)", "kinds[:, 0]"),
)
