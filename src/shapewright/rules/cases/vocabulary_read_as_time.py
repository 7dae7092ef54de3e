"""Cases of SW240."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
ids = torch.tensor([[0, 0, 1, 1, 2], [3, 1, 1, 0, 4], [2, 2, 2, 0, 1]])
x = nn.functional.one_hot(ids, 5).float(){turn}
rnn = nn.GRU(5, 8{first})
out = rnn(x)[0]
out.mean().backward()
"""

FAULTY = (
    (_SCRIPT.replace("{turn}", ".permute(0, 2, 1)").replace("{first}", ", batch_first=True"), 8),
    (_SCRIPT.replace("{turn}", ".permute(2, 0, 1)").replace("{first}", ""), 8),
)

SOUND = (
    _SCRIPT.replace("{turn}", "").replace("{first}", ", batch_first=True"),
    _SCRIPT.replace("{turn}", ".permute(1, 0, 2)").replace("{first}", ""),
    """
import torch
from torch import nn
torch.manual_seed(0)
spikes = (torch.rand(6, 7, 4) < 0.3).float()
nn.LSTM(4, 8, batch_first=True)(spikes)[0].mean().backward()
""",
)
