"""Cases of SW252."""

FAULTY = (
    (
        """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(5, 6), nn.Linear(5, 6)
        self.choice = nn.Linear(5, 6)
        self.head = nn.Linear(6, 2)

    def forward(self, x):
        both = torch.stack([self.left(x), self.right(x)])
        share = torch.stack([self.choice(x), -self.choice(x)]).softmax(dim=1)
        return self.head((both * share).sum(0))

data = TensorDataset(torch.randn(30, 5), torch.randint(0, 2, (30,)))
model = Gate()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(data, batch_size=10):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        17,
    ),
)

SOUND = (
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(5, 6), nn.Linear(5, 6)
        self.choice = nn.Linear(5, 6)
        self.norm = nn.BatchNorm1d(6)
        self.head = nn.Linear(6, 2)

    def forward(self, x):
        both = torch.stack([self.left(x), self.right(x)])
        share = torch.stack([self.choice(x), -self.choice(x)]).softmax(dim=0)
        return self.head(self.norm((both * share).sum(0)))

data = TensorDataset(torch.randn(30, 5), torch.randint(0, 2, (30,)))
model = Gate()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(data, batch_size=10):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

# in-batch negatives: the samples are compared on purpose, and each embedding is its own
class Pairs(nn.Module):
    def __init__(self):
        super().__init__()
        self.image, self.text = nn.Linear(12, 8), nn.Linear(7, 8)
        self.scale = nn.Parameter(torch.tensor(1.0))

    def forward(self, image, text):
        image, text = F.normalize(self.image(image), dim=-1), F.normalize(self.text(text), dim=-1)
        scores = self.scale.exp() * image @ text.t()
        return scores, scores.t()

data = TensorDataset(torch.randn(40, 12), torch.randn(40, 7))
model = Pairs()
opt = torch.optim.Adam(model.parameters())
for image, text in DataLoader(data, batch_size=10, shuffle=True):
    rows, columns = model(image, text)
    labels = torch.arange(len(image))
    loss = (F.cross_entropy(rows, labels) + F.cross_entropy(columns, labels)) / 2
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
