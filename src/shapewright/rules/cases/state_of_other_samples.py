"""Cases of SW281."""

_HEAD = """
import torch
from torch import nn

torch.manual_seed(0)
text = torch.randint(0, 30, (4000,))
T, B = 12, 16

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 16)
        self.rnn = nn.GRU(16, 24, batch_first=True)
        self.out = nn.Linear(24, 30)

    def forward(self, x, state=None):
        h, state = self.rnn(self.embed(x), state)
        return self.out(h), state

model = Net()
opt = torch.optim.Adam(model.parameters())
state = None
rows = text.view(B, -1)
for i in range(20):
"""
_RANDOM = """    starts = torch.randint(0, len(text) - T - 1, (B,)).tolist()
    x = torch.stack([text[s : s + T] for s in starts])
    y = torch.stack([text[s + 1 : s + T + 1] for s in starts])
"""
_FOLLOWING = """    x, y = rows[:, i * T : i * T + T], rows[:, i * T + 1 : i * T + T + 1]
"""
_STEP = """    logits, state = model(x, {state})
    state = state.detach()
    loss = nn.functional.cross_entropy(logits.reshape(-1, 30), y.reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = ((_HEAD + _RANDOM + _STEP.format(state="state"), 28),)
SOUND = (_HEAD + _FOLLOWING + _STEP.format(state="state"), _HEAD + _RANDOM + _STEP.format(state="None"))
