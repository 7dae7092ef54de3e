"""Cases of SW226."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Marker(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.rnn, self.head = nn.Embedding(25, 8), nn.LSTM(8, 16, batch_first=True), nn.Linear(16, 9)

    def forward(self, tokens):
        return self.head(self.rnn(self.words(tokens))[0])

data = TensorDataset(torch.randint(0, 25, (40, 9)), torch.randint(0, 9, (40, 9)))
model = Marker()
opt = torch.optim.Adam(model.parameters())
for tokens, tags in DataLoader(data, batch_size=8):
    loss = nn.functional.cross_entropy({scores}, {tags})
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


FAULTY = ((filled(_SCRIPT, scores="model(tokens)", tags="tags"), 20),)

SOUND = (
    filled(_SCRIPT, scores="model(tokens).transpose(1, 2)", tags="tags"),
    filled(_SCRIPT, scores="model(tokens).permute(0, 2, 1)", tags="tags"),
    filled(_SCRIPT, scores="model(tokens).flatten(0, 1)", tags="tags.flatten()"),
    filled(_SCRIPT, scores="model(tokens)[:, :1].expand(-1, 9, -1).transpose(1, 2)", tags="tags"),
)
