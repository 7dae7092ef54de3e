"""Cases of SW235."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
a, b = torch.randn(9, 5), torch.randn(9, 5)
same = (torch.arange(9) % 2).float()
for step in range(3):
    u, v = net(a), net(b)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_PICTURES = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
pictures = torch.rand(40, 1, 6, 6)
data = DataLoader(TensorDataset({pictures}), batch_size=10, shuffle=True)
net = nn.Sequential(nn.Flatten(), nn.Linear(36, 8), nn.ReLU(), nn.Linear(8, 36), {last})
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(2):
    for (x,) in data:
        loss = nn.functional.{loss}(net(x), x.view(len(x), -1))
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

_LABELED = """
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset
torch.manual_seed(0)
x, grades = torch.randn(180, 5), torch.arange(180) % 4{first}

class Rows(Dataset):
    def __len__(self):
        return 180

    def __getitem__(self, at):
        return x[at], {item}

def targets(batch):
    return {batch}

net = nn.Linear(5, {classes})
opt = torch.optim.SGD(net.parameters(), 0.1)
for a, b in DataLoader(Rows(), batch_size=20, shuffle=True):
    loss = nn.functional.cross_entropy(net(a), targets(b))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def _labeled(item="grades[at]", batch="batch", first="", classes=4):
    return _LABELED.format(item=item, batch=batch, first=first, classes=classes)


_LISTED = """
import numpy as np
import torch
from torch import nn
rng = np.random.default_rng(0)
x = rng.normal(size=(120, 3)).astype("float32")
kinds = [int(one) for one in rng.integers(0, 3, 120)]
y = torch.tensor([{made} for one in kinds])
net = nn.Linear(3, 3)
opt = torch.optim.SGD(net.parameters(), 0.1)
for epoch in range(2):
    for part in torch.randperm(120).split(30):
        loss = nn.CrossEntropyLoss()(net(torch.from_numpy(x[part.numpy()])), y[part])
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

_TAGS = """
import torch
from torch import nn
torch.manual_seed(0)
x = torch.randn(120, 8)
tags = {tags}
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 5))
opt = torch.optim.Adam(net.parameters(), 1e-3)
for epoch in range(2):
    for part in torch.randperm(120).split(30):
        loss = {loss}
        opt.zero_grad()
        loss.backward()
        opt.step()
"""
_MANY, _ONE = (
    "(x @ torch.randn(8, 5) > 0).float()",
    "nn.functional.one_hot((x @ torch.randn(8, 5)).argmax(1), 5).float()",
)
_EACH = "nn.BCELoss()(torch.softmax(net(x[part]), dim=-1), tags[part])"

_FAULTY = tuple(
    (_SCRIPT.replace("{loss}", loss), 11)
    for loss in (
        "nn.CosineEmbeddingLoss()(u, v, same)",
        "nn.MarginRankingLoss(0.5)(u[:, 0], v[:, 0], same)",
        "nn.functional.soft_margin_loss(u[:, 0] - v[:, 0], same)",
        "nn.BCEWithLogitsLoss()(u[:, 0] - v[:, 0], 2 * same - 1)",
        "nn.functional.binary_cross_entropy_with_logits(u[:, 0], same + 1)",
        "nn.BCEWithLogitsLoss()(u, torch.randint(0, 256, (9, 3)).float())",
        "nn.functional.binary_cross_entropy_with_logits(u, b[:, :3])",
    )
)
FAULTY = (
    *_FAULTY,
    (_TAGS.format(tags=_MANY, loss=_EACH), 11),
    (
        _TAGS.format(
            tags="3 * torch.rand(120, 5)", loss="(nn.functional.mse_loss(net(x[part]).softmax(1), tags[part]))"
        ),
        11,
    ),
    (_labeled(batch="batch.clamp(max=3)", first=" + 1"), 22),
    (_labeled(item="grades[at].bool().long()"), 22),
    (_labeled(batch="torch.minimum(batch, torch.tensor(1))"), 22),
    (_labeled(batch="(batch == 2).long()"), 22),
    (_LISTED.format(made="int(one > 0)"), 8),
    (_PICTURES.format(pictures="(pictures - 0.5) / 0.5", last="nn.Sigmoid()", loss="l1_loss"), 12),
    (_PICTURES.format(pictures="(pictures - 0.13) / 0.2", last="nn.Tanh()", loss="mse_loss"), 12),
    (_PICTURES.format(pictures="2 * pictures - 1", last="nn.ReLU()", loss="mse_loss"), 12),
)


_SOUND = tuple(
    _SCRIPT.replace("{loss}", loss)
    for loss in (
        "nn.CosineEmbeddingLoss()(u, v, 2 * same - 1)",
        "nn.CosineEmbeddingLoss()(u, v, torch.ones(9)) + nn.MarginRankingLoss(0.5)(u[:, 0], v[:, 0], torch.ones(9))",
        "nn.functional.soft_margin_loss(u[:, 0], same.sign() * 2 - 1)",
        "nn.functional.binary_cross_entropy_with_logits(u[:, 0], 0.9 * same + 0.05)",
        "nn.functional.binary_cross_entropy_with_logits(u[:, 0], torch.full((9,), 1.1))",
        "nn.BCEWithLogitsLoss()(u, torch.rand(9, 3))",
        "nn.BCEWithLogitsLoss()(u, torch.softmax(3 * b[:, :3], 1) * 1.0005)",
    )
)
SOUND = (
    _PICTURES.format(pictures="(pictures - 0.5) / 0.5", last="nn.Tanh()", loss="l1_loss"),
    _PICTURES.format(pictures="pictures", last="nn.Sigmoid()", loss="mse_loss"),
    _PICTURES.format(pictures="pictures", last="nn.Tanh()", loss="mse_loss"),  # half of its range is left unused
    _PICTURES.format(pictures="1.2 * pictures", last="nn.Sigmoid()", loss="mse_loss"),
    _PICTURES.format(pictures="2 * pictures - 1", last="nn.Identity()", loss="mse_loss"),
    _PICTURES.format(pictures="2 * pictures - 1", last="nn.LeakyReLU()", loss="mse_loss"),
    *_SOUND,
    _TAGS.format(tags=_ONE, loss=_EACH),
    _TAGS.format(tags=_ONE + " * 0.9 + 0.02", loss="nn.functional.mse_loss(net(x[part]).softmax(1), tags[part])"),
    _TAGS.format(tags=_MANY, loss=_EACH.replace("torch.softmax", "torch.sigmoid").replace(", dim=-1", "")),
    # each place of a series by itself: the scores over the places are what competes
    _TAGS.format(
        tags="torch.softmax(4 * x[:, :5], 1)", loss="nn.functional.mse_loss(net(x[part]).softmax(1), tags[part])"
    ),
    _labeled(),
    _labeled(batch="batch - 1", first=" + 1"),
    _labeled(batch="(batch + 2) % 4"),
    _labeled(batch="(batch > 0).long()", classes=2),
    _labeled(batch="batch // 2", classes=2),
    _labeled(batch="batch.clamp(max=3)", first=" + torch.arange(180) // 60", classes=4),  # 3 and more
    _labeled(batch="batch.masked_fill(torch.rand(len(batch)) < 0.5, -100)"),
    _labeled(batch="torch.where(torch.rand(len(batch)) < 0.1, torch.randint(0, 4, (len(batch),)), batch)"),
    _LISTED.format(made="one"),
    _LISTED.format(made="2 - one"),
)
