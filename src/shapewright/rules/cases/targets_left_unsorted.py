"""Cases of SW299."""

_SCRIPT = """
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence
torch.manual_seed(0)
rnn, head = nn.GRU(3, 4, batch_first=True), nn.Linear(4, 2)
opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
for step in range(3):
    x, lengths, y = torch.randn(6, 5, 3), torch.randint(1, 6, (6,)), torch.randint(0, 2, (6,))
    lengths, order = lengths.sort(descending=True)
    x = x[order]
    last = rnn(pack_padded_sequence(x, lengths, batch_first=True))[1][-1]
    {turn}
    loss = nn.functional.cross_entropy(head(last), {target})
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = ((_SCRIPT.replace("{turn}", "pass").replace("{target}", "y"), 11),)

SOUND = (
    _SCRIPT.replace("{turn}", "pass").replace("{target}", "y[order]"),
    _SCRIPT.replace("{turn}", "last = last[order.argsort()]").replace("{target}", "y"),
)
