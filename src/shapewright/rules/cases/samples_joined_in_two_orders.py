"""Cases of SW255."""

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
)
