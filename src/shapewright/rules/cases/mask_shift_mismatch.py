"""Cases of SW232."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Embedding(20, 8), nn.Linear(8, 20))
lengths = torch.tensor([4, 9, 6])
ids = torch.randint(1, 20, (3, 9))
mask = (torch.arange(9) < lengths[:, None]).float()
nll = nn.functional.cross_entropy(net(ids)[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
keep = {keep}
loss = (nll * keep).sum() / keep.sum()
loss.backward()
"""

FAULTY = (
    (_SCRIPT.replace("{keep}", "mask[:, :-1]"), 11),
    (
        _SCRIPT.replace("{keep}", "mask[:, :-1]").replace(
            'nn.functional.cross_entropy(net(ids)[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")',
            "-net(ids)[:, :-1].log_softmax(-1).gather(2, ids[:, 1:, None]).squeeze(-1)",
        ),
        11,
    ),
)

SOUND = (
    _SCRIPT.replace("{keep}", "mask[:, 1:]"),
    _SCRIPT.replace("{keep}", "mask[:, :-1]").replace("nll = nn", "mask[:, :-1] = mask[:, 1:].clone()\nnll = nn"),
    _SCRIPT.replace("{keep}", "mask[:, :-1]").replace("ids[:, 1:]", "(ids[:, :-1] * 3 % 20)"),
)
