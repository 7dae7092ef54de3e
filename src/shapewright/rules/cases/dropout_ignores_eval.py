"""Cases of SW308."""

FAULTY = (
    (
        """
import torch
from torch import nn
from torch.nn import functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 16), nn.Linear(16, 2)

    def forward(self, x):
        x = F.dropout(torch.relu(self.a(x)), 0.4)
        return self.b(x)

model = Net()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    loss = F.cross_entropy(model(torch.randn(8, 4)), torch.randint(0, 2, (8,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
model.eval()
with torch.no_grad():
    print(model(torch.randn(3, 4)).argmax(1))
""",
        12,
    ),
)

SOUND = (
    """
import torch
from torch import nn
from torch.nn import functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.drop = nn.Linear(4, 16), nn.Linear(16, 2), nn.Dropout(0.1)

    def forward(self, x):
        x = F.dropout(torch.relu(self.a(x)), 0.4, training=self.training)
        x = F.dropout(x, p=0.0)
        x = F.scaled_dot_product_attention(x[:, None], x[:, None], x[:, None],
            dropout_p=0.1 if self.training else 0.0)[:, 0]
        return self.b(self.drop(x))

model = Net()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    loss = F.cross_entropy(model(torch.randn(8, 4)), torch.randint(0, 2, (8,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
model.eval()
with torch.no_grad():
    votes = [F.dropout(model(torch.randn(3, 4)), 0.1, training=True) for _ in range(3)]
""",
)
