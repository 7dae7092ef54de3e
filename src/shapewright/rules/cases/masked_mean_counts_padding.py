"""Cases of SW218."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
ids = nn.utils.rnn.pad_sequence([torch.randint(1, 9, (n,)) for n in (3, 5, 7, 4)], batch_first=True)
net = nn.Sequential(nn.Embedding(9, 6), nn.Linear(6, 4))
mask = (ids != 0).float()
per_step = nn.functional.cross_entropy(net(ids).transpose(1, 2), ids % 4, reduction="none")
loss = {loss}
loss.backward()
"""

FAULTY = ((_SCRIPT.replace("{loss}", "(per_step * mask).mean()"), 9),)

SOUND = (
    _SCRIPT.replace("{loss}", "(per_step * mask).sum() / mask.sum()"),
    _SCRIPT.replace("{loss}", "(per_step * mask).mean() / mask.mean()"),
)
