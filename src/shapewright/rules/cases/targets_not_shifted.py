"""Cases of SW260."""

from .later_tokens_seen import _SOUND

FAULTY = (
    (
        """
import torch
from torch import nn

torch.manual_seed(0)
V = 25

class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, 16)
        self.rnn, self.out = nn.LSTM(16, 16, batch_first=True), nn.Linear(16, V)

    def forward(self, ids):
        return self.out(self.rnn(self.emb(ids))[0])

model = LM()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    ids = torch.randint(0, V, (6, 12))
    logits = model(ids)
    loss = nn.functional.cross_entropy(logits.reshape(-1, V), ids.reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        22,
    ),
)

SOUND = (_SOUND,)
