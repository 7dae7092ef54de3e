"""Cases of SW227."""

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(30, 8)
        self.head = nn.Linear(8, 4)

    def forward(self, tokens):
        pooled = {pooled}
        return self.head(pooled)

data = TensorDataset(torch.randint(0, 30, (48, 12)), torch.randint(0, 4, (48,)))
model = Bag()
opt = torch.optim.Adam(model.parameters())
for tokens, topic in DataLoader(data, batch_size=12, shuffle=True):
    loss = nn.functional.cross_entropy(model(tokens), topic)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_LAST = _SCRIPT.replace(
    "self.head = nn.Linear(8, 4)", "self.head, self.rnn = nn.Linear(8, 4), nn.GRU(8, 8, batch_first=True)"
)

FAULTY = (
    (_LAST.replace("{pooled}", "self.rnn(self.words(tokens))[0][-1]"), 15),
    (_SCRIPT.replace("{pooled}", "self.words(tokens).mean(0)"), 15),
    (_SCRIPT.replace("{pooled}", "self.words(tokens).max(dim=0).values"), 15),
)

SOUND = (
    _LAST.replace("{pooled}", "self.rnn(self.words(tokens))[0][:, -1]"),
    _LAST.replace("{pooled}", "self.rnn(self.words(tokens))[1][-1]"),
    _SCRIPT.replace("{pooled}", "self.words(tokens).mean(1)"),
    _SCRIPT.replace("{pooled}", "self.words(tokens).transpose(0, 1).sum(0)"),
)
